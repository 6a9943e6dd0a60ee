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

    let counters = HistoryCounters()
    let clock: CacheClock

    init(clock: CacheClock) {
        self.clock = clock
    }

    deinit {
        counters.destroy()
    }

    /// Opens a snapshot of the current state.
    func openSnapshot(for draft: Draft? = nil) -> Snapshot {
        lock.withLock {
            counters.snapshotCount.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
            let revision = counters.lastRevision.pointee.load(ordering: .sequentiallyConsistent)
            let snapshot = Snapshot(revision: revision, of: self, draft: draft)
            open.append(snapshot)
            return snapshot
        }
    }

    /// Keeps no more entities for a snapshot; those it has go with the object.
    func close(_ snapshot: Snapshot) {
        lock.withLock {
            guard let index = open.firstIndex(where: { $0 === snapshot }) else { return }
            open.remove(at: index)
            counters.snapshotCount.pointee.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Keeps an entity that a commit replaces for the snapshots that show it, while its shard is locked.
    @usableFromInline func keep<Value>(
        _ value: Value?,
        of slot: Slot<Value>,
        from previousRevision: UInt64,
        until revision: UInt64
    ) {
        guard let value else { return }
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

/// The numbers that every reader and every writer of a cache looks at, in memory of their own.
@frozen @usableFromInline
struct HistoryCounters: @unchecked Sendable {  // All are atomic.
    @usableFromInline let memory: UnsafeMutableRawPointer

    /// The distance of the first and the others: every commit writes to the second, and must not take the cache line of
    /// the first away from threads that only read.
    @inlinable static var distance: Int { 128 }

    init() {
        memory = .allocate(byteCount: 2 * Self.distance, alignment: Self.distance)
        memory.initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
        (memory + Self.distance).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(0))
        (memory + Self.distance + 8).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(0))
    }

    /// Gives back the memory.
    func destroy() {
        memory.deallocate()
    }

    /// The number of open snapshots.
    @inlinable var snapshotCount: UnsafeMutablePointer<Atomic<Int>> {
        memory.assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// The number of the last commit.
    @inlinable var lastRevision: UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + Self.distance).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// The revision at the time zero of the clock, as ``HistoryReference/followClock()`` counts; 0 while revisions don't
    /// follow the clock.
    @inlinable var clockOrigin: UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + Self.distance + 8).assumingMemoryBound(to: Atomic<UInt64>.self)
    }
}

/// A reference to the history of a cache that the cache, or one of its tables, keeps alive.
///
/// It isn't counted, because counting would cost each read more than asking whether a snapshot is open.
@frozen @usableFromInline
struct HistoryReference: Sendable {
    @usableFromInline let counters: HistoryCounters
    private let reference: Unmanaged<History>

    init(_ history: History) {
        counters = history.counters
        reference = .passUnretained(history)
    }

    /// The history itself.
    @usableFromInline var object: History { reference.takeUnretainedValue() }

    /// The snapshot that the calling thread reads instead of the current state, or `nil` outside of the bodies of `read`
    /// and `transaction`.
    @inlinable var snapshotOfThread: Snapshot? {
        // Relaxed is enough: a thread always sees what it has counted itself.
        counters.snapshotCount.pointee.load(ordering: .relaxed) == 0 ? nil : RunningBody.snapshot(of: object)
    }

    /// The changes of the transaction that the calling thread is in, or `nil` outside of transactions.
    @inlinable var draftOfThread: Draft? { snapshotOfThread?.draft }

    /// Lets the next revision tell the time, once somebody has asked for the age of an entity; called before a write takes
    /// locks, because the clock may be the user's code.
    @inlinable func followClock() {
        if counters.clockOrigin.pointee.load(ordering: .relaxed) != 0 { moveToNow() }
    }

    @usableFromInline func moveToNow() { object.moveToNow() }

    /// The number of the last commit.
    var lastRevision: UInt64 { counters.lastRevision.pointee.load(ordering: .sequentiallyConsistent) }

    /// Draws the number of a commit, while the locks of all its slots are held.
    @inlinable func nextRevision() -> UInt64 {
        counters.lastRevision.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    }

    /// Whether a snapshot may need what a commit replaces; asked after the number of the commit is drawn.
    @inlinable var isRead: Bool { counters.snapshotCount.pointee.load(ordering: .sequentiallyConsistent) != 0 }
}
