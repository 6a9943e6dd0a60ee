public import Synchronization

/// The revisions of a cache, and the snapshots that are being read.
///
/// While a snapshot is open, commits hand over the entities that they replace and that the snapshot still needs. When
/// none is open, which is nearly always, that costs a commit one look at a counter.
///
/// Nothing that a snapshot sees can be missing: opening one counts it before it takes the number of the last commit, and
/// a commit draws its number before it looks at the counter. So a commit either finds the snapshot counted, or is older
/// than the snapshot and part of what it shows.
@usableFromInline
final class History: @unchecked Sendable {
    // `open`, and what the snapshots in it keep, is guarded by the lock; the rest is atomic.
    private let lock = Lock()
    private var open: [Snapshot] = []

    /// The number of open snapshots.
    @usableFromInline let snapshotCount = Atomic(0)
    /// The number of the last commit, in memory of its own: every commit writes to it, and must not take the cache line
    /// away from threads that only read.
    @usableFromInline let lastRevision: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
        let line = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
        lastRevision = line.bindMemory(to: Atomic<UInt64>.self, capacity: 1)
        lastRevision.initialize(to: Atomic(0))
    }

    deinit {
        lastRevision.deinitialize(count: 1)
        UnsafeMutableRawPointer(lastRevision).deallocate()
    }

    /// The snapshot that the calling thread reads instead of the current state, or `nil` outside of the bodies of `read`
    /// and `transaction`.
    @inlinable var snapshotOfThread: Snapshot? {
        // Relaxed is enough: a thread always sees what it has counted itself.
        snapshotCount.load(ordering: .relaxed) == 0 ? nil : RunningBody.snapshot(of: self)
    }

    /// The changes of the transaction that the calling thread is in, or `nil` outside of transactions.
    @inlinable var draftOfThread: Draft? { snapshotOfThread?.draft }

    /// Draws the number of a commit, while the locks of all its slots are held.
    @inlinable func nextRevision() -> UInt64 {
        lastRevision.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    }

    /// Whether a snapshot may need what a commit replaces; asked after the number of the commit is drawn.
    @inlinable var isRead: Bool { snapshotCount.load(ordering: .sequentiallyConsistent) != 0 }

    /// Opens a snapshot of the current state.
    func openSnapshot(for draft: Draft? = nil) -> Snapshot {
        lock.withLock {
            snapshotCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
            let snapshot = Snapshot(
                revision: lastRevision.pointee.load(ordering: .sequentiallyConsistent),
                of: self,
                draft: draft
            )
            open.append(snapshot)
            return snapshot
        }
    }

    /// Closes a snapshot: no more entities are kept for it. Those it has go with the object.
    func close(_ snapshot: Snapshot) {
        lock.withLock {
            guard let index = open.firstIndex(where: { $0 === snapshot }) else { return }
            open.remove(at: index)
            snapshotCount.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Keeps an entity that a commit replaces for the snapshots that show it, while its shard is locked.
    func keep<Value>(_ value: Value, of slot: Slot<Value>, from previousRevision: UInt64, until revision: UInt64) {
        lock.withLock {
            for snapshot in open where previousRevision <= snapshot.revision && snapshot.revision < revision {
                snapshot.keep(value, of: slot.id)
            }
        }
    }

    /// Runs a body with the replaced entities of a type that a snapshot still shows.
    func withKept<Value: Cachable, Result>(
        _ type: Value.Type,
        for snapshot: Snapshot,
        _ body: ([Value.ID: Value]) -> Result
    ) -> Result {
        lock.withLock { body(snapshot.kept(type)) }
    }
}
