extension Table {
    /// Whether identifiers may be compared while a lock is held, because their comparison is built in.
    @inlinable var hasBuiltInIDs: Bool {
        // The first two comparisons are evaluated when the code is specialized.
        Value.ID.self == String.self || Value.ID.self == Int.self || layout.hasBuiltInIDs
    }

    /// The locked shard of an identifier, or `nil` if the identifier must be compared without a lock, or if a large
    /// commit or a reservation is active.
    ///
    /// If it is `nil`, which is rare, no lock is held, and the caller must take the slow path.
    @inlinable @inline(__always) func shardToRead(_ hash: HashedID) -> ShardReference? {
        guard hasBuiltInIDs else { return nil }
        let shard = shards[hash]
        shard.lock()
        if !shard.isGated { return shard }
        shard.unlock()
        return nil
    }

    /// The pinned slot of an identifier, created if there is none.
    @inlinable func pinnedSlot(for id: Value.ID, _ hash: HashedID) -> Slot {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlot(for: id, hash) }
        let slot = shard.slot(of: Value.self, for: id, hash)
        slot.pins += 1
        shard.unlock()
        return slot
    }

    /// The pinned slot of an identifier, created if there is none, in a shard that is locked and has no large commit.
    @inlinable func lockedSlot(for id: Value.ID, _ hash: HashedID) -> Slot {
        if let shard = shardToRead(hash) {
            let slot = shard.slot(of: Value.self, for: id, hash)
            slot.pins += 1
            return slot
        }
        let slot = pinnedOtherSlot(for: id, hash)
        shards[hash].lock()
        shards[hash].waitForLargeCommit()
        return slot
    }

    @usableFromInline func pinnedOtherSlot(for id: Value.ID, _ hash: HashedID) -> Slot {
        let shard = shards[hash]
        shard.lock()
        while true {
            shard.waitForLargeCommit()
            let (found, compared) = lockedSearch(id, hash)
            shard.waitForLargeCommit()
            if let found {
                end(compared, in: shard)
                return found
            }
            // Another thread may have created the slot while identifiers were compared without the lock.
            guard hasBuiltInIDs || shard.pointer.pointee.index.candidates(hash).count == compared.count else {
                end(compared, in: shard)
                shard.lock()
                continue
            }
            let made = shard.makeSlot(of: Value.self, for: id, hash)
            made.pins += 1
            end(compared, in: shard)
            return made
        }
    }

    /// The pinned slot of an identifier, or `nil` if there is none.
    @usableFromInline func pinnedExistingSlot(for id: Value.ID, _ hash: HashedID) -> Slot? {
        let shard = shards[hash]
        shard.lock()
        let (found, compared) = lockedSearch(id, hash)
        end(compared, in: shard)
        return found
    }

    /// The pinned slot of an identifier, or `nil` if there is none and no large commit is about to create it.
    @inlinable func pinnedSlotToWrite(for id: Value.ID, _ hash: HashedID) -> Slot? {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlotToWrite(for: id, hash) }
        let slot = shard.pointer.pointee.index.find(Value.self, id, hash)
        slot?.pins += 1
        shard.unlock()
        return slot
    }

    @usableFromInline func pinnedOtherSlotToWrite(for id: Value.ID, _ hash: HashedID) -> Slot? {
        let shard = shards[hash]
        shard.lock()
        shard.waitForLargeCommit()
        let (found, compared) = lockedSearch(id, hash)
        end(compared, in: shard)
        return found
    }

    /// Searches for a slot while its shard is locked, and pins it.
    ///
    /// Identifiers with a user-defined comparison are compared after unlocking, and then the shard is locked again.
    ///
    /// - Returns: The slot, and slots with other identifiers that were pinned for the comparison.
    private func lockedSearch(_ id: Value.ID, _ hash: HashedID) -> (found: Slot?, compared: [Slot]) {
        let shard = shards[hash]
        if hasBuiltInIDs {
            let found = shard.pointer.pointee.index.find(Value.self, id, hash)
            found?.pins += 1
            return (found, [])
        }
        var compared = shard.pointer.pointee.index.candidates(hash)
        if compared.isEmpty { return (nil, []) }
        for slot in compared { slot.pins += 1 }
        shard.unlock()
        let place = compared.firstIndex { $0.idAddress(of: Value.self).pointee == id }
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

    /// Runs a body with the slot of an identifier, created if there is none, while its shard is locked and has no large
    /// commit.
    ///
    /// If the slot isn't needed after the body, it is dropped.
    @inlinable func withSlot<Result>(for id: Value.ID, _ hash: HashedID, _ body: (Slot) -> Result) -> Result {
        guard hasBuiltInIDs else {
            let slot = pinnedSlot(for: id, hash)
            return withSlot(slot) {
                slot.pins -= 1
                return body(slot)
            }
        }
        let shard = shards[hash]
        shard.lock()
        shard.waitForLargeCommit()
        let slot = shard.slot(of: Value.self, for: id, hash)
        defer { shard.unlock(dropping: slot) }
        return body(slot)
    }

    /// Runs a body with the slot of an identifier while its shard is locked, for readers, who don't wait for large commits.
    ///
    /// Only if the slot must be created during a large commit, it waits for that.
    @inlinable func withSlotToRead<Result>(
        for id: Value.ID,
        _ hash: HashedID,
        _ body: (Slot, ShardReference) -> Result
    ) -> Result {
        if let shard = shardToRead(hash) {
            let slot = shard.slot(of: Value.self, for: id, hash)
            defer { shard.unlock(dropping: slot) }
            return body(slot, shard)
        }
        let slot = pinnedExistingSlot(for: id, hash) ?? pinnedSlot(for: id, hash)
        let shard = shards[hash]
        shard.lock()
        defer { shard.unlock(unpinning: slot) }
        return body(slot, shard)
    }
}

extension Table {
    /// The entity with an identifier, on the slow path for identifiers that are compared without a lock, and during
    /// large commits.
    @inline(never) @inlinable func value(of id: Value.ID, _ hash: HashedID) -> Value? {
        if hasBuiltInIDs { return otherValue(of: id, hash) }
        let shard = shards[hash]
        shard.lock()
        if shard.isGated {
            shard.unlock()
            return otherValue(of: id, hash)
        }
        guard let candidate = shard.pointer.pointee.index.firstCandidate(hash) else {
            shard.unlock()
            return nil
        }
        // There is nearly always one candidate. Its entity is copied first, and its identifier is compared later.
        candidate.slot.noteUse()
        let value = candidate.slot.copy(of: Value.self)
        let candidateID = candidate.slot.id(of: Value.self)
        shard.unlock()
        if candidateID == id { return value }
        return candidate.isOnly ? nil : otherValue(of: id, hash)
    }

    @usableFromInline func otherValue(of id: Value.ID, _ hash: HashedID) -> Value? {
        let shard = shards[hash]
        shard.lock()
        let (slot, compared) = lockedSearch(id, hash)
        let value: Value? = shard.visibleValue(of: id, hash, slot)
        end(compared + (slot.map { [$0] } ?? []), in: shard)
        return value
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
    @inlinable func withSlotToRead<Result>(_ slot: Slot, _ body: (ShardReference) -> Result) -> Result {
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
