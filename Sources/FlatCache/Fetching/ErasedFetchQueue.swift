internal import Synchronization

/// The queue of a type that the caller doesn't know: its lock, and what it says without that.
///
/// While the lock is held nothing of the user's runs and nothing of it is released, as in all of the library. Entities are
/// known by their slots, which handles keep, because identifiers would have to be hashed and compared. What is taken out of
/// the guarded state goes into the ``FetchEffects``, which outlive the lock; in builds for debugging, each class that holds
/// something of the user's checks at its end that no queue is locked. Inside the lock those of shards and that of the graph of
/// calls may be taken, and none of the library's others; nobody takes it while one of those is held.
class ErasedFetchQueue: @unchecked Sendable {  // All variables are atomic.
    private let lock = Lock()
    /// The age, in nanoseconds, from which on entities are stale; negative for never.
    private let maxAge = Atomic<Int64>(-1)
    /// The newest revision that is stale whatever its age.
    private let staleRevision = Atomic<UInt64>(0)
    /// Whether single entities may be stale that are newer.
    private let hasMarks = Atomic(false)
    /// At least the number of the errors that are remembered.
    private let errorCount = Atomic(0)

    /// Ends everything, because the cache is gone.
    func close() {}

    /// Runs a body while the lock is held.
    final func withLock<Result>(_ body: () -> Result) -> Result {
        lock.withLock {
            #if DEBUG
            Self.lockedQueue.object = self
            defer { Self.lockedQueue.object = nil }
            #endif
            return body()
        }
    }

    /// Stops the program in builds for debugging if the calling thread holds the lock of a queue.
    static func checkUnlocked() {
        #if DEBUG
        precondition(!isLockedByThread, "something of the user's is released while the lock of a queue is held")
        #endif
    }

    #if DEBUG
    private static let lockedQueue = ThreadSpecific<ErasedFetchQueue>()

    static var isLockedByThread: Bool { lockedQueue.reference != nil }
    #endif

    /// Sets the age from which on entities are stale; `nil` for never.
    func setMaxAge(_ age: Duration?) {
        maxAge.store(age?.nanoseconds ?? -1, ordering: .relaxed)
    }

    /// Takes over which entities were declared stale.
    func setInvalidations(all: UInt64, hasMarks: Bool) {
        staleRevision.store(all, ordering: .relaxed)
        self.hasMarks.store(hasMarks, ordering: .relaxed)
    }

    /// Whether an entity that is new enough may be stale all the same.
    var mustLookAtMarks: Bool { hasMarks.load(ordering: .relaxed) }

    /// The oldest revision of an entity that isn't stale, unless that entity was declared stale by itself.
    ///
    /// - Parameter age: The age from which on it is stale, instead of that of the type.
    func oldestFreshRevision(_ age: Duration?, in history: History) -> UInt64 {
        let oldest = staleRevision.load(ordering: .relaxed) + 1
        let ownAge = maxAge.load(ordering: .relaxed)
        guard let limit = age ?? (ownAge < 0 ? nil : .nanoseconds(ownAge)) else { return oldest }
        history.startClock()
        return max(oldest, history.oldestRevision(youngerThan: max(limit, .zero)))
    }
}

/// The count of errors that are remembered.
extension ErasedFetchQueue {
    /// Counts errors that were stored.
    ///
    /// - Returns: At least the number of those that are remembered.
    func addErrors(_ count: Int) -> Int {
        errorCount.wrappingAdd(count, ordering: .sequentiallyConsistent).newValue
    }

    /// Corrects the count; without effect when an error is stored meanwhile.
    ///
    /// - Parameter count: Counts the errors that are remembered.
    func correctErrorCount(_ count: () -> Int) {
        let before = errorCount.load(ordering: .sequentiallyConsistent)
        let now = count()
        _ = errorCount.compareExchange(expected: before, desired: now, ordering: .sequentiallyConsistent)
    }
}

extension Duration {
    /// The whole nanoseconds, at least none and at most as many as are three hundred years.
    fileprivate var nanoseconds: Int64 {
        if self <= .zero { return 0 }
        if self >= .nanoseconds(Int64.max) { return .max }
        return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
