extension Cached {
    /// Changes the entity at once, and sends the change to the server.
    ///
    ///     post.mutate { $0.isFavourite = true } send: { try await api.favourite("1") }
    ///
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - change: A closure that changes the entity. It must depend on its argument alone and have no effects, because it is
    ///     called again for each new confirmed entity.
    ///   - send: A closure that sends the change. It runs in a task of its own, in which the cache of the handle is
    ///     ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate(
        order: MutationOrder = .byEntity,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Void
    ) -> Mutation<Void> {
        begin(.update(id: id, code: table.mutationCode, change), order, .nothing(send))
    }

    /// Changes the entity at once, sends the change to the server, and stores the entity that the server returns.
    ///
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - change: A closure that changes the entity. It must depend on its argument alone and have no effects, because it is
    ///     called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns an entity. It runs in a task of its own, in which the cache of the
    ///     handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Answer: Cachable>(
        order: MutationOrder = .byEntity,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Answer
    ) -> Mutation<Answer> {
        begin(.update(id: id, code: table.mutationCode, change), order, .entity(send))
    }

    /// Changes the entity at once, sends the change to the server, and stores the payload that the server returns.
    ///
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - change: A closure that changes the entity. It must depend on its argument alone and have no effects, because it is
    ///     called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns a payload. It runs in a task of its own, in which the cache of the
    ///     handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Root>(
        order: MutationOrder = .byEntity,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Payload<Root>
    ) -> Mutation<StoredPayload<Root>> {
        begin(.update(id: id, code: table.mutationCode, change), order, .payload(send))
    }

    @usableFromInline func begin<Answer>(
        _ step: EntityStep<Value>,
        _ order: MutationOrder,
        _ send: MutationSend<Answer>
    ) -> Mutation<Answer> {
        if let cache { return cache.begin([step], order, send) }
        let mutation = Mutation(number: 0, [], order, in: reference, send.work)
        mutation.drop(.cacheGone(key))
        return mutation
    }

    /// The mutations of the entity that have not ended, and the error of the last one that has.
    ///
    /// A view and the closures of ``FlatCache/observe(initial:_:onChange:)`` are notified of changes. In the body of a `read`,
    /// too, they are the current ones.
    ///
    /// - Complexity: O(1) on average, and O(*n*) for *n* mutations.
    public var mutations: KeyMutations {
        guard let cache else { return KeyMutations() }
        return cache.tracked { cache in
            // It comes before the layers; see `note(_:of:)`.
            let id = currentID
            let lastError = EntityMutations.stored(FlatCacheKey(Value.self, id: id), in: cache)?.lastError
            let numbers = KeySet(table.layers(of: id, HashedID(id)).map { $0.number }).keys
            return KeyMutations(pending: numbers.compactMap { cache.mutations[$0] }, lastError: lastError)
        }
    }
}

/// The mutations of an entity.
public struct KeyMutations: Sendable {
    /// The mutations that have not ended, in the order in which they began.
    public var pending: [PendingMutation] = []
    /// The error of the last mutation that has ended, or `nil` if it has succeeded.
    public var lastError: (any Error)?

    /// Whether a mutation of the entity has not ended.
    public var isPending: Bool { !pending.isEmpty }
}
