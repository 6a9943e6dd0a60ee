// The members that generated backlinks call, with underscores as in `FlatCache+Accessors.swift`. All backlinks of a type
// share one function for each, because public accessors remain in an executable even if they are never called.

extension FlatCache {
    /// The entities of a query's answer, tracked by Observation.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - cache: The cache.
    ///   - owner: The type of the backlink.
    ///   - backlink: The name of the backlink.
    @inlinable
    public static func _answer<Related: Cachable>(
        _ query: Query<Related>,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ backlink: StaticString = #function
    ) -> [Related] {
        let entities = cache.entitiesOfBacklink(query)
        if entities.isEmpty { cache.noteIfOther(owner, backlink) }
        return entities
    }

    @inlinable @inline(never)
    func entitiesOfBacklink<Related: Cachable>(_ query: Query<Related>) -> [Related] {
        Backlink._found(query, in: self)
    }
}

extension RelationshipOwner {
    /// The entities of a query's answer, tracked by Observation.
    @inlinable
    public func _found<Related: Cachable>(
        _ query: FlatCache.Query<Related>,
        _ cache: FlatCache = .current,
        _ backlink: StaticString = #function
    ) -> [Related] {
        FlatCache._answer(query, in: cache, of: Self.self, backlink)
    }
}

extension FlatCache.Relationship where Owner: Cachable {
    /// The entities with the owner's identifier in a property.
    @inlinable
    public static func _is<Related>(
        _ property: any KeyPath<Related, Owner.ID> & Sendable,
        name: StaticString = #function
    ) -> Self where Kind == FlatCache.Backlink<Related> {
        Self(name) { ._where(property, is: $0.id) }
    }

    /// The entities with the owner's identifier in an optional property.
    @inlinable
    public static func _is<Related>(
        _ property: any KeyPath<Related, Owner.ID?> & Sendable,
        name: StaticString = #function
    ) -> Self where Kind == FlatCache.Backlink<Related> {
        Self(name) { ._where(property, is: $0.id) }
    }

    /// The entities with the owner's identifier among those in a property.
    @inlinable
    public static func _contains<Related, IDs: Sequence & Sendable>(
        _ property: any KeyPath<Related, IDs> & Sendable,
        name: StaticString = #function
    ) -> Self where Kind == FlatCache.Backlink<Related>, IDs.Element == Owner.ID {
        Self(name) { ._where(property, contains: $0.id) }
    }

    /// The entities with the owner's identifier among optional ones in a property.
    @inlinable
    public static func _contains<Related, IDs: Sequence & Sendable>(
        _ property: any KeyPath<Related, IDs> & Sendable,
        name: StaticString = #function
    ) -> Self where Kind == FlatCache.Backlink<Related>, IDs.Element == Owner.ID? {
        Self(name) { ._where(property, contains: $0.id) }
    }

    /// The entities with the owner's identifier among those in an optional property.
    @inlinable
    public static func _contains<Related, IDs: Sequence & Sendable>(
        _ property: any KeyPath<Related, IDs?> & Sendable,
        name: StaticString = #function
    ) -> Self where Kind == FlatCache.Backlink<Related>, IDs.Element == Owner.ID {
        Self(name) { ._where(property, contains: $0.id) }
    }

    /// The entities with the owner's identifier among optional ones in an optional property.
    @inlinable
    public static func _contains<Related, IDs: Sequence & Sendable>(
        _ property: any KeyPath<Related, IDs?> & Sendable,
        name: StaticString = #function
    ) -> Self where Kind == FlatCache.Backlink<Related>, IDs.Element == Owner.ID? {
        Self(name) { ._where(property, contains: $0.id) }
    }

    /// The backlink with a sort key.
    @inlinable
    public func _sorted<Related, Property: Comparable & Sendable>(
        by property: any KeyPath<Related, Property> & Sendable
    ) -> Self where Kind == FlatCache.Backlink<Related> {
        Self(self.property) { [identifiers] in identifiers($0)._sorted(by: property) }
    }

    /// The backlink with an optional sort key, `nil` last.
    @inlinable
    public func _sorted<Related, Property: Comparable & Sendable>(
        by property: any KeyPath<Related, Property?> & Sendable
    ) -> Self where Kind == FlatCache.Backlink<Related> {
        Self(self.property) { [identifiers] in identifiers($0)._sorted(by: property) }
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
