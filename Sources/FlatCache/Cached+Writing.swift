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
}
