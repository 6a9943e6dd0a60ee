extension FlatCache {
    /// Begins a mutation that outlives the process: shows its changes at once, and sends it.
    ///
    ///     cache.mutate(Favourite(postID: "1"))
    ///
    /// It is stored with the next batch, and removed from the store by the batch that has its end. It isn't sent later for that.
    /// So if the process ends before the batch is written, the server can have the mutation, and the store doesn't.
    ///
    /// This registers the type: mutations of the type that an earlier process has begun are begun again before.
    ///
    /// - Parameter mutation: The mutation.
    /// - Returns: The mutation with its state and answer, which goes on if it isn't kept.
    /// - Complexity: The time of the closures, and O(*n*) for the *n* pending mutations and observers of the keys.
    @discardableResult
    public func mutate<Stored: StorableMutation>(_ mutation: Stored) -> Mutation<Stored.StoredAnswer> {
        let stored = StoredMutation(mutation)
        let isStored = connection?.register(mutations: [Stored.self], in: self) == true
        let begun = begun(mutation, mutations.nextNumber(), stored, isStored: isStored, isReplay: false)
        beginAfterTransaction(begun)
        return begun
    }

    private func begun<Stored: StorableMutation>(
        _ mutation: Stored,
        _ number: UInt64,
        _ stored: StoredMutation,
        isStored: Bool = true,
        isReplay: Bool
    ) -> Mutation<Stored.StoredAnswer> {
        let steps = steps(of: mutation)
        let insertions = steps.filter { $0.isTemporary }
        let send = MutationSend<Stored.StoredAnswer>.storable(mutation, stored.id, isReplay, replacing: insertions)
        return Mutation(number: number, .several(steps), stored.order, isStored ? stored : nil, in: reference, send)
    }

    private func steps(of mutation: some StorableMutation) -> [any MutationStep] {
        var changes = MutationChanges(of: self)
        FlatCache.withCurrent(self) { mutation.change(&changes) }
        return changes.steps
    }

    // MARK: - Replays

    /// The idempotency keys of the stored mutations.
    package var storedMutations: Set<String> { Set(StoredMutation.allStored(in: self).map(\.id)) }

    /// Notes the stored mutations that this process hasn't begun.
    ///
    /// They keep their places among the others until they are begun again.
    package func noteStoredMutations() {
        let found = StoredMutation.allStored(in: self)
        let known = Set(mutations.allWithReplays.compactMap { $0.stored?.id })
        // One that is in neither has ended meanwhile.
        for stored in found where !known.contains(stored.id) && StoredMutation.stored(stored.id, in: self) != nil {
            mutations.keep(WaitingReplay(stored, number: mutations.nextNumber(), in: reference))
        }
    }

    /// Begins mutations of an earlier process again, in their order.
    ///
    /// In a transaction this happens after its end.
    ///
    /// - Parameter decode: Decodes the mutation, or returns `nil` if it isn't to be begun.
    package func replayMutations(_ decode: @escaping (WaitingReplay) -> (any StorableMutation)?) {
        if let transaction = history.transactionOfThread {
            return transaction.addEffect { _ in self.replayMutations(decode) }
        }
        for waiting in mutations.replays {
            if let mutation = decode(waiting) { replay(mutation, waiting) }
        }
    }

    private func replay<Stored: StorableMutation>(_ mutation: Stored, _ waiting: WaitingReplay) {
        begin(begun(mutation, waiting.number, waiting.content, isReplay: true), inPlaceOf: waiting)
    }

    /// Drops mutations that another process has ended, because the confirmed state has their changes or lost them.
    ///
    /// - Parameter ids: The idempotency keys.
    package func dropMutations(endedElsewhere ids: Set<String>) {
        drop(mutations.allWithReplays.filter { $0.stored.map { ids.contains($0.id) } == true }, .endedElsewhere)
    }

    /// Drops mutations, and then sends those that have waited for them.
    ///
    /// - Returns: Whether one was dropped. The others are begun again or have ended.
    @discardableResult
    func drop(_ pending: [PendingMutation], _ error: MutationError) -> Bool {
        // One that waits for another one isn't sent when that goes.
        let dropped = pending.filter(mutations.forget)
        for mutation in dropped { mutation.drop(error) { removeLayers(of: mutation, .dropped(nil)) } }
        for mutation in dropped {
            sendNext(after: mutation)
            // The other process can have confirmed it.
            if case .endedElsewhere = error {
                sendFollowers(of: mutation)
            } else {
                dropFollowers(of: mutation, because: error)
            }
        }
        return !dropped.isEmpty
    }
}

extension MutationSend {
    fileprivate static func storable<Stored: StorableMutation>(
        _ mutation: Stored,
        _ idempotencyKey: String,
        _ isReplay: Bool,
        replacing insertions: [any MutationStep]
    ) -> Self where Answer == Stored.StoredAnswer {
        .answering {
            let answer = try await mutation.send(MutationContext(of: $0, idempotencyKey, isReplay: isReplay))
            let store: @Sendable (FlatCache) -> Answer = { cache in
                let key = (answer as? any PayloadConvertible).flatMap { rootKey(of: $0) }
                let entity = (answer as? any Cachable).map { entityKey(of: $0) }
                return insertions.store(key, orEntity: entity, in: cache) {
                    let stored = mutation.store(answer, in: cache)
                    return (stored, (stored as? any StoredRoot)?.root ?? stored)
                }
            }
            guard let value = () as? Answer else { return SentAnswer(store: store) }
            return SentAnswer(value: value, isAwaited: SentAnswer.nothing(value).isAwaited, store: store)
        }
    }
}

/// The key of the entity that the root of a payload is.
private func rootKey(of payload: some PayloadConvertible) -> FlatCacheKey? { payload.payload.root.entityKey }

private func entityKey<Value: Cachable>(of entity: Value) -> FlatCacheKey { FlatCacheKey(Value.self, id: entity.id) }

/// A stored payload, of any type.
private protocol StoredRoot {
    /// The entity or value that was the root, or `nil` if it isn't stored.
    var root: (any Sendable)? { get }
}

extension StoredPayload: StoredRoot {
    fileprivate var root: (any Sendable)? { value }
}
