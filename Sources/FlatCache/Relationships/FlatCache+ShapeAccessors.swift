// The members that generated accessors of arrays of arrays, of dictionaries and of cases call.

extension FlatCache {
    /// The entities with the identifiers in rows that a cache holds, tracked by Observation.
    @inlinable
    public static func _related<Related: Cachable>(
        _ rows: [[Related.ID]],
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Related] {
        cache.relatedEntities(Array(rows.joined()), of: owner, accessor)
    }

    /// The entities with the identifiers in rows that a cache holds, tracked by Observation, or `nil` if `rows` is `nil`.
    @inlinable
    public static func _related<Related: Cachable>(
        _ rows: [[Related.ID]]?,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Related]? {
        guard let rows else { return nil }
        return cache.relatedEntities(Array(rows.joined()), of: owner, accessor)
    }

    /// The entities with the given identifiers that a cache holds, tracked by Observation.
    @inlinable
    public static func _related<Key: Hashable & Sendable, Related: Cachable>(
        _ ids: [Key: Related.ID],
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Key: Related] {
        cache.relatedEntities(ids, of: owner, accessor)
    }

    /// The entities with the given identifiers that a cache holds, tracked by Observation, or `nil` if `ids` is `nil`.
    @inlinable
    public static func _related<Key: Hashable & Sendable, Related: Cachable>(
        _ ids: [Key: Related.ID]?,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Key: Related]? {
        guard let ids else { return nil }
        return cache.relatedEntities(ids, of: owner, accessor)
    }

    @inlinable
    func relatedEntities<Key: Hashable & Sendable, Related: Cachable>(
        _ ids: [Key: Related.ID],
        of owner: any Any.Type,
        _ accessor: StaticString
    ) -> [Key: Related] {
        let entities: [Key: Related] = relatedEntities(ids)
        if entities.isEmpty, !ids.isEmpty { noteIfOther(owner, accessor) }
        return entities
    }

    @usableFromInline
    func relatedEntities<Key: Hashable & Sendable, Related: Cachable>(_ ids: [Key: Related.ID]) -> [Key: Related] {
        tracked { ToKeyed._found(ids, in: $0) }
    }
}

extension FlatCache {
    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable>(
        _ rows: [[Related.ID]],
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related] {
        try await ToNested<Related>._fetched(rows, policy, in: cache, isolation: isolation)
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable>(
        _ rows: [[Related.ID]]?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related]? {
        try await ToOptionalNested<Related>._fetched(rows, policy, in: cache, isolation: isolation)
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Key: Hashable & Sendable, Related: Cachable>(
        _ ids: [Key: Related.ID],
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Key: Related] {
        try await ToKeyed<Key, Related>._fetched(ids, policy, in: cache, isolation: isolation)
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Key: Hashable & Sendable, Related: Cachable>(
        _ ids: [Key: Related.ID]?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Key: Related]? {
        try await ToOptionalKeyed<Key, Related>._fetched(ids, policy, in: cache, isolation: isolation)
    }
}

extension FlatCache {
    /// Stores related entities, and sets the property to rows of their identifiers.
    public static func _relate<Related: Cachable>(
        _ identifiers: inout [[Related.ID]],
        to rows: [[Related]],
        in cache: FlatCache = .current
    ) {
        cache.store(ToNested._list(rows))
        identifiers = ToNested._identifiers(of: rows)
    }

    /// Stores related entities, and sets the property to rows of their identifiers.
    public static func _relate<Related: Cachable>(
        _ identifiers: inout [[Related.ID]]?,
        to rows: [[Related]]?,
        in cache: FlatCache = .current
    ) {
        cache.store(ToOptionalNested<Related>._list(rows))
        identifiers = ToOptionalNested<Related>._identifiers(of: rows)
    }

    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Key: Hashable & Sendable, Related: Cachable>(
        _ identifiers: inout [Key: Related.ID],
        to entities: [Key: Related],
        in cache: FlatCache = .current
    ) {
        cache.store(ToKeyed._list(entities))
        identifiers = ToKeyed._identifiers(of: entities)
    }

    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Key: Hashable & Sendable, Related: Cachable>(
        _ identifiers: inout [Key: Related.ID]?,
        to entities: [Key: Related]?,
        in cache: FlatCache = .current
    ) {
        cache.store(ToOptionalKeyed<Key, Related>._list(entities))
        identifiers = ToOptionalKeyed<Key, Related>._identifiers(of: entities)
    }
}

extension FlatCache {
    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable>(
        _ identifiers: [[Related.ID]],
        _ property: StaticString,
        to rows: [[Related]],
        in cache: FlatCache
    ) throws(RelationshipError) {
        try ToNested.store(rows, namedBy: identifiers, property, in: cache)
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable>(
        _ identifiers: [[Related.ID]]?,
        _ property: StaticString,
        to rows: [[Related]]?,
        in cache: FlatCache
    ) throws(RelationshipError) {
        try ToOptionalNested<Related>.store(rows, namedBy: identifiers, property, in: cache)
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Key: Hashable & Sendable, Related: Cachable>(
        _ identifiers: [Key: Related.ID],
        _ property: StaticString,
        to entities: [Key: Related],
        in cache: FlatCache
    ) throws(RelationshipError) {
        try ToKeyed.store(entities, namedBy: identifiers, property, in: cache)
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Key: Hashable & Sendable, Related: Cachable>(
        _ identifiers: [Key: Related.ID]?,
        _ property: StaticString,
        to entities: [Key: Related]?,
        in cache: FlatCache
    ) throws(RelationshipError) {
        try ToOptionalKeyed<Key, Related>.store(entities, namedBy: identifiers, property, in: cache)
    }
}

extension FlatCache {
    /// Stores a related entity, and returns its identifier.
    public static func _identifiers<Related: Cachable>(storing entity: Related, in cache: FlatCache) -> Related.ID {
        cache.set(entity)
        return entity.id
    }

    /// Stores related entities, and returns their identifiers.
    public static func _identifiers<Related: Cachable, IDs: _IdentifierCollection>(
        storing entities: [Related],
        in cache: FlatCache
    ) -> IDs where IDs.Element == Related.ID {
        cache.store(entities)
        return IDs(_identifiers: entities.map { $0.id })
    }

    /// Stores related entities, and returns their identifiers.
    public static func _identifiers<Related: Cachable, IDs: _IdentifierCollection>(
        storing entities: [Related],
        in cache: FlatCache
    ) -> IDs where IDs.Element == Related.ID? {
        cache.store(entities)
        return IDs(_identifiers: entities.map { $0.id })
    }

    /// Stores related entities, and returns rows of their identifiers.
    public static func _identifiers<Related: Cachable>(
        storing rows: [[Related]],
        in cache: FlatCache
    ) -> [[Related.ID]] {
        cache.store(ToNested._list(rows))
        return ToNested._identifiers(of: rows)
    }

    /// Stores related entities, and returns their identifiers with the same keys.
    public static func _identifiers<Key: Hashable & Sendable, Related: Cachable>(
        storing entities: [Key: Related],
        in cache: FlatCache
    ) -> [Key: Related.ID] {
        cache.store(ToKeyed._list(entities))
        return ToKeyed._identifiers(of: entities)
    }
}
