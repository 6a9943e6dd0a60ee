/// A property of the matches of a query, for what is computed from the answer.
@usableFromInline
struct QueryProjection<Value: Cachable, Property: Sendable>: Sendable {
    /// The query, whose matches know the property.
    let query: FlatCache.Query<Value>
    private let keyPath: any AnyKeyPath & Sendable
    /// The property of a match.
    let value: @Sendable (AnyQueryMatch) -> Property

    @usableFromInline init(
        _ query: FlatCache.Query<Value>,
        _ keyPath: any AnyKeyPath & Sendable,
        _ value: @escaping @Sendable (AnyQueryMatch) -> Property
    ) {
        self.query = query
        self.keyPath = keyPath
        self.value = value
    }

    /// The identity of something that is computed from the property.
    func identity(_ kind: QueryIdentity.Kind) -> QueryIdentity { QueryIdentity([kind, keyPath]) }
}

extension FlatCache.Query {
    /// Adds a property to the matches.
    ///
    /// A computed property is computed once for each match, as a sort key, so that its reads of the cache are recorded.
    func projecting<Property: Sendable>(
        _ keyPath: any KeyPath<Value, Property> & Sendable
    ) -> QueryProjection<Value, Property> {
        let property = EntityProperty(keyPath)
        if property.isStored { return QueryProjection(self, keyPath) { property.value(of: $0.value(as: Value.self)) } }
        var query = self
        query.order.isProjected = true
        query.order.sortKeys.append(
            QuerySortKey(QueryIdentity([keyPath])) {
                QueryKey(property.value(of: $0.value(as: Value.self)))
            } compareKeys: { _, _ in
                0
            }
        )
        return QueryProjection(query, keyPath) { match in
            guard let key = match.projectedKey else { return property.value(of: match.value(as: Value.self)) }
            return unsafeDowncast(key, to: QueryKey<Property>.self).value
        }
    }
}

extension QueryValues {
    /// The matches of the answer, in order.
    var allMatches: [AnyQueryMatch] {
        var all: [AnyQueryMatch] = []
        all.reserveCapacity(window.count)
        var rest = matches.makeIterator()
        for place in 0..<window.upperBound {
            guard let match = rest.next() else { break }
            if place >= window.lowerBound { all.append(match) }
        }
        return all
    }

    /// The match at a position of the answer.
    func match(at position: Int) -> AnyQueryMatch { matches[window.lowerBound + position] }
}

extension QueryResult {
    /// The changes of matches in the answer, which are all insertions for the first result.
    var matchChanges: [MatchChange] {
        if isInitial { return values.allMatches.map { MatchChange(old: nil, new: $0, isSameEntity: false) } }
        let (old, new) = (difference.oldValues, difference.newValues)
        let removed = difference.removals.map { MatchChange(old: old.match(at: $0), new: nil, isSameEntity: false) }
        let inserted = difference.insertions.map { MatchChange(old: nil, new: new.match(at: $0), isSameEntity: false) }
        let kept = difference.kept.map {
            MatchChange(old: old.match(at: $0.old), new: new.match(at: $0.new), isSameEntity: $0.isSameEntity)
        }
        return removed + inserted + kept
    }
}

/// A variable that one thread at a time uses: the one with the turn of a live query.
final class TurnState<State>: @unchecked Sendable {
    @exclusivity(unchecked) var state: State

    init(_ state: State) {
        self.state = state
    }
}
