/// The queries that the answer of another one depends on, because its conditions or sort keys read them.
///
/// A commit comes into the mailbox of the answer when those queries have delivered their new answers, and not under the locks of
/// the commit. So they are asked, and brought up to date, before it.
struct ReadQueries {
    /// The queries, each after those that it depends on.
    private var all: [any ReadQuery] = []
    /// The queries whose own ones are added, and whether all of them are.
    private var visited: [ObjectIdentifier: Bool] = [:]
    /// Whether a query depends on itself, so that there is no order.
    private var areCircular = false

    /// The tables that they depend on, after those of the answer.
    func tables(after own: [EntityTable]) -> [EntityTable] { all.isEmpty ? own : own + all.flatMap(\.tables) }

    /// Whether they have delivered all changes that were posted to them, or `false` if that isn't known.
    var areIdle: Bool { !areCircular && all.allSatisfy(\.isIdle) }

    /// Delivers their waiting changes, unless other threads do.
    func bringUpToDate(in cache: FlatCache) {
        for query in all where !query.isIdle { query.bringUpToDate(in: cache) }
    }

    /// Adds a query, after those that it depends on.
    mutating func add(_ query: some ReadQuery) {
        query.collect(into: &self)
        all.append(query)
    }

    /// Runs a body that adds the queries that a query depends on, once.
    mutating func visit(_ query: ObjectIdentifier, _ body: (inout ReadQueries) -> Void) {
        if let isComplete = visited[query] {
            if !isComplete { areCircular = true }
            return
        }
        visited[query] = false
        body(&self)
        visited[query] = true
    }
}

/// A query whose answer another one depends on.
protocol ReadQuery {
    /// The tables that its own answer depends on.
    var tables: [EntityTable] { get }

    /// Whether it has delivered all changes that were posted to it.
    var isIdle: Bool { get }

    /// Delivers the waiting changes, unless another thread does.
    func bringUpToDate(in cache: FlatCache)

    /// Adds the queries that it depends on.
    func collect(into queries: inout ReadQueries)
}

/// What is computed from a query, and can be a dependency.
protocol ReadingOfQuery: AnyObject, Sendable {
    /// Adds the query, and the queries that it depends on.
    func collect(into queries: inout ReadQueries)
}
