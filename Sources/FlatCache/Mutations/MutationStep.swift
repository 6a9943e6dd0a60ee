/// The change of one key by a mutation.
@usableFromInline
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
@usableFromInline
enum MutationOutcome {
    /// The server has made the change.
    case confirmed
    /// The change isn't made.
    case dropped((any Error)?)
}

/// The change of one entity, list or reference.
@usableFromInline
struct EntityStep<Value: Cachable>: MutationStep {
    @usableFromInline let id: Value.ID
    /// Returns the changed entity.
    ///
    /// `nil` stands for a missing entity.
    @usableFromInline let change: @Sendable (_ below: Value?) throws -> Value?
    private let code: Code

    /// The steps, as closures, because closures are specialized for the type where they are created.
    @usableFromInline struct Code: Sendable {
        let add: @Sendable (EntityStep, Transaction, PendingMutation, Table<Value>) -> Void
        let remove: @Sendable (EntityStep, Transaction, UInt64, Table<Value>) -> Void
        let confirm: @Sendable (EntityStep, Transaction, PendingMutation, FlatCache) -> Void

        @inlinable init() {
            self.init {
                $0.addLayer(to: $1.table($3), of: $2)
            } remove: {
                $1.table($3).removeLayers($2, from: $0.id)
            } confirm: {
                $0.write(to: $1, of: $2, in: $3)
            }
        }

        @usableFromInline init(
            add: @escaping @Sendable (EntityStep, Transaction, PendingMutation, Table<Value>) -> Void,
            remove: @escaping @Sendable (EntityStep, Transaction, UInt64, Table<Value>) -> Void,
            confirm: @escaping @Sendable (EntityStep, Transaction, PendingMutation, FlatCache) -> Void
        ) {
            self.add = add
            self.remove = remove
            self.confirm = confirm
        }
    }

    @usableFromInline init(id: Value.ID, code: Code, _ change: @escaping @Sendable (_ below: Value?) throws -> Value?) {
        self.id = id
        self.code = code
        self.change = change
    }

    @usableFromInline var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    /// The changed entity, or the given one if the change fails.
    @inlinable func changed(_ below: Value?, by mutation: PendingMutation) -> Value? {
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

    @inlinable func addLayer(to changes: TableTransaction<Value>, of mutation: PendingMutation) {
        changes.add(Layer(number: mutation.number) { changed($0, by: mutation) }, to: id)
    }

    @inlinable func write(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        guard let snapshot = cache.history.snapshotOfThread else { return }
        let changes = transaction.table(cache.registry.table(of: Value.self).takeUnretainedValue())
        let hash = HashedID(id)
        let confirmed = changes.value(of: id, hash, in: snapshot)
        var result: Value?
        ReadContext.runOutside(of: cache.history.object) { result = changed(confirmed, by: mutation) }
        if let result {
            changes.write(result, id, hash)
        } else if case .some = confirmed {
            cache.remove(Value.self, id: id)
        }
    }

    @usableFromInline func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        code.add(self, transaction, mutation, cache.registry.table(of: Value.self).takeUnretainedValue())
        record(in: transaction, cache) { $0.pending.append(mutation) }
    }

    @usableFromInline func remove(
        from transaction: Transaction,
        of mutation: PendingMutation,
        _ outcome: MutationOutcome,
        in cache: FlatCache
    ) {
        code.remove(self, transaction, mutation.number, cache.registry.table(of: Value.self).takeUnretainedValue())
        record(in: transaction, cache) { mutations in
            mutations.pending.removeAll { $0 === mutation }
            switch outcome {
            case .confirmed: mutations.lastError = nil
            case .dropped(let error): if let error { mutations.lastError = error }
            }
        }
    }

    @usableFromInline func confirm(_ mutation: PendingMutation, in cache: FlatCache) {
        guard let transaction = cache.history.transactionOfThread else { return }
        code.confirm(self, transaction, mutation, cache)
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
