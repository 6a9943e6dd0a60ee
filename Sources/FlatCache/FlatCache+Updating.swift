extension FlatCache {
    /// Changes a stored entity in place, atomically, with a closure that returns nothing.
    ///
    ///     cache.update(Post.self, id: "1") { $0.likes += 1 }
    ///     guard cache.update(Post.self, id: "1", { $0.likes += 1 }) else { return }
    ///
    /// The body may run more than once; ``update(_:id:_:)->Result?`` says when, and what else it may do.
    ///
    /// If the body changes the identifier, the entity moves alone: lists, names, handles, observers and the identifiers in
    /// other entities keep the old one. Change those that should follow in the same ``transaction(_:)``.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be left out where the body tells it.
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
}
