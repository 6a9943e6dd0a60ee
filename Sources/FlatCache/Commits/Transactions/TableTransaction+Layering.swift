/// The layers that a transaction adds and removes, and the entities with their layers applied.
@usableFromInline
final class TransactionLayers<Value: Cachable> {
    /// The changes of layers, by the places of the entries.
    fileprivate var edits: [Int: LayerEdit<Value>] = [:]
    /// What the commit stores for entries of entities with layers, by their places.
    fileprivate var results: [Int: LayeredResult<Value>] = [:]
    /// The objects that a commit has replaced, to be released after unlocking.
    fileprivate var released: [LayeredEntity<Value>] = []
}

/// The layers that a transaction adds to an entity, and the numbers of those that it removes.
private struct LayerEdit<Value: Cachable> {
    var added: [Layer<Value>] = []
    var removed: Set<UInt64> = []
}

/// What a commit stores for an entity with layers.
private struct LayeredResult<Value: Cachable> {
    /// The revision of the slot from whose entity and layers it was made.
    let revision: UInt64
    /// What the transaction had for the entry.
    let written: (value: Value?, condition: WriteCondition?)
    /// Whether the transaction writes the confirmed entity.
    let isWritten: Bool
    /// The new confirmed entity and layers, or `nil` if nothing is stored because the condition of the write isn't met.
    let new: (confirmed: Value?, layers: [Layer<Value>])?
    /// The place of the stored confirmed entity in the order of insertion, or `nil` if none is stored.
    let ordinal: UInt64?
}

extension TableTransaction {
    /// Adds a layer to an entity, which need not be stored.
    func add(_ layer: Layer<Value>, to id: Value.ID) { edit(id) { $0.added.append(layer) } }

    /// Removes the layers of a mutation from an entity.
    func removeLayers(_ number: UInt64, from id: Value.ID) { edit(id) { $0.removed.insert(number) } }

    private func edit(_ id: Value.ID, _ body: (inout LayerEdit<Value>) -> Void) {
        entries.makeRoom()
        let place = table.withSlot(for: id, HashedID(id)) { self.place(of: $0) }
        let layering = makeLayering()
        // The entity may appear by the change.
        if entries.values[place] == nil, layering.edits[place] == nil { noteOrder(at: place) }
        body(&layering.edits[place, default: LayerEdit()])
        transaction.hasChanges = true
    }

    private func makeLayering() -> TransactionLayers<Value> {
        if let layering { return layering }
        let made = TransactionLayers<Value>()
        layering = made
        return made
    }

    /// Whether entities of the table may have layers.
    private var mayBeLayered: Bool { layering != nil || table.hasLayers }
}

/// The steps of the commit.
extension TableTransaction {
    /// Restores what the transaction has written, after layers were applied to it.
    @usableFromInline func undoLayers() {
        guard let layering, !layering.results.isEmpty else { return }
        var undone: [Value?] = []
        for (place, result) in layering.results where result.new != nil {
            var value = result.written.value
            swap(&value, &entries.values[place])
            entries[place].condition = result.written.condition
            undone.append(value)
        }
        let results = layering.results
        layering.results = [:]
        withExtendedLifetime((undone, results)) {}
    }

    /// Applies the layers of entities to what the transaction has written, so that readers see both.
    @usableFromInline func applyLayers() {
        guard mayBeLayered else { return }
        if isCleared { addLayeredEntries() }
        ReadContext.runOutside(of: table.history.object) {
            for place in entries.list.indices { applyLayers(at: place) }
        }
    }

    /// Adds entries for all entities with layers, because their confirmed entities are removed.
    private func addLayeredEntries() {
        guard table.hasLayers else { return }
        var found: [Slot<Value>] = []
        table.visitSlots { slot in
            guard slot.isLayered else { return }
            slot.pins += 1
            found.append(slot)
        }
        for slot in found {
            entries.makeRoom()
            table.withSlot(unpinning: slot) {
                let place = self.place(of: slot)
                if !entries[place].isChanged { entries[place].condition = .always }
            }
        }
    }

    private func applyLayers(at place: Int) {
        let edit = layering?.edits[place]
        guard entries[place].isChanged || edit != nil else { return }
        let slot = entries[place].slot
        var revision: UInt64 = 0
        var ordinal: UInt64?
        var isMet = false
        var confirmed: Value?
        let layered: LayeredEntity<Value>? = table.withSlot(slot) {
            let layered = slot.layered
            if layered == nil && edit == nil { return nil }
            revision = slot.revision
            isMet = isConditionMet(at: place)
            confirmed = layered == nil ? slot.copy : layered?.confirmed
            ordinal = confirmed == nil ? nil : layered?.ordinal ?? slot.ordinal
            return layered
        }
        if layered == nil && edit == nil { return }
        let written = (value: entries.values[place], condition: entries[place].condition)
        let isWritten = written.condition != nil && isMet
        var new: (confirmed: Value?, layers: [Layer<Value>])?
        if isWritten || edit != nil {
            if isWritten { confirmed = written.value }
            var layers = layered?.layers ?? []
            if let edit {
                layers.removeAll { edit.removed.contains($0.number) }
                layers += edit.added
            }
            new = (confirmed, layers)
            var visible = confirmed
            for layer in layers { visible = layer.change(visible) }
            entries[place].condition = .always
            swap(&entries.values[place], &visible)
        }
        makeLayering().results[place] = LayeredResult(
            revision: revision,
            written: written,
            isWritten: isWritten,
            new: new,
            ordinal: ordinal
        )
    }

    /// Whether layers were applied to the stored entities.
    ///
    /// The shards must be locked, or their gates closed.
    var areLayersCurrent: Bool {
        guard mayBeLayered else { return true }
        var count = 0
        for place in entries.list.indices where entries[place].isChanged {
            let slot = entries[place].slot
            if slot.isLayered { count += 1 }
            guard let result = layering?.results[place] else {
                if slot.isLayered { return false }
                continue
            }
            if slot.revision == result.revision { continue }
            guard Reservation.ownWrites?.explain(slot, since: result.revision) == true else { return false }
        }
        return !isCleared || count == table.layeredKeyCount
    }

    /// The place in the order of insertion at which a confirmed entity appears again, or `nil` if the commit doesn't show one
    /// again.
    @usableFromInline func restoredOrdinal(at place: Int) -> UInt64? {
        guard let result = layering?.results[place], result.new?.confirmed != nil else { return nil }
        return result.ordinal
    }

    /// Makes the change of an entity with layers, while its shard is locked, and unpins its slot.
    ///
    /// - Returns: Whether the entry is of such an entity. If not, nothing is changed.
    @usableFromInline func storeLayered(at place: Int, _ commit: inout Commit, _ released: inout Released) -> Bool {
        guard let layering, let result = layering.results[place], let new = result.new else { return false }
        let slot = entries[place].slot
        // What a store loads doesn't count as written.
        let isWrite = result.isWritten && commit.origin != .load
        let revision = isWrite ? commit.revision : result.isWritten ? 0 : slot.confirmedRevision
        let order = commit.ordinal &+ UInt64(entries[place].order)
        let restored = new.confirmed == nil ? nil : result.ordinal
        // An entity that was only shown by a layer keeps its place when it is confirmed.
        let ordinal = restored ?? (slot.isStored ? slot.ordinal : order)
        let layered =
            new.layers.isEmpty
            ? nil
            : LayeredEntity(
                new.confirmed,
                revision: revision,
                ordinal: new.confirmed == nil ? 0 : ordinal,
                layers: new.layers
            )
        let shard = table.shards[HashedID(slot)]
        let old = shard.replace(slot, with: entries.values[place], layered, ordinal: ordinal, in: table, &commit)
        if let value = old.value { released.values.append(value) }
        if let old = old.layered { layering.released.append(old) }
        if let id = shard.unpin(slot) { released.ids.append(id) }
        return true
    }
}
