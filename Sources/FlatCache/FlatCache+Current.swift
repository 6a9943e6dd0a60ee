internal import Synchronization

extension FlatCache {
    /// The shared cache of the process, which is sufficient for most apps.
    ///
    /// It is the cache of ``setShared(_:)``, or else an empty one that is created at the first use.
    public static var shared: FlatCache { sharedCache.load() ?? sharedCache.storeIfNil(FlatCache(name: "shared")) }

    /// The shared cache, once it is used or set.
    private static let sharedCache = LazyReference<FlatCache>()

    /// Makes a cache the shared cache of the process, before the first use of ``shared``.
    ///
    /// An app whose entities are kept on disk restores its cache first, because all accessors use the shared cache:
    ///
    ///     try FlatCache.setShared(try await FlatCache(store: FileStore(at: folder), for: Post.self, Author.self))
    ///
    /// - Parameter cache: The cache.
    /// - Throws: A ``SharedCacheError`` if another cache is the shared one, because it was set or used before, also
    ///   indirectly by an accessor or by ``current``. Then nothing is changed, because entities could be in both caches.
    public static func setShared(_ cache: FlatCache) throws(SharedCacheError) {
        guard sharedCache.storeIfNil(cache) === cache else { throw SharedCacheError() }
    }

    /// The error of setting the shared cache after its first use.
    public struct SharedCacheError: Error, Hashable, Sendable, CustomStringConvertible {
        /// A message that describes the problem and the remedy.
        public var description: String {
            """
            The shared cache was already used, so it can't be another one. Call 'FlatCache.setShared' before anything reads or \
            writes through accessors, 'FlatCache.shared' or 'FlatCache.current', such as at the beginning of 'main'
            """
        }
    }

    /// The cache that generated accessors use: the cache of the innermost ``withCurrent(_:_:)``, or ``shared`` outside
    /// of it.
    ///
    /// While a computed property is read through a handle, this is the cache of the handle. While a fetcher runs, this
    /// is the cache that called it. In the body of ``transaction(_:)`` or ``read(_:)``, this is the cache that runs it.
    public static var current: FlatCache { wasEverBound.load(ordering: .relaxed) ? bound ?? shared : shared }

    @TaskLocal private static var bound: FlatCache?
    /// Whether ``withCurrent(_:_:)`` was ever called.
    ///
    /// The lookup of the task-local value takes half as long as a read, and most apps use only the shared cache.
    private static let wasEverBound = Atomic(false)

    /// Makes a cache the current one while a body runs, and returns the body's result.
    ///
    ///     @Test func renamedAuthor() {
    ///         FlatCache.withCurrent(FlatCache()) {
    ///             …    // reads and writes through accessors stay in this test
    ///         }
    ///     }
    ///
    /// Tasks that the body creates inherit the current cache, except detached tasks. Other threads, such as those of
    /// dispatch queues, don't inherit it.
    ///
    /// - Parameters:
    ///   - cache: The cache to use.
    ///   - body: The closure to run.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    @discardableResult
    public static func withCurrent<Result, Failure: Error>(
        _ cache: FlatCache,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        wasEverBound.store(true, ordering: .relaxed)
        // `withValue` rethrows untyped errors, so the outcome is passed through it as a value.
        let outcome: Swift.Result<Result, Failure> = $bound.withValue(cache) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Makes this cache the current one while a body runs.
    ///
    /// This costs little if it is already the current one.
    @usableFromInline
    func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if FlatCache.current === self { return try body() }
        return try FlatCache.withCurrent(self, body)
    }

    /// Makes a cache the current one while an asynchronous body runs, and returns the body's result.
    ///
    /// Tasks that the body creates inherit the current cache, except detached tasks.
    ///
    /// - Parameters:
    ///   - cache: The cache to use.
    ///   - isolation: The actor on which the body runs, by default the caller's.
    ///   - body: The closure to run.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws.
    @discardableResult
    public static func withCurrent<Result>(
        _ cache: FlatCache,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        wasEverBound.store(true, ordering: .relaxed)
        return try await $bound.withValue(cache, operation: body, isolation: isolation)
    }
}
