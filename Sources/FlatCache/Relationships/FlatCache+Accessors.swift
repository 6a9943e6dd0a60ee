// The members that generated accessors call. Their underscores keep them out of completion lists, and keep a target from
// declaring members that the accessors would call instead.

extension FlatCache {
    /// The entity with an identifier in a cache, tracked by Observation; `nil` when it isn't stored.
    @inlinable
    public static func _related<Related: Cachable>(_ id: Related.ID, in cache: FlatCache = .current) -> Related? {
        cache.relatedEntity(id)
    }

    /// The entity with an identifier in a cache, tracked by Observation; `nil` when it isn't stored, or there is no identifier.
    @inlinable
    public static func _related<Related: Cachable>(_ id: Related.ID?, in cache: FlatCache = .current) -> Related? {
        guard let id else { return nil }
        return cache.relatedEntity(id)
    }

    /// Those of several entities that a cache holds, tracked by Observation.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: some Sequence<Related.ID>,
        in cache: FlatCache = .current
    ) -> [Related] {
        cache.tracked { $0.get(Related.self, ids: ids) }
    }

    /// Those of several entities that a cache holds, tracked by Observation; `nil` when there are no identifiers.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: (some Sequence<Related.ID>)?,
        in cache: FlatCache = .current
    ) -> [Related]? {
        guard let ids else { return nil }
        return cache.tracked { $0.get(Related.self, ids: ids) }
    }

    /// Those of several entities that a cache holds, tracked by Observation.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: some Sequence<Related.ID?>,
        in cache: FlatCache = .current
    ) -> [Related] {
        cache.tracked { $0.get(Related.self, ids: ids.compactMap { $0 }) }
    }

    /// Those of several entities that a cache holds, tracked by Observation; `nil` when there are no identifiers.
    @inlinable
    public static func _related<Related: Cachable>(
        _ ids: (some Sequence<Related.ID?>)?,
        in cache: FlatCache = .current
    ) -> [Related]? {
        guard let ids else { return nil }
        return cache.tracked { $0.get(Related.self, ids: ids.compactMap { $0 }) }
    }

    /// The entity with an identifier, tracked by Observation.
    ///
    /// One function for each type, which all accessors of the type share.
    @inlinable @inline(never)
    func relatedEntity<Related: Cachable>(_ id: Related.ID) -> Related? {
        tracked { $0.get(Related.self, id: id) }
    }
}

extension FlatCache {
    /// Fetches what identifiers name, as a policy says.
    public static func _fetch<Related: Cachable>(
        _ identifiers: Related.ID,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> Related {
        try await ToOne._fetched(identifiers, policy, in: cache, isolation: isolation)
    }

    /// Fetches what identifiers name, as a policy says.
    public static func _fetch<Related: Cachable>(
        _ identifiers: Related.ID?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> Related? {
        try await ToOptional._fetched(identifiers, policy, in: cache, isolation: isolation)
    }

    /// Fetches what identifiers name, as a policy says.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related] where IDs.Element == Related.ID {
        try await ToMany._fetched(Array(identifiers), policy, in: cache, isolation: isolation)
    }

    /// Fetches what identifiers name, as a policy says.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related]? where IDs.Element == Related.ID {
        try await ToOptionalMany._fetched(identifiers.map(Array.init), policy, in: cache, isolation: isolation)
    }

    /// Fetches what identifiers name, as a policy says.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related] where IDs.Element == Related.ID? {
        try await ToMany._fetched(identifiers.compactMap { $0 }, policy, in: cache, isolation: isolation)
    }

    /// Fetches what identifiers name, as a policy says.
    public static func _fetch<Related: Cachable, IDs: Sequence & Sendable>(
        _ identifiers: IDs?,
        _ policy: FetchPolicy,
        in cache: FlatCache,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> [Related]? where IDs.Element == Related.ID? {
        try await ToOptionalMany._fetched(identifiers?.compactMap { $0 }, policy, in: cache, isolation: isolation)
    }
}

extension FlatCache {
    /// Stores entities, and makes a property name them.
    public static func _relate<Related: Cachable>(
        _ identifiers: inout Related.ID,
        to entities: Related,
        in cache: FlatCache = .current
    ) {
        cache.store(ToOne._list(entities))
        identifiers = entities.id
    }

    /// Stores entities, and makes a property name them.
    public static func _relate<Related: Cachable>(
        _ identifiers: inout Related.ID?,
        to entities: Related?,
        in cache: FlatCache = .current
    ) {
        cache.store(ToOptional._list(entities))
        identifiers = entities?.id
    }

    /// Stores entities, and makes a property name them.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs,
        to entities: [Related],
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID {
        cache.store(ToMany._list(entities))
        identifiers = IDs(_identifiers: entities.map { $0.id })
    }

    /// Stores entities, and makes a property name them.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs?,
        to entities: [Related]?,
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID {
        cache.store(ToOptionalMany._list(entities))
        identifiers = entities.map { IDs(_identifiers: $0.map { $0.id }) }
    }

    /// Stores entities, and makes a property name them.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs,
        to entities: [Related],
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID? {
        cache.store(ToMany._list(entities))
        identifiers = IDs(_identifiers: entities.map { $0.id })
    }

    /// Stores entities, and makes a property name them.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: inout IDs?,
        to entities: [Related]?,
        in cache: FlatCache = .current
    ) where IDs.Element == Related.ID? {
        cache.store(ToOptionalMany._list(entities))
        identifiers = entities.map { IDs(_identifiers: $0.map { $0.id }) }
    }
}

extension FlatCache {
    /// Stores entities that a constant property names.
    public static func _relate<Related: Cachable>(
        _ identifiers: Related.ID,
        _ property: StaticString,
        to entities: Related,
        in cache: FlatCache
    ) throws(RelationshipError) {
        let identifiers = identifiers
        try ToOne.check(entities, areNamedBy: identifiers, property)
        cache.store(ToOne._list(entities))
    }

    /// Stores entities that a constant property names.
    public static func _relate<Related: Cachable>(
        _ identifiers: Related.ID?,
        _ property: StaticString,
        to entities: Related?,
        in cache: FlatCache
    ) throws(RelationshipError) {
        let identifiers = identifiers
        try ToOptional.check(entities, areNamedBy: identifiers, property)
        cache.store(ToOptional._list(entities))
    }

    /// Stores entities that a constant property names.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs,
        _ property: StaticString,
        to entities: [Related],
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID {
        let identifiers = Array(identifiers)
        try ToMany.check(entities, areNamedBy: identifiers, property, isOrdered: IDs._isOrdered)
        cache.store(ToMany._list(entities))
    }

    /// Stores entities that a constant property names.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs?,
        _ property: StaticString,
        to entities: [Related]?,
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID {
        let identifiers = identifiers.map(Array.init)
        try ToOptionalMany.check(entities, areNamedBy: identifiers, property, isOrdered: IDs._isOrdered)
        cache.store(ToOptionalMany._list(entities))
    }

    /// Stores entities that a constant property names.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs,
        _ property: StaticString,
        to entities: [Related],
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID? {
        let identifiers = identifiers.compactMap { $0 }
        try ToMany.check(entities, areNamedBy: identifiers, property, isOrdered: IDs._isOrdered)
        cache.store(ToMany._list(entities))
    }

    /// Stores entities that a constant property names.
    public static func _relate<Related: Cachable, IDs: _IdentifierCollection & Sendable>(
        _ identifiers: IDs?,
        _ property: StaticString,
        to entities: [Related]?,
        in cache: FlatCache
    ) throws(RelationshipError) where IDs.Element == Related.ID? {
        let identifiers = identifiers?.compactMap { $0 }
        try ToOptionalMany.check(entities, areNamedBy: identifiers, property, isOrdered: IDs._isOrdered)
        cache.store(ToOptionalMany._list(entities))
    }

    private func store<Value: Cachable>(_ values: [Value]) {
        if values.count == 1 { set(values[0]) } else { set(contentsOf: values) }
    }
}
