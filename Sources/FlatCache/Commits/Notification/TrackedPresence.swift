/// The tracked reads of whether an entity is stored, until it is removed.
final class TrackedPresence: SlotObserver, @unchecked Sendable {
    // The lock of the slot's shard guards `position`, and the lock guards `registration`.
    let reads = TrackedReads()
    let calls = ObserverCalls()
    var position = 0
    private let lock = Lock()
    private var registration: SlotRegistration?

    /// Begins to observe a locked slot.
    init(_ slot: Slot, in table: EntityTable) {
        registration = SlotRegistration(adding: self, to: slot, of: table)
    }

    func post(_ change: SlotChange, _ posts: inout CommitPosts) {
        if change.changesPresence { posts.add(self, nil) }
    }

    func post(_ changes: GatheredChanges, _ posts: inout CommitPosts) {
        for change in changes { post(change, &posts) }
    }

    func deliver() -> Bool {
        lock.withLock { registration.take() }?.remove()
        reads.notify()
        return false
    }

    func finish() {
        let registration = lock.withLock { self.registration.take() }
        withExtendedLifetime(registration) {}
        reads.notify()
    }
}

extension Slot {
    /// The tracked reads of whether the entity of the slot, which is locked, is stored.
    ///
    /// Of many observers, only the last ones are asked, so that a read takes constant time.
    func presenceReads(in table: EntityTable) -> TrackedReads {
        let known = observers?.list.suffix(8).first(from: { $0 as? TrackedPresence })
        let reads = (known ?? TrackedPresence(self, in: table)).reads
        reads.noteReader()
        return reads
    }
}
