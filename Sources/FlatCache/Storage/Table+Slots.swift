extension EntityTable {
    /// Whether identifiers may be compared while a lock is held, because their comparison is built in.
    @usableFromInline var hasBuiltInIDs: Bool { layout.hasBuiltInIDs }

    /// The locked shard of an identifier, or `nil` if the identifier must be compared without a lock, or if a large
    /// commit or a reservation is active.
    ///
    /// If it is `nil`, which is rare, no lock is held, and the caller must take the slow path.
    @inline(__always) func shardToRead(_ hash: HashedID) -> ShardReference? {
        layout.hasBuiltInIDs ? ungatedShard(hash) : nil
    }

    /// The locked shard of an identifier whose comparison is built in, or `nil` if a large commit or a reservation is active.
    @inline(__always) func ungatedShard(_ hash: HashedID) -> ShardReference? {
        let shard = shards[hash]
        shard.lock()
        if !shard.isGated { return shard }
        shard.unlock()
        return nil
    }

    /// The slot of an identifier in memory, whose shard is locked.
    ///
    /// - Returns: ``SoughtSlot/missing`` if there is none, or ``SoughtSlot/elsewhere`` if only the slow path can look for it. In both
    ///   cases nothing is locked.
    @usableFromInline final func lockedSlotToRead(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> SoughtSlot {
        guard let shard = shardToRead(hash) else { return .elsewhere }
        if let slot = shard.pointer.pointee.index.find(id, hash, layout) { return .found(slot) }
        shard.unlock()
        return .missing
    }

    /// The pinned slot of an identifier in memory, created if there is none.
    @usableFromInline final func pinnedSlot(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> Slot {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlot(forIDAt: id, hash) }
        let slot = shard.slot(forIDAt: id, hash, layout)
        slot.pins += 1
        shard.unlock()
        return slot
    }

    /// The slot of an identifier in memory, created if there is none, in a shard that is locked and has no large commit.
    ///
    /// It isn't pinned.
    @usableFromInline final func lockedSlot(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> Slot {
        if let shard = shardToRead(hash) { return shard.slot(forIDAt: id, hash, layout) }
        let slot = pinnedOtherSlot(forIDAt: id, hash)
        shards[hash].lock()
        shards[hash].waitForLargeCommit()
        slot.pins -= 1
        return slot
    }

    func pinnedOtherSlot(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> Slot {
        let shard = shards[hash]
        shard.lock()
        while true {
            shard.waitForLargeCommit()
            let (found, compared) = lockedSearch(forIDAt: id, hash)
            shard.waitForLargeCommit()
            if let found {
                end(compared, in: shard)
                return found
            }
            // Another thread may have created the slot while identifiers were compared without the lock.
            guard hasBuiltInIDs || shard.hasCandidates(compared, hash) else {
                end(compared, in: shard)
                shard.lock()
                continue
            }
            let made = shard.makeSlot(forIDAt: id, hash, layout)
            made.pins += 1
            end(compared, in: shard)
            return made
        }
    }

    /// The pinned slot of an identifier in memory, or `nil` if there is none and no large commit is about to create it.
    func pinnedSlotToWrite(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> Slot? {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlotToWrite(forIDAt: id, hash) }
        let slot = shard.pointer.pointee.index.find(id, hash, layout)
        slot?.pins += 1
        shard.unlock()
        return slot
    }

    private func pinnedOtherSlotToWrite(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> Slot? {
        let shard = shards[hash]
        shard.lock()
        shard.waitForLargeCommit()
        let (found, compared) = lockedSearch(forIDAt: id, hash)
        end(compared, in: shard)
        return found
    }

    /// The pinned slot of an entity that is to be removed, or `nil` if it has none and its removal is remembered without one.
    ///
    /// Answers to earlier requests must not store a removed entity, also if it wasn't stored before. A removal that has no other
    /// effect than that needs no slot.
    func pinnedSlotToRemove(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> Slot? {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlot(forIDAt: id, hash) }
        defer { shard.unlock() }
        let found = shard.pointer.pointee.index.find(id, hash, layout)
        if found == nil, removalRules.isEmpty, !shard.hasMoreInStore {
            shard.noteRemoval(hash.bucket, history.nextRevision())
            return nil
        }
        let slot = found ?? shard.makeSlot(forIDAt: id, hash, layout)
        slot.pins += 1
        return slot
    }

    /// Runs a body with the slot of an identifier in memory, or `nil` if there is none, while its shard is locked.
    ///
    /// The index has the slot during the body, even if a large commit has removed all entities meanwhile.
    func withExistingSlot<Result>(
        forIDAt id: UnsafeRawPointer,
        _ hash: HashedID,
        _ body: (Slot?, ShardReference) -> Result
    ) -> Result {
        let shard = shards[hash]
        shard.lock()
        while true {
            let (found, compared) = lockedSearch(forIDAt: id, hash)
            let pinned = compared + (found.map { [$0] } ?? [])
            // Others may have added or removed it while identifiers were compared without the lock.
            if hasBuiltInIDs || shard.hasCandidates(pinned, hash) {
                let result = body(found, shard)
                end(pinned, in: shard)
                return result
            }
            end(pinned, in: shard)
            shard.lock()
        }
    }

    /// Searches for a slot while its shard is locked, and pins it.
    ///
    /// Identifiers with a user-defined comparison are compared after unlocking, and then the shard is locked again.
    ///
    /// - Returns: The slot, and slots with other identifiers that were pinned for the comparison.
    private func lockedSearch(forIDAt id: UnsafeRawPointer, _ hash: HashedID) -> (found: Slot?, compared: [Slot]) {
        let shard = shards[hash]
        if hasBuiltInIDs {
            let found = shard.pointer.pointee.index.find(id, hash, layout)
            found?.pins += 1
            return (found, [])
        }
        var compared = shard.pointer.pointee.index.candidates(hash)
        if compared.isEmpty { return (nil, []) }
        for slot in compared { slot.pins += 1 }
        shard.unlock()
        let place = compared.firstIndex { layout.areEqualIDs(layout.id(of: $0), id) }
        let found = place.map { compared.remove(at: $0) }
        shard.lock()
        return (found, compared)
    }

    /// Unlocks a shard and unpins slots.
    private func end(_ pinned: [Slot], in shard: ShardReference) {
        let dropped = pinned.map { shard.unpin($0) }
        shard.unlock()
        withExtendedLifetime(dropped) {}
    }
}

/// The result of a search for the slot of an identifier.
@frozen @usableFromInline
enum SoughtSlot {
    /// The slot, whose shard is locked.
    case found(Slot)
    case missing
    /// The identifier must be compared without a lock, or a large commit or a reservation is active.
    case elsewhere
}

extension Table {
    /// The pinned slot of an identifier, created if there is none.
    @inlinable func pinnedSlot(for id: Value.ID, _ hash: HashedID) -> Slot {
        withUnsafePointer(to: id) { pinnedSlot(forIDAt: UnsafeRawPointer($0), hash) }
    }

    /// The slot of an identifier, whose shard is locked if it is found.
    @inlinable func lockedSlotToRead(for id: Value.ID, _ hash: HashedID) -> SoughtSlot {
        withUnsafePointer(to: id) { lockedSlotToRead(forIDAt: UnsafeRawPointer($0), hash) }
    }

    /// The slot of an identifier, created if there is none, in a shard that is locked and has no large commit.
    @inlinable func lockedSlot(for id: Value.ID, _ hash: HashedID) -> Slot {
        withUnsafePointer(to: id) { lockedSlot(forIDAt: UnsafeRawPointer($0), hash) }
    }

    /// Runs a body with the slot of an identifier, or `nil` if there is none, while its shard is locked.
    func withExistingSlot<Result>(
        for id: Value.ID,
        _ hash: HashedID,
        _ body: (Slot?, ShardReference) -> Result
    ) -> Result {
        withUnsafePointer(to: id) { withExistingSlot(forIDAt: UnsafeRawPointer($0), hash, body) }
    }

    /// The pinned slot of an identifier, or `nil` if there is none.
    func pinnedExistingSlot(for id: Value.ID, _ hash: HashedID) -> Slot? {
        withExistingSlot(for: id, hash) { slot, _ in
            slot?.pins += 1
            return slot
        }
    }

    /// Runs a body with the slot of an identifier, created if there is none, while its shard is locked and has no large
    /// commit.
    ///
    /// If the slot isn't needed after the body, it is dropped.
    @inlinable func withSlot<Result>(for id: Value.ID, _ hash: HashedID, _ body: (Slot) -> Result) -> Result {
        let slot = lockedSlot(for: id, hash)
        defer { shards[hash].unlock(dropping: slot) }
        return body(slot)
    }

    /// Runs a body with the slot of an identifier while its shard is locked, for readers, who don't wait for large commits.
    ///
    /// Only if the slot must be created during a large commit, it waits for that.
    func withSlotToRead<Result>(for id: Value.ID, _ hash: HashedID, _ body: (Slot, ShardReference) -> Result) -> Result
    {
        if let shard = shardToRead(hash) {
            let slot = withUnsafePointer(to: id) { shard.slot(forIDAt: UnsafeRawPointer($0), hash, layout) }
            defer { shard.unlock(dropping: slot) }
            return body(slot, shard)
        }
        let result: Result? = withExistingSlot(for: id, hash) { slot, shard in slot.map { body($0, shard) } }
        if let result { return result }
        let slot = pinnedSlot(for: id, hash)
        let shard = shards[hash]
        shard.lock()
        defer { shard.unlock(unpinning: slot) }
        return body(slot, shard)
    }
}

extension Table {
    /// The entity with an identifier, on the slow path for identifiers that are compared without a lock, and during
    /// large commits.
    @usableFromInline func value(of id: Value.ID, _ hash: HashedID) -> Value? {
        withExistingSlot(for: id, hash) { slot, shard in
            slot?.noteUse()
            return shard.visibleValue(of: id, hash, slot)
        }
    }

    /// The entity of a slot during a large commit.
    ///
    /// The shard must be locked and is unlocked.
    @inline(never) @usableFromInline func gatedValue(of slot: Slot) -> Value? {
        let shard = shards[HashedID(slot)]
        defer { shard.unlock() }
        return shard.visibleValue(of: slot)
    }
}

extension EntityTable {
    /// Runs a body while the shard of a slot is locked and has no large commit, then drops the slot if it isn't needed
    /// any more.
    @inlinable func withSlot<Result>(_ slot: Slot, _ body: () -> Result) -> Result {
        let shard = shards[HashedID(slot)]
        shard.lock()
        shard.waitForLargeCommit()
        defer { shard.unlock(dropping: slot) }
        return body()
    }

    /// Runs a body while the shard of a slot is locked, for readers, who don't wait for large commits.
    func withSlotToRead<Result>(_ slot: Slot, _ body: (ShardReference) -> Result) -> Result {
        let shard = shards[HashedID(slot)]
        shard.lock()
        defer { shard.unlock(dropping: slot) }
        return body(shard)
    }

    /// Runs a body while the shard of a slot is locked, and removes a pin from the slot.
    @inlinable func withSlot<Result>(unpinning slot: Slot, _ body: () -> Result) -> Result {
        let shard = shards[HashedID(slot)]
        shard.lock()
        defer {
            slot.pins -= 1
            shard.unlock(dropping: slot)
        }
        return body()
    }

    /// Whether there may be a slot for an identifier with a hash.
    ///
    /// Without a slot, nobody observes the key.
    func mayHaveSlot(_ hash: HashedID) -> Bool {
        let shard = shards[hash]
        return shard.whileLocked { shard.pointer.pointee.index.firstCandidate(hash) != nil }
    }

    /// Removes a pin from a slot.
    @inlinable func unpin(_ slot: Slot) { withSlot(unpinning: slot) {} }
}
