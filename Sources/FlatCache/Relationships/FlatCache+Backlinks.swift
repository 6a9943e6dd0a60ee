// The members that generated backlinks call, with underscores as in `FlatCache+Accessors.swift`. All backlinks of a type
// share one function for each, because public accessors remain in an executable even if they are never called.

extension FlatCache {
    /// The entities of a query's answer, tracked by Observation.
    @inlinable @inline(never)
    public static func _answer<Related: Cachable>(
        _ query: Query<Related>,
        in cache: FlatCache = .current
    ) -> [Related] {
        Backlink._found(query, in: cache)
    }
}

extension FlatCache.Query {
    /// The entities with a value in a property, which can be optional.
    @inlinable @inline(never)
    public static func _where<Key: Hashable & Sendable>(
        _ property: any KeyPath<Value, Key> & Sendable,
        is key: Key
    ) -> FlatCache.Query<Value> {
        FlatCache.Query().filter(property, equals: key)
    }

    /// The entities with an element in a property.
    @inlinable @inline(never)
    public static func _where<Keys: Sequence & Sendable>(
        _ property: any KeyPath<Value, Keys> & Sendable,
        contains key: Keys.Element
    ) -> FlatCache.Query<Value> where Keys.Element: Hashable & Sendable {
        FlatCache.Query().filter(property, contains: key)
    }

    /// The entities with an element in an optional property.
    @inlinable @inline(never)
    public static func _where<Keys: Sequence & Sendable>(
        _ property: any KeyPath<Value, Keys?> & Sendable,
        contains key: Keys.Element
    ) -> FlatCache.Query<Value> where Keys.Element: Hashable & Sendable {
        FlatCache.Query().filter(property, contains: key)
    }

    /// The query with a sort key.
    @inlinable @inline(never)
    public func _sorted<Property: Comparable & Sendable>(
        by property: any KeyPath<Value, Property> & Sendable
    ) -> FlatCache.Query<Value> {
        sorted(by: property)
    }

    /// The query with an optional sort key, `nil` last.
    @inlinable @inline(never)
    public func _sorted<Property: Comparable & Sendable>(
        by property: any KeyPath<Value, Property?> & Sendable
    ) -> FlatCache.Query<Value> {
        sorted(by: property)
    }
}
