extension TableTransaction {
    @usableFromInline func insertLocks(into locks: inout LockSet) { locks.insert(shards, of: table) }

    private var shardsInUse: [ShardReference] {
        (0..<shardCount).filter(shards.contains).map { table.shards[$0] }
    }

    @usableFromInline func obstacle() -> Hold? {
        guard table.isAnyGated(shards) else { return nil }
        return shardsInUse.first(from: obstacle)
    }

    /// The hold that the commit must wait for in a locked shard.
    private func obstacle(in shard: ShardReference) -> Hold? {
        shard.pointer.pointee.gate?.obstacle { reserved in
            isCleared || entries.list.contains { $0.isChanged && reserved.contains($0.slot) }
        }
    }

    @usableFromInline func isCurrent() -> Bool {
        if !areRulesCurrent { return false }
        if isWholeReadCurrent && code.areReadsCurrent(self) { return true }
        guard let ownWrites = Reservation.ownWrites else { return false }
        let isWholeReadExplained =
            wholeRead.map { revision in
                table.shards.all.allSatisfy { ownWrites.explain($0, since: revision) }
            } ?? true
        return isWholeReadExplained
            && entries.list.allSatisfy { entry in
                entry.readRevision.map { ownWrites.explain(entry.slot, since: $0) } ?? true
            }
    }

    /// Whether no entity has changed since all were read, if they were.
    private var isWholeReadCurrent: Bool {
        guard let wholeRead else { return true }
        return table.shards.all.allSatisfy { $0.pointer.pointee.changedRevision <= wholeRead }
    }

    /// Whether the entities that were read individually are unchanged.
    @inlinable var areReadsCurrent: Bool {
        for place in entries.list.indices {
            if let revision = entries[place].readRevision, revision != entries[place].slot.revision { return false }
        }
        return true
    }

    @usableFromInline func store(_ commit: inout Commit) -> [any Sendable] { code.store(self, &commit) }

    @inlinable func storeAll(_ commit: inout Commit) -> [any Sendable] {
        areSlotsGivenBack = true
        var released = Released()
        if case .some = moves { beginMoves() }
        for place in entries.list.indices {
            if let layering, layering.code.store(self, place, &commit, &released) { continue }
            var value: Value?
            swap(&entries.values[place], &value)
            store(&value, place, &commit, &released)
        }
        if case .some = moves { finishMoves(&commit, &released) }
        return [released, takeEntries()]
    }

    /// Makes the change of one entity, while its shard is locked, and unpins its slot.
    ///
    /// - Parameters:
    ///   - value: The new entity, which is consumed, or `nil` if it is removed or not changed.
    ///   - place: The place of the entry.
    ///   - commit: The commit that the change is part of.
    ///   - released: The objects to release after unlocking.
    @inlinable func store(
        _ value: inout Value?,
        _ place: Int,
        _ commit: inout Commit,
        _ released: inout Released
    ) {
        let slot = entries[place].slot
        let shard = table.shards[HashedID(slot)]
        let isRemoval = if case .none = value { true } else { false }
        if let condition = entries[place].condition {
            let isInMemory = !isRemoval || slot.isStored
            // A removal counts also if there is no entity. An eviction doesn't.
            let isChange = isInMemory || condition.evictionPins == 0
            if isChange, condition.isAlways || condition.allowsWrite(to: slot, of: shard) {
                if isInMemory {
                    let order = order(at: place, after: commit.ordinal)
                    value = shard.replace(slot, with: value.take(), at: order, &commit)
                } else {
                    shard.noteRemoval(of: slot, commit)
                }
            }
        }
        if let value = value.take() { released.values.append(value) }
        if let id = shard.unpin(slot) { released.ids.append(id) }
    }

    /// The entities that a commit has replaced, and the identifiers of slots that it has dropped.
    @frozen @usableFromInline struct Released: @unchecked Sendable {  // Only released.
        @usableFromInline var values: [Value] = []
        @usableFromInline var ids: [AnyObject] = []
        /// What a replacement of identifiers has moved.
        @usableFromInline var moves: [AnyObject] = []

        @inlinable init() {}
    }

    /// Removes the entries, whose slots are unpinned, to be released when no lock is held.
    @usableFromInline func takeEntries() -> any Sendable {
        defer { entries = TransactionEntries() }
        return TakenEntries(entries: entries)
    }

    @usableFromInline func release() {
        if areSlotsGivenBack { return }
        let released = entries
        entries = TransactionEntries()
        for place in released.list.indices { table.unpin(released[place].slot) }
    }

    @usableFromInline func reserve(in reservation: Reservation) {
        if wholeRead != nil { reservation.add(table) }
        for place in entries.list.indices where entries[place].readRevision != nil {
            reservation.add(entries[place].slot, of: table)
        }
    }
}

extension TableTransaction {
    @usableFromInline func close(for commit: LargeCommit) -> Hold? {
        areGatesClosed = true
        let overlay = TransactionOverlay(self, of: commit)
        for shard in shardsInUse {
            shard.lock()
            let hold = obstacle(in: shard)
            if hold == nil { shard.changeGate { $0.overlay = overlay } }
            shard.unlock()
            if let hold { return hold }
        }
        return nil
    }

    @usableFromInline func open(after commit: LargeCommit) {
        areGatesClosed = false
        table.open(after: commit)
    }

    /// Drops the writes whose conditions aren't met, before readers see them.
    ///
    /// The gates must be closed.
    @usableFromInline func settleConditions() -> [any Sendable] {
        var dropped: [TakenEntries<Value>] = []
        for place in entries.list.indices {
            guard let condition = entries[place].condition, !condition.isAlways else { continue }
            let slot = entries[place].slot
            if condition.allowsWrite(to: slot, of: table.shards[HashedID(slot)]) { continue }
            if dropped.isEmpty { dropped.append(TakenEntries(entries: entries)) }
            entries.dropChange(at: place)
        }
        return dropped
    }

    @usableFromInline func storeInPieces(_ commit: inout Commit) -> [any Sendable] {
        let clearing = isCleared ? Clearing(of: table) : nil
        clearing?.clear(&commit) { entries[$0]?.isChanged == true }
        var released = Released()
        // Growth while a shard is locked would block other threads while the elements are moved.
        released.values.reserveCapacity(count)
        var places = [[Int]](repeating: [], count: shardCount)
        for place in entries.list.indices { places[HashedID(entries[place].slot).shard].append(place) }
        if moves != nil { whileLocked { beginMoves() } }
        // Readers read the entries until the gates are opened.
        table.inPieces(places) { piece in
            for place in piece { code.storeCopy(self, place, &commit, &released) }
        }
        areSlotsGivenBack = true
        if moves != nil { whileLocked { finishMoves(&commit, &released) } }
        clearing?.finish(commit.revision, commit.origin)
        return [released, clearing as any Sendable]
    }
}

extension TableTransaction {
    /// Runs a body while all shards are locked, although their gates are closed.
    private func whileLocked(_ body: () -> Void) {
        var locks = table.allLocks
        locks.lock()
        body()
        locks.unlock()
    }
}

/// The changes of a transaction, for readers while they are moved into the slots.
private final class TransactionOverlay<Value: Cachable>: Overlay<Value>, @unchecked Sendable {
    // The entries don't change from the publication of the commit until the gates are opened.
    private let transaction: TableTransaction<Value>

    init(_ transaction: TableTransaction<Value>, of commit: LargeCommit) {
        self.transaction = transaction
        super.init(of: commit)
    }

    override func change(of id: Value.ID, _ hash: HashedID, _ slot: Slot?) -> OverlayChange<Value>? {
        // All slots that the transaction changes exist, because it pins them.
        guard let place = slot.flatMap({ transaction.entries.place(of: $0) }), transaction.entries[place].isChanged
        else {
            return transaction.isCleared ? .removed : nil
        }
        return transaction.entries.values[place].map { .stored($0) } ?? .removed
    }
}

/// Entries that are only released.
private struct TakenEntries<Value: Cachable>: @unchecked Sendable {
    let entries: TransactionEntries<Value>
}
