internal import Synchronization

/// The removal of all entities of a type by a published large commit, which has closed the gates of all shards.
///
/// Slots without observers, handles and pins remain in their index, because readers already see the removal, and are
/// freed after the index is replaced. The entities of the others are removed. All slots are visited and pinned, in
/// pieces that alternate between the shards. So no other thread drops a slot that is visited.
final class Clearing: @unchecked Sendable {  // Used only by the thread that commits.
    private let table: EntityTable
    /// The slots that are needed without their entities, by shard.
    private var survivors = [[Slot]](repeating: [], count: shardCount)
    /// The slots that aren't needed, by shard.
    private var unneeded = [[Slot]](repeating: [], count: shardCount)
    /// The numbers of entities that remain in their index, by shard.
    private var leftCounts = [Int](repeating: 0, count: shardCount)
    private var replaced: ReleasedEntities?

    init(of table: EntityTable) {
        self.table = table
    }

    deinit {
        for (number, slots) in unneeded.enumerated() { table.shards[number].free(slots, unpinning: 1) }
    }

    /// Removes the entities of slots that are needed.
    ///
    /// - Parameters:
    ///   - commit: The commit that the removals are part of.
    ///   - isReplaced: Whether the commit also changes the entity of a slot, so that observers of the table are
    ///     notified of one change.
    func clear(_ commit: inout Commit, isReplaced: (Slot) -> Bool) {
        var walks = table.shards.all.map { shard in
            shard.lock()
            defer { shard.unlock() }
            return shard.beginWalk()[...]
        }
        let replaced = ReleasedEntities(table.layout, capacity: walks.reduce(0) { $0 + $1.count })
        self.replaced = replaced
        for number in walks.indices { unneeded[number].reserveCapacity(walks[number].count) }
        while walks.contains(where: { !$0.isEmpty }) {
            for number in walks.indices where !walks[number].isEmpty {
                let shard = table.shards[number]
                let piece = walks[number].prefix(pieceLength)
                shard.lock()
                let areAllNeeded = shard.pointer.pointee.watchers != nil || commit.newestSnapshot != 0
                // A slot that was dropped before it is visited belongs to the walk.
                for slot in piece where !slot.isDropped {
                    let isNeeded: Bool
                    if isReplaced(slot) {
                        isNeeded = true
                    } else if areAllNeeded || slot.extras != nil || slot.pins != 0 || slot.isNoted {
                        if slot.isStored { shard.replace(slot, with: .none, at: 0, &commit, replaced) }
                        isNeeded = !slot.isAbandoned
                    } else {
                        leftCounts[number] += slot.isStored ? 1 : 0
                        isNeeded = false
                    }
                    slot.pins += 1
                    if isNeeded { survivors[number].append(slot) } else { unneeded[number].append(slot) }
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
    func finish(_ revision: UInt64, _ origin: OriginNumber) {
        table.hasEvicted.store(false, ordering: .relaxed)
        table.hasUnreadable.store(false, ordering: .relaxed)
        for (number, survivors) in survivors.enumerated() {
            let shard = table.shards[number]
            var index = SlotIndex()
            index.reserve(survivors.count)
            for slot in survivors { index.insert(slot, tag: HashedID(slot).tag) }
            let old = shard.whileLocked {
                let old = shard.pointer.pointee.index
                shard.pointer.pointee.index = index
                shard.pointer.pointee.storedCount -= leftCounts[number]
                OwnWrites.note(
                    UnsafeRawPointer(shard.pointer),
                    from: shard.pointer.pointee.changedRevision,
                    to: revision
                )
                shard.noteCleared(revision, origin)
                shard.pointer.pointee.changedRevision = revision
                return old
            }
            old.deallocate()
            unpin(survivors, in: shard)
            let dropped = shard.whileLocked { shard.endWalk() }
            shard.free(dropped)
        }
    }

    /// Drops slots that aren't needed any more.
    private func unpin(_ slots: [Slot], in shard: ShardReference) {
        for begin in stride(from: 0, to: slots.count, by: pieceLength) {
            let dropped = shard.whileLocked {
                slots[begin..<min(begin + pieceLength, slots.count)].compactMap { shard.unpin($0) }
            }
            withExtendedLifetime(dropped) {}
            SyncPoint.reach(.piece)
        }
    }
}
