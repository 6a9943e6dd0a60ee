/// The identifiers that a transaction replaces.
@usableFromInline
final class TransactionMoves<Value: Cachable> {
    /// The places of the entries whose identifiers are replaced, in order, each once.
    var places: [Int] = []
    /// What moves with each of them, in the commit.
    var moving: [Move] = []
    /// The places in the order of insertion of the entities that are replaced, by the places of the entries that replace them.
    @usableFromInline var ordinals: [Int: UInt64] = [:]

    /// What moves with an identifier.
    struct Move {
        let from: Slot<Value>
        let to: Slot<Value>
        /// The entity that observers have seen.
        let value: Value?
        /// The observers of the entity, without those that gather the changes of several keys.
        let observers: [any SlotObserver]
    }
}

extension TableTransaction {
    /// Moves the layers, the observers and the place in the order of insertion from one identifier to another.
    ///
    /// The caller has removed the entity with the old identifier and stored one with the new.
    func move(_ old: Value.ID, to new: Value.ID) {
        let (old, new) = (editedPlace(of: old), editedPlace(of: new))
        guard let layering, let source = layering[old], let target = layering[new] else { return }
        let moves = moves ?? TransactionMoves()
        self.moves = moves
        if transaction.isNested {
            transaction.addUndo { [places = moves.places, before = (source.replaced, target.replaced)] in
                moves.places = places
                (source.replaced, target.replaced) = before
            }
        }
        if !moves.places.contains(old) { moves.places.append(old) }
        moves.places.removeAll { $0 == new }
        if !isEarlier(new, than: old) { target.replaced.previous = old } else { target.replaced.previous = nil }
        target.replaced.next = nil
        source.replaced.next = new
    }

    /// Whether the transaction has replaced an identifier.
    func hasMoved(_ id: Value.ID) -> Bool {
        guard moves != nil else { return false }
        entries.makeRoom()
        let place = table.withSlot(for: id, HashedID(id)) { self.place(of: $0) }
        return layering?[place]?.replaced.next != nil
    }

    private func editedPlace(of id: Value.ID) -> Int {
        let edited = editLayers(of: id)
        return layering?.entries.firstIndex { $0 === edited } ?? 0
    }

    /// Whether an identifier was replaced by another one, directly or by several steps.
    private func isEarlier(_ place: Int, than other: Int) -> Bool {
        var next = layering?[other]?.replaced.previous
        while let earlier = next {
            if earlier == place { return true }
            next = layering?[earlier]?.replaced.previous
        }
        return false
    }

    /// The place in the order of insertion of the entity that an entity replaces, or `nil` if there is none.
    @usableFromInline func replacedOrdinal(at place: Int) -> UInt64? {
        var next = layering?[place]?.replaced.previous
        while let previous = next {
            let slot = entries[previous].slot
            if let ordinal = table.withSlot(slot, { slot.isStored ? slot.ordinal : nil }) { return ordinal }
            next = layering?[previous]?.replaced.previous
        }
        return nil
    }
}

/// The steps of the commit.
extension TableTransaction {
    /// Moves the layers of a replaced identifier to those of a change.
    @usableFromInline func moveLayers(to change: inout LayeredChange<Value>, of entry: LayeredEntry<Value>) {
        if let previous = entry.replaced.previous, let source = layering?[previous] {
            change.layers += source.moved
            change.layers.sort { $0.isBelow($1) }
        }
        guard entry.replaced.next != nil else { return }
        entry.moved = change.layers
        change.layers = []
    }

    /// Takes the observers of the replaced identifiers, whose shards are locked.
    @usableFromInline func beginMoves() {
        guard let moves else { return }
        for place in moves.places {
            let slot = entries[place].slot
            var next = slot.isStored ? layering?[place]?.replaced.next : nil
            while let last = next {
                moves.ordinals[last] = slot.ordinal
                next = layering?[last]?.replaced.next
            }
        }
        moves.moving = moves.places.map { place in
            let slot = entries[place].slot
            let target = entries[lastPlace(after: place)].slot
            slot.pins += 1
            target.pins += 1
            let observers = slot.takeFollowers { $0 is EntityObserver }
            return TransactionMoves.Move(from: slot, to: target, value: slot.copy, observers: observers)
        }
    }

    private func lastPlace(after place: Int) -> Int {
        var place = place
        while let next = layering?[place]?.replaced.next { place = next }
        return place
    }

    /// Adds the observers to the slots of the new identifiers, whose shards are locked, and notifies them.
    @usableFromInline func finishMoves(_ commit: inout Commit, _ released: inout Released) {
        guard let moves else { return }
        for move in moves.moving {
            let multiple = move.from.takeFollowers { _ in true }
            move.to.add(move.observers + multiple, from: move.from, table.equality)
            note(move, move.value, SlotIdentity(moves), move.observers, &commit)
            note(move, nil, SlotIdentity(move.to), multiple, &commit)
            if move.value == nil { noteReaders(of: move, &commit) }
            for slot in [move.from, move.to] {
                if let id = table.shards[HashedID(slot)].unpin(slot) { released.ids.append(id) }
            }
        }
        released.moves.append(moves)
    }

    /// Notifies those who have read that no entity was stored under an old identifier.
    private func noteReaders(of move: TransactionMoves<Value>.Move, _ commit: inout Commit) {
        let shard = table.shards[HashedID(move.from)]
        if shard.pointer.pointee.kept?.hasMissingReads == true { shard.moveMissingReads(to: move.from) }
        let tracked =
            move.from.extras?.trackedReads == nil ? [] : commit.takeTrackedReads(of: move.from) { _ in true }.observers
        let known = move.from.observers?.list ?? []
        let others = tracked.filter { observer in !known.contains { $0 === observer } }
        note(move, nil, SlotIdentity(move.from), known.filter { $0.readsAgain } + others, &commit)
    }

    private func note(
        _ move: TransactionMoves<Value>.Move,
        _ old: Value?,
        _ identity: SlotIdentity,
        _ observers: [any SlotObserver],
        _ commit: inout Commit
    ) {
        if observers.isEmpty { return }
        let change = EntityChange(
            of: identity,
            move.to.id,
            from: old,
            to: move.to.copy,
            revision: commit.revision,
            origins: CommitOrigins(commit.origin),
            isInitial: false,
            isEviction: false
        )
        commit.add(PendingChange(change, table.equality), observers, nil)
    }
}
