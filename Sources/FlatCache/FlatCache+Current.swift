extension FlatCache {
    /// The cache that generated accessors use: the innermost ``withCurrent(_:_:)`` around the call, or else ``shared``.
    ///
    /// A computed property that is read through a handle finds the handle's cache here.
    public static var current: FlatCache {
        switch bound {
        case nil: shared
        case .kept(let cache): cache
        // What a fetcher does with a cache that is gone concerns nobody.
        case .notKept(let reference): reference.object ?? FlatCache()
        }
    }

    @TaskLocal private static var bound: CurrentCache?

    private enum CurrentCache: Sendable {
        case kept(FlatCache)
        case notKept(WeakReference<FlatCache>)
    }

    /// Makes a cache the current one while an asynchronous body runs, and doesn't keep it alive.
    static func withCurrent<Result>(
        unretained cache: WeakReference<FlatCache>,
        _ body: () async -> Result
    ) async -> Result {
        await $bound.withValue(.notKept(cache), operation: body)
    }

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
        // `withValue` rethrows without a type: the outcome is carried past it as a value.
        let outcome: Swift.Result<Result, Failure> = $bound.withValue(.kept(cache)) {
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
        try await $bound.withValue(.kept(cache), operation: body, isolation: isolation)
    }
}
