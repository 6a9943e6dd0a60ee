/// The removal of all entities of a type by a large commit, which has closed the gates of all shards and is published.
///
/// What nobody observes or holds stays where it is, for readers know already that it is gone, and goes at last with the
/// index that it is in. Everything else is gone through, a piece of one shard after a piece of another.
final class Clearing<Value: Cachable>: @unchecked Sendable {  // Used only by the thread that commits.
    private let table: Table<Value>
    /// The slots that are needed without their entities, by shard.
    private var survivors = [[Unmanaged<Slot<Value>>]](repeating: [], count: shardCount)
    /// The numbers of entities that stay where they are, by shard.
    private var leftCounts = [Int](repeating: 0, count: shardCount)
    private var replaced: [Value] = []
    private var indexes: [DroppedIndex<Value>] = []

    init(of table: Table<Value>) {
        self.table = table
    }

    /// Removes the entities of slots that somebody needs.
    ///
    /// - Parameters:
    ///   - commit: The commit that the removals are part of.
    ///   - isReplaced: Whether the commit is going to change the entity of a slot by itself, so that whoever watches the
    ///     table is notified of one change.
    func clear(_ commit: inout Commit, isReplaced: (Slot<Value>) -> Bool) {
        var walks = table.shards.all.map { shard in
            shard.lock()
            defer { shard.unlock() }
            return shard.beginWalk()[...]
        }
        // Grown while a shard is locked, it would keep others waiting for as long as what it holds takes to be moved.
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

    /// Puts the slots that are needed into new indexes.
    ///
    /// Nobody makes slots behind a closed gate, so that the indexes can be made while the shards are open to readers.
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
                // Somebody else may be going through the slots.
                if let kept = shard.pointer.pointee.kept, kept.walks > 1 { kept.dropped.append(old) }
                return old
            }
            indexes.append(old)
            dropAbandoned(survivors, in: shard)
            let released = shard.whileLocked { shard.endWalk() }
            withExtendedLifetime(released) {}
        }
    }

    /// Drops slots that were needed until a moment ago.
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

/// An index that isn't used any more, whose slots are released with it.
private final class DroppedIndex<Value: Cachable>: @unchecked Sendable {  // Only released.
    private let index: SlotIndex<Value>

    init(_ index: SlotIndex<Value>) {
        self.index = index
    }

    deinit {
        index.destroy()
    }
}
