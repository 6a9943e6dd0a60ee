/// The change of one key by a mutation.
@usableFromInline
protocol MutationStep: Sendable {
    /// The key of the entity, list or reference.
    var key: FlatCacheKey { get }

    /// Whether the key has layers.
    func hasLayers(in cache: FlatCache) -> Bool

    /// Adds a layer with the change, in a commit of its own.
    ///
    /// - Returns: Whether the commit was made. If not, a transaction must add it.
    func add(of mutation: PendingMutation, in cache: FlatCache) -> Bool

    /// Removes the layer, in a commit of its own.
    ///
    /// - Returns: Whether the commit was made. If not, a transaction must remove it.
    func remove(of mutation: PendingMutation, in cache: FlatCache) -> Bool

    /// Adds a layer with the change.
    func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache)

    /// Removes the layer.
    func remove(from transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache)

    /// Keeps the entity in memory, unless it remains there.
    func hold(in cache: FlatCache) -> (any ErasedHeldEntities)?

    /// Makes the change to the confirmed entity, in the transaction of the calling thread.
    func confirm(_ mutation: PendingMutation, in cache: FlatCache)
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
        @usableFromInline let add: @Sendable (EntityStep, PendingMutation, FlatCache) -> Bool
        @usableFromInline let remove: @Sendable (EntityStep, PendingMutation, FlatCache) -> Bool
        @usableFromInline let addTo: @Sendable (EntityStep, Transaction, PendingMutation, FlatCache) -> Void
        @usableFromInline let removeFrom: @Sendable (EntityStep, Transaction, PendingMutation, FlatCache) -> Void
        @usableFromInline let confirm: @Sendable (EntityStep, Transaction, PendingMutation, FlatCache) -> Void

        @inlinable init() {
            add = { $0.commitLayer(of: $1, in: $2) }
            remove = { $0.commitRemoval(of: $1, in: $2) }
            addTo = { $0.table(of: $3, in: $1).add($0.layer(of: $2), to: $0.id) }
            removeFrom = { $0.table(of: $3, in: $1).removeLayers($2.number, from: $0.id) }
            confirm = { $0.write(to: $1, of: $2, in: $3) }
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

    @inlinable func layer(of mutation: PendingMutation) -> Layer<Value> {
        Layer(number: mutation.number) { changed($0, by: mutation) }
    }

    @inlinable func table(of cache: FlatCache, in transaction: Transaction) -> TableTransaction<Value> {
        transaction.table(cache.registry.table(of: Value.self).takeUnretainedValue())
    }

    @inlinable func commitLayer(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        _ = table.layerCode { LayerCode() }
        let layer = layer(of: mutation)
        return cache.commitLayers(of: id, HashedID(id), in: table) { $0.insert(layer) }
    }

    @inlinable func commitRemoval(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let number = mutation.number
        return cache.commitLayers(of: id, HashedID(id), in: table) { $0.layers.removeAll { $0.number == number } }
    }

    @inlinable func write(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        guard let snapshot = cache.history.snapshotOfThread else { return }
        let changes = table(of: cache, in: transaction)
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

    @usableFromInline func hasLayers(in cache: FlatCache) -> Bool {
        !cache.registry.table(of: Value.self).takeUnretainedValue().layers(of: id, HashedID(id)).isEmpty
    }

    @usableFromInline func add(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        code.add(self, mutation, cache)
    }

    @usableFromInline func remove(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        code.remove(self, mutation, cache)
    }

    @usableFromInline func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        code.addTo(self, transaction, mutation, cache)
    }

    @usableFromInline func remove(from transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        code.removeFrom(self, transaction, mutation, cache)
    }

    @usableFromInline func hold(in cache: FlatCache) -> (any ErasedHeldEntities)? { cache.hold(Value.self) { [id] } }

    @usableFromInline func confirm(_ mutation: PendingMutation, in cache: FlatCache) {
        guard let transaction = cache.history.transactionOfThread else { return }
        code.confirm(self, transaction, mutation, cache)
    }
}
