internal import Synchronization

extension FlatCache {
    /// The cache that generated accessors use: the innermost ``withCurrent(_:_:)`` around the call, or else ``shared``.
    ///
    /// A computed property that is read through a handle finds the handle's cache here, and a fetcher its own.
    public static var current: FlatCache { wasEverBound.load(ordering: .relaxed) ? bound ?? shared : shared }

    @TaskLocal private static var bound: FlatCache?
    /// Whether any cache was ever made the current one: looking for it takes half as long as a read, and most apps use the
    /// shared one alone.
    private static let wasEverBound = Atomic(false)

    /// Makes a cache the current one while a body runs.
    ///
    ///     @Test func renamedAuthor() {
    ///         FlatCache.withCurrent(FlatCache()) {
    ///             …    // reads and writes through accessors stay in this test
    ///         }
    ///     }
    ///
    /// Tasks that the body creates inherit it, except detached ones. Threads that it starts by other means, dispatch
    /// queues among them, don't.
    ///
    /// - Parameters:
    ///   - cache: The cache to use.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    @discardableResult
    public static func withCurrent<Result, Failure: Error>(
        _ cache: FlatCache,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        wasEverBound.store(true, ordering: .relaxed)
        // `withValue` rethrows without a type: the outcome is carried past it as a value.
        let outcome: Swift.Result<Result, Failure> = $bound.withValue(cache) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Makes this cache the current one while a body runs, which costs little where it is that already.
    @usableFromInline
    func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if FlatCache.current === self { return try body() }
        return try FlatCache.withCurrent(self, body)
    }

    /// Makes a cache the current one while an asynchronous body runs.
    ///
    /// Tasks that the body creates inherit it, except detached ones.
    ///
    /// - Parameters:
    ///   - cache: The cache to use.
    ///   - isolation: The actor to run the body on: that of the caller.
    ///   - body: What to run.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
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
