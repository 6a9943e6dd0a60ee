extension Cached {
    /// Stores an entity under the key of the handle, in place of the current one.
    ///
    ///     try post.set(renamed)
    ///
    /// To change the current entity, use ``update(_:)->Result?`` instead. If you set a changed copy of ``value``,
    /// writes that other threads made in between are lost.
    ///
    /// If the type has a ``Cachable/merge`` and an entity is stored, the merge decides what is stored.
    ///
    /// - Parameter value: The entity. It must have the identifier of the handle.
    /// - Throws: ``HandleError/otherIdentifier(handle:entity:)`` if the entity has another identifier, or
    ///   ``HandleError/cacheGone(_:)`` if the cache is deallocated. In both cases nothing is stored.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @inlinable
    public func set(_ value: Value) throws(HandleError) {
        guard value.id == slot.id(of: Value.self) || value.id == id else {
            throw .otherIdentifier(handle: key, entity: value.flatCacheKey)
        }
        guard let cache else { throw .cacheGone(key) }
        cache.set(value)
    }

    /// Removes the entity.
    ///
    /// The handle remains valid. It has a value again when an entity is stored under its key. Entities that refer to
    /// the removed one keep its identifier, unless they have a delete rule (``Cachable/deleteRules``). Their accessors
    /// return `nil`, or an array without it.
    ///
    /// - Returns: The removed entity, or `nil` if none was stored or the cache is deallocated.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func remove() -> Value? {
        cache?.remove(Value.self, id: id)
    }

    /// Changes the entity in place, atomically, with a closure that returns nothing.
    ///
    ///     guard post.update({ $0.likes += 1 }) else { return }
    ///
    /// The body receives a copy of the entity and runs without a lock, so it may read and write any entity. It runs
    /// again if another thread replaces the entity before the result is stored. Accessors of the copy read the
    /// ``FlatCache/current`` cache.
    ///
    /// If the body changes the identifier, only the entity moves. Handles (including this one), lists, references and
    /// the identifiers in other entities keep the old identifier. No entity is stored under it any more.
    ///
    /// - Parameter body: A closure that changes the entity.
    /// - Returns: Whether the entity is stored. If it isn't, or if the cache is deallocated, the body is not called.
    /// - Throws: The error that the body throws. Then the entity isn't changed.
    /// - Complexity: The time of the body, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Failure: Error>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure) -> Bool {
        let result: Void? = try update(body)
        return result != nil
    }

    /// Stores other entities and changes the entity of the handle, in one commit, with a closure that returns nothing.
    ///
    ///     guard post.update(storing: [author], { $0.authorID = author.id }) else { return }
    ///
    /// - Parameters:
    ///   - entities: The entities to store with the change.
    ///   - body: A closure that changes the entity of the handle. It receives a copy, runs without a lock, and runs
    ///     again if another thread replaces the entity before the result is stored.
    /// - Returns: Whether the entity of the handle is stored. If it isn't, or if the cache is deallocated, nothing is
    ///   stored.
    /// - Throws: The error that the body throws. Then nothing is stored.
    /// - Complexity: O(*m*) on average for *m* entities, and O(*n*) for the *n* observers of the changed keys.
    @discardableResult
    @inlinable
    public func update<Related: Cachable, Failure: Error>(
        storing entities: some Sequence<Related>,
        _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let result: Void? = try update(storing: entities, body)
        return result != nil
    }
}
