/// Mutations of one entity.
extension FlatCache {
    /// Changes an entity at once, and sends the change to the server.
    ///
    ///     cache.mutate(Post.self, id: "1") { $0.isFavourite = true } send: { try await api.favourite("1") }
    ///
    /// When this method returns, all readers and observers see the change. Until the server has confirmed it, it is a layer
    /// over the confirmed entity. What is written below, for example by a fetch, changes the confirmed entity, and the closure
    /// is called again with it. If `send` returns, the change is made to the confirmed entity. If `send` throws, the change is
    /// dropped, and what others have written meanwhile remains. If others have written a property that the change sets while
    /// it was being sent, also by an `update` of the app, their value stays, and an increment isn't added to it. Change counters
    /// by mutations only.
    ///
    /// In a transaction, the mutation begins when the transaction is committed. If the transaction throws, nothing is
    /// sent, and the mutation ends with ``MutationError/cancelled``. In the body of an `update`, a mutation begins at
    /// once, and again if the body runs again.
    ///
    /// Mutations that are sent at the same time can return each other's changes. The change is made to the answer to an
    /// earlier mutation, too, unless `isContained` returns `true` for it.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect; see ``PendingMutation/problems``.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change. It runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Void
    ) -> Mutation<Void> {
        let step: EntityStep<Value> = .update(id: id, code: mutationCode(of: type), until: isContained, change)
        return begin(.one(step), order, .nothing(send))
    }

    /// Changes an entity at once, and sends the changed entity to the server.
    ///
    ///     cache.mutate(Post.self, id: id) { $0.title = title } send: { try await api.setTitle($0.id, $0.title) }
    ///
    /// The entity that `send` receives has this change and those before it, and not those after it. Its identifier and those in
    /// its annotated relationships are the current ones, also if they were temporary when the mutation began. If there is no
    /// entity, nothing is sent, and the mutation fails with ``MutationError/missing(_:)``; if `change` throws, with that error.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect; see ``PendingMutation/problems``.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change. It receives the entity as it is to be sent. It runs in a task of its own,
    ///     in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Value: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Void
    ) -> Mutation<Void> {
        let step: EntityStep<Value> = .update(id: id, code: mutationCode(of: type), until: isContained, change)
        return begin(.one(step), order, .nothing(PendingMutation.sending(id, send)))
    }

    /// Changes an entity at once, sends the change to the server, and stores the entity that the server returns.
    ///
    ///     cache.mutate(Post.self, id: "1") { $0.title = title } send: { try await api.setTitle("1", title) }
    ///
    /// When `send` returns, one commit makes the change to the confirmed entity and stores the returned entity over it.
    ///
    /// Properties that others have written since the mutation was sent stay, also those that the change sets. An object of a
    /// class without `==` is equal only to itself. <doc:MutationsInDetail> says what holds for types that aren't `Codable`.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect; see ``PendingMutation/problems``.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns an entity. It runs in a task of its own, in which the cache is
    ///     ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Answer: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Answer
    ) -> Mutation<Answer> {
        let step: EntityStep<Value> = .update(id: id, code: mutationCode(of: type), until: isContained, change)
        return begin(.one(step), order, .entity(PendingMutation.sending(send)))
    }

    /// Changes an entity at once, sends the changed entity to the server, and stores the entity that the server returns.
    ///
    ///     cache.mutate(Post.self, id: id) { $0.title = title } send: { try await api.update($0) }
    ///
    /// If there is no entity to send, the mutation fails with ``MutationError/missing(_:)``; if `change` throws, with that error.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect; see ``PendingMutation/problems``.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns an entity. It receives the entity as it is to be sent. It runs
    ///     in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Answer: Cachable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Answer
    ) -> Mutation<Answer> {
        let step: EntityStep<Value> = .update(id: id, code: mutationCode(of: type), until: isContained, change)
        return begin(.one(step), order, .entity(PendingMutation.sending(id, send)))
    }

    /// Changes an entity at once, sends the change to the server, and stores the payload that the server returns.
    ///
    /// When `send` returns, one commit makes the change to the confirmed entity and stores the payload over it.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect; see ``PendingMutation/problems``.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns a payload. It runs in a task of its own, in which the cache is
    ///     ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Root>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable () async throws -> Payload<Root>
    ) -> Mutation<StoredPayload<Root>> {
        let step: EntityStep<Value> = .update(id: id, code: mutationCode(of: type), until: isContained, change)
        return begin(.one(step), order, .payload(PendingMutation.sending(send)))
    }

    /// Changes an entity at once, sends the changed entity to the server, and stores the payload that the server returns.
    ///
    /// If there is no entity to send, the mutation fails with ``MutationError/missing(_:)``; if `change` throws, with that error.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect; see ``PendingMutation/problems``.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains the change already, for example by a push that comes before
    ///     the answer. Such an entity isn't changed.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns a payload. It receives the entity as it is to be sent. It runs
    ///     in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Root>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        order: MutationOrder = .byEntity,
        until isContained: (@Sendable (_ confirmed: Value) -> Bool)? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Payload<Root>
    ) -> Mutation<StoredPayload<Root>> {
        let step: EntityStep<Value> = .update(id: id, code: mutationCode(of: type), until: isContained, change)
        return begin(.one(step), order, .payload(PendingMutation.sending(id, send)))
    }

    /// Changes an entity at once, sends it to the server, and shows the change until an entity comes that contains it.
    ///
    ///     cache.mutate(Post.self, id: "1", until: { $0.version >= $1 }) { $0.likes += 1 } send: {
    ///         try await api.like($0.id).version
    ///     }
    ///
    /// Use it for a server whose answer names a position in its history, such as a version or the number of a transaction, and
    /// that sends the entity by another way. ``Mutation/value`` returns the position when `send` does. The mutation ends when a
    /// confirmed entity contains the change, which isn't made to that.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity. While none is stored, the change has no effect; see ``PendingMutation/problems``.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - isContained: Returns whether a confirmed entity contains a change that the server has made at a position.
    ///   - change: A closure that changes the entity. If it throws, it has no effect. It must depend on its argument alone and
    ///     have no effects, because it is called again for each new confirmed entity.
    ///   - send: A closure that sends the change and returns the position. It receives the entity as it is to be sent. It runs in
    ///     a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of `change`, and O(*n*) for the *n* pending mutations and observers of the key.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Position: Sendable>(
        _ type: Value.Type = Value.self,
        id: Value.ID,
        order: MutationOrder = .byEntity,
        until isContained: @escaping @Sendable (_ confirmed: Value, _ position: Position) -> Bool,
        _ change: @escaping @Sendable (inout Value) throws -> Void,
        send: @escaping @Sendable (_ sent: Value) async throws -> Position
    ) -> Mutation<Position> {
        let position = AwaitedPosition(isContained)
        let step: EntityStep<Value> = .update(id: id, code: mutationCode(of: type), until: position.isReached, change)
        return begin(.one(step), order, .position(PendingMutation.sending(id, send), position))
    }
}
