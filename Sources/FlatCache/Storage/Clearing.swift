/// The removal of all entities of a type by a large commit, which has closed the gates of all shards and is published.
///
/// What nobody observes or holds stays where it is, for readers know already that it is gone, and goes at last with the
/// index that it is in. Everything else is gone through, a piece of one shard after a piece of another.
final class Clearing<Value: Cachable>: @unchecked Sendable {  // Used only by the thread that commits.
    private let table: Table<Value>
    /// The slots that are needed without their entities, by shard.
    private var survivors = [[Unmanaged<Slot<Value>>]](repeating: [], count: shardCount)
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
                    guard areAllNeeded || slot.extras != nil || slot.pins != 0 else { continue }
                    if slot.value != nil, let old = shard.replace(reference, with: nil, &commit) {
                        replaced.append(old)
                    }
                    if !slot.isAbandoned { survivors[number].append(reference) }
                }
                shard.unlock()
                walks[number].removeFirst(piece.count)
                RacePoint.reach(.piece)
            }
        }
    }

    /// Puts the slots that are needed into new indexes.
    func finish(_ revision: UInt64) {
        for number in survivors.indices {
            let shard = table.shards[number]
            shard.lock()
            let old = shard.pointer.pointee.index
            var index = SlotIndex<Value>()
            var storedCount = 0
            for reference in survivors[number] {
                let slot = reference.takeUnretainedValue()
                // Some were needed until a moment ago.
                if slot.isAbandoned { continue }
                index.insert(slot, tag: HashedID(slot).tag)
                if slot.value != nil { storedCount += 1 }
            }
            shard.pointer.pointee.index = index
            shard.pointer.pointee.storedCount = storedCount
            shard.pointer.pointee.clearedRevision = revision
            shard.pointer.pointee.changedRevision = revision
            let dropped = DroppedIndex(old)
            indexes.append(dropped)
            // Somebody else may be going through the slots.
            if let kept = shard.pointer.pointee.kept, kept.walks > 1 { kept.dropped.append(dropped) }
            let released = shard.endWalk()
            shard.unlock()
            withExtendedLifetime(released) {}
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
