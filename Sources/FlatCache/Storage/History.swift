public import Synchronization

/// The revisions of a cache, and the snapshots that are being read.
///
/// A snapshot shows all commits up to its revision. While it is open, commits keep the entities that they replace and that
/// it shows, each at its slot, under the lock of its shard. When none is open, that costs a commit one look at a number.
///
/// Nothing that a snapshot shows can be missing: opening one announces that before it takes the last revision, and a commit
/// draws its revision before it looks for snapshots. So a commit either finds the announcement, or is older than the
/// snapshot and part of what it shows. The article 'Commits' has the whole protocol.
@usableFromInline
final class History: @unchecked Sendable {
    // `opened` and `keepers` are guarded by the lock, inside of which no other is taken; the rest is atomic.
    private let lock = Lock()
    /// The revisions of the open snapshots in rising order, each with the number of those that have it.
    private var opened: [(revision: UInt64, count: Int)] = []
    /// The shards that keep versions.
    private var keepers: [VersionKeeper] = []

    let counters = HistoryCounters()
    let clock: CacheClock

    init(clock: CacheClock) {
        self.clock = clock
    }

    deinit {
        counters.destroy()
    }

    /// Keeps what a snapshot of the current state shows.
    ///
    /// - Returns: The revision of the state, which must be closed.
    func open() -> UInt64 {
        lock.withLock {
            counters.newestSnapshot.pointee.store(.max, ordering: .sequentiallyConsistent)
            let revision = counters.lastRevision.pointee.load(ordering: .sequentiallyConsistent)
            counters.newestSnapshot.pointee.store(revision, ordering: .sequentiallyConsistent)
            if opened.last?.revision == revision {
                opened[opened.count - 1].count += 1
            } else {
                opened.append((revision, 1))
            }
            counters.snapshotCount.pointee.wrappingAdd(1, ordering: .relaxed)
            return revision
        }
    }

    /// Keeps no more entities for a snapshot, and releases those that only it has shown.
    func close(_ revision: UInt64) {
        let keepers: [VersionKeeper] = lock.withLock {
            counters.snapshotCount.pointee.wrappingSubtract(1, ordering: .relaxed)
            guard let index = opened.lastIndex(where: { $0.revision == revision }) else { return [] }
            opened[index].count -= 1
            if opened[index].count > 0 { return [] }
            opened.remove(at: index)
            counters.newestSnapshot.pointee.store(opened.last?.revision ?? 0, ordering: .sequentiallyConsistent)
            // In memory of its own: the thread sanitizer doesn't see when an array ceases to be shared.
            return self.keepers.map { $0 }
        }
        for keeper in keepers { keeper.table.prune(shard: keeper.shard, ofClosed: revision) }
    }

    /// Between which open snapshots a closed one is now, asked while a shard is locked whose versions are looked through.
    ///
    /// - Returns: `nil` if a snapshot of that revision is open again.
    func neighbours(ofClosed revision: UInt64) -> ClosedSnapshot? {
        lock.withLock {
            let index = opened.lastIndex { $0.revision <= revision }
            if let index, opened[index].revision == revision { return nil }
            let next = index.map { $0 + 1 } ?? 0
            return ClosedSnapshot(
                older: index.map { opened[$0].revision },
                newer: next < opened.count ? opened[next].revision : nil
            )
        }
    }

    /// Notes that a shard keeps a version, while the shard is locked; it is notified of snapshots that are closed.
    ///
    /// - Parameters:
    ///   - keeper: The shard.
    ///   - from: The revision from which on the version was there.
    ///   - until: The revision that has replaced it.
    /// - Returns: Whether an open snapshot shows the version; otherwise nothing is noted.
    func register(_ keeper: VersionKeeper, from: UInt64, until: UInt64) -> Bool {
        lock.withLock {
            guard opened.contains(where: { from <= $0.revision && $0.revision < until }) else { return false }
            keepers.append(keeper)
            return true
        }
    }

    /// Notes that a shard keeps nothing any more, while the shard is locked.
    func unregister(_ keeper: VersionKeeper) {
        lock.withLock { keepers.removeAll { $0.table === keeper.table && $0.shard == keeper.shard } }
    }

    /// Draws the revision of a large commit and publishes it; no snapshot is opened between the two.
    ///
    /// - Returns: The revision, and the newest open snapshot.
    func publish(_ commit: LargeCommit) -> (revision: UInt64, newestSnapshot: UInt64) {
        lock.withLock {
            let revision = counters.lastRevision.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
            commit.published.store(revision, ordering: .sequentiallyConsistent)
            return (revision, opened.last?.revision ?? 0)
        }
    }
}

/// A shard that keeps versions for snapshots.
struct VersionKeeper {
    let table: any ErasedTable
    let shard: Int
}

/// The numbers that every reader and every writer of a cache looks at, in memory of their own.
@frozen @usableFromInline
struct HistoryCounters: @unchecked Sendable {  // All are atomic.
    @usableFromInline let memory: UnsafeMutableRawPointer

    /// The distance of what every commit writes to from what readers look at: it must not take their cache line away.
    @inlinable static var distance: Int { 128 }

    init() {
        memory = .allocate(byteCount: 2 * Self.distance, alignment: Self.distance)
        memory.initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
        (memory + 8).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(0))
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

    /// The revision of the newest open snapshot; 0 for none, the highest number while one is being opened.
    @inlinable var newestSnapshot: UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + 8).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// The revision of the last commit.
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
    /// The innermost body that runs on the calling thread; here because a look at a static variable costs more.
    @usableFromInline let bodies = innermostBody
    private let reference: Unmanaged<History>

    init(_ history: History) {
        counters = history.counters
        reference = .passUnretained(history)
    }

    /// The history itself.
    @usableFromInline var object: History { reference.takeUnretainedValue() }

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

    /// The newest snapshot that may show what a commit replaces, asked after the revision of the commit is drawn; 0 for none.
    @inlinable var newestSnapshot: UInt64 {
        counters.newestSnapshot.pointee.load(ordering: .sequentiallyConsistent)
    }
}

/// The innermost body of a `read` or `transaction` that runs on a thread.
@usableFromInline let innermostBody = ThreadLocal<AnyObject>()
