extension TableDraft {
    @usableFromInline func insertLocks(into locks: inout LockSet) { locks.insert(shards, of: table) }

    private var shardsInUse: [ShardReference<Value>] {
        (0..<shardCount).filter(shards.contains).map { table.shards[$0] }
    }

    @usableFromInline func obstacle() -> Hold? { shardsInUse.lazy.compactMap(obstacle).first }

    /// What the commit must wait for in a shard, which is locked.
    private func obstacle(in shard: ShardReference<Value>) -> Hold? {
        guard let gate = shard.pointer.pointee.gate else { return nil }
        if let overlay = gate.overlay { return overlay.commit.hold }
        return gate.reservations.first { reservation in
            guard !isCleared else { return reservation.keepsOffClearing }
            return entries.values.contains { $0.change != nil && reservation.keepsOff($0.slot, of: table) }
        }?.hold
    }

    @usableFromInline func isCurrent() -> Bool {
        if let wholeRead, table.shards.all.contains(where: { $0.pointer.pointee.changedRevision > wholeRead }) {
            return false
        }
        return entries.values.allSatisfy { $0.readRevision == nil || $0.readRevision == $0.slot.revision }
    }

    @usableFromInline func store(_ commit: inout Commit) -> [any Sendable] {
        var replaced: [Value] = []
        var dropped: [Slot<Value>] = []
        for entry in entries.values { store(entry, &commit, &replaced, &dropped) }
        return [replaced, dropped, takeEntries()]
    }

    /// Makes the change of one entity, while its shard is locked, and gives back its slot.
    private func store(
        _ entry: Entry,
        _ commit: inout Commit,
        _ replaced: inout [Value],
        _ dropped: inout [Slot<Value>]
    ) {
        let shard = table.shards[HashedID(entry.slot)]
        if let change = entry.change, change.isAllowed(in: entry.slot, of: shard),
            // What isn't there need not be removed.
            change.value != nil || entry.slot.value != nil
        {
            if let old = shard.replace(.passUnretained(entry.slot), with: change.value, &commit) {
                replaced.append(old)
            }
        }
        if let slot = shard.unpin(entry.slot) { dropped.append(slot) }
    }

    /// Takes the entries out, whose slots are given back; they are released when no lock is held.
    private func takeEntries() -> TakenEntries {
        defer { entries = [:] }
        return TakenEntries(entries: entries)
    }

    private struct TakenEntries: @unchecked Sendable {  // Only released.
        let entries: [ObjectIdentifier: Entry]
    }

    @usableFromInline func release() {
        if areSlotsGivenBack { return }
        let released = takeEntries()
        for entry in released.entries.values { table.unpin(entry.slot) }
    }

    @usableFromInline func reserve(in reservation: Reservation) {
        if wholeRead != nil { reservation.add(table) }
        for entry in entries.values where entry.readRevision != nil { reservation.add(entry.slot, of: table) }
    }
}

extension TableDraft.Change {
    /// Whether the condition of a write holds.
    fileprivate func isAllowed(in slot: Slot<Value>, of shard: ShardReference<Value>) -> Bool {
        guard case .stored(_, let condition) = self, condition.since != .max else { return true }
        return condition.allowsWrite(to: slot, of: shard)
    }
}

extension TableDraft {
    @usableFromInline func close(for commit: LargeCommit) -> Hold? {
        let overlay = DraftOverlay(self, of: commit)
        for shard in shardsInUse {
            shard.lock()
            let hold = obstacle(in: shard)
            if hold == nil { shard.changeGate { $0.overlay = overlay } }
            shard.unlock()
            if let hold { return hold }
        }
        return nil
    }

    @usableFromInline func open(after commit: LargeCommit) { table.open(after: commit) }

    /// Drops the writes whose conditions don't hold, before readers look at them; the gates are closed.
    @usableFromInline func settleConditions() -> [any Sendable] {
        let before = entries
        for (key, entry) in before {
            let shard = table.shards[HashedID(entry.slot)]
            if let change = entry.change, !change.isAllowed(in: entry.slot, of: shard) { entries[key]?.change = nil }
        }
        return [TakenEntries(entries: before)]
    }

    @usableFromInline func storeInPieces(_ commit: inout Commit) -> [any Sendable] {
        let clearing = isCleared ? Clearing(of: table) : nil
        clearing?.clear(&commit) { entries[ObjectIdentifier($0)]?.change != nil }
        var replaced: [Value] = []
        var dropped: [Slot<Value>] = []
        var rest = [[Entry]](repeating: [], count: shardCount)
        for entry in entries.values { rest[HashedID(entry.slot).shard].append(entry) }
        while rest.contains(where: { !$0.isEmpty }) {
            for number in rest.indices where !rest[number].isEmpty {
                let shard = table.shards[number]
                let piece = rest[number].suffix(pieceLength)
                shard.lock()
                for entry in piece { store(entry, &commit, &replaced, &dropped) }
                shard.unlock()
                rest[number].removeLast(piece.count)
                RacePoint.reach(.piece)
            }
        }
        clearing?.finish(commit.revision)
        // Readers look at the entries until the gates are open.
        areSlotsGivenBack = true
        return [replaced, dropped, clearing as any Sendable]
    }
}

/// The changes of a transaction, for those who read while they are moved into the slots.
private final class DraftOverlay<Value: Cachable>: Overlay<Value>, @unchecked Sendable {
    // The entries don't change from the moment the commit is published until the gates are open.
    private let draft: TableDraft<Value>

    init(_ draft: TableDraft<Value>, of commit: LargeCommit) {
        self.draft = draft
        super.init(of: commit)
    }

    override func change(of id: Value.ID, _ hash: HashedID, _ slot: Slot<Value>?) -> OverlayChange<Value> {
        // All slots that the transaction changes are there, for it pins them.
        switch slot.flatMap({ draft.entries[ObjectIdentifier($0)]?.change }) {
        case .stored(let value, _): .stored(value)
        case .removed: .removed
        case nil: draft.isCleared ? .removed : .none
        }
    }
}
