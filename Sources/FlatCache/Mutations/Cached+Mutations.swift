extension Cached {
    /// Changes the entity at once, and sends the change to the server.
    ///
    ///     post.mutate { $0.isFavourite = true } send: { try await api.favourite("1") }
    ///
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change. It runs in a task of its own, in which the cache of the handle is
    ///     ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate(
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Void
    ) -> Mutation<Void> {
        let step: EntityStep<Value> = .update(id: id, code: table.mutationCode, until: isContained, change)
        return begin(step, order, .nothing(PendingMutation.sending(send)))
    }

    /// Changes the entity at once, and sends the changed entity to the server.
    ///
    ///     post.mutate { $0.isFavourite = true } send: { post in try await api.favourite(post.id) }
    ///
    /// The entity that `send` receives has this change and those before it, and not those after it. Its identifier and those in
    /// its annotated relationships are the current ones.
    /// If there is no entity to send, the mutation fails with ``MutationError/missing(_:)``; if `change` throws, with that error.
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change. It receives the entity as it is to be sent. It runs in a task of its own,
    ///     in which the cache of the handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate(
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Void
    ) -> Mutation<Void> {
        let step: EntityStep<Value> = .update(id: id, code: table.mutationCode, until: isContained, change)
        return begin(step, order, .nothing(PendingMutation.sending(id, send)))
    }

    /// Changes the entity at once, sends the change to the server, and stores the entity that the server returns.
    ///
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns an entity. It runs in a task of its own, in which the cache of
    ///     the handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Answer: Cachable>(
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Answer
    ) -> Mutation<Answer> {
        let step: EntityStep<Value> = .update(id: id, code: table.mutationCode, until: isContained, change)
        return begin(step, order, .entity(PendingMutation.sending(send)))
    }

    /// Changes the entity at once, sends the changed entity to the server, and stores the entity that the server returns.
    ///
    /// If there is no entity to send, the mutation fails with ``MutationError/missing(_:)``; if `change` throws, with that error.
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns an entity. It receives the entity as it is to be sent. It runs
    ///     in a task of its own, in which the cache of the handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Answer: Cachable>(
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Answer
    ) -> Mutation<Answer> {
        let step: EntityStep<Value> = .update(id: id, code: table.mutationCode, until: isContained, change)
        return begin(step, order, .entity(PendingMutation.sending(id, send)))
    }

    /// Changes the entity at once, sends the change to the server, and stores the payload that the server returns.
    ///
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns a payload. It runs in a task of its own, in which the cache of
    ///     the handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Root>(
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Payload<Root>
    ) -> Mutation<StoredPayload<Root>> {
        let step: EntityStep<Value> = .update(id: id, code: table.mutationCode, until: isContained, change)
        return begin(step, order, .payload(PendingMutation.sending(send)))
    }

    /// Changes the entity at once, sends the changed entity to the server, and stores the payload that the server returns.
    ///
    /// If there is no entity to send, the mutation fails with ``MutationError/missing(_:)``; if `change` throws, with that error.
    /// If the cache is deallocated, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns a payload. It receives the entity as it is to be sent. It runs
    ///     in a task of its own, in which the cache of the handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Root>(
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Payload<Root>
    ) -> Mutation<StoredPayload<Root>> {
        let step: EntityStep<Value> = .update(id: id, code: table.mutationCode, until: isContained, change)
        return begin(step, order, .payload(PendingMutation.sending(id, send)))
    }

    /// Changes an entity at once, sends it to the server, and shows the change until an entity comes that contains it.
    ///
    ///     post.mutate(until: { $0.version >= $1 }) { $0.likes += 1 } send: {
    ///         try await api.like($0.id).version
    ///     }
    ///
    /// Use it for a server whose answer names a position in its history, such as a version or the number of a transaction, and
    /// that sends the entity by another way. ``Mutation/value`` returns the position when `send` does. The mutation ends when a
    /// confirmed entity contains the change, which isn't made to that.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains a change that the server has made at a position.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns the position. It receives the entity as it is to be sent. It runs in
    ///     a task of its own, in which the cache of the handle is ``FlatCache/current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Position: Sendable>(
        order: MutationOrder = .byEntity,
        until isContained: @escaping @Sendable (_ confirmed: Value, _ position: Position) -> Bool,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Position
    ) -> Mutation<Position> {
        let position = AwaitedPosition(isContained)
        let step: EntityStep<Value> = .update(id: id, code: table.mutationCode, until: position.isReached, change)
        return begin(step, order, .position(PendingMutation.sending(id, send), position))
    }

    @usableFromInline func begin<Answer>(
        _ step: EntityStep<Value>,
        _ order: MutationOrder,
        _ send: MutationSend<Answer>
    ) -> Mutation<Answer> {
        if let cache { return cache.begin(.one(step), order, send) }
        let mutation = Mutation(number: 0, .several([]), order, in: reference, send)
        mutation.drop(.cacheGone(key))
        return mutation
    }

    /// The mutations of the entity that have not ended, and the error of the last one that has failed.
    ///
    /// A view and the closures of ``FlatCache/observe(initial:_:onChange:)`` are notified of changes. In the body of a `read`,
    /// too, they are the current ones.
    ///
    /// - Complexity: O(1) on average, and O(*n*) for *n* mutations.
    public var mutations: KeyMutations {
        guard let cache else { return KeyMutations() }
        return cache.tracked { cache in
            // It comes before the layers; see `note(_:of:)`.
            let id = id
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
    /// The error of the last mutation that has failed, or `nil` if one has begun or succeeded since.
    ///
    /// ``PendingMutation/cancel()`` doesn't change it.
    public var lastError: (any Error)?

    /// Whether a mutation of the entity has not ended.
    public var isPending: Bool { !pending.isEmpty }
}

extension KeyMutations: CustomStringConvertible, CustomReflectable {
    /// A line with the number of pending mutations and the error: `KeyMutations: 2 pending`.
    public var description: String {
        let pending = Summary.count(pending.count, "pending", "pending")
        return Summary.line("KeyMutations", nil, [pending, lastError.map { "last error: \($0)" }])
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
