/// The matches of a query in one state of a cache, from scratch.
struct QueryEvaluation<Value: Cachable> {
    private let query: FlatCache.Query<Value>
    private(set) var matches: [AnyQueryMatch] = []

    init(of query: FlatCache.Query<Value>) {
        self.query = query
    }

    /// Adds the entities that match.
    ///
    /// It runs user code, so no lock may be held.
    mutating func add(_ entities: [StoredEntity<Value>]) {
        matches += query.matches(among: entities)
    }

    /// Drops matches that aren't needed for the answer, so that a limited query of many entities needs little memory.
    mutating func dropUnneeded() {
        guard let needed = query.order.neededCount, matches.count > 2_048, matches.count / 2 > needed else { return }
        sort()
        matches.removeSubrange(needed...)
    }

    /// Puts the matches into the order of the query.
    mutating func sort() { matches.sort { query.order.precedes($0, $1) } }
}

extension FlatCache {
    /// The answer of a query in the state that the calling thread reads.
    func answer<Value: Cachable>(of query: Query<Value>) -> QueryValues<Value> {
        asCurrent {
            readTogether {
                guard let snapshot = history.snapshotOfThread else { return QueryValues([], in: query.order) }
                let table = registry.table(of: Value.self).takeUnretainedValue()
                var evaluation = QueryEvaluation(of: query)
                if let candidates = candidates(for: query, in: snapshot, of: table) {
                    evaluation.add(candidates)
                } else {
                    snapshot.forEachPiece(in: table) { piece in
                        evaluation.add(piece)
                        evaluation.dropUnneeded()
                    }
                }
                evaluation.sort()
                return QueryValues(evaluation.matches, in: query.order)
            }
        }
    }

    /// The entities that an index finds for a condition of a query, or `nil` if no index can find any.
    private func candidates<Value: Cachable>(
        for query: Query<Value>,
        in snapshot: Snapshot,
        of table: Table<Value>
    ) -> [StoredEntity<Value>]? {
        for case let keys? in query.conditions.lazy.map({ $0.keys }) {
            let parts = keys.map { indexedEntities(with: $0, in: snapshot, of: table, query.code.read) }
            if parts.allSatisfy({ $0 != nil }) { return parts.flatMap { $0 ?? [] } }
        }
        return nil
    }
}
