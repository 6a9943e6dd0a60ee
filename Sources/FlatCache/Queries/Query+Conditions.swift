extension FlatCache.Query {
    /// Returns the query with the condition that a property has a value.
    ///
    ///     query.filter(\.authorID, equals: "7")
    ///     query.filter(\.parentID, equals: nil)
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - value: The value, or `nil` to find entities without one.
    public func filter<Property: Hashable & Sendable>(
        _ property: any KeyPath<Value, Property> & Sendable,
        equals value: Property
    ) -> FlatCache.Query<Value> {
        let property = EntityProperty(property)
        return filter(property, .equals, value, keys: [IndexedKey(property.keyPath, value)]) { $0 == value }
    }

    /// Returns the query with the condition that a property has one of several values.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - values: The values.
    /// - Complexity: O(*n*) on average for *n* values.
    @_disfavoredOverload
    public func filter<Property: Hashable & Sendable>(
        _ property: any KeyPath<Value, Property> & Sendable,
        in values: some Sequence<Property>
    ) -> FlatCache.Query<Value> {
        let values = KeySet(values)
        let property = EntityProperty(property)
        let keys = values.keys.map { IndexedKey<Value>(property.keyPath, $0) }
        return filter(property, .isOneOf, values, keys: keys) { values.contains($0) }
    }

    /// Returns the query with the condition that a property is in a range.
    ///
    ///     query.filter(\.likes, in: 10...)
    ///
    /// Strings that mix composed and decomposed characters have no strict order, so normalize them before they are stored.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - range: The range.
    public func filter<Range: QueryRange>(
        _ property: any KeyPath<Value, Range.Bound> & Sendable,
        in range: Range
    ) -> FlatCache.Query<Value> where Range.Bound: Sendable {
        let bounds = range.bounds
        let property = EntityProperty(property)
        let range = IndexedRange<Value>(property.keyPath, bounds)
        return filter(property, .isInRange, bounds, range: range) { bounds.contains($0) }
    }

    /// Returns the query with the condition that an optional property has a value in a range.
    ///
    /// - Parameters:
    ///   - property: The property. Entities without a value don't match.
    ///   - range: The range.
    public func filter<Range: QueryRange>(
        _ property: any KeyPath<Value, Range.Bound?> & Sendable,
        in range: Range
    ) -> FlatCache.Query<Value> where Range.Bound: Sendable {
        let bounds = range.bounds
        let property = EntityProperty(property)
        let range = IndexedRange<Value>(property.keyPath, bounds)
        return filter(property, .isInRange, bounds, range: range) { $0.map { bounds.contains($0) } ?? false }
    }

    /// Returns the query with the condition that a string begins with a prefix.
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - prefix: The prefix, compared by characters.
    public func filter(
        _ property: any KeyPath<Value, String> & Sendable,
        hasPrefix prefix: String
    ) -> FlatCache.Query<Value> {
        filter(EntityProperty(property), .hasPrefix, prefix) { $0.hasPrefix(prefix) }
    }

    /// Returns the query with the condition that an optional string begins with a prefix.
    ///
    /// - Parameters:
    ///   - property: The property. Entities without a value don't match.
    ///   - prefix: The prefix, compared by characters.
    public func filter(
        _ property: any KeyPath<Value, String?> & Sendable,
        hasPrefix prefix: String
    ) -> FlatCache.Query<Value> {
        filter(EntityProperty(property), .hasPrefix, prefix) { $0?.hasPrefix(prefix) ?? false }
    }

    /// Returns the query with the condition that a collection contains an element.
    ///
    ///     query.filter(\.tagIDs, contains: tag.id)
    ///
    /// - Parameters:
    ///   - property: The property.
    ///   - element: The element.
    public func filter<Elements: Sequence & Sendable>(
        _ property: any KeyPath<Value, Elements> & Sendable,
        contains element: Elements.Element
    ) -> FlatCache.Query<Value> where Elements.Element: Hashable & Sendable {
        let property = EntityProperty(property)
        let keys = [IndexedKey<Value>(property.keyPath, element)]
        return filter(property, .contains, element, keys: keys) { $0.contains(element) }
    }

    /// Returns the query with the condition that an optional collection contains an element.
    ///
    /// - Parameters:
    ///   - property: The property. Entities without a value don't match.
    ///   - element: The element.
    public func filter<Elements: Sequence & Sendable>(
        _ property: any KeyPath<Value, Elements?> & Sendable,
        contains element: Elements.Element
    ) -> FlatCache.Query<Value> where Elements.Element: Hashable & Sendable {
        let property = EntityProperty(property)
        let keys = [IndexedKey<Value>(property.keyPath, element)]
        return filter(property, .contains, element, keys: keys) { $0?.contains(element) ?? false }
    }

    /// Returns the query with a condition that a closure evaluates.
    ///
    /// The query is equal only to its copies. Use ``filter(id:_:)`` for queries that are created repeatedly, such as in
    /// the body of a view.
    ///
    /// - Parameter isMatch: A closure that returns whether an entity matches. It may read the cache.
    public func filter(_ isMatch: @escaping @Sendable (Value) -> Bool) -> FlatCache.Query<Value> {
        adding(QueryCondition(mayRead: true, QueryIdentity([ObjectIdentity(ClosureIdentity())]), isMatch))
    }

    /// Returns the query with a condition that a closure evaluates and an identifier identifies.
    ///
    ///     query.filter(id: minimum) { $0.likes > minimum }
    ///
    /// - Parameters:
    ///   - id: A value that identifies the closure with everything that it captures. Two conditions of one query type
    ///     with equal identifiers must have the same results.
    ///   - isMatch: A closure that returns whether an entity matches. It may read the cache.
    public func filter(
        id: some Hashable & Sendable,
        _ isMatch: @escaping @Sendable (Value) -> Bool
    ) -> FlatCache.Query<Value> {
        adding(
            QueryCondition(
                mayRead: true,
                QueryIdentity([QueryIdentity.Kind.closure, ObjectIdentifier(type(of: id)), id]),
                isMatch
            )
        )
    }

    /// Returns the query with a condition on a property.
    func filter<Property, Operand: Hashable & Sendable>(
        _ property: EntityProperty<Value, Property>,
        _ kind: QueryIdentity.Kind,
        _ operand: Operand,
        keys: [IndexedKey<Value>]? = nil,
        range: IndexedRange<Value>? = nil,
        _ isMet: @escaping @Sendable (Property) -> Bool
    ) -> FlatCache.Query<Value> {
        adding(
            QueryCondition(
                mayRead: !property.isStored,
                QueryIdentity([property.keyPath, kind, operand]),
                keys: keys,
                range: range
            ) {
                isMet(property.value(of: $0))
            }
        )
    }

    func adding(_ condition: QueryCondition<Value>) -> FlatCache.Query<Value> {
        var query = self
        query.conditions.append(condition)
        return query
    }
}

/// A condition of a query.
struct QueryCondition<Value: Cachable>: Hashable, Sendable {
    let mayRead: Bool
    /// The keys of an index under which it has all entities that meet the condition, or `nil` if no index can answer it.
    let keys: [IndexedKey<Value>]?
    /// The range of an ordered index in which it has all entities that meet the condition, or `nil` if none can answer it.
    let range: IndexedRange<Value>?
    private let identity: QueryIdentity
    /// Returns whether an entity meets the condition, which may run user code.
    let isMet: @Sendable (Value) -> Bool

    init(
        mayRead: Bool,
        _ identity: QueryIdentity,
        keys: [IndexedKey<Value>]? = nil,
        range: IndexedRange<Value>? = nil,
        _ isMet: @escaping @Sendable (Value) -> Bool
    ) {
        self.mayRead = mayRead
        self.keys = keys
        self.range = range
        self.identity = identity
        self.isMet = isMet
    }

    /// The condition as a text: `\Post.likes in 3...`.
    var text: String { identity.text }

    static func == (lhs: QueryCondition, rhs: QueryCondition) -> Bool { lhs.identity == rhs.identity }

    func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// The parts of a condition or a sort key that distinguish it from others.
@usableFromInline
struct QueryIdentity: Hashable, @unchecked Sendable {  // The parts are constants of sendable types.
    private let parts: [AnyHashable]

    @usableFromInline init(_ parts: [any Hashable & Sendable]) {
        self.parts = parts.map { AnyHashable($0) }
    }

    enum Kind: Hashable, Sendable {
        case equals, isOneOf, isInRange, hasPrefix, contains, closure, ascending, descending, nilFirst, nilLast
        case least, greatest, sum, different, sections
    }
}

/// The identity of a closure, which its copies share.
private final class ClosureIdentity: Sendable {}

/// An object that is equal only to itself.
private struct ObjectIdentity: Hashable, Sendable {
    private let object: ClosureIdentity

    init(_ object: ClosureIdentity) {
        self.object = object
    }

    static func == (lhs: ObjectIdentity, rhs: ObjectIdentity) -> Bool { lhs.object === rhs.object }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}

extension QueryIdentity {
    /// The condition, or what is computed from an answer, as a text: `\Post.likes in 3...`, `sum of \Post.likes`.
    var text: String {
        let values = parts.map { $0.base }
        guard let path = values.lazy.compactMap({ $0 as? AnyKeyPath }).first.map(Summary.path) else {
            return values.count == 3 ? "closure \(Summary.value(values[2]))" : "closure"
        }
        let operand = values.count == 3 ? values[2] : nil
        let kind = values.lazy.compactMap { $0 as? Kind }.first
        return kind.map { $0.text(path, operand) } ?? path
    }
}

extension QueryIdentity.Kind {
    fileprivate func text(_ path: String, _ operand: Any?) -> String {
        let value = operand.map(Summary.value) ?? ""
        return switch self {
        case .equals: "\(path) == \(value)"
        case .isOneOf, .isInRange: "\(path) in \(value)"
        case .hasPrefix: "\(path) has prefix \(value)"
        case .contains: "\(path) contains \(value)"
        case .least: "least \(path)"
        case .greatest: "greatest \(path)"
        case .sum: "sum of \(path)"
        case .different: "different \(path)"
        case .sections: "by \(path)"
        case .closure, .ascending, .descending, .nilFirst, .nilLast: path
        }
    }
}
