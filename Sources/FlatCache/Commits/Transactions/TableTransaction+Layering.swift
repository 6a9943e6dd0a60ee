extension TableTransaction {
    /// Adds a layer to an entity, which need not be stored.
    @inlinable func add(_ layer: Layer<Value>, to id: Value.ID) { editLayers(of: id).added.append(layer) }

    /// Removes the layers of a mutation from an entity.
    @inlinable func removeLayers(_ number: UInt64, from id: Value.ID) { editLayers(of: id).removed.insert(number) }

    /// Lets the layers of a mutation that the server has confirmed wait for those of earlier ones.
    @usableFromInline func settleLayers(_ number: UInt64, of id: Value.ID) { editLayers(of: id).settled = number }

    /// The place of the entry of a key, and its stored layers.
    @inlinable func layers(of id: Value.ID, _ hash: HashedID) -> (place: Int, layers: [Layer<Value>]) {
        entries.makeRoom()
        return table.withSlot(for: id, hash) { (place(of: $0), $0.layered(of: Value.self)?.layers ?? []) }
    }

    @inlinable func editLayers(of id: Value.ID) -> LayeredEntry<Value> {
        entries.makeRoom()
        return editLayers(at: table.withSlot(for: id, HashedID(id)) { self.place(of: $0) })
    }

    @inlinable func editLayers(at place: Int) -> LayeredEntry<Value> {
        let entry = layeredEntry(at: place)
        let isMissing = !entries.values[place]
        // The entity may appear by the change.
        if isMissing && !entry.isEdited { noteOrder(at: place) }
        entry.isEdited = true
        transaction.hasChanges = true
        return entry
    }

    /// The entry of layers at a place, created if there is none.
    @inlinable func layeredEntry(at place: Int) -> LayeredEntry<Value> {
        makeLayering(table.layerCode { LayerCode() }).makeEntry(at: place)
    }

    @inlinable func makeLayering(_ code: LayerCode<Value>) -> TransactionLayers<Value> {
        if let layering { return layering }
        let made = TransactionLayers(code)
        layering = made
        noteLayering()
        return made
    }

    /// The code of layers, or `nil` if no entity of the table can have layers.
    var layerCode: LayerCode<Value>? { layering?.code ?? (table.hasLayers ? table.layerCode : nil) }
}

/// The steps of the commit.
extension TableTransaction {
    /// Restores what the transaction has written, after layers were applied to it.
    @inlinable func undoLayers() {
        guard let layering else { return }
        for place in layering.entries.indices {
            guard let entry = layering.entries[place], let result = entry.result else { continue }
            if case .some = result.change {
                exchangeEntity(at: place, &result.written)
                entries[place].condition = result.condition
            }
            entry.result = nil
            // No lock is held, and the entries are consistent.
            withExtendedLifetime(result) {}
        }
    }

    /// Applies the layers of entities to what the transaction has written, so that readers see both.
    @inlinable func applyLayers() {
        if isCleared { addLayeredEntries() }
        ReadContext.runOutside(of: table.history.object, replacing: transaction.replacedKeys) {
            for place in entries.list.indices { applyLayers(at: place) }
        }
    }

    /// Adds removals of all entities with layers, and of those whose layers the transaction changes, because all confirmed
    /// entities are removed.
    @usableFromInline func addLayeredEntries() {
        // These can have been stored without layers since.
        for place in entries.list.indices where layering?[place]?.isEdited == true && !entries[place].isChanged {
            entries[place].condition = .always
        }
        guard table.hasLayers else { return }
        var found: [Slot] = []
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

    @inlinable func applyLayers(at place: Int) {
        let entry = layering?[place]
        if case .some = entry?.result { return }
        for source in entry?.sources ?? [] { applyLayers(at: source) }
        let isEdited = entry?.isEdited ?? false
        guard entries[place].isChanged || isEdited else { return }
        let slot = entries[place].slot
        var revision: UInt64 = 0
        var (isMet, isShown) = (false, false)
        // Layers that are only added are applied to what readers see, and a change that is only confirmed doesn't change it.
        var shown: Value?
        var isAbove = entry?.isAddedTo ?? false
        let confirmed = entries[place].condition?.isOfMutation == true ? entry?.confirmedOnly : nil
        let stored: LayeredChange<Value>? = table.withSlot(slot) {
            if !slot.isLayered && !isEdited { return nil }
            revision = slot.revision
            isShown = slot.isStored
            isMet = isConditionMet(at: place)
            isAbove = isAbove && slot.isLayered
            if isAbove || confirmed != nil { shown = slot.copy(of: Value.self) }
            return LayeredChange(of: slot)
        }
        guard var change = stored else { return }
        let isSame = confirmed.map { change.showsSame(confirming: $0) } ?? false
        let condition = entries[place].condition
        change.isWritten = if case .some = condition { isMet } else { false }
        var written: Value?
        if change.isWritten || isEdited {
            written = entity(at: place)
            if let entry, !entry.ruleChanges.isEmpty { applyRules(to: &change, of: entry) }
            if let entry, !entry.renamings.isEmpty { change.rename(entry.renamings) }
            if change.isWritten {
                if change.isAnySent(besides: entry?.confirmed?.number) {
                    noteWrite(of: written, to: &change, at: place)
                }
                change.confirmed = written
            }
            let count = change.layers.count
            if isEdited, let entry {
                change.layers.removeAll { entry.removed.contains($0.number) }
                for layer in entry.added where !change.insert(layer) { isAbove = false }
                settleLayers(of: &change, entry, at: place)
                moveLayers(to: &change, of: entry)
            }
            if change.isAnySettled || change.isFirstSettled { makeSettled(of: &change, entry, at: place) }
            isAbove = isAbove && !change.isWritten
            var visible =
                isSame
                ? shown
                : isAbove
                    ? change.visible(of: slot.id(of: Value.self), after: count, over: shown)
                    : change.visible(of: slot.id(of: Value.self))
            entries[place].condition = .always
            exchangeEntity(at: place, &visible)
            // A confirmed entity that is removed can have hidden the one of a layer, for which no place was noted.
            if !isShown, !isEdited, case .none = written, entries.values[place] { noteOrder(at: place) }
        }
        layeredEntry(at: place).result =
            LayeredResult(of: revision, writing: written, if: condition, change.isWritten || isEdited ? change : nil)
    }

    /// Notes a write of the confirmed entity for those mutations that didn't know it when they were sent.
    @usableFromInline func noteWrite(of new: Value?, to change: inout LayeredChange<Value>, at place: Int) {
        // What was only on disk was confirmed before.
        if transaction.origin == .load { return change.noteLoad(of: new) }
        let isMoved = layering?[place]?.next != nil
        let condition = entries[place].condition
        let key = layering?[place]?.confirmed
        // What isn't of the answer is of a delete rule.
        let isOfMutation = key != nil || condition?.isAlways == true && !isMoved
        guard let confirmation = transaction.confirmation, isOfMutation else {
            return change.noteWrite(of: new, since: condition?.since, isCleared: isCleared, isMoved: isMoved)
        }
        let number = confirmation.number
        let old = change.base
        change.noteWrite(of: new, before: number, isBase: key?.isWrittenToBase == true, isMoved: isMoved)
        change.noteEarlierChange(from: old, to: change.isAnySettled ? change.base : new, after: number)
    }

    /// Lets the layers of the confirmed mutation wait.
    @usableFromInline func settleLayers(
        of change: inout LayeredChange<Value>,
        _ entry: LayeredEntry<Value>,
        at place: Int
    ) {
        guard let number = entry.settled else { return }
        let answer = entry.confirmed?.isAnswered == true ? change.confirmed : nil
        change.settle(number, answer: answer, of: entries[place].slot.id(of: Value.self))
    }

    /// Makes changes that were confirmed before earlier ones to the confirmed entity, after one of either was confirmed.
    ///
    /// What others write, and the entity after an earlier mutation has failed, have the changes already.
    @usableFromInline func makeSettled(
        of change: inout LayeredChange<Value>,
        _ entry: LayeredEntry<Value>?,
        at place: Int
    ) {
        let id = entries[place].slot.id(of: Value.self)
        let isFailure = entry.map { $0.confirmed == nil && $0.settled == nil && $0.sources.isEmpty } ?? true
        if !isFailure && entry?.endsLayers == true || transaction.origin == .load {
            change.makeSettled(of: id)
        } else {
            change.endWaiting(of: id)
        }
    }

    /// Whether layers were applied to the stored entities.
    ///
    /// The shards must be locked, or their gates closed.
    @inlinable var areLayersCurrent: Bool {
        var count = 0
        for place in entries.list.indices where entries[place].isChanged {
            let slot = entries[place].slot
            // Other threads may pin the slot, unless its shard is locked.
            let isLayered =
                areGatesClosed ? table.shards[HashedID(slot)].whileLocked { slot.isLayered } : slot.isLayered
            if isLayered { count += 1 }
            guard let result = layering?[place]?.result else {
                if isLayered { return false }
                continue
            }
            if slot.revision != result.revision && !isOwnWrite(slot, since: result.revision) { return false }
        }
        return !isCleared || count == table.layeredKeyCount
    }

    @usableFromInline func isOwnWrite(_ slot: Slot, since revision: UInt64) -> Bool {
        Reservation.ownWrites?.explain(slot, since: revision) == true
    }

    /// The place in the order of insertion at which a confirmed entity appears again, or `nil` if the commit doesn't show one
    /// again.
    @usableFromInline func restoredOrdinal(at place: Int) -> UInt64? {
        if let change = layering?[place]?.result?.change, change.confirmed != nil, let ordinal = change.ordinal {
            return ordinal
        }
        return replacedOrdinal(at: place)
    }

    /// The place in the order of insertion of an entity that appears again, or `nil` if it is new.
    ///
    /// It is the one that the indexes have.
    @usableFromInline func placeOfAppearing(at place: Int) -> UInt64? {
        (indexing.map { $0.ordinals } ?? moves?.ordinals)?[place] ?? knownOrdinals?[place]
    }

    /// Makes the change of an entity with layers, while its shard is locked, and unpins its slot.
    ///
    /// - Returns: Whether the entry is of such an entity. If not, nothing is changed.
    @inlinable func storeLayered(at place: Int, _ commit: inout Commit, _ released: ReleasedEntities) -> Bool {
        guard let layering, let change = layering[place]?.result?.change else { return false }
        let slot = entries[place].slot
        let shard = table.shards[HashedID(slot)]
        let order = placeOfAppearing(at: place) ?? commit.ordinal &+ UInt64(entries[place].order)
        let old = shard.replace(slot, with: entity(at: place), change, order: order, in: table, &commit)
        if let value = old.value { released.keep(value) }
        if let old = old.layered { layering.released.append(old) }
        if let id = shard.unpin(slot) { released.keep(id) }
        return true
    }
}
