/// The commit protocol of the article 'Commits' as a small machine, whose threads can be run in every order.
///
/// Each key is in a shard of its own. A step is what one thread does without another one being able to see the middle of
/// it: an atomic operation, or everything between the lock and the unlock of a shard when nothing else is locked meanwhile.
struct CommitProtocol: Hashable {
    /// What a thread is there for.
    enum Work: Hashable {
        /// Stores a value under some keys, all locked at once.
        case commit([Int])
        /// Stores a value under some keys, one piece after another.
        case largeCommit([Int])
        /// Opens a snapshot and reads some keys from it, one by one.
        case read([Int])
        /// Reads some keys one by one, without a snapshot.
        case gets([Int])
        /// Reads keys from a snapshot and stores a value under others, if nobody has changed what was read.
        case transaction(reads: [Int], writes: [Int])
    }

    struct Version: Hashable {
        let value: Int
        let from: Int
        let until: Int
        /// The newest snapshot for which it was kept.
        var limit: Int
    }

    struct Key: Hashable {
        var value = 0
        var revision = 0
        var lock: Int?
        /// The thread that makes a large commit of this shard.
        var gate: Int?
        var versions: [Version] = []
        /// Whether whoever closes a snapshot looks for versions here.
        var isRegistered = false
    }

    struct Thread: Hashable {
        let work: Work
        var step = 0
        var revision = 0
        /// Whether readers see a large commit.
        var isPublished = false
        /// The newest snapshot that was open when the revision was drawn.
        var limit = 0
        var snapshot = 0
        var seen: [Int] = []
        var registered: [Int] = []
    }

    var fault: CommitProtocolFault?
    var lastRevision = 0
    var newestSnapshot = 0
    var openSnapshots: [Int] = []
    var historyLock: Int?
    var keys: [Key]
    var threads: [Thread]
    /// The keys and values of each commit, by revision less one.
    var log: [[Int: Int]] = []
    /// What went wrong; the search ends there.
    var complaint: String?

    init(keys: Int, _ work: [Work], fault: CommitProtocolFault? = nil) {
        self.keys = Array(repeating: Key(), count: keys)
        threads = work.map { Thread(work: $0) }
        self.fault = fault
    }

    static let isOpening = Int.max
    static let isDone = 1_000

    var isFinished: Bool { threads.allSatisfy { $0.step == Self.isDone } }

    /// The value of a key after the commits up to a revision.
    func value(of key: Int, at revision: Int) -> Int { log.prefix(revision).compactMap { $0[key] }.last ?? 0 }

    /// The value that a thread stores.
    func value(storedBy thread: Int) -> Int { thread + 1 }
}

extension CommitProtocol {
    /// Draws the next revision for changes that are under way.
    mutating func draw(_ thread: Int, _ changed: [Int]) {
        lastRevision += 1
        threads[thread].revision = lastRevision
        log.append(Dictionary(uniqueKeysWithValues: changed.map { ($0, value(storedBy: thread)) }))
    }

    /// Replaces the value of a key, and keeps the old one if a snapshot may show it.
    ///
    /// - Returns: Whether that could be done; not while another thread has the lock that registering needs.
    mutating func exchange(_ key: Int, _ thread: Int) -> Bool {
        let (revision, limit) = (threads[thread].revision, threads[thread].limit)
        let old = keys[key]
        if old.revision > 0, old.revision <= limit {
            if !old.isRegistered && fault != .keepsForClosedSnapshot {
                guard historyLock == nil else { return false }
                guard openSnapshots.contains(where: { old.revision <= $0 && $0 < revision }) else {
                    store(key, thread)
                    return true
                }
            }
            keys[key].isRegistered = true
            keys[key].versions.append(
                Version(value: old.value, from: old.revision, until: revision, limit: min(limit, revision - 1))
            )
        }
        store(key, thread)
        return true
    }

    private mutating func store(_ key: Int, _ thread: Int) {
        keys[key].value = value(storedBy: thread)
        keys[key].revision = threads[thread].revision
    }

    /// What a reader sees: in a snapshot, or the newest that is published.
    func visible(_ key: Int, at snapshot: Int?) -> Int? {
        let key = keys[key]
        if let gate = key.gate {
            let published = threads[gate].isPublished ? threads[gate].revision : 0
            if fault != .publishesLargeCommitInPieces, published != 0, key.revision != published,
                snapshot.map({ published <= $0 }) ?? true
            {
                return value(storedBy: gate)
            }
        }
        guard let snapshot, key.revision > snapshot else { return key.value }
        // What was never stored has no version.
        return key.versions.first { $0.from <= snapshot && snapshot < $0.until }?.value ?? 0
    }

    /// Drops the versions that only a closed snapshot has shown.
    mutating func prune(_ key: Int, of closed: Int) {
        let older = openSnapshots.last { $0 < closed } ?? 0
        let newer = openSnapshots.first { $0 > closed } ?? Self.isOpening
        guard !openSnapshots.contains(closed) else { return }
        keys[key].versions = keys[key].versions.compactMap { version in
            guard version.limit > older, version.limit < newer else { return version }
            guard older > 0, version.from <= older, fault != .dropsWhatOlderSnapshotsShow else { return nil }
            var kept = version
            kept.limit = older
            return kept
        }
        if keys[key].versions.isEmpty { keys[key].isRegistered = false }
    }
}
