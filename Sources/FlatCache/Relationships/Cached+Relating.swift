extension Cached where Value: RelationshipOwner {
    /// The related entities of the entity that is stored now, read in the cache of the handle.
    ///
    ///     post.author             // Author?
    ///     post.comments           // [Comment]
    ///
    /// Observation tracks what is read.
    ///
    /// - Returns: The entity that the cache holds, or those of several entities, in the order of their identifiers; `nil`, or
    ///   an empty array, without an owner.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public subscript<Kind: FlatCache.PropertyKind>(
        dynamicMember relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>
    ) -> Kind.Found {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        guard let cache else { return Kind._nothing }
        return cache.tracked { cache in
            guard let value = current else { return Kind._nothing }
            return Kind._found(identifiers(value), in: cache)
        }
    }

    /// Returns the related entities of the stored entity, all of them, both of one state.
    ///
    ///     let author = try handle.require(\.author)
    ///
    /// Observation tracks what is read.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: The entity, or the entities in the order of the identifiers; `nil` where the property is `nil`.
    /// - Throws: ``RelationshipError/relatedMissing(property:owner:missing:)`` when the cache doesn't hold all of them,
    ///   ``RelationshipError/ownerMissing(_:)`` when the entity of the handle isn't stored, or the cache is gone.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func require<Kind: FlatCache.PropertyKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>
    ) throws(RelationshipError) -> Kind.Entities {
        let relationship = Value.relationships[keyPath: relationship]
        guard let cache else { throw .ownerMissing(key) }
        return try cache.tracked { cache throws(RelationshipError) in
            try cache.read { () throws(RelationshipError) in
                guard let value = current else { throw .ownerMissing(key) }
                return try relationship.required(by: value, in: cache)
            }
        }
    }

    /// Returns the identifiers of the stored entity whose entities the cache doesn't hold, in their order.
    ///
    /// Observation tracks what is read.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: The identifiers; none without an owner.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func missing<Kind: FlatCache.PropertyKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>
    ) -> [Kind.Related.ID] {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        return cache?.tracked { cache in
            guard let value = current else { return [] }
            return cache.missingIDs(of: Kind.Related.self, among: Kind._ids(identifiers(value)))
        } ?? []
    }

    /// Returns live handles to the related entities of the stored entity, which need not be stored themselves.
    ///
    /// Observation tracks what is read: the identifiers.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: A handle, or an array of handles in the order of the identifiers; `nil`, or an empty array, without an
    ///   owner.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func cached<Kind: FlatCache.PropertyKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>
    ) -> Kind.HandlesOfHandle {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        let handles = cache?.tracked { cache in
            current.map { Kind._handles(identifiers($0), in: cache) }
        }
        return Kind._handles(ofHandle: handles ?? nil)
    }

    /// Fetches the related entities, and before that the entity of the handle where it isn't stored.
    ///
    ///     let author = try await handle.fetch(\.author)
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - policy: Where to take the related entities from. With ``FetchPolicy/cacheOnly`` the entity of the handle isn't
    ///     fetched either.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity, or the entities in the order of the identifiers; `nil` where the property is `nil`.
    /// - Throws: Why one of the entities could not be fetched; ``FetchError/cacheGone(_:)`` when the cache is gone.
    @discardableResult
    public func fetch<Kind: FlatCache.PropertyKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>,
        _ policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> Kind.Entities {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        guard let cache else { throw .cacheGone(key) }
        let owner = try await fetch(policy.source == .cacheOnly ? .cacheOnly : .cacheFirst, isolation: isolation)
        return try await Kind._fetched(identifiers(owner), policy, in: cache, isolation: isolation)
    }

    /// Stores related entities, and makes the stored entity refer to them, in one commit.
    ///
    ///     try handle.set(\.author, to: ann)
    ///
    /// Where the property can't be set, entities with the identifiers that it holds are stored.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - entities: The related entity or entities; `nil` where the property can be `nil`.
    /// - Throws: ``RelationshipError/ownerMissing(_:)`` when the entity of the handle isn't stored, or the cache is gone;
    ///   ``RelationshipError/constantIdentifier(property:holding:insteadOf:)`` when the property can't be set and holds other
    ///   identifiers. Nothing is stored then.
    /// - Complexity: O(*n*) on average for *n* entities, and O(*m*) for the *m* observers of the changed keys.
    public func set<Kind: FlatCache.PropertyKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>,
        to entities: Kind.Entities
    ) throws(RelationshipError) {
        let relationship = Value.relationships[keyPath: relationship]
        guard let set = relationship.setIdentifiers else {
            guard let cache, let value else { throw .ownerMissing(key) }
            let (property, isOrdered) = (relationship.property, relationship.isOrdered)
            let held = relationship.identifiers(value)
            return try Kind.store(entities, namedBy: held, property, isOrdered: isOrdered, in: cache)
        }
        let updated: Void? = update(storing: Kind._list(entities)) { set(&$0, Kind._identifiers(of: entities)) }
        if updated == nil { throw .ownerMissing(key) }
    }
}
