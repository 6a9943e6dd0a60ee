extension FlatCache {
    /// Changes a stored entity in place, atomically, with a closure that returns nothing.
    ///
    ///     cache.update(Post.self, id: "1") { $0.likes += 1 }
    ///     guard cache.update(Post.self, id: "1", { $0.likes += 1 }) else { return }
    ///
    /// The body may run more than once; ``update(_:id:_:)->Result?`` says when, and what else it may do.
    ///
    /// If the body changes the identifier, the entity moves alone: lists, references, handles, observers and the identifiers in
    /// other entities keep the old one. Change those that should follow in the same ``transaction(_:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity.
    ///   - body: Changes the entity.
    /// - Returns: Whether the entity is stored; the body is not called otherwise.
    /// - Throws: What the body throws; nothing is changed then.
    /// - Complexity: O(1) on average, and the body, and O(*n*) for the *n* observers of the key.
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
    /// ``set(_:)`` stores it in any case, ``insertIfAbsent(_:)`` only if there is none.
    ///
    /// - Parameter value: The entity.
    /// - Returns: Whether there was an entity to replace; nothing is stored otherwise.
    /// - Complexity: O(1) on average, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Value: Cachable>(_ value: Value) -> Bool {
        update(Value.self, id: value.id) { $0 = value }
    }

    /// Changes a stored entity in place, or else another one that is then stored, atomically.
    ///
    ///     cache.update(default: Counter(id: "visits")) { $0.count += 1 }
    ///
    /// The body changes the entity with the identifier of the other one, or the other one itself when none is stored. It
    /// runs without a lock, and again when another thread has replaced, stored or removed the entity meanwhile. Do in it what
    /// concerns the entity, and do what must happen only once after it.
    ///
    /// - Parameters:
    ///   - value: What to change and store when there is no entity with its identifier.
    ///   - body: Changes the entity.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; nothing is changed or stored then.
    /// - Complexity: O(1) on average, and the body, and O(*n*) for the *n* observers of the key.
    @discardableResult
    @inlinable
    public func update<Value: Cachable, Result, Failure: Error>(
        default value: Value,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // What is there is changed in place; a transaction makes sure that there is nothing.
        if case .some(let result) = try update(Value.self, id: value.id, body) as Result? { return result }
        return try commitTogether { () throws(Failure) in
            if case .some(let result) = try update(Value.self, id: value.id, body) as Result? { return result }
            var value = value
            let result = try body(&value)
            set(value)
            return result
        }
    }
}
