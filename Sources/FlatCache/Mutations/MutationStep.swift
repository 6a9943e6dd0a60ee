public import Synchronization

/// The change of one key by a mutation.
@usableFromInline
protocol MutationStep: AnyObject, Sendable {
    /// The key of the entity, list or reference, after replacements of its identifier.
    func key(of mutation: PendingMutation, in cache: FlatCache) -> FlatCacheKey

    /// The key that the mutation names.
    var key: FlatCacheKey { get }

    /// The type of the entity, list or reference, by which steps are compared in less time than by their keys.
    var entityType: ObjectIdentifier { get }

    /// Whether it inserts an entity with an identifier that the server replaces.
    var isTemporary: Bool { get }

    /// Whether the mutation is sent after the insertion of the entity has ended.
    ///
    /// It isn't for what delete rules make of an entity, which the mutation doesn't send.
    var waitsForInsertion: Bool { get }

    /// Whether it is a change of an entity that the mutation sends, and not of a list or a reference.
    var isOfEntity: Bool { get }

    /// The identifier if it is temporary and of a type, or `nil`.
    func temporaryID<Related: Cachable>(of type: Related.Type) -> Related.ID?

    /// The error of the failed insertion of the entity, or `nil` if none has failed or the entity is stored.
    func insertionError(before mutation: PendingMutation, in cache: FlatCache) -> (any Error)?

    /// Replaces the identifier by that of an entity of the type, which the transaction of the calling thread has stored.
    ///
    /// - Returns: Whether the entity is of the type.
    func replaceIdentifier(by entity: any Sendable, in cache: FlatCache) -> Bool

    /// Moves the inserted entity to the identifier of the answer, in the transaction of the calling thread, so that a payload which
    /// leaves out properties keeps those of the entity.
    ///
    /// - Parameter key: The key of the root of the payload.
    /// - Returns: Whether it was moved. If not, the key is of another type, or the entity can't be coded with another identifier.
    func move(to key: FlatCacheKey, in cache: FlatCache) -> Bool

    /// The numbers of the mutations with layers of the key, in the order in which they began.
    func layerNumbers(of mutation: PendingMutation, in cache: FlatCache) -> [UInt64]

    /// Moves the layer to the current identifier, and lets it name current ones, after some were replaced while it was added.
    func settle(_ mutation: PendingMutation, in transaction: Transaction, of cache: FlatCache)

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

    /// Makes the change to the confirmed entity, in the transaction of the calling thread, and removes the layer, unless it waits
    /// for those of earlier mutations.
    func confirm(_ mutation: PendingMutation, in cache: FlatCache)

    /// Ends the confirmation after the answer is stored, in the transaction of the calling thread.
    func endConfirmation(in cache: FlatCache)
}

/// What a step does with the entity of a key.
@usableFromInline
enum StepKind: Sendable {
    /// It changes what is stored, under the current identifier.
    case change
    /// It removes what is stored, under the current identifier.
    case removal
    /// It shows what delete rules make of an entity. When the mutation is confirmed, the removal applies the rules itself.
    case consequence
    /// It stores an entity.
    case storing
    /// It stores an entity with an identifier that the server replaces.
    case insertion
}

/// The change of one entity, list or reference.
@usableFromInline
final class EntityStep<Value: Cachable>: MutationStep {
    @usableFromInline let id: Value.ID
    /// The place among the changes of the mutation.
    @usableFromInline let place: Int
    /// Returns the changed entity.
    ///
    /// `nil` stands for a missing entity.
    @usableFromInline let change: @Sendable (_ below: Value?) throws -> Value?
    @usableFromInline let code: MutationCode<Value>
    private let kind: StepKind
    /// Whether the change had no effect when it was made last.
    @usableFromInline let hasFailed = Atomic<Bool>(false)

    @usableFromInline init(
        id: Value.ID,
        at place: Int,
        _ kind: StepKind = .change,
        code: MutationCode<Value>,
        _ change: @escaping @Sendable (_ below: Value?) throws -> Value?
    ) {
        self.id = id
        self.place = place
        self.kind = kind
        self.code = code
        self.change = change
    }

    @usableFromInline var key: FlatCacheKey { FlatCacheKey(Value.self, id: id) }

    @usableFromInline var entityType: ObjectIdentifier { ObjectIdentifier(Value.self) }

    @usableFromInline var isTemporary: Bool { kind == .insertion }

    @usableFromInline var isOfEntity: Bool {
        kind != .consequence && !(Value.self is any InternalEntity.Type)
    }

    @usableFromInline var waitsForInsertion: Bool {
        kind == .change || kind == .removal || kind == .storing
    }

    /// The identifier of the key to which the layer is added.
    ///
    /// A new mutation stores an entity under its own identifier, also if that was replaced before.
    @usableFromInline func newID(for mutation: PendingMutation, in cache: FlatCache) -> Value.ID {
        let isCurrent = kind == .change || kind == .removal || kind == .consequence
        guard cache.hasReplacements, isCurrent || mutation.isReplay else { return id }
        return cache.currentID(of: Value.self, id)
    }

    /// The identifier of the key that has the layer, or that would have it.
    @inlinable func currentID(of mutation: PendingMutation, in cache: FlatCache) -> Value.ID {
        cache.hasReplacements ? replacedID(of: mutation, in: cache) : id
    }

    @usableFromInline func replacedID(of mutation: PendingMutation, in cache: FlatCache) -> Value.ID {
        layeredID(of: mutation, in: cache) ?? newID(for: mutation, in: cache)
    }

    private func layeredID(of mutation: PendingMutation, in cache: FlatCache) -> Value.ID? {
        layeredIDs(of: mutation, in: cache).first
    }

    /// The identifiers of the keys that have the layer.
    ///
    /// Another change of the mutation can have a layer at a key to which the identifier leads, too.
    ///
    /// A transaction depends on the keys, so another one can't move a layer from one that isn't looked at yet to one that was.
    @usableFromInline func layeredIDs(of mutation: PendingMutation, in cache: FlatCache) -> [Value.ID] {
        let snapshot = cache.history.snapshotOfThread
        let changes = snapshot?.transaction.map { table(of: cache, in: $0) }
        return cache.layeredIDs(of: Value.self, id).filter { id in
            if let snapshot { _ = changes?.value(of: id, HashedID(id), in: snapshot) }
            return layers(of: id, in: cache).contains { $0.number == mutation.number && $0.place == place }
        }
    }

    /// The changed entity, or the given one if the change fails.
    ///
    /// - Parameters:
    ///   - below: The entity that is changed.
    ///   - current: The identifier of the key.
    ///   - mutation: The mutation.
    @inlinable func changed(_ below: Value?, of current: Value.ID, by mutation: PendingMutation) -> Value? {
        do {
            var result = try change(below)
            if code.replacements.haveBegun || result?.hasOtherID(than: current) == true {
                return try renamed(result, to: current, by: mutation)
            }
            // A mutation that isn't looked at doesn't take room in the processor's caches, which matters for many layers.
            if hasFailed.load(ordering: .relaxed) { note(nil, of: mutation) }
            return result
        } catch {
            note(error, of: mutation)
            return below
        }
    }

    /// Notes whether the change has an effect.
    ///
    /// - Parameter error: The reason why it has none, or `nil` if it has.
    @usableFromInline func note(_ error: (any Error)?, of mutation: PendingMutation) {
        // In this order, the mutation has no error while this is `false`, also beside other threads.
        if error == nil { hasFailed.store(false, ordering: .relaxed) }
        mutation.note(error, at: place)
        if error != nil { hasFailed.store(true, ordering: .relaxed) }
    }

    /// The result of a change with the identifier of the key, if that was replaced, and with the current identifiers of others.
    @usableFromInline func renamed(
        _ result: Value?,
        to current: Value.ID,
        by mutation: PendingMutation
    ) throws -> Value? {
        var result = result
        if let value = result, value.id != current { result = try renamed(value, to: current) }
        if hasFailed.load(ordering: .relaxed) { note(nil, of: mutation) }
        return code.replacements.haveBegun ? mutation.renamed(result) : result
    }

    private func renamed(_ value: Value, to current: Value.ID) throws -> Value {
        guard kind == .storing || kind == .insertion, value.id == id,
            let renamed = CodedMembers(of: value)?.value(withID: current)
        else {
            throw MutationError.changedIdentifier(key)
        }
        return renamed
    }

    @inlinable func layer(of mutation: PendingMutation) -> Layer<Value> {
        Layer(of: mutation, place: place) { self.changed($0, of: $1, by: mutation) }
    }

    @inlinable func addLayer(of mutation: PendingMutation, to transaction: Transaction, in cache: FlatCache) {
        table(of: cache, in: transaction).add(layer(of: mutation), to: newID(for: mutation, in: cache))
    }

    @inlinable func removeLayer(of mutation: PendingMutation, from transaction: Transaction, in cache: FlatCache) {
        let changes = table(of: cache, in: transaction)
        if !cache.hasReplacements { return changes.removeLayers(mutation.number, from: id) }
        for id in layeredIDs(of: mutation, in: cache) { changes.removeLayers(mutation.number, from: id) }
        // The commit of a transaction without changes would not look whether a layer was moved meanwhile.
        transaction.hasChanges = true
    }

    @inlinable func table(of cache: FlatCache, in transaction: Transaction) -> TableTransaction<Value> {
        transaction.table(cache.registry.table(of: Value.self).takeUnretainedValue())
    }

    @inlinable func commitLayer(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let id = newID(for: mutation, in: cache)
        return cache.commitLayers(of: id, HashedID(id), in: table, .add(layer(of: mutation)))
    }

    @inlinable func commitRemoval(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let id = currentID(of: mutation, in: cache)
        return cache.commitLayers(of: id, HashedID(id), in: table, .remove(mutation.number))
    }

    /// Makes the change to the confirmed entity, unless it waits for those of earlier mutations.
    private func write(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        guard let snapshot = cache.history.snapshotOfThread else { return }
        let changes = table(of: cache, in: transaction)
        let id = currentID(of: mutation, in: cache)
        let hash = HashedID(id)
        let layers = layers(of: id, in: cache)
        // A removal of everything has dropped all earlier mutations.
        let mayWait = !cache.hasReplacements || !cache.mutations.beganBeforeRemoval(mutation)
        let key = changes.confirmKey(id, hash, layers, of: mutation.number, mayWait: mayWait, in: snapshot)
        if key?.isDelayed == true {
            changes.settleLayers(mutation.number, of: id)
        } else {
            removeLayer(of: mutation, from: transaction, in: cache)
        }
        // The removal applies its delete rules itself.
        if kind == .consequence || key?.isRemoved == true { return }
        let confirmed = changes.value(of: id, hash, in: snapshot)
        var result: Value?
        ReadContext.runOutside(of: cache.history.object) {
            result = changed(confirmed, of: id, by: mutation)
            if let key, let changed = result { result = key.layer.keeping(key.before, in: changed, of: id) }
        }
        if let result {
            if key?.isDelayed != true { changes.write(result, id, hash) }
        } else if confirmed != nil || kind == .removal {
            // Its delete rules don't wait.
            cache.remove(Value.self, id: id)
        }
    }

    private func layers(of id: Value.ID, in cache: FlatCache) -> [Layer<Value>] {
        cache.registry.table(of: Value.self).takeUnretainedValue().layers(of: id, HashedID(id))
    }

    @usableFromInline func layerNumbers(of mutation: PendingMutation, in cache: FlatCache) -> [UInt64] {
        layers(of: currentID(of: mutation, in: cache), in: cache).map { $0.number }
    }

    @usableFromInline func key(of mutation: PendingMutation, in cache: FlatCache) -> FlatCacheKey {
        if !cache.hasReplacements { return key }
        // A layer that has been removed can have been moved before.
        return FlatCacheKey(Value.self, id: layeredID(of: mutation, in: cache) ?? cache.currentID(of: Value.self, id))
    }

    @usableFromInline func temporaryID<Related: Cachable>(of type: Related.Type) -> Related.ID? {
        isTemporary && type == Value.self ? id as? Related.ID : nil
    }

    @usableFromInline func insertionError(before mutation: PendingMutation, in cache: FlatCache) -> (any Error)? {
        waitsForInsertion ? cache.insertionError(of: Value.self, id, before: mutation.number) : nil
    }

    @usableFromInline func replaceIdentifier(by entity: any Sendable, in cache: FlatCache) -> Bool {
        guard let entity = entity as? Value else { return false }
        cache.replaceIdentifier(of: Value.self, id, by: entity.id)
        return true
    }

    @usableFromInline func move(to key: FlatCacheKey, in cache: FlatCache) -> Bool {
        guard isTemporary, let newID = key.id(as: Value.self), newID != id, !cache.contains(Value.self, id: newID),
            let draft = cache.get(Value.self, id: id), let moved = CodedMembers(of: draft)?.value(withID: newID)
        else { return false }
        cache.replaceIdentifier(of: Value.self, id, with: moved)
        if let transaction = cache.history.transactionOfThread {
            table(of: cache, in: transaction).confirmMovedKey(newID, from: id)
        }
        return true
    }

    @usableFromInline func settle(_ mutation: PendingMutation, in transaction: Transaction, of cache: FlatCache) {
        let changes = table(of: cache, in: transaction)
        let id = currentID(of: mutation, in: cache)
        let current = newID(for: mutation, in: cache)
        if current != id {
            changes.removeLayers(mutation.number, from: id)
            changes.add(layer(of: mutation), to: current)
        } else {
            // The layers are applied again.
            _ = changes.editLayers(of: id)
        }
    }

    @usableFromInline func add(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        code.commitLayer(self, mutation, cache)
    }

    @usableFromInline func remove(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        code.commitRemoval(self, mutation, cache)
    }

    @usableFromInline func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        code.addLayer(self, transaction, mutation, cache)
    }

    @usableFromInline func remove(from transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        code.removeLayer(self, transaction, mutation, cache)
    }

    @usableFromInline func hold(in cache: FlatCache) -> (any ErasedHeldEntities)? { cache.hold(Value.self) { [id] } }

    @usableFromInline func confirm(_ mutation: PendingMutation, in cache: FlatCache) {
        if let transaction = cache.history.transactionOfThread { write(to: transaction, of: mutation, in: cache) }
    }

    @usableFromInline func endConfirmation(in cache: FlatCache) {
        if let transaction = cache.history.transactionOfThread {
            table(of: cache, in: transaction).endConfirmations(in: cache)
        }
    }
}

extension Cachable {
    /// Whether the entity has another identifier.
    ///
    /// It is mutating, because the entity would be copied otherwise.
    @inlinable mutating func hasOtherID(than id: ID) -> Bool { self.id != id }
}
