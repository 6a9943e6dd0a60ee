extension FlatCache {
    /// Stores an entity unless one with its identifier is stored, atomically.
    ///
    ///     let (inserted, post) = cache.insertIfAbsent(Post(id: "1"))
    ///
    /// - Parameter value: The entity.
    /// - Returns: Whether it was stored, and the entity that is stored then: this one, or the one that was there.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func insertIfAbsent<Value: Cachable>(_ value: Value) -> (inserted: Bool, stored: Value) {
        commitTogether {
            if let stored = get(Value.self, id: value.id) { return (false, stored) }
            set(value)
            return (true, value)
        }
    }

    /// Returns whether an entity with the identifier of a given one is stored, whatever else it holds.
    ///
    /// - Parameter value: The entity.
    /// - Complexity: O(1) on average.
    @inlinable
    public func contains<Value: Cachable>(_ value: Value) -> Bool {
        contains(Value.self, id: value.id)
    }

    /// Removes the entity with the identifier of a given one, whatever else it holds.
    ///
    /// Entities that refer to it keep its identifier; their accessors give `nil`, or leave it out.
    ///
    /// - Parameter value: The entity.
    /// - Returns: The removed entity as it was stored, or `nil` when none was.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func remove<Value: Cachable>(_ value: Value) -> Value? {
        remove(Value.self, id: value.id)
    }

    /// Removes several entities of a type in one commit: each observer is notified once.
    ///
    ///     cache.remove(Comment.self, ids: post.commentIDs)
    ///
    /// Entities that refer to them keep their identifiers; their accessors give `nil`, or leave them out.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - ids: The identifiers. Those whose entities aren't stored are passed over.
    /// - Returns: The removed entities, in the order of their identifiers.
    /// - Complexity: O(*n*) on average for *n* identifiers and the observers of their keys.
    @discardableResult
    @inlinable
    public func remove<Value: Cachable>(_ type: Value.Type, ids: some Sequence<Value.ID>) -> [Value] {
        // The transaction may run more than once, the sequence perhaps not.
        let ids = Array(ids)
        return commitTogether { ids.compactMap { remove(type, id: $0) } }
    }
}
