internal import Synchronization

/// The number of slots that are visited under one lock of their shard, so that other threads wait only briefly.
@usableFromInline let pieceLength = 512

extension EntityTable {
    /// Visits the slots of all shards, in pieces.
    ///
    /// The pieces alternate between the shards, so that each lock is free longer than it is held, and waiting threads
    /// can take it.
    ///
    /// - Parameters:
    ///   - snapshot: The revision of an open snapshot.
    ///   - element: Makes an element of a slot. It is called while a shard is locked.
    ///   - piece: A closure that is called with the elements of a piece while no lock is held.
    @inlinable func walk<Element>(
        at snapshot: UInt64,
        _ element: (Slot) -> Element?,
        _ piece: ([Element]) -> Void
    ) {
        // All slots of the snapshot exist, because kept versions pin the slots of removed entities.
        var walks = shards.all.map { shard in
            shard.lock()
            shard.waitForLargeCommit(publishedUpTo: snapshot)
            defer { shard.unlock() }
            return (shard: shard, slots: shard.beginWalk(), place: 0)
        }
        while !walks.isEmpty {
            for number in walks.indices {
                let (shard, slots, place) = walks[number]
                let end = min(place + pieceLength, slots.count)
                var elements: [Element] = []
                elements.reserveCapacity(end - place)
                shard.lock()
                for slot in slots[place..<end] {
                    if let element = element(slot) { elements.append(element) }
                }
                let dropped = end == slots.count ? shard.endWalk() : []
                shard.unlock()
                shard.free(dropped)
                piece(elements)
                walks[number].place = end
                SyncPoint.reach(.piece)
            }
            walks.removeAll { $0.place == $0.slots.count }
        }
    }

    /// Visits places in a list by shard, in pieces that alternate between the shards.
    ///
    /// - Parameters:
    ///   - places: The places of each shard.
    ///   - body: A closure that is called with places of a shard while it is locked.
    func inPieces(_ places: [[Int]], _ body: (ArraySlice<Int>) -> Void) {
        var begin = 0
        while places.contains(where: { $0.count > begin }) {
            let end = begin + pieceLength
            for (shard, places) in zip(shards.all, places) where places.count > begin {
                shard.whileLocked { body(places[begin..<min(end, places.count)]) }
                SyncPoint.reach(.piece)
            }
            begin = end
        }
    }

    /// Visits the slots of all shards as they are, in pieces.
    ///
    /// A slot that is moved in its index meanwhile can be left out, or visited twice.
    ///
    /// - Parameter body: A closure that is called while a shard is locked.
    func visitSlots(_ body: (Slot) -> Void) {
        for shard in shards.all {
            var begin = 0
            var isLast = false
            while !isLast {
                shard.whileLocked {
                    let index = shard.pointer.pointee.index
                    let end = min(begin + pieceLength, index.capacity)
                    for bucket in min(begin, end)..<end where index.tags[bucket] != 0 { body(index.slots[bucket]) }
                    begin += pieceLength
                    isLast = begin >= index.capacity
                }
                SyncPoint.reach(.piece)
            }
        }
    }

}

extension EntityTable {
    /// Runs a body while all shards are locked, so that it sees the state between two commits.
    func withAllShards<Result>(_ body: () -> Result) -> Result { betweenCommits(to: [self], body) }

    /// What a large commit holds that has published its changes and not yet applied all of them, or `nil` if there is none.
    ///
    /// All shards must be locked.
    var holdOfLargeCommit: Hold? {
        if !isAnyGated(.all) { return nil }
        return shards.all.first(from: { $0.pointer.pointee.gate?.overlay?.commit.hold })
    }
}

/// Runs a body while all shards of some tables are locked, so that it sees the state between two commits.
@_semantics("optimize.sil.specialize.generic.never")
func betweenCommits<Result>(to tables: [EntityTable], _ body: () -> Result) -> Result {
    var locks = LockSet()
    for table in tables { locks.formUnion(table.allLocks) }
    SyncPoint.reach(.between)
    while true {
        locks.lock()
        // A published commit that is partly applied isn't a state between two commits.
        guard let hold = tables.first(from: { $0.holdOfLargeCommit }) else { break }
        locks.unlock()
        hold.wait()
    }
    defer { locks.unlock() }
    return body()
}

extension ShardReference {
    /// Waits until all large commits that are part of a snapshot are applied to their slots.
    ///
    /// The lock is released meanwhile.
    @usableFromInline func waitForLargeCommit(publishedUpTo snapshot: UInt64) {
        while let commit = pointer.pointee.gate?.overlay?.commit {
            let published = commit.published.load(ordering: .acquiring)
            if published == 0 || published > snapshot { return }
            unlock()
            commit.hold.wait()
            lock()
        }
    }

    /// Begins a walk over the slots.
    ///
    /// All current slots remain in memory until the walk ends.
    @inlinable func beginWalk() -> [Slot] {
        countWalk()
        return pointer.pointee.index.all
    }

    @usableFromInline func countWalk() { makeKept().walks += 1 }

    /// Ends a walk.
    ///
    /// - Returns: The slots that were dropped meanwhile, to be freed after unlocking.
    @usableFromInline func endWalk() -> [Slot] {
        guard let kept = pointer.pointee.kept else { return [] }
        kept.walks -= 1
        guard kept.walks == 0 else { return [] }
        let dropped = kept.dropped
        kept.dropped = []
        if kept.isEmpty { pointer.pointee.kept = nil }
        return dropped
    }

    /// Frees slots that nothing refers to any more, in pieces.
    ///
    /// No lock is held.
    ///
    /// - Parameter pins: The number of pins of the caller. A slot with other pins is freed with the last one.
    @usableFromInline func free(_ slots: [Slot], unpinning pins: UInt32 = 0) {
        let layout = table.layout
        for begin in stride(from: 0, to: slots.count, by: pieceLength) {
            let piece = slots[begin..<min(begin + pieceLength, slots.count)]
            var entities = MovedEntities(of: layout, capacity: piece.count)
            var ids: [AnyObject] = []
            whileLocked {
                for slot in piece {
                    if slot.isStored { entities.append(slot) }
                    slot.pins -= pins
                    if slot.pins == 0, let id = free(slot) { ids.append(id) }
                }
            }
            entities.release()
            withExtendedLifetime(ids) {}
        }
    }

    func makeKept() -> KeptVersions {
        if let kept = pointer.pointee.kept { return kept }
        let made = KeptVersions()
        pointer.pointee.kept = made
        return made
    }
}

extension EntityTable {
    func keeper(of shard: ShardReference) -> VersionKeeper {
        let offset = UnsafeMutableRawPointer(shard.pointer) - shards.memory
        return VersionKeeper(table: self, shard: offset / Shards.stride)
    }

    /// Drops the versions of a shard that were only part of a closed snapshot.
    func prune(shard number: Int, ofClosed snapshot: UInt64) {
        while prunePiece(of: number, ofClosed: snapshot) {}
    }

    /// Drops some of these versions.
    ///
    /// - Returns: Whether there may be more.
    private func prunePiece(of number: Int, ofClosed snapshot: UInt64) -> Bool {
        let shard = shards[number]
        shard.lock()
        guard let kept = shard.pointer.pointee.kept, let closed = history.object.neighbours(ofClosed: snapshot) else {
            shard.unlock()
            return false
        }
        let (versions, areMore) = kept.prune(closed, atMost: pieceLength)
        let dropped = versions.map { shard.unpin($0.slot) }
        if !kept.holdsVersions, !versions.isEmpty {
            history.object.unregister(keeper(of: shard))
            if kept.isEmpty { shard.pointer.pointee.kept = nil }
        }
        shard.unlock()
        withExtendedLifetime((versions, dropped)) {}
        return areMore
    }
}
