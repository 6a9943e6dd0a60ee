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
    /// A mutation that changes the entity is sent after this one has ended. If this one fails, it fails with
    /// ``MutationError/insertionFailed(_:_:)``. A `send` closure that only mentions the identifier waits by ``resolvedID(of:_:)``.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns it. It runs in a task of its own, in which the cache
    ///     is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the answer comes.
    @discardableResult
    @inlinable
    public func mutate<Value: Cachable>(
        inserting value: Value,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable () async throws -> Value
    ) -> Mutation<Value> {
        begin([.insertion(of: value, code: mutationCode(of: Value.self))], order, .insertion(of: value.id, send))
    }

    /// Shows a new entity at once, sends it to the server, and lets the entity of the payload that the server returns take its
    /// place.
    ///
    /// - Parameters:
    ///   - value: The entity with its temporary identifier. If an entity with the identifier is stored, it is shown.
    ///   - order: When the mutation is sent, if others are pending.
    ///   - send: A closure that creates the entity on the server and returns a payload whose root is the entity. It runs in a
    ///     task of its own, in which the cache is ``current``.
    /// - Returns: The mutation, which goes on if it isn't kept.
    /// - Complexity: The time of ``replaceIdentifier(of:_:with:)``, when the answer comes.
    @discardableResult
    @inlinable
    public func mutate<Value: Cachable>(
        inserting value: Value,
        order: MutationOrder = .byEntity,
        send: @escaping @Sendable () async throws -> Payload<Value>
    ) -> Mutation<StoredPayload<Value>> {
        let steps: [any MutationStep] = [.insertion(of: value, code: mutationCode(of: Value.self))]
        return begin(steps, order, .payload(send, replacing: steps))
    }

    /// Returns the identifier that the server knows, when there is one.
    ///
    ///     cache.mutate { $0.append(draft.id, to: favourites) } send: {
    ///         let id = try await FlatCache.current.resolvedID(of: Post.self, draft.id)
    ///         try await api.favourite(id)
    ///     }
    ///
    /// A `send` closure that inserts an entity must not wait for the identifier of the entity itself, and that of a `serial` or
    /// `latest` mutation not for an insertion that is sent after it.
    ///
    /// - Parameters:
    ///   - type: The type of the entity.
    ///   - id: An identifier, which may be temporary.
    /// - Returns: The identifier from the server. If a mutation that inserts an entity with the identifier is pending, this waits
    ///   for its end. If none is, it is the identifier that has replaced it, or the identifier itself.
    /// - Throws: The error of the insertion if it fails or has failed, or a `CancellationError` if the task is cancelled.
    public func resolvedID<Value: Cachable>(of type: Value.Type, _ id: Value.ID) async throws -> Value.ID {
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
        guard table.hasLayers, let layered = table.withSlot(for: id, HashedID(id), { $0.layered }) else { return false }
        if !layered.isUnconfirmed { return true }
        var shown: Value?
        ReadContext.runOutside(of: history.object) {
            for layer in layered.layers where layer.number < number { shown = layer.change(shown, id) }
        }
        return shown != nil
    }

    private func insertion<Value: Cachable>(of id: Value.ID, of type: Value.Type) -> PendingMutation? {
        guard mutations.hasInsertions, let table = registry.find(type)?.takeUnretainedValue() else { return nil }
        // The app can have replaced the identifier meanwhile.
        return layeredIDs(of: type, id).lazy.flatMap { table.layers(of: $0, HashedID($0)) }
            .compactMap { self.mutations[$0.number] }
            .first { $0.steps.contains { $0.temporaryID(of: type) == id } }
    }
}

extension MutationStep {
    /// The insertion of an entity with a temporary identifier.
    @inlinable static func insertion<Value: Cachable>(
        of value: Value,
        at place: Int = 0,
        code: MutationCode<Value>
    ) -> Self where Self == EntityStep<Value> {
        EntityStep(id: value.id, at: place, .insertion, code: code) { $0 ?? value }
    }
}

extension MutationSend {
    /// Sends a new entity, and replaces its temporary identifier by that of the answer.
    @usableFromInline static func insertion(
        of id: Answer.ID,
        _ send: @escaping @Sendable () async throws -> Answer
    ) -> Self where Answer: Cachable {
        MutationSend {
            let answer = try await send()
            return { cache in
                cache.replaceIdentifier(of: Answer.self, id, with: answer)
                return cache.get(Answer.self, id: answer.id) ?? answer
            }
        }
    }
}

/// The mutations that wait for others.
extension FlatCache {
    /// Lets a mutation wait for insertions of what it changes, and, unless it is concurrent, for mutations of the same entities.
    ///
    /// It may be called again, after one that it waits for was dropped.
    func waitForEarlier(_ mutation: PendingMutation) {
        if mutations.hasAtMostOne { return }
        for insertion in insertions(before: mutation) { mutation.wait(for: insertion, isNeeded: true) }
        if mutation.order == .concurrent { return }
        for step in mutation.steps where step.isOfEntity {
            // Those before one that waits itself end before it.
            for number in step.layerNumbers(of: mutation, in: self).reversed() where number < mutation.number {
                guard let other = mutations[number], other.entry < mutation.entry, !mutation.isBegun(in: other) else {
                    continue
                }
                mutation.wait(for: other)
                if other.order != .concurrent { break }
            }
        }
    }

    /// The mutations that insert entities which another one changes, and that have begun before it.
    func insertions(before mutation: PendingMutation) -> [PendingMutation] {
        guard mutations.hasInsertions else { return [] }
        var found: [UInt64: PendingMutation] = [:]
        for step in mutation.steps where step.waitsForInsertion {
            let numbers = step.layerNumbers(of: mutation, in: self)
            if numbers.isEmpty { continue }
            let key = step.key(of: mutation, in: self)
            for number in numbers where number < mutation.number {
                guard let other = mutations[number], other.isInsertion, other.entry < mutation.entry else { continue }
                let inserts = other.steps.contains {
                    $0.isTemporary && $0.entityType == step.entityType && $0.key(of: other, in: self) == key
                }
                if inserts { found[number] = other }
            }
        }
        return Array(found.values)
    }

    /// The reason why a mutation isn't sent: an insertion of what it changes has failed before.
    ///
    /// It is `nil` if none has.
    func failedInsertion(before mutation: PendingMutation) -> MutationError? {
        if registry.find(FailedInsertion.self) == nil { return nil }
        return mutation.steps.first(from: { step in
            step.insertionError(before: mutation, in: self).map { .insertionFailed(step.key, $0) }
        })
    }

    /// The mutations of an earlier process that insert entities which another one changes, and that aren't begun again yet.
    func keptInsertions(before mutation: PendingMutation) -> [PendingMutation] {
        guard mutation.isStored, let ids = mutation.stored?.insertions, !ids.isEmpty else { return [] }
        return mutations.replays.filter { ids.contains($0.content.id) }
    }

    /// Removes the mutations of an earlier process that change what an insertion would have inserted, also from the store.
    private func dropKeptFollowers(of insertion: PendingMutation) {
        guard insertion.isStored, let id = insertion.stored?.id else { return }
        let followers = mutations.replays.filter { $0.content.insertions.contains(id) }
        if !followers.isEmpty { drop(followers, .cancelled) }
    }

    /// Sends the mutations that have waited for one that has ended.
    func sendFollowers(of mutation: PendingMutation) {
        for follower in mutation.takeFollowers() where follower.doesNotWait(for: mutation) { follower.send(in: self) }
    }

    /// Drops the mutations that need an insertion which has failed, and those that need them, and sends the others that have
    /// waited.
    func dropFollowers(of mutation: PendingMutation, because error: any Error) {
        var failed = [(mutation, error)]
        while let (mutation, error) = failed.popLast() {
            dropKeptFollowers(of: mutation)
            noteFailure(of: mutation, error)
            for follower in mutation.takeFollowers() {
                if follower.needs(mutation) {
                    let key = key(of: mutation, neededBy: follower)
                    let reason = key.map { MutationError.insertionFailed($0, error) } ?? .cancelled
                    if follower.withdraw(because: reason, in: self) { failed.append((follower, reason)) }
                } else {
                    // What has ended can have waited for others itself.
                    waitForEarlier(follower)
                    if follower.doesNotWait(for: mutation) { follower.send(in: self) }
                }
            }
        }
    }

    /// The key that an insertion has not inserted, and that another mutation changes.
    private func key(of insertion: PendingMutation, neededBy follower: PendingMutation) -> FlatCacheKey? {
        let keys = insertion.steps.filter { $0.isTemporary }.map { $0.key(of: insertion, in: self) }
        let changed = follower.steps.map { $0.key(of: follower, in: self) }
        // It isn't known what a mutation of an earlier process would have inserted.
        return keys.first(where: changed.contains) ?? keys.first ?? changed.first
    }
}

extension FlatCache {
    fileprivate func noteFailure(of insertion: PendingMutation, _ error: any Error) {
        switch error {
        // The one that has replaced it is sent, and creates the entity if it wants to.
        case MutationError.removed, MutationError.replaced: return
        default: break
        }
        for step in insertion.steps where step.isTemporary && !mayHaveStored(step.key) {
            FailedInsertion(id: step.key, error: error).store(in: self)
        }
    }

    /// Whether the entity of a key may be only in a store, so that it isn't known whether it is stored.
    private func mayHaveStored(_ key: FlatCacheKey) -> Bool {
        func open<Value: Cachable>(_ type: Value.Type) -> Bool { mayHaveStored(type) }
        return open(key.entityType)
    }
}
