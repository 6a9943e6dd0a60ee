/// The change of one key by a mutation.
protocol MutationStep: Sendable {
    /// The key of the entity, list or reference.
    var key: FlatCacheKey { get }

    /// Adds a layer with the change.
    func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache)

    /// Removes the layer.
    ///
    /// - Parameter outcome: What becomes of the mutation.
    func remove(
        from transaction: Transaction,
        of mutation: PendingMutation,
        _ outcome: MutationOutcome,
        in cache: FlatCache
    )

    /// Makes the change to the confirmed entity, in the transaction of the calling thread.
    func confirm(_ mutation: PendingMutation, in cache: FlatCache)
}

/// What becomes of the layers of a mutation.
enum MutationOutcome {
    /// The server has made the change.
    case confirmed
    /// The change isn't made.
    case dropped((any Error)?)
}

/// The change of one entity, list or reference.
struct EntityStep<Value: Cachable>: MutationStep {
    let id: Value.ID
    /// Returns the changed entity.
    ///
    /// `nil` stands for a missing entity.
    let change: @Sendable (_ below: Value?) throws -> Value?

    var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// The changed entity, or the given one if the change fails.
    private func changed(_ below: Value?, by mutation: PendingMutation) -> Value? {
        do {
            let result = try change(below)
            if let result, result.id != id { throw MutationError.changedIdentifier(key) }
            mutation.note(nil, of: key)
            return result
        } catch {
            mutation.note(error, of: key)
            return below
        }
    }

    func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        let layer = Layer<Value>(number: mutation.number) { below in changed(below, by: mutation) }
        transaction.table(cache.registry.table(of: Value.self).takeUnretainedValue()).add(layer, to: id)
        record(in: transaction, cache) { $0.pending.append(mutation) }
    }

    func remove(
        from transaction: Transaction,
        of mutation: PendingMutation,
        _ outcome: MutationOutcome,
        in cache: FlatCache
    ) {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        transaction.table(table).removeLayers(mutation.number, from: id)
        record(in: transaction, cache) { mutations in
            mutations.pending.removeAll { $0 === mutation }
            switch outcome {
            case .confirmed: mutations.lastError = nil
            case .dropped(let error): if let error { mutations.lastError = error }
            }
        }
    }

    func confirm(_ mutation: PendingMutation, in cache: FlatCache) {
        guard let snapshot = cache.history.snapshotOfThread, let transaction = snapshot.transaction else { return }
        let changes = transaction.table(cache.registry.table(of: Value.self).takeUnretainedValue())
        let hash = HashedID(id)
        let confirmed = changes.value(of: id, hash, in: snapshot)
        var result: Value?
        ReadContext.runOutside(of: cache.history.object) { result = changed(confirmed, by: mutation) }
        if let result { changes.write(result, id, hash) } else if confirmed != nil { cache.remove(Value.self, id: id) }
    }

    /// Changes the list of the mutations of the key.
    private func record(
        in transaction: Transaction,
        _ cache: FlatCache,
        _ change: @escaping (inout EntityMutations) -> Void
    ) {
        let table = cache.registry.table(of: EntityMutations.self).takeUnretainedValue()
        transaction.table(table).writeEntry(key, change)
    }
}

/// The mutations of a key, stored like an entity.
struct EntityMutations: IndexContents {
    let id: FlatCacheKey
    /// The mutations that have not ended, in the order in which they began.
    var pending: [PendingMutation] = []
    /// The error of the last mutation that ended, or `nil` if it succeeded.
    var lastError: (any Error)?

    init(id: FlatCacheKey) {
        self.id = id
    }

    var isEmpty: Bool { pending.isEmpty && lastError == nil }
}
