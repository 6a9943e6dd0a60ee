/// A query whose conditions and sort keys the calling thread asks, and which these can read in turn.
///
/// They may read it once more, because their code can end that itself. If they go on, it is a circle, which has no answer. So
/// that all entities are asked alike, the query is asked again from the beginning, and its own answer is empty for all.
final class RunningQuery {
    private static let innermost = ThreadLocal<RunningQuery>()

    private let query: AnyHashable
    private let history: History
    private let outer: RunningQuery?
    private let depth: Int
    private var isCircle = false
    /// Whether queries that are equal to none have read each other as deep as ``limit``.
    private var isTooDeep = false
    private var mustRepeat = false

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

    /// Runs a body that asks the conditions and sort keys of a query, and again if it is found to be a circle.
    static func run<Result>(_ query: AnyHashable, of history: History, _ body: () -> Result) -> Result {
        let running = RunningQuery(query, history)
        innermost.object = running
        defer { innermost.object = running.outer }
        let result = body()
        return running.mustRepeat ? body() : result
    }

    /// Runs a body, such as a call of an observer, that isn't part of the running queries.
    static func outside<Result>(_ body: () -> Result) -> Result {
        guard let running = innermost.object else { return body() }
        innermost.object = nil
        defer { innermost.object = running }
        return body()
    }

    /// Whether the conditions or sort keys of a query that is about to be read lead back to it.
    static func isCircle(_ query: @autoclosure () -> AnyHashable, of history: History) -> Bool {
        guard let innermost = innermost.object else { return false }
        if innermost.isTooDeep { return true }
        let all = Array(sequence(first: innermost) { $0.outer })
        if innermost.depth >= limit {
            for running in all { running.isTooDeep = true }
            all.last?.mustRepeat = true
            return true
        }
        let query = query()
        let same = all.filter { $0.history === history && $0.query == query }
        guard same.count > 1 || same.first?.isCircle == true else { return false }
        for running in same { running.isCircle = true }
        same.last?.mustRepeat = true
        return true
    }
}
