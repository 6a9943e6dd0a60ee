extension Cached {
    /// Stores an entity in place of the one that is stored now.
    ///
    ///     try post.set(renamed)
    ///
    /// Setting a changed copy of ``value`` loses the writes that other threads have made in between; ``update(_:)->Result?``
    /// doesn't.
    ///
    /// - Parameter value: The entity, which must have the identifier of the handle.
    /// - Throws: ``HandleError/otherIdentifier(handle:entity:)`` when the entity has another identifier,
    ///   ``HandleError/cacheGone(_:)`` when the cache is gone; nothing is stored then.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @inlinable
    public func set(_ value: Value) throws(HandleError) {
        guard value.id == id else { throw .otherIdentifier(handle: key, entity: value.flatCacheKey) }
        guard let cache else { throw .cacheGone(key) }
        cache.set(value)
    }

    /// Removes the entity.
    ///
    /// The handle stays, and has a value again when an entity is stored under its key. Entities that refer to the removed one
    /// keep its identifier; their accessors give `nil`, or leave it out.
    ///
    /// - Returns: The removed entity, or `nil` when there was none, or the cache is gone.
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
    /// The body may run more than once; ``FlatCache/update(_:id:_:)->Result?`` says when, and what else it may do. Accessors of
    /// the entity that it is given read the ``FlatCache/current`` cache.
    ///
    /// If the body changes the identifier, the entity moves alone: this handle, others, lists, references and the identifiers in
    /// other entities keep the old identifier, under which nothing is stored then.
    ///
    /// - Parameter body: Changes the entity.
    /// - Returns: Whether there is an entity; `false` also when the cache is gone. The body is not called then.
    /// - Throws: What the body throws; nothing is changed then.
    /// - Complexity: O(1), and the body, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Failure: Error>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure) -> Bool {
        let result: Void? = try update(body)
        return result != nil
    }

    /// Stores other entities and changes that of the handle, in one commit, with a closure that returns nothing.
    ///
    ///     guard post.update(storing: [author], { $0.authorID = author.id }) else { return }
    ///
    /// - Parameters:
    ///   - entities: The entities to store with the change.
    ///   - body: Changes the entity of the handle. It may run more than once; ``FlatCache/update(_:id:_:)->Result?`` says when,
    ///     and what else it may do.
    /// - Returns: Whether there is an entity; `false` also when the cache is gone. Nothing is stored then.
    /// - Throws: What the body throws; nothing is stored then.
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
