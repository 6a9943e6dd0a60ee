/// The identifiers that a transaction replaces.
final class TransactionMoves<Value: Cachable> {
    /// The places of the entries whose identifiers are replaced, in order, each once.
    var places: [Int] = []
    /// What moves with each of them, in the commit.
    var moving: [Move] = []
    /// The places in the order of insertion of the entities that are replaced, by the places of the entries that replace them.
    var ordinals: [Int: UInt64] = [:]

    /// What moves with an identifier.
    struct Move {
        let from: Slot
        let to: Slot
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
        let (old, new) = (place(of: old), place(of: new))
        let (source, target) = (editLayers(at: old), editLayers(at: new))
        let moves = moves ?? TransactionMoves()
        self.moves = moves
        hasMoves = true
        let isMoved = source.next != nil
        if !isMoved { moves.places.append(old) }
        let ended = target.next == nil ? nil : moves.places.firstIndex(of: new)
        if let ended { moves.places.remove(at: ended) }
        if transaction.isNested {
            transaction.addUndo { [before = (source.next, source.sources, target.next, target.sources)] in
                (source.next, source.sources, target.next, target.sources) = before
                if let ended { moves.places.insert(new, at: ended) }
                if !isMoved { moves.places.removeLast() }
            }
        }
        var sources = source.sources
        source.sources = []
        sources.append(old)
        if ended != nil { sources.removeAll { $0 == new } }
        target.sources = target.sources.isEmpty ? sources : target.sources + sources
        target.next = nil
        source.next = new
    }

    /// Whether the transaction has replaced an identifier.
    func hasMoved(_ id: Value.ID) -> Bool {
        guard moves != nil else { return false }
        return layering?[place(of: id)]?.next != nil
    }

    /// Whether an entity takes the place of another one that is stored or has layers.
    func hasSourceInMemory(_ id: Value.ID) -> Bool {
        guard moves != nil else { return false }
        let sources = layering?[place(of: id)]?.sources ?? []
        return sources.contains { source in
            let slot = entries[source].slot
            return table.withSlot(slot) { slot.isStored || slot.isLayered }
        }
    }

    private func place(of id: Value.ID) -> Int {
        entries.makeRoom()
        return table.withSlot(for: id, HashedID(id)) { place(of: $0) }
    }

    /// The place in the order of insertion of the entity that an entity replaces, or `nil` if there is none, or if one is stored
    /// under the old identifier again, which has that place.
    func replacedOrdinal(at place: Int) -> UInt64? {
        for source in (layering?[place]?.sources ?? []).reversed() where !isStoredAgain(at: source) {
            let slot = entries[source].slot
            if let ordinal = table.withSlot(slot, { slot.isStored ? slot.ordinal : nil }) { return ordinal }
        }
        return nil
    }
}

extension TableTransaction {
    private func isStoredAgain(at source: Int) -> Bool {
        entries.values[source]
    }

}

/// The steps of the commit.
extension TableTransaction {
    /// Moves the layers of a replaced identifier to those of a change.
    @usableFromInline func moveLayers(to change: inout LayeredChange<Value>, of entry: LayeredEntry<Value>) {
        if !entry.sources.isEmpty {
            let base = change.base
            for source in entry.sources { change.layers += layering?[source]?.moved ?? [] }
            change.layers.sort { $0.isBelow($1) }
            change.noteMove()
            change.setBase(base)
        }
        guard entry.next != nil else { return }
        entry.moved = change.layers
        change.layers = []
    }

    /// Takes the observers of the replaced identifiers, whose shards are locked.
    func beginMovesOfType() {
        guard let moves else { return }
        for place in moves.places {
            let slot = entries[place].slot
            var next = slot.isStored && !isStoredAgain(at: place) ? layering?[place]?.next : nil
            while let last = next {
                moves.ordinals[last] = slot.ordinal
                next = layering?[last]?.next
            }
        }
        moves.moving = moves.places.map { place in
            let slot = entries[place].slot
            let target = entries[lastPlace(after: place)].slot
            slot.pins += 1
            target.pins += 1
            let observers = slot.takeFollowers { $0 is EntityObserver }
            return TransactionMoves.Move(from: slot, to: target, value: slot.copy(of: Value.self), observers: observers)
        }
    }

    func lastPlace(after place: Int) -> Int {
        var place = place
        while let next = layering?[place]?.next { place = next }
        return place
    }

    /// Adds the observers to the slots of the new identifiers, whose shards are locked, and notifies them.
    func finishMovesOfType(_ commit: inout Commit, _ released: ReleasedEntities) {
        guard let moves else { return }
        for move in moves.moving {
            let multiple = move.from.takeFollowers { _ in true }
            move.to.add(move.observers + multiple, from: move.from)
            note(move, move.value, SlotIdentity(moves), move.observers, &commit)
            note(move, nil, SlotIdentity(move.to), multiple, &commit)
            if move.value == nil { noteReaders(of: move, &commit) }
            for slot in [move.from, move.to] {
                if let id = table.shards[HashedID(slot)].unpin(slot) { released.keep(id) }
            }
        }
        released.keep(moves)
    }

    /// Notifies those who have read that no entity was stored under an old identifier.
    private func noteReaders(of move: TransactionMoves<Value>.Move, _ commit: inout Commit) {
        let shard = table.shards[HashedID(move.from)]
        if shard.pointer.pointee.kept?.hasMissingReads == true { shard.moveMissingReads(to: move.from) }
        let tracked =
            move.from.takeTrackedReads().map { [TrackedChange($0, of: move.from, in: table, isAlwaysNews: true)] } ?? []
        let known = move.from.observers?.list ?? []
        note(move, nil, SlotIdentity(move.from), known.filter { $0.readsAgain } + tracked, &commit)
    }

    private func note(
        _ move: TransactionMoves<Value>.Move,
        _ old: Value?,
        _ identity: SlotIdentity,
        _ observers: [any SlotObserver],
        _ commit: inout Commit
    ) {
        if observers.isEmpty { return }
        let (revision, origin) = (commit.revision, commit.origin)
        let change = old.withSource { old in
            SlotChange(
                of: move.to,
                for: identity,
                table.layout,
                from: old,
                revision: revision,
                origins: CommitOrigins(origin)
            )
        }
        if identity == SlotIdentity(move.from) { change.letReadersReadAgain() }
        commit.add(change, observers, nil)
    }
}
