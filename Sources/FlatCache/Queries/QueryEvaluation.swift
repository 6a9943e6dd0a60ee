/// The matches of a query in one state of a cache, from scratch.
struct QueryEvaluation<Value: Cachable> {
    let query: FlatCache.Query<Value>
    private(set) var matches: [AnyQueryMatch] = []
    /// The last match that can be needed, or `nil` while all can.
    private var bound: AnyQueryMatch?

    init(of query: FlatCache.Query<Value>) {
        self.query = query
    }

    /// Adds the entities that match.
    ///
    /// It runs user code, so no lock may be held.
    ///
    /// - Returns: The number of matches among them.
    @discardableResult
    mutating func add(_ entities: [StoredEntity<Value>]) -> Int {
        let new = query.matches(among: entities)
        matches += bound.map { bound in new.filter { query.order.precedes($0, bound) } } ?? new
        return new.count
    }

    /// Drops matches that aren't needed for the answer, so that a limited query of many entities needs little memory.
    mutating func dropUnneeded() {
        guard let needed = query.order.neededCount, matches.count > 2_048, matches.count / 2 > needed else { return }
        sort()
        matches.removeSubrange(needed...)
        bound = matches.last
    }

    /// Puts the matches into the order of the query.
    mutating func sort() { matches.sort { query.order.precedes($0, $1) } }
}

extension FlatCache {
    /// The answer of a query in the state that the calling thread reads.
    func answer<Value: Cachable>(of query: Query<Value>) -> QueryValues<Value> {
        if query.isCircle(in: self) { return QueryValues([], in: query.order) }
        return asCurrent {
            readTogether {
                guard let snapshot = history.snapshotOfThread else { return QueryValues([], in: query.order) }
                let table = registry.table(of: Value.self).takeUnretainedValue()
                let candidates = candidates(for: query, in: snapshot, of: table, mayStop: true)
                return query.whileAsked(in: self) {
                    var evaluation = QueryEvaluation(of: query)
                    evaluation.add(candidates, in: snapshot, of: table)
                    evaluation.sort()
                    return QueryValues(evaluation.matches, in: query.order)
                }
            }
        }
    }
}
