extension Cached {
    /// Returns the entity, fetched if need be.
    ///
    ///     let post = try await handle.fetch()
    ///
    /// Requests are shared and answers stored as those of ``FlatCache/fetch(_:id:_:isolation:)`` are.
    ///
    /// - Parameters:
    ///   - policy: Where to take the entity from.
    ///   - isolation: The actor of the caller.
    /// - Returns: The entity.
    /// - Throws: Why the entity could not be fetched; ``FetchError/cacheGone(_:)`` when the cache is gone.
    @discardableResult
    public func fetch(
        _ policy: FetchPolicy = .cacheFirst,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(FetchError) -> Value {
        guard let cache else { throw .cacheGone(key) }
        return try await cache.fetch(Value.self, id: id, policy, isolation: isolation)
    }
}
