internal import Synchronization

/// How many slots are gone through while the lock of their shard is held, so that others wait for a moment only.
let pieceLength = 512

extension Table {
    /// Goes through the entities at the time of an open snapshot.
    ///
    /// A piece of one shard follows on one of another, so that each lock is open longer than it is held, and those who wait
    /// for it get it.
    ///
    /// - Parameters:
    ///   - snapshot: The revision of the snapshot.
    ///   - element: Makes an element of an entity; called while a shard is locked.
    func walk<Element>(at snapshot: UInt64, _ element: (Slot<Value>, Value) -> Element?) -> [Element] {
        // All slots that the snapshot shows are there: those of removed entities are pinned by what is kept of them.
        var count = 0
        var walks = shards.all.map { shard in
            shard.lock()
            shard.waitForLargeCommit(publishedUpTo: snapshot)
            count += shard.pointer.pointee.storedCount
            defer { shard.unlock() }
            return (shard: shard, slots: shard.beginWalk(), place: 0)
        }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        while !walks.isEmpty {
            for number in walks.indices {
                let (shard, slots, place) = walks[number]
                let end = min(place + pieceLength, slots.count)
                shard.lock()
                for slot in slots[place..<end] {
                    slot._withUnsafeGuaranteedRef { slot in
                        if let value = slot.value(at: snapshot), let element = element(slot, value) {
                            elements.append(element)
                        }
                    }
                }
                let dropped = end == slots.count ? shard.endWalk() : []
                shard.unlock()
                withExtendedLifetime(dropped) {}
                walks[number].place = end
                SyncPoint.reach(.piece)
            }
            walks.removeAll { $0.place == $0.slots.count }
        }
        return elements
    }

    /// Goes through places in a list, by shard: a piece of one shard after a piece of another.
    ///
    /// - Parameters:
    ///   - places: The places of each shard.
    ///   - body: Called with some of the places of a shard while that is locked.
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

    /// Runs a body while all shards are locked, so that it sees the state between two commits.
    func withAllShards<Result>(_ body: () -> Result) -> Result {
        var locks = LockSet()
        locks.insert(.all, of: self)
        while true {
            locks.lock()
            // One that is published and not whole is no state between two commits.
            let hold = shards.all.lazy.compactMap { $0.pointer.pointee.gate?.overlay?.commit.hold }.first
            if hold == nil { break }
            locks.unlock()
            hold?.wait()
        }
        defer { locks.unlock() }
        return body()
    }
}

extension ShardReference {
    /// Waits until all large commits are in their slots that a snapshot shows; the lock is opened meanwhile.
    func waitForLargeCommit(publishedUpTo snapshot: UInt64) {
        while let commit = pointer.pointee.gate?.overlay?.commit {
            let published = commit.published.load(ordering: .acquiring)
            if published == 0 || published > snapshot { return }
            unlock()
            commit.hold.wait()
            lock()
        }
    }

    /// Begins to go through the slots; all that are there now stay in memory until the walk ends.
    func beginWalk() -> [Unmanaged<Slot<Value>>] {
        makeKept().walks += 1
        return pointer.pointee.index.references
    }

    /// Ends a walk.
    ///
    /// - Returns: What was dropped meanwhile, to be released after unlocking.
    func endWalk() -> [AnyObject] {
        guard let kept = pointer.pointee.kept else { return [] }
        kept.walks -= 1
        guard kept.walks == 0 else { return [] }
        let dropped = kept.dropped
        kept.dropped = []
        if kept.isEmpty { pointer.pointee.kept = nil }
        return dropped
    }

    func makeKept() -> KeptVersions<Value> {
        if let kept = pointer.pointee.kept { return kept }
        let made = KeptVersions<Value>()
        pointer.pointee.kept = made
        return made
    }
}

extension Table {
    func keeper(of shard: ShardReference<Value>) -> VersionKeeper {
        let offset = UnsafeMutableRawPointer(shard.pointer) - shards.memory
        return VersionKeeper(table: self, shard: offset / Shards<Value>.stride)
    }

    /// Drops the versions of a shard that only a closed snapshot has shown.
    @usableFromInline func prune(shard number: Int, ofClosed snapshot: UInt64) {
        while prunePiece(of: number, ofClosed: snapshot) {}
    }

    /// Drops some of those versions.
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
