extension Cached {
    /// Unavailable, because it is for relationships.
    @available(*, unavailable, message: "'set' sets relationships; write 'handle.update { $0.title = … }'")
    public func set<Property>(_ property: KeyPath<Value, Property>, to value: Property) {}
}

extension Cached where Value: RelationshipOwner {
    /// The related entities of the current entity, read from the cache of the handle.
    ///
    ///     post.author             // Author?
    ///     post.comments           // [Comment]
    ///
    /// The reads are tracked by Observation.
    ///
    /// - Returns: The related entity, or the stored ones of several in the order or with the keys of their identifiers. If
    ///   the entity of the handle isn't stored, `nil` or an empty collection.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    @inlinable
    public subscript<Kind: FlatCache.ReadableKind>(
        dynamicMember relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>
    ) -> Kind.Found {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        guard let cache else { return Kind._nothing }
        return cache.tracked { cache in
            guard let value = current else { return Kind._nothing }
            return Kind._found(identifiers(value), in: cache)
        }
    }

    /// Returns all related entities of the current entity, or throws if one of them isn't stored.
    ///
    ///     let author = try handle.require(\.author)
    ///
    /// The reads are tracked by Observation.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: The entity, or the entities in the order or with the keys of the identifiers, or `nil` if the property
    ///   is `nil`. All are read from one state of the cache.
    /// - Throws: ``RelationshipError/relatedMissing(property:owner:missing:)`` if the cache doesn't hold all of them,
    ///   or ``RelationshipError/ownerMissing(_:)`` if the entity of the handle isn't stored or the cache is
    ///   deallocated.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func require<Kind: FlatCache.ReadableKind>(
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

    /// Returns the identifiers of related entities that are missing, in order.
    ///
    /// The reads are tracked by Observation.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: The identifiers, with their keys if the property is a dictionary; none if the entity of the handle isn't
    ///   stored.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func missing<Kind: FlatCache.ReadableKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>
    ) -> Kind.Missing {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        return cache?.tracked { cache in
            current.map { Kind._missing(identifiers($0), in: cache) }
        } ?? Kind._noneMissing
    }

    /// Returns live handles to the related entities of the current entity.
    ///
    /// The related entities need not be stored. The read of the identifiers is tracked by Observation.
    ///
    /// - Parameter relationship: The relationship.
    /// - Returns: A handle, or handles in the order or with the keys of the identifiers. If the entity of the handle isn't
    ///   stored, `nil` or an empty collection.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func cached<Kind: FlatCache.ReadableKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>
    ) -> Kind.HandlesOfHandle {
        let identifiers = Value.relationships[keyPath: relationship].identifiers
        let handles = cache?.tracked { cache in
            current.map { Kind._handles(identifiers($0), in: cache) }
        }
        return Kind._handles(ofHandle: handles ?? nil)
    }

    /// Fetches the related entities, after fetching the entity of the handle if it isn't stored.
    ///
    ///     let author = try await handle.fetch(\.author)
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - policy: Whether to take the related entities from the cache or from the fetcher. With
    ///     ``FetchPolicy/cacheOnly`` the entity of the handle isn't fetched either.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity, or the entities in the order or with the keys of the identifiers, or `nil` if the property
    ///   is `nil`. All are read from one state of the cache.
    /// - Throws: The reason why one of the entities could not be fetched; ``FetchError/cacheGone(_:)`` if the cache is
    ///   deallocated.
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

    /// Stores related entities, and makes the current entity refer to them, in one commit.
    ///
    ///     try handle.set(\.author, to: ann)
    ///
    /// If the property can't be set, the entities must have the identifiers that it holds, and are stored.
    ///
    /// If the relationship has an inverse, the same commit changes the other side. The given entities refer to the
    /// entity of the handle, and entities that it doesn't refer to any more don't refer to it. If the inverse holds a
    /// single identifier, the entity that a given entity referred to before loses that entity. A property that can't be
    /// set, a required identifier that would be removed, and a dictionary or an array of arrays, which have no place for
    /// a new identifier, remain as they are. ``FlatCache/inconsistencies()`` finds them.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - entities: The related entity or entities, or `nil` if the property is optional.
    /// - Throws: ``RelationshipError/ownerMissing(_:)`` if the entity of the handle isn't stored or the cache is
    ///   deallocated, or ``RelationshipError/constantIdentifier(property:holding:insteadOf:)`` if the property can't be
    ///   set and holds other identifiers. In both cases nothing is stored.
    /// - Complexity: O(*n*) on average for *n* entities, and O(*m*) for the *m* observers of the changed keys. With an
    ///   inverse, *n* includes the entities to which the property referred before, and the identifiers of the properties
    ///   that are changed.
    public func set<Kind: FlatCache.PropertyKind>(
        _ relationship: KeyPath<Value.Relationships, FlatCache.Relationship<Value, Kind>>,
        to entities: Kind.Assigned
    ) throws(RelationshipError) {
        let inverse = Value.inverses.first { $0.relationship as PartialKeyPath == relationship }
        let relationship = Value.relationships[keyPath: relationship]
        guard let inverse, let cache else { return try set(relationship, to: entities) }
        try cache.transaction { () throws(RelationshipError) in
            guard let owner = current else { throw .ownerMissing(key) }
            var changed = owner
            relationship.setIdentifiers?(&changed, Kind._identifiers(of: entities))
            let finish = inverse.begin(owner, changed, cache)
            try set(relationship, to: entities)
            finish()
        }
    }

    /// Stores related entities and sets the property, without its inverse.
    private func set<Kind: FlatCache.PropertyKind>(
        _ relationship: FlatCache.Relationship<Value, Kind>,
        to entities: Kind.Assigned
    ) throws(RelationshipError) {
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

extension FlatCache {
    /// Stores related entities, and makes a stored entity refer to them, in one commit.
    ///
    ///     try cache.set(Post.self, id: "1", \.author, to: ann)
    ///
    /// This is ``Cached/set(_:to:)`` without a handle, and changes the inverse like it.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: The identifier of the entity.
    ///   - relationship: The relationship.
    ///   - entities: The related entity or entities, or `nil` if the property is optional.
    /// - Throws: ``RelationshipError/ownerMissing(_:)`` if the entity isn't stored, or
    ///   ``RelationshipError/constantIdentifier(property:holding:insteadOf:)`` if the property can't be set and holds
    ///   other identifiers. In both cases nothing is stored.
    /// - Complexity: O(*n*) on average for *n* entities, and O(*m*) for the *m* observers of the changed keys. With an
    ///   inverse, *n* includes the entities to which the property referred before, and the identifiers of the properties
    ///   that are changed.
    public func set<Value: Cachable & RelationshipOwner, Kind: PropertyKind>(
        _ type: Value.Type,
        id: Value.ID,
        _ relationship: KeyPath<Value.Relationships, Relationship<Value, Kind>>,
        to entities: Kind.Assigned
    ) throws(RelationshipError) {
        try Cached(type, id: id, in: self).set(relationship, to: entities)
    }
}
