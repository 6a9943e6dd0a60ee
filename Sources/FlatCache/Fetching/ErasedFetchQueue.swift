internal import Synchronization

/// The queue of a type that the caller doesn't know, and what it says about the age of entities without its lock.
class ErasedFetchQueue: @unchecked Sendable {  // All variables are atomic.
    /// The age, in nanoseconds, from which on entities are stale; negative for never.
    private let maxAge = Atomic<Int64>(-1)
    /// The newest revision that is stale whatever its age.
    private let staleRevision = Atomic<UInt64>(0)
    /// Whether single entities may be stale that are newer.
    private let hasMarks = Atomic(false)

    /// Ends everything, because the cache is gone.
    func close() {}

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
        return max(oldest, history.oldestRevision(youngerThan: limit))
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
