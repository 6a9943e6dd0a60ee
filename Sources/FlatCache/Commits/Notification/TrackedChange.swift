/// The change of an entity by a commit that has removed its tracked reads.
final class TrackedChange: SlotObserver, @unchecked Sendable {  // Used by the thread that commits.
    private let reads: TrackedReads
    /// The slot, pinned because it is used after the commit has unlocked it.
    private let slot: Slot
    private let table: EntityTable
    /// Whether the reads are notified also if the entity is equal before and after.
    private let isAlwaysNews: Bool
    private var change: SlotChange?

    /// Creates the change of a locked slot.
    ///
    /// It must be released after unlocking.
    init(_ reads: TrackedReads, of slot: Slot, in table: EntityTable, isAlwaysNews: Bool = false) {
        slot.pins += 1
        self.slot = slot
        self.reads = reads
        self.table = table
        self.isAlwaysNews = isAlwaysNews
    }

    deinit {
        table.unpin(slot)
    }

    // This observer isn't in a list.
    var position = 0

    let calls = ObserverCalls()

    func post(_ change: SlotChange, _ posts: inout CommitPosts) {
        self.change = change
        posts.add(self, nil)
    }

    func post(_ changes: GatheredChanges, _ posts: inout CommitPosts) {
        for change in changes { post(change, &posts) }
    }

    func deliver() -> Bool {
        while let change, !isAlwaysNews, !change.hasNews {
            // The entity is equal before and after, so the reads are put back.
            switch table.putBack(reads, at: slot, after: change) {
            case .waiting: return false
            case .changed(let later): self.change = later
            case .replaced: self.change = nil
            }
        }
        reads.notify()
        return false
    }

    func finish() { reads.notify() }
}

extension EntityTable {
    fileprivate enum PutBack {
        /// The reads are in their place again.
        case waiting
        /// Other commits were made meanwhile, with this net change.
        case changed(SlotChange)
        /// Other reads were tracked meanwhile and have the place.
        case replaced
    }

    /// Puts tracked reads back into their place, after a commit that has stored an equal value.
    fileprivate func putBack(_ reads: TrackedReads, at slot: Slot, after change: SlotChange) -> PutBack {
        let shard = shards[HashedID(slot)]
        return withSlot(slot) {
            // A removal of all entities doesn't change unneeded slots.
            let clearedRevision = shard.clearedRevision
            guard slot.revision == change.revision, clearedRevision <= change.revision else {
                let isCleared = clearedRevision > slot.revision
                let later = SlotChange(
                    of: slot,
                    layout,
                    from: change.oldSource,
                    to: isCleared ? EntitySource.none : layout.entity(of: slot),
                    revision: max(slot.revision, clearedRevision),
                    origins: CommitOrigins(.unknown)
                )
                return .changed(later)
            }
            return shard.putBack(reads, at: slot) ? .waiting : .replaced
        }
    }
}

/// The tracked reads of all entities of a type, or of their number, until it changes.
final class TrackedTable: MultiKeyObserver, TableReads, @unchecked Sendable {
    // The locks of all shards guard `registration`.
    let reads = TrackedReads()
    private let mailbox = Mailbox<GatheredChanges> { $0.fold($1) }
    private unowned let table: EntityTable
    private var registration: TableRegistration?

    /// Begins to observe a table, all of whose shards are locked.
    init(_ table: EntityTable, isCount: Bool) {
        self.table = table
        registration = TableRegistration(adding: KeySubscription(of: self, isOfPresence: isCount), to: table)
    }

    var calls: ObserverCalls { mailbox.calls }

    func post(_ changes: GatheredChanges) -> (any Sendable)? { mailbox.post(changes) }

    func deliver() -> Bool {
        mailbox.deliver { changes in
            if changes.areNews { end() }
        }
    }

    private func end() {
        let registration = table.withAllShards {
            if table.trackedReads === self { table.trackedReads = nil }
            if table.trackedCounts === self { table.trackedCounts = nil }
            return self.registration.take()
        }
        registration?.remove()
        finish()
    }

    func mustSchedule() -> Bool { mailbox.schedule() }

    func beginScheduled() { mailbox.beginScheduled() }

    func finish() {
        if mailbox.calls.areEnded { return }
        mailbox.close()
        reads.notify()
    }

    /// Releases the table when the cache is deallocated.
    func close() { registration = nil }
}
