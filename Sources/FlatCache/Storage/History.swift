public import Synchronization

/// The revisions of a cache, and its open snapshots.
///
/// A snapshot has all commits up to its revision. While it is open, commits keep the replaced entities that are part of
/// it, each at its slot, under the lock of its shard. If no snapshot is open, a commit only reads one number.
///
/// A snapshot is announced before it takes the last revision, and a commit draws its revision before it checks for
/// snapshots. So a commit either finds the announcement, or is part of the snapshot, and no entity of a snapshot is
/// lost. The article 'Commits' has the whole protocol.
@usableFromInline
final class History: @unchecked Sendable {
    // The lock guards `opened` and `keepers`, and no other lock is taken inside it. The other variables are atomic.
    private let lock = Lock()
    /// The revisions of the open snapshots in ascending order, each with the number of its snapshots.
    @exclusivity(unchecked) private var opened: [(revision: UInt64, count: Int)] = []
    /// The shards that keep versions.
    @exclusivity(unchecked) private var keepers: [VersionKeeper] = []

    let counters = HistoryCounters()
    let clock: CacheClock
    @usableFromInline let replacements = ReplacementCounts()
    /// The first revision of a cache whose revisions encode the time since 1970, or 0 for other caches.
    ///
    /// It is set before other threads use the cache.
    @exclusivity(unchecked) private(set) var base: UInt64 = 0

    init(clock: CacheClock) {
        self.clock = clock
    }

    deinit {
        counters.destroy()
    }

    /// Makes revisions encode the time since 1970, before the first use of the cache.
    ///
    /// - Parameters:
    ///   - time: The current time in milliseconds since 1970.
    ///   - revision: A revision that all later ones follow.
    func begin(at time: UInt64, after revision: UInt64) {
        // A revision that is damaged must not overflow.
        base = max(time << revisionBits, min(revision, 1 << 62) + 1)
        counters.lastRevision.pointee.store(base, ordering: .sequentiallyConsistent)
    }

    /// Opens a snapshot of the current state.
    ///
    /// - Returns: The revision of the snapshot, which must be closed.
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

    /// Closes a snapshot, and releases the entities that only it had.
    func close(_ revision: UInt64) {
        let keepers: [VersionKeeper] = lock.withLock {
            counters.snapshotCount.pointee.wrappingSubtract(1, ordering: .relaxed)
            guard let index = opened.lastIndex(where: { $0.revision == revision }) else { return [] }
            opened[index].count -= 1
            if opened[index].count > 0 { return [] }
            opened.remove(at: index)
            counters.newestSnapshot.pointee.store(opened.last?.revision ?? 0, ordering: .sequentiallyConsistent)
            // A copy, because the thread sanitizer doesn't detect when an array is no longer shared.
            return self.keepers.map { $0 }
        }
        for keeper in keepers { keeper.table.prune(shard: keeper.shard, ofClosed: revision) }
    }

    /// The open snapshots next to a closed one, read while a shard is locked to prune its versions.
    ///
    /// - Returns: The neighbours, or `nil` if a snapshot of that revision is open again.
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

    /// Registers a locked shard that keeps a version, so that it is pruned when snapshots are closed.
    ///
    /// - Parameters:
    ///   - keeper: The shard.
    ///   - from: The revision that stored the version.
    ///   - until: The revision that replaced it.
    /// - Returns: Whether the version is part of an open snapshot. If not, nothing is registered.
    func register(_ keeper: VersionKeeper, from: UInt64, until: UInt64) -> Bool {
        lock.withLock {
            guard opened.contains(where: { from <= $0.revision && $0.revision < until }) else { return false }
            keepers.append(keeper)
            return true
        }
    }

    /// Unregisters a locked shard that keeps no more versions.
    func unregister(_ keeper: VersionKeeper) {
        lock.withLock { keepers.removeAll { $0.table === keeper.table && $0.shard == keeper.shard } }
    }

    /// Draws the revision of a large commit and publishes it, so that no snapshot is opened in between.
    ///
    /// - Parameters:
    ///   - commit: The commit.
    ///   - count: The number of entities that it may insert.
    /// - Returns: The revision, and the newest open snapshot.
    func publish(_ commit: LargeCommit, count: Int) -> (revision: UInt64, newestSnapshot: UInt64) {
        lock.withLock {
            let revision = HistoryReference(self).nextRevision(for: count)
            commit.published.store(revision, ordering: .sequentiallyConsistent)
            return (revision, opened.last?.revision ?? 0)
        }
    }
}

/// A shard that keeps versions for snapshots.
struct VersionKeeper {
    let table: EntityTable
    let shard: Int
}

/// The numbers that every reader and every writer of a cache reads, in separate memory.
@frozen @usableFromInline
struct HistoryCounters: @unchecked Sendable {  // All are atomic.
    @usableFromInline let memory: UnsafeMutableRawPointer

    /// The distance between the numbers that commits write and those that readers read, so that they have different
    /// cache lines.
    @inlinable static var distance: Int { 128 }

    init() {
        memory = .allocate(byteCount: 2 * Self.distance, alignment: Self.distance)
        memory.initializeMemory(as: Atomic<Int>.self, to: Atomic(0))
        (memory + 8).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(0))
        (memory + Self.distance).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(0))
        (memory + Self.distance + 8).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(0))
        (memory + Self.distance + 16).initializeMemory(as: Atomic<Bool>.self, to: Atomic(false))
        (memory + Self.distance + 24).initializeMemory(as: Atomic<UInt64>.self, to: Atomic(.max))
        (memory + 16).initializeMemory(as: Atomic<Bool>.self, to: Atomic(false))
    }

    /// Frees the memory.
    func destroy() {
        memory.deallocate()
    }

    /// The number of open snapshots.
    @inlinable var snapshotCount: UnsafeMutablePointer<Atomic<Int>> {
        memory.assumingMemoryBound(to: Atomic<Int>.self)
    }

    /// The revision of the newest open snapshot, 0 if there is none, or the maximum while one is being opened.
    @inlinable var newestSnapshot: UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + 8).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Whether requests are counted.
    @inlinable var countsRequests: UnsafeMutablePointer<Atomic<Bool>> {
        (memory + 16).assumingMemoryBound(to: Atomic<Bool>.self)
    }

    /// The revision of the last commit.
    @inlinable var lastRevision: UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + Self.distance).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// The revision at the time zero of the clock, for ``HistoryReference/followClock()``, or 0 while revisions don't
    /// encode the time.
    @inlinable var clockOrigin: UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + Self.distance + 8).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Whether writes must evict entities, because a limit is exceeded.
    @inlinable var mustEvict: UnsafeMutablePointer<Atomic<Bool>> {
        (memory + Self.distance + 16).assumingMemoryBound(to: Atomic<Bool>.self)
    }

    /// The revision from which on writes must look for entities that are too old, or the maximum if no age is limited.
    var nextLook: UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + Self.distance + 24).assumingMemoryBound(to: Atomic<UInt64>.self)
    }
}

/// An unowned reference to the history of a cache, which the cache or one of its tables keeps alive.
///
/// It isn't counted, because counting would cost a read more than the check for open snapshots.
@frozen @usableFromInline
struct HistoryReference: Sendable {
    @usableFromInline let counters: HistoryCounters
    /// The innermost body that runs on the calling thread, kept here because access to a static variable costs more.
    @usableFromInline let bodies = innermostBody
    private let reference: Unmanaged<History>

    init(_ history: History) {
        counters = history.counters
        reference = .passUnretained(history)
    }

    /// The history itself.
    @usableFromInline var object: History { reference.takeUnretainedValue() }

    /// Moves revisions forward to the current time, if ages are in use.
    ///
    /// It is called before a write takes locks, because the clock may be user code.
    @inlinable func followClock() {
        if counters.clockOrigin.pointee.load(ordering: .relaxed) != 0 { moveToNow() }
    }

    @usableFromInline func moveToNow() { object.moveToNow() }

    /// The revision of the last commit.
    var lastRevision: UInt64 { counters.lastRevision.pointee.load(ordering: .sequentiallyConsistent) }

    /// Draws the revision of a commit, while the locks of all its slots are held.
    ///
    /// - Parameter count: The number of entities that the commit may insert, at least 1. No other commit gets one of so
    ///   many numbers up to the revision, so they are the places of the entities in the order of insertion.
    @inlinable func nextRevision(for count: Int = 1) -> UInt64 {
        counters.lastRevision.pointee.wrappingAdd(UInt64(count), ordering: .sequentiallyConsistent).newValue
    }

    /// The newest snapshot that may have the entities that a commit replaces, or 0 for none.
    ///
    /// It is read after the revision of the commit is drawn.
    @inlinable var newestSnapshot: UInt64 {
        counters.newestSnapshot.pointee.load(ordering: .sequentiallyConsistent)
    }
}

/// The innermost body of a `read` or `transaction` that runs on a thread.
@usableFromInline let innermostBody = ThreadLocal<AnyObject>()
