public import Synchronization

/// What a step makes of an entity.
///
/// The closure of an app is kept as it is, because another one around it would take its own memory, and code for each call.
@frozen @usableFromInline
enum StepChange<Value: Cachable>: Sendable {
    /// Changes the stored entity unless that has the change already.
    case update(until: (@Sendable (Value) -> Bool)?, @Sendable (inout Value) throws -> Void)
    /// Returns the changed entity, in which `nil` stands for a missing one.
    case replacement(@Sendable (_ below: Value?) throws -> Value?)

    @inlinable func callAsFunction(_ below: Value?, of key: @autoclosure () -> FlatCacheKey) throws -> Value? {
        switch self {
        case .update(let isContained, let change):
            guard var value = below else { throw MutationError.missing(key()) }
            if isContained?(value) == true { return value }
            try change(&value)
            return value
        case .replacement(let body):
            return try body(below)
        }
    }
}

/// The change of one entity, list or reference.
@usableFromInline
final class EntityStep<Value: Cachable>: MutationStep {
    @usableFromInline let id: Value.ID
    /// The place among the changes of the mutation.
    @usableFromInline let place: Int
    @usableFromInline let change: StepChange<Value>
    @usableFromInline let code: MutationCode<Value>
    @usableFromInline let kind: StepKind
    /// The keys of the entities that a change of a list or of a reference names.
    let named: [FlatCacheKey]
    /// The property by which an inserted entity is recognized when it comes from the server, or `nil` if it isn't.
    let match: InsertionMatch<Value>?
    /// Whether the change had no effect when it was made last.
    @usableFromInline let hasFailed = Atomic<Bool>(false)

    @usableFromInline init(
        id: Value.ID,
        at place: Int,
        _ kind: StepKind = .change,
        code: MutationCode<Value>,
        naming named: [FlatCacheKey] = [],
        matching match: InsertionMatch<Value>? = nil,
        _ change: StepChange<Value>
    ) {
        self.id = id
        self.named = named
        self.match = match
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

    /// Whether the change may show an entity where none is confirmed.
    var mayInsert: Bool { kind == .storing || kind == .insertion || Value.self is any InternalEntity.Type }

    /// The identifier of the key to which the layer is added.
    ///
    /// A new mutation stores an entity under its own identifier, also if that was replaced before.
    @inlinable func newID(for mutation: PendingMutation, in cache: FlatCache) -> Value.ID {
        cache.hasReplacements ? newReplacedID(for: mutation, in: cache) : id
    }

    @usableFromInline func newReplacedID(for mutation: PendingMutation, in cache: FlatCache) -> Value.ID {
        let isCurrent = kind == .change || kind == .removal || kind == .consequence
        return isCurrent || mutation.isReplay ? cache.currentID(of: Value.self, id) : id
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
            var result = try change(below, of: key)
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
        Layer(of: mutation, place: place) { below, id, place in
            unsafeDowncast(mutation.steps[place], to: EntityStep.self).changed(below, of: id, by: mutation)
        }
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

    @inlinable func commitLayer(of mutation: PendingMutation, in cache: FlatCache) -> Int? {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let id = newID(for: mutation, in: cache)
        return cache.commitLayers(of: id, HashedID(id), in: table, .add(layer(of: mutation)))
    }

    /// Edits the layers of the key in a commit of its own.
    @inlinable func commit(_ edit: LayerEdit<Value>, of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let id = currentID(of: mutation, in: cache)
        return cache.commitLayers(of: id, HashedID(id), in: table, edit) != nil
    }

    /// Makes the change to the confirmed entity, unless it waits for those of earlier mutations.
    @inlinable func write(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        guard let snapshot = cache.history.snapshotOfThread else { return }
        let changes = table(of: cache, in: transaction)
        let id = currentID(of: mutation, in: cache)
        let number = mutation.number
        var (place, layers) = changes.layers(of: id, HashedID(id))
        for place in layers.indices where layers[place].number == number {
            if case .some = layers[place].notes { layers[place] = layers[place].withoutUndoneRules() }
        }
        let confirmed = changes.base(at: place, layers, in: snapshot)
        let mayWait = !cache.hasReplacements || mutation.mayWait(in: cache)
        let key = changes.confirmKey(at: place, confirmed, layers, of: number, mayWait: mayWait, in: snapshot)
        if let key, key.isDelayed, !key.isRemoved {
            changes.settleLayers(number, of: id)
        } else {
            removeLayer(of: mutation, from: transaction, in: cache)
        }
        // The removal applies its delete rules itself.
        if kind == .consequence || key?.isRemoved == true { return }
        let isFirst = !changes.entries[place].isChanged
        var result: Value?
        ReadContext.runOutside(of: cache.history.object) {
            // A delete rule may have changed what the layer shows.
            let own = layers.firstIndex { $0.number == number && $0.place == self.place }
            result = if let own { layers[own].change(confirmed, id) } else { changed(confirmed, of: id, by: mutation) }
            if let key, key.hasNotes { result = key.keeping(result) }
        }
        noteRemovals(in: result, of: cache)
        if case .some = result {
            if key?.isDelayed != true { changes.change(at: place, to: result, if: isFirst ? .confirmed : .always) }
        } else if confirmed != nil || kind == .removal {
            // Its delete rules don't wait.
            remove(id, from: cache)
        }
    }

    @usableFromInline func remove(_ id: Value.ID, from cache: FlatCache) { cache.remove(Value.self, id: id) }

    private func layers(of id: Value.ID, in cache: FlatCache) -> [Layer<Value>] {
        cache.registry.table(of: Value.self).takeUnretainedValue().layers(of: id, HashedID(id))
    }

    @usableFromInline func layerNumbers(of mutation: PendingMutation, in cache: FlatCache) -> [UInt64] {
        layers(of: currentID(of: mutation, in: cache), in: cache).map { $0.number }
    }

    @usableFromInline func insertions(below mutation: PendingMutation, in cache: FlatCache) -> [PendingMutation] {
        layers(of: currentID(of: mutation, in: cache), in: cache).compactMap { layer in
            guard layer.number < mutation.number, let other = layer.mutation as? PendingMutation, other.isInsertion,
                other.steps[layer.place].isTemporary
            else { return nil }
            return other
        }
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
        if cache.refusesAnswer(of: Value.self, id, as: entity.id) { return true }
        if !isRecognized(in: cache) { cache.replaceIdentifier(of: Value.self, id, by: entity.id) }
        return true
    }

    @usableFromInline func move(to key: FlatCacheKey, in cache: FlatCache) -> Bool {
        guard isTemporary, let newID = key.id(as: Value.self), newID != id, !cache.contains(Value.self, id: newID),
            !isRecognized(in: cache),
            let draft = cache.get(Value.self, id: id), let moved = CodedMembers(of: draft)?.value(withID: newID)
        else { return false }
        cache.replaceIdentifier(of: Value.self, id, with: moved)
        if let transaction = cache.history.transactionOfThread {
            table(of: cache, in: transaction).confirmMovedKey(newID, from: id)
        }
        return true
    }

    @usableFromInline func refuseAnswer(_ key: FlatCacheKey, in cache: FlatCache) {
        if isTemporary, let newID = key.id(as: Value.self) {
            _ = cache.refusesAnswer(of: Value.self, id, as: newID)
        }
    }

    @usableFromInline func isRefused(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        guard let transaction = cache.history.transactionOfThread else { return false }
        return table(of: cache, in: transaction).isRefused(currentID(of: mutation, in: cache))
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

    @usableFromInline func applyAgain(of mutation: PendingMutation, in cache: FlatCache) {
        guard let transaction = cache.history.transactionOfThread else { return }
        _ = table(of: cache, in: transaction).editLayers(of: currentID(of: mutation, in: cache))
    }

    @usableFromInline func add(of mutation: PendingMutation, in cache: FlatCache) -> Int? {
        code.commitLayer(self, mutation, cache)
    }

    @usableFromInline func remove(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        code.commitEdit(self, .remove(mutation.number), mutation, cache)
    }

    @usableFromInline func commitConfirmation(of mutation: PendingMutation, in cache: FlatCache) -> Bool {
        // Otherwise it is noted with what the next entity is merged, or what pages that come later don't list, or the entity may take
        // the place of an inserted one.
        guard Value.merge.isReplace, named.isEmpty,
            !cache.registry.table(of: Value.self).takeUnretainedValue().awaitsInsertions
        else { return false }
        return code.commitEdit(self, .confirm(mutation.number), mutation, cache)
    }

    @usableFromInline func add(to transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        code.addLayer(self, transaction, mutation, cache)
    }

    @usableFromInline func remove(from transaction: Transaction, of mutation: PendingMutation, in cache: FlatCache) {
        code.removeLayer(self, transaction, mutation, cache)
    }

    @usableFromInline func hold(in cache: FlatCache) -> (any ErasedHeldEntities)? { cache.hold(Value.self) { [id] } }

    @usableFromInline func confirm(_ mutation: PendingMutation, in cache: FlatCache) {
        if let transaction = cache.history.transactionOfThread { code.confirm(self, transaction, mutation, cache) }
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
