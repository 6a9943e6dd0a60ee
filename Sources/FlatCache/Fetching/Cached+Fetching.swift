extension Cached {
    /// Returns the entity, fetched if need be.
    ///
    ///     let post = try await handle.fetch()
    ///
    /// Everything else is as for ``FlatCache/fetch(_:id:_:isolation:)``.
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

    /// Whether the entity is being fetched, by whomever.
    ///
    /// Reading it is told to the Observation framework, like ``value``. `false` when the cache is gone.
    ///
    /// - Complexity: O(1).
    public var isLoading: Bool { status?.isLoading ?? false }

    /// Why the last attempt to fetch the entity has failed; `nil` when it has not.
    ///
    /// The error stays while the next attempt is being made. The success of any fetcher that brings the entity clears it,
    /// and so does clearing the cache. Being cancelled is no failure. Reading it is told to the Observation framework, like
    /// ``value``.
    ///
    /// The cache remembers an error as long as somebody is interested in the entity: while a handle, an observer or a
    /// sequence of it exists. Without that it remembers the errors of the last request that has failed, and of some dozens
    /// of entities before.
    ///
    /// - Complexity: O(1).
    public var error: FetchError? { status?.error }

    /// The entity, and how fetching it goes, of one state of the cache.
    ///
    /// - Complexity: O(1).
    public var state: FetchState<Value> {
        let state = cache?.tracked { cache in
            cache.readTogether { FetchState(current, cache.get(FetchStatus<Value>.self, id: id)) }
        }
        return state ?? FetchState(current, nil)
    }

    /// The entity, and how fetching it goes, over time: what is now, then each other state.
    ///
    ///     for await state in handle.states { show(state.value, state.isLoading, state.error) }
    ///
    /// An error is a state among others, and doesn't end the sequence. The sequence doesn't keep the cache alive; it ends when
    /// the cache goes.
    public var states: DerivedUpdates<FetchState<Value>> { DerivedUpdates(in: reference) { self.state } }

    private var status: FetchStatus<Value>? {
        cache?.tracked { $0.get(FetchStatus<Value>.self, id: id) }
    }
}
