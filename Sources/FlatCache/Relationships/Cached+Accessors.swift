// What the accessors of handles call; why they have underscores is said beside those of `FlatCache`.

extension Cached {
    /// Reads with the stored entity and the cache; Observation is told what is read.
    ///
    /// - Returns: What the body returns; `nil` when nothing is stored, or the cache is gone.
    @inlinable
    public func _withStored<Result, Failure: Error>(
        _ body: (Value, FlatCache) throws(Failure) -> Result?
    ) throws(Failure) -> Result? {
        try cache?.tracked { cache throws(Failure) in
            guard let value else { return nil }
            return try body(value, cache)
        }
    }

    /// Reads with the stored entity and the cache, all of one state; Observation is told what is read.
    ///
    /// - Throws: ``RelationshipError/ownerMissing(_:)`` when nothing is stored, or the cache is gone; what the body throws.
    @inlinable
    public func _withRequired<Result>(
        _ body: (Value, FlatCache) throws(RelationshipError) -> Result
    ) throws(RelationshipError) -> Result {
        guard let cache else { throw .ownerMissing(key) }
        return try cache.tracked { cache throws(RelationshipError) in
            try cache.read { () throws(RelationshipError) in
                guard let value else { throw .ownerMissing(key) }
                return try body(value, cache)
            }
        }
    }

    /// The stored entity and the cache.
    ///
    /// - Throws: ``RelationshipError/ownerMissing(_:)`` when nothing is stored, or the cache is gone.
    @inlinable
    public func _stored() throws(RelationshipError) -> (value: Value, cache: FlatCache) {
        guard let cache, let value else { throw .ownerMissing(key) }
        return (value, cache)
    }

    /// The entity, fetched where it is not stored, and the cache.
    ///
    /// - Parameters:
    ///   - policy: How that is fetched which the entity refers to; with ``FetchPolicy/cacheOnly`` it is not fetched itself.
    ///   - isolation: The actor of the caller.
    @inlinable
    public func _fetched(
        for policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) -> (value: Value, cache: FlatCache) {
        guard let cache else { throw .cacheGone(key) }
        return (try await fetch(policy == .cacheOnly ? .cacheOnly : .cacheFirst, isolation: isolation), cache)
    }

    /// ``update(storing:_:)``.
    ///
    /// - Throws: ``RelationshipError/ownerMissing(_:)`` when nothing is stored, or the cache is gone; nothing is stored then.
    @inlinable
    public func _update<Related: Cachable>(
        storing entities: some Sequence<Related>,
        _ body: (inout Value) -> Void
    ) throws(RelationshipError) {
        let update: Void? = update(storing: entities, body)
        if update == nil { throw .ownerMissing(key) }
    }
}
