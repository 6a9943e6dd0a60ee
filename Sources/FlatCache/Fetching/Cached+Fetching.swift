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

    /// How fetching of the entity goes: whether it is loading, and why the last attempt has failed.
    ///
    ///     handle.status.isLoading
    ///     for await screen in cache.updates({ Screen(handle.value, handle.status) }) { show(screen) }
    ///
    /// Observation tracks it, as it tracks ``value``. To read both of one state, read them in ``FlatCache/read(_:)`` or in the
    /// closure of an observer. An error doesn't end a sequence.
    ///
    /// The cache remembers an error as long as somebody is interested in the entity: while a handle, an observer or a
    /// sequence of it exists. Without that it remembers the errors of the last request that has failed, and of some dozens
    /// of entities before.
    ///
    /// - Returns: The status; when the cache is gone, one without loading and without an error.
    /// - Complexity: O(1).
    public var status: EntityStatus {
        EntityStatus(cache?.tracked { $0.get(FetchStatus<Value>.self, id: id) })
    }
}
