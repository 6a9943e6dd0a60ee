/// The removal of all entities of a type by a published large commit, which has closed the gates of all shards.
///
/// Slots without observers, handles and pins remain in their index, because readers already see the removal, and are
/// released with the index. All other slots are visited, in pieces that alternate between the shards.
final class Clearing<Value: Cachable>: @unchecked Sendable {  // Used only by the thread that commits.
    private let table: Table<Value>
    /// The slots that are needed without their entities, by shard.
    private var survivors = [[Unmanaged<Slot<Value>>]](repeating: [], count: shardCount)
    /// The numbers of entities that remain in their index, by shard.
    private var leftCounts = [Int](repeating: 0, count: shardCount)
    private var replaced: [Value] = []
    private var indexes: [DroppedIndex<Value>] = []

    init(of table: Table<Value>) {
        self.table = table
    }

    /// Removes the entities of slots that are needed.
    ///
    /// - Parameters:
    ///   - commit: The commit that the removals are part of.
    ///   - isReplaced: Whether the commit also changes the entity of a slot, so that observers of the table are
    ///     notified of one change.
    func clear(_ commit: inout Commit, isReplaced: (Slot<Value>) -> Bool) {
        var walks = table.shards.all.map { shard in
            shard.lock()
            defer { shard.unlock() }
            return shard.beginWalk()[...]
        }
        // Growth while a shard is locked would block other threads while the elements are moved.
        replaced.reserveCapacity(walks.reduce(0) { $0 + $1.count })
        while walks.contains(where: { !$0.isEmpty }) {
            for number in walks.indices where !walks[number].isEmpty {
                let shard = table.shards[number]
                let piece = walks[number].prefix(pieceLength)
                shard.lock()
                let areAllNeeded = shard.pointer.pointee.watchers != nil || commit.newestSnapshot != 0
                for reference in piece {
                    let slot = reference.takeUnretainedValue()
                    guard !isReplaced(slot) else {
                        survivors[number].append(reference)
                        continue
                    }
                    guard areAllNeeded || slot.extras != nil || slot.pins != 0 else {
                        leftCounts[number] += slot.isStored ? 1 : 0
                        continue
                    }
                    if slot.isStored, let old = shard.replace(reference, with: nil, &commit) {
                        replaced.append(old)
                    }
                    if !slot.isAbandoned { survivors[number].append(reference) }
                }
                shard.unlock()
                walks[number].removeFirst(piece.count)
                SyncPoint.reach(.piece)
            }
        }
    }

    /// Moves the slots that are needed into new indexes.
    ///
    /// No slots are created behind a closed gate, so the indexes can be created while the shards are unlocked.
    func finish(_ revision: UInt64) {
        for (number, survivors) in survivors.enumerated() {
            let shard = table.shards[number]
            var index = SlotIndex<Value>()
            index.reserve(survivors.count)
            for reference in survivors {
                let slot = reference.takeUnretainedValue()
                index.insert(slot, tag: HashedID(slot).tag)
            }
            let old = shard.whileLocked {
                let old = DroppedIndex(shard.pointer.pointee.index)
                shard.pointer.pointee.index = index
                shard.pointer.pointee.storedCount -= leftCounts[number]
                shard.pointer.pointee.clearedRevision = revision
                shard.pointer.pointee.changedRevision = revision
                // Another thread may be walking over the slots.
                if let kept = shard.pointer.pointee.kept, kept.walks > 1 { kept.dropped.append(old) }
                return old
            }
            indexes.append(old)
            dropAbandoned(survivors, in: shard)
            let released = shard.whileLocked { shard.endWalk() }
            withExtendedLifetime(released) {}
        }
    }

    /// Drops slots that aren't needed any more.
    private func dropAbandoned(_ slots: [Unmanaged<Slot<Value>>], in shard: ShardReference<Value>) {
        for begin in stride(from: 0, to: slots.count, by: pieceLength) {
            let dropped = shard.whileLocked {
                slots[begin..<min(begin + pieceLength, slots.count)].compactMap {
                    shard.dropIfAbandoned($0.takeUnretainedValue())
                }
            }
            withExtendedLifetime(dropped) {}
            SyncPoint.reach(.piece)
        }
    }
}

/// An unused index, which releases its slots when it is released.
private final class DroppedIndex<Value: Cachable>: @unchecked Sendable {  // Only released.
    private let index: SlotIndex<Value>

    init(_ index: SlotIndex<Value>) {
        self.index = index
    }

    deinit {
        index.destroy()
    }
}
