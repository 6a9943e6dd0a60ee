/// The steps of the commit.
extension EntityTransaction: CommitPart {
    final var count: Int { entries.list.count }

    final var insertionCount: Int { Int(orderCount) }

    final func insertLocks(into locks: inout LockSet) { locks.insert(shards, of: entityTable) }

    private var shardsInUse: [ShardReference] {
        (0..<shardCount).filter(shards.contains).map { entityTable.shards[$0] }
    }

    final func obstacle() -> Hold? {
        guard entityTable.isAnyGated(shards) else { return nil }
        return shardsInUse.first(from: obstacle)
    }

    /// The hold that the commit must wait for in a locked shard.
    private func obstacle(in shard: ShardReference) -> Hold? {
        shard.pointer.pointee.gate?.obstacle { reserved in
            isCleared || entries.list.contains { $0.isChanged && reserved.contains($0.slot) }
        }
    }

    final func isCurrent() -> Bool {
        // Whether the rules that the transaction has applied are those of the table.
        if ruleCount >= 0, ruleCount != entityTable.removalRules.count { return false }
        if isWholeReadCurrent && areReadsCurrent { return true }
        guard let ownWrites = Reservation.ownWrites else { return false }
        let isWholeReadExplained =
            wholeRead.map { revision in
                entityTable.shards.all.allSatisfy { ownWrites.explain($0, since: revision) }
            } ?? true
        return isWholeReadExplained
            && entries.list.allSatisfy { entry in
                entry.readRevision.map { ownWrites.explain(entry.slot, since: $0) } ?? true
            }
    }

    /// Whether no entity has changed since all were read, if they were.
    private var isWholeReadCurrent: Bool {
        guard let wholeRead else { return true }
        return entityTable.shards.all.allSatisfy { $0.pointer.pointee.changedRevision <= wholeRead }
    }

    /// Whether the entities that were read individually are unchanged.
    private var areReadsCurrent: Bool {
        // An entry isn't copied to read its parts.
        entries.list.indices.allSatisfy { place in
            guard let revision = entries[place].readRevision else { return true }
            return revision == entries[place].slot.revision
        }
    }

    /// Determines the entities that depend on the stored ones.
    @usableFromInline final func merge() {
        guard hasMerges else { return }
        ReadContext.runOutside(of: entityTable.history.object) {
            for place in entries.list.indices where entries[place].merge != nil { mergeEntity(at: place) }
        }
    }

    final func areMergesCurrent() -> Bool {
        guard areIndexesCurrent, isLayeringCurrent else { return false }
        if !hasMerges { return true }
        let areResultsCurrent = entries.list.indices.allSatisfy { place in
            entries[place].merge?.isCurrent(at: entries[place].slot.revision) ?? true
        }
        if areResultsCurrent { return true }
        guard let ownWrites = Reservation.ownWrites else { return false }
        return entries.list.allSatisfy { entry in
            guard let merge = entry.merge else { return true }
            guard let revision = merge.state.revision, !merge.isOpen else { return false }
            // The result for an index must have the changes of all commits.
            return isOfIndex
                ? entry.slot.revision == revision || transaction.overlooksOwnWrites(of: entry.slot, since: revision)
                : ownWrites.explain(entry.slot, since: revision)
        }
    }

    final func reserveMerges(in reservation: Reservation) {
        guard hasMerges || indexing != nil else { return }
        let slots = entries.list.lazy.filter { $0.merge != nil || self.indexing != nil }.map { $0.slot }
        // A reservation of many slots would take longer than one of all.
        if slots.count > pieceLength { return reservation.add(entityTable) }
        for slot in slots { reservation.add(slot, of: entityTable) }
    }

    /// Allocates memory for what the commit replaces.
    final func prepareRelease() { released = ReleasedEntities(entityTable.layout, capacity: count) }

    private func takeReleased() -> ReleasedEntities {
        released.take() ?? ReleasedEntities(entityTable.layout, capacity: count)
    }

    final func store(_ commit: inout Commit) -> [any Sendable] {
        let released = takeReleased()
        areSlotsGivenBack = true
        if hasMoves { beginMoves() }
        for place in entries.list.indices {
            if hasLayering, storeLayers(at: place, &commit, released) { continue }
            store(place, &commit, released, isMoved: true)
        }
        if hasMoves { finishMoves(&commit, released) }
        return [released]
    }

    /// Makes the change of one entity, while its shard is locked, and unpins its slot.
    ///
    /// - Parameters:
    ///   - place: The place of the entry.
    ///   - commit: The commit that the change is part of.
    ///   - released: The objects to release after unlocking.
    ///   - isMoved: Whether the new entity is moved out of the entry, and not copied.
    private func store(_ place: Int, _ commit: inout Commit, _ released: ReleasedEntities, isMoved: Bool) {
        let slot = entries[place].slot
        let shard = entityTable.shards[HashedID(slot)]
        if let condition = entries[place].condition {
            let isInMemory = entries.values[place] || slot.isStored
            // A removal counts also if there is no entity. An eviction doesn't.
            let isChange = isInMemory || condition.evictionPins == 0
            if isChange, condition.isAlways || condition.allowsWrite(to: slot, of: shard) {
                if isInMemory {
                    let order = order(at: place, after: commit.ordinal)
                    let new = isMoved ? entries.values.moved(place) : entries.values.copy(place)
                    shard.replace(slot, with: new, at: order, &commit, released)
                } else {
                    shard.noteRemoval(of: slot, commit)
                }
            }
        }
        if let id = shard.unpin(slot) { released.keep(id) }
    }

    /// Unpins the slots without a commit.
    ///
    /// It has no effect after a commit.
    final func release() {
        if areSlotsGivenBack { return }
        let released = entries
        entries = TransactionEntries(entityTable.layout)
        for place in released.list.indices { entityTable.unpin(released[place].slot) }
    }

    /// Reserves the slots that were read.
    final func reserve(in reservation: Reservation) {
        if wholeRead != nil { reservation.add(entityTable) }
        for place in entries.list.indices where entries[place].readRevision != nil {
            reservation.add(entries[place].slot, of: entityTable)
        }
    }

    final func close(for commit: LargeCommit) -> Hold? {
        areGatesClosed = true
        let overlay = overlay(of: commit)
        for shard in shardsInUse {
            shard.lock()
            let hold = obstacle(in: shard)
            if hold == nil { shard.changeGate { $0.overlay = overlay } }
            shard.unlock()
            if let hold { return hold }
        }
        return nil
    }

    final func open(after commit: LargeCommit) {
        areGatesClosed = false
        entityTable.open(after: commit)
    }

    /// Drops the writes whose conditions aren't met, before readers see them.
    ///
    /// The gates must be closed.
    final func settleConditions() -> [any Sendable] {
        let dropped = ReleasedEntities(entityTable.layout, capacity: 0)
        for place in entries.list.indices where !isConditionMet(at: place) {
            dropped.keep(entries.dropChange(at: place))
        }
        return [dropped]
    }

    final func storeInPieces(_ commit: inout Commit) -> [any Sendable] {
        let clearing = isCleared ? Clearing(of: entityTable) : nil
        clearing?.clear(&commit) { entries[$0]?.isChanged == true }
        let released = takeReleased()
        var places = [[Int]](repeating: [], count: shardCount)
        for place in entries.list.indices { places[HashedID(entries[place].slot).shard].append(place) }
        if hasMoves { whileLocked { beginMoves() } }
        // Readers read the entries until the gates are opened.
        entityTable.inPieces(places) { piece in
            for place in piece {
                if hasLayering, storeLayers(at: place, &commit, released) { continue }
                store(place, &commit, released, isMoved: false)
            }
        }
        areSlotsGivenBack = true
        if hasMoves { whileLocked { finishMoves(&commit, released) } }
        clearing?.finish(commit.revision, commit.origin)
        return [released, clearing as any Sendable]
    }

    /// Runs a body while all shards are locked, although their gates are closed.
    private func whileLocked(_ body: () -> Void) {
        var locks = entityTable.allLocks
        locks.lock()
        body()
        locks.unlock()
    }
}
