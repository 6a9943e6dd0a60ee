extension FlatCache {
    /// Stores an entity unless one with its identifier is already stored, atomically.
    ///
    ///     let (inserted, post) = cache.insertIfAbsent(Post(id: "1"))
    ///
    /// - Parameter value: The entity.
    /// - Returns: Whether the entity was stored, and the stored entity: the new one, or the one that was already
    ///   stored.
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

    /// Returns whether an entity with the identifier of a value is stored, without comparing other properties.
    ///
    /// - Parameter value: The entity.
    /// - Complexity: O(1) on average.
    @inlinable
    public func contains<Value: Cachable>(_ value: Value) -> Bool {
        contains(Value.self, id: value.id)
    }

    /// Removes the entity with the identifier of a value, without comparing other properties.
    ///
    /// Entities that refer to it keep its identifier, unless they have a delete rule (``Cachable/deleteRules``). Their
    /// accessors return `nil`, or an array without it.
    ///
    /// - Parameter value: The entity.
    /// - Returns: The removed entity as it was stored, or `nil` if it wasn't stored.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func remove<Value: Cachable>(_ value: Value) -> Value? {
        remove(Value.self, id: value.id)
    }

    /// Removes several entities of a type in one commit, which notifies each observer once.
    ///
    ///     cache.remove(Comment.self, ids: post.commentIDs)
    ///
    /// Entities that refer to them keep their identifiers, unless they have a delete rule (``Cachable/deleteRules``).
    /// Their accessors return `nil`, or an array without them.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - ids: The identifiers, also of entities that aren't stored; see ``remove(_:id:)``.
    /// - Returns: The removed entities, in the order of their identifiers.
    /// - Complexity: O(*n*) on average for *n* identifiers and the observers of their keys.
    @discardableResult
    public func remove<Value: Cachable>(_ type: Value.Type, ids: some Sequence<Value.ID>) -> [Value] {
        // The transaction may run more than once, but some sequences can be iterated only once.
        let ids = Array(ids)
        let table = registry.table(of: type).takeUnretainedValue()
        return commitTogether {
            guard let snapshot = history.snapshotOfThread, let transaction = snapshot.transaction else { return [] }
            let changes = transaction.table(table)
            let ids = table.mayForward ? ids.map { currentID(of: type, $0) } : ids
            var removed: [Value] = []
            for id in ids {
                let hash = HashedID(id)
                if let value = changes.value(of: id, hash, in: snapshot) { removed.append(value) }
                changes.remove(id, hash)
            }
            applyDeleteRules(in: changes) { ids }
            return removed
        }
    }
}
