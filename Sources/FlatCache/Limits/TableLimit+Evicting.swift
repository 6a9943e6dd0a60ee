public import Synchronization

/// Entities to be evicted.
@frozen @usableFromInline
struct EvictionTask {
    /// The number of entities, or 0 for all that are too old.
    @usableFromInline let count: Int
    /// The revision of the oldest entity that isn't too old, or 0 if none is.
    @usableFromInline let oldest: UInt64
    @usableFromInline let firstShard: Int

    /// Whether only entities that are too old are evicted, however many they are.
    @inlinable var isSweep: Bool { count == 0 }

    init(count: Int, oldest: UInt64, firstShard: Int) {
        self.count = count
        self.oldest = oldest
        self.firstShard = firstShard
    }
}

/// One way of the hands around, after the protected entities were found.
///
/// An entity that is protected later is evicted in the round only if nobody has read it since it was protected. For a read sets a
/// mark, and a mark that is cleared in a round, by whatever thread, counts only for later rounds.
@usableFromInline
final class EvictionRound {
    /// The number of the round.
    @usableFromInline let number: UInt64
    /// The revision from which on entities remain.
    @usableFromInline var newest: UInt64 = 0
    /// The number of places that were visited in each shard.
    @usableFromInline var places = [Int](repeating: 0, count: shardCount)
    /// The number of entities that remain because they are too new.
    @usableFromInline var newer = 0

    init(_ number: UInt64) {
        self.number = number
    }

    /// Creates a way around of its own in the same round.
    convenience init(_ other: EvictionRound) {
        self.init(other.number)
        newest = other.newest
    }

    /// The number of places that were visited.
    var visited: Int { places.reduce(0, +) }
}

extension TableLimit {
    /// Evicts entities.
    ///
    /// - Returns: The number of those that were chosen, less than that in the task if the hands have found no more in the round.
    ///   An entity that is needed again before the commit isn't evicted.
    @inlinable func evict(_ task: EvictionTask, _ round: EvictionRound, in cache: FlatCache) -> Int {
        var evicted = 0
        var isDone = false
        // All hands move equally far, so that a shard with few entities loses few. The fewer are found, the farther they move.
        var stride = 2
        while !isDone {
            let transaction = Transaction(from: .eviction)
            let changes = transaction.table(table)
            changes.entries.makeRoom(for: pieceLength)
            var chosen = 0
            isDone = true
            for step in 0..<shardCount where task.isSweep || evicted + chosen < task.count {
                let number = (task.firstShard &+ step) % shardCount
                let shard = table.shards[number]
                let share = Swift.max((task.count - evicted) / shardCount, 1)
                let wanted = task.isSweep ? pieceLength / shardCount : task.count - evicted - chosen
                let length = task.isSweep ? pieceLength : Swift.min(share * stride, pieceLength)
                shard.lock()
                if round.places[number] < shard.pointer.pointee.index.capacity && !shard.isGated {
                    chosen += choose(in: shard, number, wanted, among: length, task, round, changes)
                    if round.places[number] < shard.pointer.pointee.index.capacity { isDone = false }
                }
                shard.unlock()
            }
            if chosen == 0 { stride = Swift.min(stride * 4, pieceLength) }
            chosen -= changes.prepareEvictions(in: cache)
            if chosen > 0 {
                table.noteEviction()
                transaction.commit(to: cache)
                evicted += chosen
            }
            transaction.release()
            if !task.isSweep && evicted >= task.count { isDone = true }
        }
        return evicted
    }

    /// Chooses entities of a locked shard, and adds their eviction to a transaction.
    ///
    /// - Parameters:
    ///   - count: How many are chosen at most.
    ///   - length: How far the hand moves at most.
    /// - Returns: Their number.
    @inlinable func choose(
        in shard: ShardReference,
        _ number: Int,
        _ count: Int,
        among length: Int,
        _ task: EvictionTask,
        _ round: EvictionRound,
        _ changes: TableTransaction<Value>
    ) -> Int {
        let capacity = shard.pointer.pointee.index.capacity
        let end = Swift.min(capacity, round.places[number] &+ length)
        var found = 0
        while round.places[number] < end && found < count {
            hands[number] = (hands[number] &+ 1) & (capacity &- 1)
            round.places[number] &+= 1
            if shard.pointer.pointee.index.tags[hands[number]] == 0 { continue }
            let slot = shard.pointer.pointee.index.slots[hands[number]]
            if !slot.isEvictable(pins: 0) { continue }
            if slot.revision >= round.newest {
                round.newer &+= 1
                continue
            }
            if slot.revision >= task.oldest {
                if task.isSweep { continue }
                if !slot.usage.isOlder(than: round.number) {
                    slot.usage = .passed(in: table.lastRound.load(ordering: .relaxed))
                    continue
                }
            } else if slot.usage == .used {
                // It is too old, whether it was read or not. The commit checks that it isn't read meanwhile.
                slot.usage = .passed(in: table.lastRound.load(ordering: .relaxed))
            }
            changes.evict(slot)
            found += 1
        }
        return found
    }
}

extension TableTransaction {
    /// Evicts the entity of a slot, whose shard is locked, unless it is changed or needed until the commit.
    ///
    /// There must be room for an entry.
    @inlinable func evict(_ slot: Slot) {
        let place = place(of: slot)
        entries[place].condition = .eviction(at: slot.revision, pins: slot.pins - slot.markPins)
        transaction.hasChanges = true
    }
}

extension TableTransaction {
    /// Drops the evictions of entities that must remain in memory.
    ///
    /// No lock may be held.
    ///
    /// - Returns: The number of these entities.
    @_semantics("optimize.sil.specialize.generic.never") @inline(never) @usableFromInline
    func prepareEvictions(in cache: FlatCache) -> Int {
        if cache.registry.find(FailedInsertion.self) != nil { forgetFailures(in: cache) }
        return table.mayForward ? keepReplaced(in: cache) : 0
    }

    /// Forgets that insertions of the entities have failed before, because it isn't visible any more that they are stored.
    private func forgetFailures(in cache: FlatCache) {
        ReadContext.runOutside(of: cache.history.object) {
            for place in entries.list.indices where entries[place].isChanged {
                FailedInsertion.remove(
                    FlatCacheKey(Value.self, id: entries[place].slot.id(of: Value.self)),
                    from: cache
                )
            }
        }
    }

    /// Drops the evictions of entities that are stored again under replaced identifiers.
    ///
    /// Reads under these identifiers don't look in a store before they follow the replacement. An entity that is stored again after
    /// this call is newer than the one that was chosen, so it isn't evicted either.
    ///
    /// - Returns: The number of these entities.
    private func keepReplaced(in cache: FlatCache) -> Int {
        guard let forwardings = cache.registry.find(Forwarding<Value>.self)?.takeUnretainedValue() else { return 0 }
        var count = 0
        for place in entries.list.indices where entries[place].isChanged {
            let id = entries[place].slot.id(of: Value.self)
            // The current one, also while the thread reads a snapshot.
            if forwardings.value(of: id, HashedID(id))?.target == nil { continue }
            _ = entries.dropChange(at: place)
            count += 1
        }
        return count
    }
}

extension Table {
    /// Marks an entity as read.
    @usableFromInline func noteUse(of id: Value.ID) {
        withExistingSlot(for: id, HashedID(id)) { slot, _ in slot?.noteUse() }
    }
}

extension Slot {
    /// Whether nothing needs that the entity is in memory.
    ///
    /// - Parameter pins: The number of pins that don't count.
    @inlinable func isEvictable(pins: UInt32) -> Bool {
        if !isStored || self.pins != pins + markPins || isNoted { return false }
        guard let extras else { return true }
        return !extras.keepsEntity
    }

    /// Whether something needs that the entity is in memory, other than a store.
    var isHeld: Bool { isStored && (pins != markPins || extras?.keepsEntity == true) }
}

extension SlotExtras {
    /// Whether observers of the key, or snapshots, need the entity.
    ///
    /// Tracked reads don't, because the framework doesn't report the end of a view.
    @usableFromInline var keepsEntity: Bool {
        versions != nil || observers?.list.contains { $0.keepsEntity } == true
    }
}
