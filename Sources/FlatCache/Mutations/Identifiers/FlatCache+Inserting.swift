extension FlatCache {
    /// Shows a new entity at once, sends it to the server, and lets the entity that the server returns take its place.
    ///
    ///     let draft = Post(id: "tmp-\(UUID())", text: text)
    ///     cache.mutate(inserting: draft) { try await api.create(text) }
    ///
    /// The app makes a temporary identifier. If the entity that `send` returns has another one, the commit that confirms the
    /// mutation replaces it, as ``replaceIdentifier(of:_:with:)`` does. If `send` throws, the entity is gone, and so are the
    /// changes of other mutations to it. What was written with the temporary identifier by other means remains, such as an
    /// entity that refers to it.
    ///
    /// A mutation that changes the entity, or whose entity refers to it by an annotated relationship, is sent after this one has
    /// ended. If this one fails, it fails with ``MutationError/insertionFailed(_:_:)``.
    ///
    /// Use a temporary identifier once. If two mutations insert an entity with the same identifier, they insert one
    /// entity, which has the identifier of the last answer.
    ///
    /// If the entity can come before the answer, for example by a push, use ``mutate(inserting:matching:order:send:)->Mutation<Value>``.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns it. It runs in a task of its own, in which the
    ///     cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the identifier is replaced.
    @discardableResult @inlinable
    public func mutate<Value: Cachable>(
        inserting value: Value,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable () async throws -> Value
    ) -> Mutation<Value> {
        let step: EntityStep<Value> = .insertion(of: value, code: mutationCode(of: Value.self))
        return begin(.one(step), order, .insertion(of: value.id, PendingMutation.sending(send)))
    }

    /// Shows a new entity at once, sends it to the server, and lets the entity that the server returns take its place.
    ///
    ///     cache.mutate(inserting: reply) { try await api.create($0) }
    ///
    /// The entity that `send` receives refers to current identifiers in its annotated relationships: the mutation is sent after the
    /// insertions have ended to which the entity refers. If one of them fails, it fails with
    /// ``MutationError/insertionFailed(_:_:)``.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns it. It receives the entity as it is to be sent.
    ///     It runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the identifier is replaced.
    @discardableResult @inlinable
    public func mutate<Value: Cachable>(
        inserting value: Value,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable (_ sent: Value) async throws -> Value
    ) -> Mutation<Value> {
        let step: EntityStep<Value> = .insertion(of: value, code: mutationCode(of: Value.self))
        return begin(.one(step), order, .insertion(of: value.id, PendingMutation.sending(value.id, send)))
    }

    /// Shows a new entity at once, sends it to the server, and lets the entity of the payload that the server returns take its
    /// place.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns a payload whose root is the entity. It runs in
    ///     a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the identifier is replaced.
    @discardableResult @inlinable
    public func mutate<Value: Cachable>(
        inserting value: Value,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable () async throws -> Payload<Value>
    ) -> Mutation<StoredPayload<Value>> {
        let step: EntityStep<Value> = .insertion(of: value, code: mutationCode(of: Value.self))
        return begin(.one(step), order, .payload(PendingMutation.sending(send), replacing: [step]))
    }

    /// Shows a new entity at once, sends it to the server, and lets the entity of the payload that the server returns take its
    /// place.
    ///
    /// The mutation is sent after the insertions have ended to which the entity refers by annotated relationships.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns a payload whose root is the entity. It receives
    ///     the entity as it is to be sent. It runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the identifier is replaced.
    @discardableResult @inlinable
    public func mutate<Value: Cachable>(
        inserting value: Value,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable (_ sent: Value) async throws -> Payload<Value>
    ) -> Mutation<StoredPayload<Value>> {
        let step: EntityStep<Value> = .insertion(of: value, code: mutationCode(of: Value.self))
        return begin(.one(step), order, .payload(PendingMutation.sending(value.id, send), replacing: [step]))
    }

    /// Shows a new entity at once, sends it to the server, and lets the entity that comes from the server first take its place.
    ///
    ///     cache.mutate(inserting: draft, matching: \.clientKey) { try await api.create($0) }
    ///
    /// The server's entity can come by a push or a refresh before `send` returns. The commit that stores it replaces the temporary
    /// identifier, so that readers see one entity. The answer is then merged with it.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - path: A property whose value the app makes for this insertion and the server returns unchanged, such as an idempotency key.
    ///     The first entity with an equal value that is stored after the mutation has begun, by any means, takes the place of the
    ///     inserted one. `nil` equals nothing.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns it. It receives the entity as it is to be sent.
    ///     It runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the identifier is replaced.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Key: Hashable & Sendable>(
        inserting value: Value,
        matching path: any KeyPath<Value, Key> & Sendable,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable (_ sent: Value) async throws -> Value
    ) -> Mutation<Value> {
        let code = mutationCode(of: Value.self)
        let step: EntityStep<Value> = .insertion(of: value, matching: MatchingKey(path), code: code)
        return begin(.one(step), order, .insertion(of: value.id, PendingMutation.sending(value.id, send)))
    }

    /// Shows a new entity at once, sends it to the server, and lets the entity that comes from the server first take its place.
    ///
    /// The server's entity can come by a push or a refresh before `send` returns a payload with it. The commit that stores it
    /// replaces the temporary identifier, so that readers see one entity.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - path: A property whose value the app makes for this insertion and the server returns unchanged, such as an idempotency key.
    ///     The first entity with an equal value that is stored after the mutation has begun, by any means, takes the place of the
    ///     inserted one. `nil` equals nothing.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns a payload whose root is the entity. It receives
    ///     the entity as it is to be sent. It runs in a task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the identifier is replaced.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Key: Hashable & Sendable>(
        inserting value: Value,
        matching path: any KeyPath<Value, Key> & Sendable,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable (_ sent: Value) async throws -> Payload<Value>
    ) -> Mutation<StoredPayload<Value>> {
        let code = mutationCode(of: Value.self)
        let step: EntityStep<Value> = .insertion(of: value, matching: MatchingKey(path), code: code)
        return begin(.one(step), order, .payload(PendingMutation.sending(value.id, send), replacing: [step]))
    }

    /// Shows a new entity at once, sends it to a server that doesn't return it, and lets the entity that comes from the server
    /// take its place.
    ///
    ///     cache.mutate(inserting: draft, matching: \.clientKey) { try await api.create($0) }
    ///
    /// The server's entity can come by a push or a refresh, before `send` returns or later. The commit that stores it replaces the
    /// temporary identifier. ``Mutation/value`` returns when `send` does. The mutation ends when the entity has come, too. Until
    /// then, ``PendingMutation/cancel()`` drops the entity.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - path: A property whose value the app makes for this insertion and the server returns unchanged, such as an idempotency key.
    ///     The first entity with an equal value that is stored after the mutation has begun, by any means, takes the place of the
    ///     inserted one. `nil` equals nothing.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server. It receives the entity as it is to be sent. It runs in a
    ///     task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the identifier is replaced.
    @discardableResult @inlinable
    public func mutate<Value: Cachable, Key: Hashable & Sendable>(
        inserting value: Value,
        matching path: any KeyPath<Value, Key> & Sendable,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable (_ sent: Value) async throws -> Void
    ) -> Mutation<Void> {
        let code = mutationCode(of: Value.self)
        let step: EntityStep<Value> = .insertion(of: value, matching: MatchingKey(path), code: code)
        return begin(.one(step), order, .nothing(PendingMutation.sending(value.id, send)))
    }

}

extension FlatCache {
    /// Returns the identifier that the server knows, when there is one.
    ///
    ///     let id = try await cache.resolvedID(of: Post.self, draft.id)
    ///     share(api.address(ofPost: id))
    ///
    /// A `send` closure can't wait for the identifier of an entity that its own mutation inserts, or whose insertion is sent after it.
    /// Then this throws ``MutationError/cyclic(_:)``. A wait by a task that the closure starts isn't recognized.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: An identifier, which may be temporary.
    /// - Returns: The identifier from the server. If a mutation that inserts an entity with the identifier is pending, this waits
    ///   for its end. If none is, it is the identifier that has replaced it, or the identifier itself.
    /// - Throws: The error of the insertion if it fails or has failed, or a `CancellationError` if the task is cancelled.
    public func resolvedID<Value: Cachable>(of type: Value.Type, _ id: Value.ID) async throws -> Value.ID {
        // One that an earlier process has begun has an end of its own, when it is begun again.
        for kept in keptInsertions(of: [FlatCacheKey(type, id: id)]) { try await kept.waitForEnd() }
        if let insertion = insertion(of: id, of: type) { try await insertion.waitForEnd() }
        let current = currentID(of: type, id)
        if current == id, let error = insertionError(of: type, id) { throw error }
        return current
    }

    /// The error of the mutation that has inserted an entity, or `nil` if it hasn't failed or the entity is stored.
    ///
    /// - Parameter number: The number of a mutation whose own change of the entity doesn't count, for example a removal.
    func insertionError<Value: Cachable>(
        of type: Value.Type,
        _ id: Value.ID,
        before number: UInt64 = .max
    ) -> (any Error)? {
        guard registry.find(FailedInsertion.self) != nil,
            let failed = FailedInsertion.stored(FlatCacheKey(type, id: id), in: self)
        else { return nil }
        return contains(type, id: id) || isStored(type, id, before: number) ? nil : failed.error
    }

    /// Whether an entity with layers is confirmed, or shown by the layers of mutations before another one.
    private func isStored<Value: Cachable>(_ type: Value.Type, _ id: Value.ID, before number: UInt64) -> Bool {
        let table = registry.table(of: type).takeUnretainedValue()
        guard table.hasLayers, let layered = table.withSlot(for: id, HashedID(id), { $0.layered(of: type) }) else {
            return false
        }
        if !layered.isUnconfirmed { return true }
        var shown: Value?
        ReadContext.runOutside(of: history.object) {
            for layer in layered.layers where layer.number < number { shown = layer.change(shown, id) }
        }
        return shown != nil
    }

    func insertion<Value: Cachable>(of id: Value.ID, of type: Value.Type) -> PendingMutation? {
        guard mutations.hasInsertions, let table = registry.find(type)?.takeUnretainedValue() else { return nil }
        // The app can have replaced the identifier meanwhile.
        return layeredIDs(of: type, id).lazy.flatMap { table.layers(of: $0, HashedID($0)) }
            .compactMap { self.mutations[$0.number] }
            .first { $0.steps.contains { $0.temporaryID(of: type) == id } }
    }
}

extension FlatCache {
    /// Whether others have removed an inserted entity, or that of the answer, since its mutation was sent, so that the answer isn't
    /// stored, in the transaction that confirms the mutation.
    ///
    /// - Parameters:
    ///   - id: The identifier with which the entity was inserted.
    ///   - new: The identifier of the answer, whose entity isn't stored from now on.
    func refusesAnswer<Value: Cachable>(of type: Value.Type, _ id: Value.ID, as new: Value.ID) -> Bool {
        guard let transaction = history.transactionOfThread, transaction.isConfirming else { return false }
        let changes = transaction.table(registry.table(of: type).takeUnretainedValue())
        if layeredIDs(of: type, id).contains(where: { changes.refuseMovedKey(new, from: $0) }) { return true }
        guard let revision = transaction.confirmation?.condition.since, let snapshot = history.snapshotOfThread,
            changes.wasRemoved(new, since: revision, in: snapshot)
        else { return false }
        dropInserted(type, id)
        return true
    }
}

extension MutationStep {
    /// The insertion of an entity with a temporary identifier.
    @inlinable static func insertion<Value: Cachable>(
        of value: Value,
        matching key: MatchingKey<Value>? = nil,
        at place: Int = 0,
        code: MutationCode<Value>
    ) -> Self where Self == EntityStep<Value> {
        let change = StepChange.replacement { $0 ?? value }
        return EntityStep(id: value.id, at: place, .insertion, code: code, matching: key?.match(of: value), change)
    }
}

extension MutationSend {
    /// Sends a new entity, and replaces its temporary identifier by that of the answer.
    @usableFromInline static func insertion(
        of id: Answer.ID,
        _ send: @escaping Sending<Answer>
    ) -> Self where Answer: Cachable {
        .answering {
            let answer = try await send($0)
            return SentAnswer { [steps = $0.steps] cache in
                if steps.contains(where: { $0.isRecognized(in: cache) }) {
                    cache.set(answer)
                } else if !cache.refusesAnswer(of: Answer.self, id, as: answer.id) {
                    cache.replaceIdentifier(of: Answer.self, id, with: answer)
                }
                return cache.get(Answer.self, id: answer.id) ?? answer
            }
        }
    }
}
