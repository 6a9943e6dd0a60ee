extension FlatCache {
    /// Changes a stored entity in place, atomically, with a closure that returns nothing.
    ///
    ///     cache.update(Post.self, id: "1") { $0.likes += 1 }
    ///     guard cache.update(Post.self, id: "1", { $0.likes += 1 }) else { return }
    ///
    /// The body receives a copy of the entity and runs without a lock, so it may read and write any entity. It runs
    /// again if another thread replaces the entity before the result is stored.
    ///
    /// If the body changes the identifier, only the entity moves. Lists, references, handles, observers and the
    /// identifiers in other entities keep the old identifier. To change them too, use ``replaceIdentifier(of:_:with:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    ///   - body: A closure that changes the entity.
    /// - Returns: Whether the entity is stored. If it isn't, the body is not called.
    /// - Throws: The error that the body throws. Then the entity isn't changed.
    /// - Complexity: The time of the body, and O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Value: Cachable, Failure: Error>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        _ body: (inout Value) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let result: Void? = try update(type, id: id, body)
        return result != nil
    }

    /// Replaces an entity if one with its identifier is stored.
    ///
    ///     let isShown = cache.update(refreshed)
    ///
    /// ``set(_:)`` stores it in any case. ``insertIfAbsent(_:)`` stores it only if no such entity is stored. If the type
    /// has a ``Cachable/merge``, the merge decides whether and how the entity is replaced.
    ///
    /// - Parameter value: The entity.
    /// - Returns: Whether an entity with the identifier is stored. If not, or if another entity has replaced the identifier,
    ///   nothing is stored.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Value: Cachable>(_ value: Value) -> Bool { update(value, merging: Value.merge) }

    /// Changes a stored entity in place, or changes and stores a default entity if none is stored, atomically.
    ///
    ///     cache.update(default: Counter(id: "visits")) { $0.count += 1 }
    ///
    /// If an entity with the identifier of the default is stored, the body changes that entity. Otherwise it changes
    /// the default, which is then stored. The body runs without a lock. It runs again if another thread replaces,
    /// stores or removes the entity meanwhile. Only change the entity in the body, and put effects that must happen
    /// once after it.
    ///
    /// - Parameters:
    ///   - value: The default entity, which is changed and stored if no entity with its identifier is stored.
    ///   - body: A closure that changes the entity.
    /// - Returns: The body's return value.
    /// - Throws: The error that the body throws. Then the entity isn't changed or stored.
    /// - Complexity: The time of the body, and O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Value: Cachable, Result, Failure: Error>(
        default value: Value,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A stored entity is changed in place. If none is stored, a transaction makes sure that this stays so until the
        // commit.
        if case .some(let result) = try update(Value.self, id: value.id, body) as Result? { return result }
        return try commitTogether { () throws(Failure) in
            if case .some(let result) = try update(Value.self, id: value.id, body) as Result? { return result }
            var value = value
            let result = try body(&value)
            replace(value)
            return result
        }
    }
}
