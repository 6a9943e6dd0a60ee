/// Mutations of several entities, lists and references.
extension FlatCache {
    /// Makes several changes at once, in one commit, and sends them to the server.
    ///
    ///     cache.mutate { change in
    ///         change.update(Post.self, id: "1") { $0.isFavourite = true }
    ///         change.prepend("1", to: favourites)
    ///     } send: {
    ///         try await api.favourite("1")
    ///     }
    ///
    /// If `send` returns, one commit confirms all changes. If it throws, one commit drops all, also what delete rules
    /// have changed. In a transaction, the mutation begins when the transaction is committed. If the transaction
    /// throws, nothing is sent.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - changes: A closure that lists the changes. It is called once.
    ///   - send: A closure that sends the changes. It runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of the closures, and O(*n*) for the *n* pending mutations and observers of the keys.
    @discardableResult
    public func mutate(
        order: MutationOrder = .byEntity,
        _ changes: (inout MutationChanges) -> Void,
        send: @escaping @Sendable () async throws -> Void
    ) -> Mutation<Void> {
        begin(.several(steps(changes)), order, .nothing(send))
    }

    /// Makes several changes at once, in one commit, and sends the changed entities to the server.
    ///
    ///     cache.mutate { change in
    ///         change.update(Post.self, id: id) { $0.isPinned = true }
    ///         change.prepend(id, to: pinned)
    ///     } send: { context in
    ///         try await api.pin(context.currentID(of: Post.self, id))
    ///     }
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - changes: A closure that lists the changes. It is called once.
    ///   - send: A closure that sends the changes. It receives the entities as they are to be sent. It runs in a task of its
    ///     own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of the closures, and O(*n*) for the *n* pending mutations and observers of the keys.
    @discardableResult
    public func mutate(
        order: MutationOrder = .byEntity,
        _ changes: (inout MutationChanges) -> Void,
        send: @escaping @Sendable (_ context: MutationContext) async throws -> Void
    ) -> Mutation<Void> {
        begin(steps(changes), order, PendingMutation.sending(send))
    }

    /// Makes several changes at once, in one commit, sends them to the server, and stores the entity that the server returns.
    ///
    /// If the changes insert an entity of its type with a temporary identifier, the returned entity takes its place.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - changes: A closure that lists the changes. It is called once.
    ///   - send: A closure that sends the changes and returns an entity. It runs in a task of its own, in which the cache is
    ///     ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of the closures, and O(*n*) for the *n* pending mutations and observers of the keys.
    @discardableResult
    public func mutate<Answer: Cachable>(
        order: MutationOrder = .byEntity,
        _ changes: (inout MutationChanges) -> Void,
        send: @escaping @Sendable () async throws -> Answer
    ) -> Mutation<Answer> {
        begin(steps(changes), order, PendingMutation.sending(send))
    }

    /// Makes several changes at once, in one commit, sends the changed entities, and stores the entity that the server returns.
    ///
    ///     cache.mutate { change in
    ///         change.insert(temporary: draft)
    ///         change.prepend(draft.id, to: home)
    ///     } send: { context in
    ///         try await api.create(context.entity(Post.self, id: draft.id))
    ///     }
    ///
    /// If the changes insert an entity of its type with a temporary identifier, the returned entity takes its place.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - changes: A closure that lists the changes. It is called once.
    ///   - send: A closure that sends the changes and returns an entity. It receives the entities as they are to be sent. It
    ///     runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of the closures, and O(*n*) for the *n* pending mutations and observers of the keys.
    @discardableResult
    public func mutate<Answer: Cachable>(
        order: MutationOrder = .byEntity,
        _ changes: (inout MutationChanges) -> Void,
        send: @escaping @Sendable (_ context: MutationContext) async throws -> Answer
    ) -> Mutation<Answer> {
        begin(steps(changes), order, PendingMutation.sending(send))
    }

    /// Makes several changes at once, in one commit, sends them to the server, and stores the payload that the server returns.
    ///
    /// If the changes insert an entity of the type of the root with a temporary identifier, the root takes its place.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - changes: A closure that lists the changes. It is called once.
    ///   - send: A closure that sends the changes and returns a payload. It runs in a task of its own, in which the cache is
    ///     ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of the closures, and O(*n*) for the *n* pending mutations and observers of the keys.
    @discardableResult
    public func mutate<Root>(
        order: MutationOrder = .byEntity,
        _ changes: (inout MutationChanges) -> Void,
        send: @escaping @Sendable () async throws -> Payload<Root>
    ) -> Mutation<StoredPayload<Root>> {
        begin(steps(changes), order, PendingMutation.sending(send))
    }

    /// Makes several changes at once, in one commit, sends the changed entities, and stores the payload that the server returns.
    ///
    /// If the changes insert an entity of the type of the root with a temporary identifier, the root takes its place.
    ///
    /// - Parameters:
    ///   - order: When the mutation is sent, if others are pending.
    ///   - changes: A closure that lists the changes. It is called once.
    ///   - send: A closure that sends the changes and returns a payload. It receives the entities as they are to be sent. It
    ///     runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of the closures, and O(*n*) for the *n* pending mutations and observers of the keys.
    @discardableResult
    public func mutate<Root>(
        order: MutationOrder = .byEntity,
        _ changes: (inout MutationChanges) -> Void,
        send: @escaping @Sendable (_ context: MutationContext) async throws -> Payload<Root>
    ) -> Mutation<StoredPayload<Root>> {
        begin(steps(changes), order, PendingMutation.sending(send))
    }

    private func steps(_ changes: (inout MutationChanges) -> Void) -> [any MutationStep] {
        var list = MutationChanges(of: self)
        changes(&list)
        return list.steps
    }

    private func begin(
        _ steps: [any MutationStep],
        _ order: MutationOrder,
        _ send: @escaping Sending<Void>
    ) -> Mutation<Void> {
        begin(.several(steps), order, .nothing(send))
    }

    private func begin<Answer: Cachable>(
        _ steps: [any MutationStep],
        _ order: MutationOrder,
        _ send: @escaping Sending<Answer>
    ) -> Mutation<Answer> {
        let id = steps.first(from: { $0.temporaryID(of: Answer.self) })
        return begin(.several(steps), order, id.map { .insertion(of: $0, send) } ?? .entity(send))
    }

    private func begin<Root>(
        _ steps: [any MutationStep],
        _ order: MutationOrder,
        _ send: @escaping Sending<Payload<Root>>
    ) -> Mutation<StoredPayload<Root>> {
        begin(.several(steps), order, .payload(send, replacing: steps.filter { $0.isTemporary }))
    }
}
