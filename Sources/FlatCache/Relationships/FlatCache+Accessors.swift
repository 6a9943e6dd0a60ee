// The members that generated accessors call. The underscores keep them out of completion lists, and prevent a target
// from declaring members that the accessors would call instead.

extension FlatCache {
    /// The entity with an identifier in a cache, tracked by Observation, or `nil` if it isn't stored.
    ///
    /// - Parameters:
    ///   - id: The identifier.
    ///   - cache: The cache.
    ///   - owner: The type of the accessor, if it is an entity.
    ///   - accessor: The name of the accessor.
    @inlinable
    public static func _related<Related: Cachable>(
        _ id: Related.ID,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> Related? {
        cache.relatedEntity(id, of: owner, accessor)
    }

    /// The entity with an identifier in a cache, tracked by Observation, or `nil` if it isn't stored or the identifier
    /// is `nil`.
    @inlinable
    public static func _related<Related: Cachable>(
        _ id: Related.ID?,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> Related? {
        guard let id else { return nil }
        return cache.relatedEntity(id, of: owner, accessor)
    }

    /// The entities with the given identifiers that a cache holds, tracked by Observation.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: some Sequence<Related.ID>,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Related] {
        cache.relatedEntities(Array(ids), of: owner, accessor)
    }

    /// The entities with the given identifiers that a cache holds, tracked by Observation, or `nil` if `ids` is `nil`.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: (some Sequence<Related.ID>)?,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Related]? {
        guard let ids else { return nil }
        return cache.relatedEntities(Array(ids), of: owner, accessor)
    }

    /// The entities with the given identifiers that a cache holds, tracked by Observation.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: some Sequence<Related.ID?>,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Related] {
        cache.relatedEntities(ids.compactMap { $0 }, of: owner, accessor)
    }

    /// The entities with the given identifiers that a cache holds, tracked by Observation, or `nil` if `ids` is `nil`.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: (some Sequence<Related.ID?>)?,
        in cache: FlatCache = .current,
        of owner: any Any.Type = Void.self,
        _ accessor: StaticString = #function
    ) -> [Related]? {
        guard let ids else { return nil }
        return cache.relatedEntities(ids.compactMap { $0 }, of: owner, accessor)
    }
}

// Public accessors remain in an executable even if they are never called. So all accessors of a type share one read
// function, which is compiled for the type, and rare paths are compiled once for all types.
extension FlatCache {
    /// The entity with an identifier, tracked by Observation.
    @inlinable
    func relatedEntity<Related: Cachable>(
        _ id: Related.ID,
        of owner: any Any.Type,
        _ accessor: StaticString
    ) -> Related? {
        let entity: Related? = isReadByItself ? committedEntity(id) : trackedEntity(id)
        if entity == nil { noteIfOther(owner, accessor) }
        return entity
    }

    /// The stored entities with the given identifiers, in order, tracked by Observation.
    @inlinable
    func relatedEntities<Related: Cachable>(
        _ ids: [Related.ID],
        of owner: any Any.Type,
        _ accessor: StaticString
    ) -> [Related] {
        let entities: [Related] = relatedEntities(ids)
        if entities.isEmpty, !ids.isEmpty { noteIfOther(owner, accessor) }
        return entities
    }

    /// The entity with an identifier, read by itself.
    @inlinable @inline(never)
    func committedEntity<Related: Cachable>(_ id: Related.ID) -> Related? { get(id: id) }

    /// The stored entities with the given identifiers, in order, tracked by Observation.
    @inlinable @inline(never)
    func relatedEntities<Related: Cachable>(_ ids: [Related.ID]) -> [Related] {
        guard isReadByItself else { return trackedEntities(ids) }
        return ids.compactMap { committedEntity($0) }
    }

    /// Whether the reads of the calling thread are not tracked, and it isn't in the body of a `read` or transaction.
    @inlinable
    var isReadByItself: Bool { !TrackingProbe.ofThread.isTracked && history.snapshotOfThread == nil }

    /// The entity with an identifier, if reads are tracked or in the body of a `read` or transaction.
    @usableFromInline
    func trackedEntity<Related: Cachable>(_ id: Related.ID) -> Related? { opaqueEntity(id) }

    @inline(never)
    private func opaqueEntity<Related: Cachable>(_ id: Related.ID) -> Related? {
        guard history.snapshotOfThread == nil else { return tracked { $0.get(id: id) } }
        let table = registry.table(of: Related.self).takeUnretainedValue()
        let (entity, reads): (Related?, TrackedReads) = table.withSlotToRead(for: id, HashedID(id)) { slot, shard in
            slot.noteUse()
            return (shard.visibleValue(of: slot), shard.trackedReads(of: slot))
        }
        reads.access()
        return entity ?? (table.mayForward ? trackedRead { _ in forwardedValue(of: id, in: table) } : nil)
    }

    @usableFromInline
    func trackedEntities<Related: Cachable>(_ ids: [Related.ID]) -> [Related] { opaqueEntities(ids) }

    @inline(never)
    private func opaqueEntities<Related: Cachable>(_ ids: [Related.ID]) -> [Related] {
        tracked { $0.get(Related.self, ids: ids) }
    }
}

extension FlatCache {
    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable>(
        _ identifiers: Related.ID,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> Related {
        try await opaqueFetch(ToOne<Related>.self, identifiers, policy, in: cache, isolation: isolation)
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable>(
        _ identifiers: Related.ID?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> Related? {
        try await opaqueFetch(ToOptional<Related>.self, identifiers, policy, in: cache, isolation: isolation)
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related] where IDs.Element == Related.ID {
        try await opaqueFetch(ToMany<Related>.self, Array(identifiers), policy, in: cache, isolation: isolation)
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related]? where IDs.Element == Related.ID {
        try await opaqueFetch(
            ToOptionalMany<Related>.self,
            identifiers.map(Array.init),
            policy,
            in: cache,
            isolation: isolation
        )
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related] where IDs.Element == Related.ID? {
        try await opaqueFetch(
            ToMany<Related>.self,
            identifiers.compactMap { $0 },
            policy,
            in: cache,
            isolation: isolation
        )
    }

    /// Returns related entities from the cache or from the fetcher, according to a policy.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related]? where IDs.Element == Related.ID? {
        try await opaqueFetch(
            ToOptionalMany<Related>.self,
            identifiers?.compactMap { $0 },
            policy,
            in: cache,
            isolation: isolation
        )
    }
}

extension FlatCache {
    @inline(never)
    private static func opaqueFetch<Kind: PropertyKind>(
        _ kind: Kind.Type,
        _ identifiers: Kind.Identifiers,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> Kind.Entities {
        try await Kind._fetched(identifiers, policy, in: cache, isolation: isolation)
    }
}

extension FlatCache {
    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Related: Cachable>(
        _ identifiers: inout Related.ID,
        to entities: Related,
        in cache: FlatCache = .current
    ) {
        cache.store(ToOne._list(entities))
        identifiers = entities.id
    }

    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Related: Cachable>(
        _ identifiers: inout Related.ID?,
        to entities: Related?,
        in cache: FlatCache = .current
    ) {
        cache.store(ToOptional._list(entities))
        identifiers = entities?.id
    }

    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs,
        to entities: [Related],
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID {
        cache.store(ToMany._list(entities))
        identifiers = IDs(_identifiers: entities.map { $0.id })
    }

    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs?,
        to entities: [Related]?,
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID {
        cache.store(ToOptionalMany<Related>._list(entities))
        identifiers = entities.map { IDs(_identifiers: $0.map { $0.id }) }
    }

    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs,
        to entities: [Related],
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID? {
        cache.store(ToMany._list(entities))
        identifiers = IDs(_identifiers: entities.map { $0.id })
    }

    /// Stores related entities, and sets the property to their identifiers.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs?,
        to entities: [Related]?,
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID? {
        cache.store(ToOptionalMany<Related>._list(entities))
        identifiers = entities.map { IDs(_identifiers: $0.map { $0.id }) }
    }
}

extension FlatCache {
    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable>(
        _ identifiers: Related.ID,
        _ property: StaticString,
        to entities: Related,
        in cache: FlatCache
    ) throws(RelationshipError) {
        try ToOne.store(entities, namedBy: identifiers, property, in: cache)
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable>(
        _ identifiers: Related.ID?,
        _ property: StaticString,
        to entities: Related?,
        in cache: FlatCache
    ) throws(RelationshipError) {
        try ToOptional.store(entities, namedBy: identifiers, property, in: cache)
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs,
        _ property: StaticString,
        to entities: [Related],
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID {
        try ToMany.store(entities, namedBy: Array(identifiers), property, isOrdered: IDs._isOrdered, in: cache)
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs?,
        _ property: StaticString,
        to entities: [Related]?,
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID {
        try ToOptionalMany<Related>.store(
            entities,
            namedBy: identifiers.map(Array.init),
            property,
            isOrdered: IDs._isOrdered,
            in: cache
        )
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs,
        _ property: StaticString,
        to entities: [Related],
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID? {
        try ToMany.store(
            entities,
            namedBy: identifiers.compactMap { $0 },
            property,
            isOrdered: IDs._isOrdered,
            in: cache
        )
    }

    /// Stores related entities that a constant property already refers to.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs?,
        _ property: StaticString,
        to entities: [Related]?,
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID? {
        try ToOptionalMany<Related>.store(
            entities,
            namedBy: identifiers?.compactMap { $0 },
            property,
            isOrdered: IDs._isOrdered,
            in: cache
        )
    }

    func store<Value: Cachable>(_ values: [Value]) {
        if values.count == 1 { set(values[0]) } else { set(contentsOf: values) }
    }
}
