/// A query whose conditions and sort keys the calling thread asks, and which these can read in turn.
final class RunningQuery {
    private static let innermost = ThreadLocal<RunningQuery>()

    private let query: AnyHashable
    private let history: History
    private let outer: RunningQuery?
    private let depth: Int
    /// Whether queries that are equal to none have read each other as deep as ``limit``.
    private var isTooDeep = false

    /// How deep queries can read each other.
    ///
    /// A closure that makes a new query in each call never reads the same one.
    private static let limit = 32

    private init(_ query: AnyHashable, _ history: History) {
        self.query = query
        self.history = history
        outer = Self.innermost.object
        depth = (outer?.depth ?? 0) + 1
    }

    /// Runs a body that asks the conditions and sort keys of a query.
    static func run<Value: Cachable, Result>(
        _ query: FlatCache.Query<Value>,
        in cache: FlatCache,
        _ body: () -> Result
    ) -> Result {
        if !query.mayRead { return body() }
        let running = RunningQuery(query, cache.history.object)
        innermost.object = running
        defer { innermost.object = running.outer }
        return body()
    }

    /// Runs a body, such as a call of an observer, that isn't part of the running queries.
    static func outside<Result>(_ body: () -> Result) -> Result {
        guard let running = innermost.object else { return body() }
        innermost.object = nil
        defer { innermost.object = running }
        return body()
    }

    /// Whether the conditions or sort keys of a query are about to read its own answer, which they read as empty.
    static func isCircle<Value: Cachable>(_ query: FlatCache.Query<Value>, in cache: FlatCache) -> Bool {
        guard let innermost = innermost.object, query.mayRead else { return false }
        guard innermost.isTooDeep || innermost.depth >= limit || innermost.runs(query, cache.history.object) else {
            return false
        }
        // The others would get as deep again for each entity.
        if innermost.depth >= limit { innermost.noteDepth() }
        #if DEBUG
        DeveloperNotes.sayOnce("circle of \(Value.self)") {
            """
            a condition or sort key of a query of '\(Value.self)' reads the answer of the same query, maybe by other queries. \
            It reads an empty answer there. Let it read entities instead
            """
        }
        #endif
        return true
    }

    private func runs(_ query: AnyHashable, _ history: History) -> Bool {
        self.history === history && self.query == query || outer?.runs(query, history) == true
    }

    private func noteDepth() {
        isTooDeep = true
        outer?.noteDepth()
    }
}
