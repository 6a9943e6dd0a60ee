/// The answer of a live query after a commit, with the difference to the answer before.
///
///     let subscription = cache.query(newest).observe { result in
///         tableView.apply(result.difference)      // an extension of the app
///     }
public struct QueryResult<Value: Cachable>: Sendable {
    /// The entities in the order of the query.
    public let values: QueryValues<Value>

    /// The difference to the last result of the observer, which is empty for the first result.
    public let difference: QueryDifference<Value>

    /// The revision of the state of the cache that the answer is for.
    ///
    /// Each result of an observer has a higher revision than the result before.
    public let revision: UInt64

    /// Whether this is the first result of the observer.
    public let isInitial: Bool

    let commitOrigins: CommitOrigins

    /// The identifiers of the entities, in order.
    ///
    /// - Complexity: O(*n*) for *n* entities.
    public var ids: [Value.ID] { values.ids }
}

extension QueryResult {
    /// A closure that returns the result for the mail of an observer, which may run user code.
    static func difference(for query: FlatCache.Query<Value>) -> @Sendable (QueryMail) -> QueryResult {
        let comparison = MatchComparison<Value>(order: query.order, equality: ValueEquality.of(Value.self))
        return { mail in
            let steps = mail.difference(comparison)
            return QueryResult(
                values: QueryValues(steps.new),
                difference: QueryDifference(steps),
                revision: mail.revision,
                isInitial: mail.isInitial,
                commitOrigins: mail.commitOrigins
            )
        }
    }
}

/// The difference between two answers of a query, by position.
///
/// Positions in ``removals`` and ``Move/source`` count in the old answer, all others in the new one. These are the rules
/// of the batch updates of table and collection views. To apply a difference to an array of the old entities, remove the
/// entities at the removals and at the sources of moves, the last one first. Then insert the entities at the insertions
/// and the destinations of moves, the first one first. Then replace the entities at the updates.
public struct QueryDifference<Value: Cachable>: Sendable {
    /// The positions of entities that have left the answer, in ascending order, in the old answer.
    public var removals: [Int] { steps.positions.removals }

    /// The positions of entities that are new in the answer, in ascending order, in the new answer.
    public var insertions: [Int] { steps.positions.insertions }

    /// The entities that have another place among the others, in ascending order of their destinations.
    ///
    /// - Complexity: O(*n*) for *n* moves.
    public var moves: [Move] { steps.positions.moves.map { Move(source: $0.source, destination: $0.destination) } }

    /// The positions of entities that were changed and are in both answers, in ascending order, in the new answer.
    ///
    /// An entity that was also moved is among the ``moves``, too. An entity that only has another place, because a sort key
    /// has read something that has changed, isn't among the updates.
    ///
    /// - Complexity: O(*n* log *n*) for *n* updates.
    public var updates: [Int] { kept.filter { !$0.isSameEntity }.map(\.new).sorted() }

    /// The old answer.
    public var oldValues: QueryValues<Value> { QueryValues(steps.old) }

    /// The new answer.
    public var newValues: QueryValues<Value> { QueryValues(steps.new) }

    /// A change of place.
    public struct Move: Hashable, Sendable {
        /// The position in the old answer.
        public let source: Int

        /// The position in the new answer.
        public let destination: Int
    }

    private let steps: QuerySteps

    /// The positions in both answers of the entities that were changed or moved.
    var kept: [KeptPosition] { steps.positions.kept }

    init(_ steps: QuerySteps) {
        self.steps = steps
    }

    /// Whether both answers are the same.
    public var isEmpty: Bool { steps.positions.isEmpty }
}

extension CollectionDifference {
    /// Creates the difference of the standard library for a difference of answers.
    ///
    /// A move is a removal and an insertion that are associated. An update is a removal of the old entity and an
    /// insertion of the new one, associated too.
    ///
    /// - Parameter difference: The difference.
    /// - Complexity: O(*n* log *m*) on average for *n* changed positions and *m* entities.
    public init(_ difference: QueryDifference<ChangeElement>) where ChangeElement: Cachable {
        let (old, new) = (difference.oldValues, difference.newValues)
        var pairs = difference.moves.map { ($0.source, $0.destination) }
        let moved = Set(difference.moves.map { $0.destination })
        for kept in difference.kept where !kept.isSameEntity && !moved.contains(kept.new) {
            pairs.append((kept.old, kept.new))
        }
        var changes: [Change] = []
        for place in difference.removals {
            changes.append(.remove(offset: place, element: old[place], associatedWith: nil))
        }
        for place in difference.insertions {
            changes.append(.insert(offset: place, element: new[place], associatedWith: nil))
        }
        for (source, destination) in pairs {
            changes.append(.remove(offset: source, element: old[source], associatedWith: destination))
            changes.append(.insert(offset: destination, element: new[destination], associatedWith: source))
        }
        // The offsets are unique, so there is always a result.
        self = CollectionDifference(changes) ?? [].difference(from: []) { _, _ in true }
    }
}

extension QueryResult: CustomStringConvertible, CustomReflectable {
    /// A line with the count and the difference: `QueryResult<Blog.Post>: 20 entities, 1 insertion, revision 7`.
    ///
    /// - Complexity: O(*n*) for *n* updates.
    public var description: String {
        Summary.line(
            Summary.name("QueryResult", of: Value.self),
            nil,
            [Summary.entities(values.count), isInitial ? "initial" : nil] + difference.facts + ["revision \(revision)"]
        )
    }

    /// The identifiers, and the difference.
    public var customMirror: Mirror { Mirror(self, children: ["ids": ids, "difference": difference]) }
}

extension QueryDifference: CustomStringConvertible, CustomReflectable {
    /// A line with the numbers of changes: `QueryDifference<Blog.Post>: 1 removal, 2 insertions`.
    ///
    /// - Complexity: O(*n*) for *n* updates.
    public var description: String {
        let name = Summary.name("QueryDifference", of: Value.self)
        return Summary.line(name, nil, isEmpty ? ["no changes"] : facts)
    }

    /// The positions of the changes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["removals": removals, "insertions": insertions, "moves": moves, "updates": updates]
        )
    }
}

extension QueryDifference {
    /// The numbers of changes, as texts.
    fileprivate var facts: [String?] {
        [
            Summary.some(removals.count, "removal"), Summary.some(insertions.count, "insertion"),
            Summary.some(steps.positions.moves.count, "move"),
            Summary.some(kept.lazy.filter { !$0.isSameEntity }.count, "update"),
        ]
    }
}
