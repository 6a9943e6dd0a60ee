extension FlatCache.Query {
    /// Returns the query with a further sort key, which decides among entities whose earlier keys are equal.
    ///
    ///     query.sorted(by: \.isPinned, .descending).sorted(by: \.createdAt)
    ///
    /// A value that isn't equal to itself, as NaN, counts as greater than all others. Strings that mix composed and decomposed
    /// characters have no strict order, so normalize them before they are stored.
    ///
    /// - Parameters:
    ///   - property: The property to sort by.
    ///   - order: The direction.
    public func sorted<Property: Comparable & Sendable>(
        by property: any KeyPath<Value, Property> & Sendable,
        _ order: Order = .ascending
    ) -> FlatCache.Query<Value> {
        let sign = order == .ascending ? 1 : -1
        return sorted(EntityProperty(property), order, nil) { sign * $0.order(comparedTo: $1) }
    }

    /// Returns the query with an optional property as a further sort key.
    ///
    /// A value that isn't equal to itself, as NaN, counts as greater than all others. Strings that mix composed and decomposed
    /// characters have no strict order, so normalize them before they are stored.
    ///
    /// - Parameters:
    ///   - property: The property to sort by.
    ///   - order: The direction.
    ///   - nils: The place of entities without a value, independent of the direction.
    public func sorted<Property: Comparable & Sendable>(
        by property: any KeyPath<Value, Property?> & Sendable,
        _ order: Order = .ascending,
        nils: NilPlacement = .last
    ) -> FlatCache.Query<Value> {
        let sign = order == .ascending ? 1 : -1
        let nilOrder = nils == .first ? -1 : 1
        return sorted(EntityProperty(property), order, nils) { first, second in
            guard let first else { return second == nil ? 0 : nilOrder }
            guard let second else { return -nilOrder }
            return sign * first.order(comparedTo: second)
        }
    }

    /// Returns the query with a further sort key.
    func sorted<Property: Sendable>(
        _ property: EntityProperty<Value, Property>,
        _ order: Order,
        _ nils: NilPlacement?,
        _ compare: @escaping @Sendable (Property, Property) -> Int
    ) -> FlatCache.Query<Value> {
        var query = self
        let identity = QueryIdentity([property.keyPath, order, nils])
        let index = IndexedOrder(property.keyPath, isDescending: order == .descending, isNilFirst: nils == .first)
        if property.isStored {
            query.order.sortKeys.append(
                QuerySortKey(identity, index) {
                    compare(property.value(of: $0.value(as: Value.self)), property.value(of: $1.value(as: Value.self)))
                }
            )
        } else {
            query.order.sortKeys.append(
                QuerySortKey(identity, index) {
                    QueryKey(property.value(of: $0.value(as: Value.self)))
                } compareKeys: {
                    compare(
                        unsafeDowncast($0, to: QueryKey<Property>.self).value,
                        unsafeDowncast($1, to: QueryKey<Property>.self).value
                    )
                }
            )
        }
        return query
    }
}

/// A sort key of a query: a stored property, or a value that is computed once for each match.
@usableFromInline
struct QuerySortKey: Hashable, Sendable {
    private let identity: QueryIdentity
    /// The order of an index that has the entities in the order of the key, or `nil` if none can have it.
    let index: IndexedOrder?
    /// Compares stored properties.
    ///
    /// The result is negative if the first one comes before the second one, and 0 if they are equal.
    let compare: @Sendable (AnyQueryMatch, AnyQueryMatch) -> Int
    /// Computes a key, or `nil` for a stored property.
    let key: (@Sendable (AnyQueryMatch) -> AnyQueryKey)?
    /// Compares computed keys, or `nil` for a stored property.
    let compareKeys: (@Sendable (AnyQueryKey, AnyQueryKey) -> Int)?

    init(
        _ identity: QueryIdentity,
        _ index: IndexedOrder? = nil,
        _ compare: @escaping @Sendable (AnyQueryMatch, AnyQueryMatch) -> Int
    ) {
        self.identity = identity
        self.index = index
        self.compare = compare
        key = nil
        compareKeys = nil
    }

    @usableFromInline init(
        _ identity: QueryIdentity,
        _ index: IndexedOrder? = nil,
        key: @escaping @Sendable (AnyQueryMatch) -> AnyQueryKey,
        compareKeys: @escaping @Sendable (AnyQueryKey, AnyQueryKey) -> Int
    ) {
        self.identity = identity
        self.index = index
        self.key = key
        self.compareKeys = compareKeys
        compare = { _, _ in 0 }
    }

    @usableFromInline static func == (lhs: QuerySortKey, rhs: QuerySortKey) -> Bool { lhs.identity == rhs.identity }

    @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// A computed sort key without its static type.
@usableFromInline
class AnyQueryKey: @unchecked Sendable {  // Constant.
    init() {}
}

/// A computed sort key.
@usableFromInline
final class QueryKey<Property: Sendable>: AnyQueryKey, @unchecked Sendable {  // Constant.
    @usableFromInline let value: Property

    @usableFromInline init(_ value: Property) {
        self.value = value
        super.init()
    }
}
