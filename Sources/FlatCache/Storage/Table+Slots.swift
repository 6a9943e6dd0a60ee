extension Table {
    /// Whether identifiers may be compared while a lock is held, because their comparison is the toolchain's own.
    @inlinable var hasBuiltInIDs: Bool {
        // The first two are decided when the code is specialized.
        Value.ID.self == String.self || Value.ID.self == Int.self || idsAreBuiltIn
    }

    /// The shard of an identifier, locked, if the identifier may be compared under the lock and nothing is under way there.
    ///
    /// Nearly always that is so. Otherwise nothing is locked, and the long way must be taken.
    @inlinable @inline(__always) func shardToRead(_ hash: HashedID) -> ShardReference<Value>? {
        guard hasBuiltInIDs else { return nil }
        let shard = shards[hash]
        shard.lock()
        if !shard.isGated { return shard }
        shard.unlock()
        return nil
    }

    /// The slot of an identifier, pinned; made if there is none.
    @inlinable func pinnedSlot(for id: Value.ID, _ hash: HashedID) -> Slot<Value> {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlot(for: id, hash) }
        let slot = shard.slot(for: id, hash).takeUnretainedValue()
        slot.pins += 1
        shard.unlock()
        return slot
    }

    @usableFromInline func pinnedOtherSlot(for id: Value.ID, _ hash: HashedID) -> Slot<Value> {
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
            // Somebody may have made the slot while identifiers were compared without the lock.
            guard hasBuiltInIDs || shard.pointer.pointee.index.candidates(hash).count == compared.count else {
                end(compared, in: shard)
                shard.lock()
                continue
            }
            let made = shard.makeSlot(for: id, hash).takeUnretainedValue()
            made.pins += 1
            end(compared, in: shard)
            return made
        }
    }

    /// The slot of an identifier, pinned; `nil` when there is none.
    @usableFromInline func pinnedExistingSlot(for id: Value.ID, _ hash: HashedID) -> Slot<Value>? {
        let shard = shards[hash]
        shard.lock()
        let (found, compared) = lockedSearch(id, hash)
        end(compared, in: shard)
        return found
    }

    /// The slot of an identifier, pinned; `nil` when there is none, and no large commit is about to make it.
    @inlinable func pinnedSlotToWrite(for id: Value.ID, _ hash: HashedID) -> Slot<Value>? {
        guard let shard = shardToRead(hash) else { return pinnedOtherSlotToWrite(for: id, hash) }
        let slot = shard.pointer.pointee.index.find(id, hash)?.takeUnretainedValue()
        slot?.pins += 1
        shard.unlock()
        return slot
    }

    @usableFromInline func pinnedOtherSlotToWrite(for id: Value.ID, _ hash: HashedID) -> Slot<Value>? {
        let shard = shards[hash]
        shard.lock()
        shard.waitForLargeCommit()
        let (found, compared) = lockedSearch(id, hash)
        end(compared, in: shard)
        return found
    }

    /// Looks for a slot while its shard is locked, and pins it.
    ///
    /// Identifiers whose comparison is the user's are compared when the lock is open; it is locked again afterwards.
    ///
    /// - Returns: The slot, and those with other identifiers that were pinned for the comparison.
    private func lockedSearch(_ id: Value.ID, _ hash: HashedID) -> (found: Slot<Value>?, compared: [Slot<Value>]) {
        let shard = shards[hash]
        if hasBuiltInIDs {
            let found = shard.pointer.pointee.index.find(id, hash)?.takeUnretainedValue()
            found?.pins += 1
            return (found, [])
        }
        var compared = shard.pointer.pointee.index.candidates(hash)
        if compared.isEmpty { return (nil, []) }
        for slot in compared { slot.pins += 1 }
        shard.unlock()
        let place = compared.firstIndex { $0.id == id }
        let found = place.map { compared.remove(at: $0) }
        shard.lock()
        return (found, compared)
    }

    /// Opens the lock of a shard and releases slots that were pinned.
    private func end(_ pinned: [Slot<Value>], in shard: ShardReference<Value>) {
        let dropped = pinned.map { shard.unpin($0) }
        shard.unlock()
        withExtendedLifetime(dropped) {}
    }

    /// Runs a body with the slot of an identifier, made if there is none, while its shard is locked and no large commit is
    /// under way in it.
    ///
    /// A slot that nothing needs after the body is dropped.
    @inlinable func withSlot<Result>(for id: Value.ID, _ hash: HashedID, _ body: (Slot<Value>) -> Result) -> Result {
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
        let slot = shard.slot(for: id, hash).takeUnretainedValue()
        return finish(slot, in: shard, body(slot))
    }

    /// Runs a body while the shard of a slot is locked and no large commit is under way in it, then drops the slot if
    /// nothing needs it any more.
    @inlinable func withSlot<Result>(_ slot: Slot<Value>, _ body: () -> Result) -> Result {
        let shard = shards[HashedID(slot)]
        shard.lock()
        shard.waitForLargeCommit()
        return finish(slot, in: shard, body())
    }

    /// Runs a body while the shard of a slot is locked, and takes a pin from the slot.
    @inlinable func withSlot<Result>(unpinning slot: Slot<Value>, _ body: () -> Result) -> Result {
        let shard = shards[HashedID(slot)]
        shard.lock()
        let result = body()
        slot.pins -= 1
        return finish(slot, in: shard, result)
    }

    /// Takes a pin from a slot.
    @inlinable func unpin(_ slot: Slot<Value>) { withSlot(unpinning: slot) {} }

    @inlinable func finish<Result>(_ slot: Slot<Value>, in shard: ShardReference<Value>, _ result: Result) -> Result {
        let dropped = shard.dropIfAbandoned(slot)
        shard.unlock()
        withExtendedLifetime(dropped) {}
        return result
    }
}

extension Table {
    /// The entity of an identifier, on the way for identifiers that are compared without a lock, and beside large commits.
    @inline(never) @usableFromInline func value(of id: Value.ID, _ hash: HashedID) -> Value? {
        let shard = shards[hash]
        shard.lock()
        if !shard.isGated, !hasBuiltInIDs {
            guard let candidate = shard.pointer.pointee.index.firstCandidate(hash) else {
                shard.unlock()
                return nil
            }
            // Nearly always there is one. What it holds is copied first: its identifier tells whose that was.
            let value = candidate.slot.copy
            shard.unlock()
            if candidate.slot.id == id { return value }
            if candidate.isOnly { return nil }
            shard.lock()
        }
        let (slot, compared) = lockedSearch(id, hash)
        let value = shard.visibleValue(of: id, hash, slot)
        end(compared + (slot.map { [$0] } ?? []), in: shard)
        return value
    }

    /// The entity of a slot beside a large commit; opens the lock of the shard, which is held.
    @inline(never) @usableFromInline func gatedValue(of slot: Slot<Value>) -> Value? {
        let hash = HashedID(slot)
        let shard = shards[hash]
        defer { shard.unlock() }
        return shard.visibleValue(of: slot.id, hash, slot)
    }
}
