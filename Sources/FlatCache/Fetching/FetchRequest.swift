/// One call of `fetch`: what it asks the queue for, and who waits.
final class FetchRequest<Value: Cachable>: @unchecked Sendable {  // Everything variable is guarded by the queue's lock.
    /// What is waited for, no entity twice, in the order in which it was asked for.
    let awaited: [Cached<Value>]
    /// What is fetched without anybody who waits.
    let refreshed: [Cached<Value>]
    /// The last commit before the caller looked what is missing.
    let since: UInt64
    let policy: FetchPolicy
    /// The call of a fetcher that waits with this one, if it was made from inside of one.
    let caller: RunningCall?
    let priority = Task.currentPriority

    /// Grows from request to request of a type.
    var number: UInt64 = 0
    /// The requests for what is waited for.
    var tickets: [FetchTicket<Value>] = []
    /// How many of the entities have no outcome yet.
    var remaining = 0
    private var notFound: [Int] = []
    private var removed: [Int] = []
    private(set) var outcome: FetchOutcome?
    var continuation: CheckedContinuation<FetchOutcome, Never>?
    private var leftovers: (abandoned: [FetchTicket<Value>], released: [any Sendable]) = ([], [])

    init(
        awaited: [Cached<Value>],
        refreshed: [Cached<Value>],
        since: UInt64,
        _ policy: FetchPolicy
    ) {
        self.awaited = awaited
        self.refreshed = refreshed
        self.since = since
        self.policy = policy
        caller = awaited.isEmpty ? nil : RunningCall.ofTask
    }

    deinit {
        ErasedFetchQueue.checkUnlocked()
    }

    /// Notes that one of the entities has an outcome that lets the call wait for the others.
    func note(_ outcome: TicketOutcome, at position: Int) {
        remaining -= 1
        switch outcome {
        case .notFound: notFound.append(position)
        case .removed: removed.append(position)
        case .success: break
        }
    }

    /// The outcome when all entities have one.
    var summary: FetchOutcome {
        if !notFound.isEmpty { return .failure(at: notFound) { .notFound($0) } }
        if !removed.isEmpty { return .failure(at: removed) { .removed($0) } }
        return .success
    }

    /// Ends the wait.
    ///
    /// - Returns: What to resume, after the lock is open.
    func end(_ outcome: FetchOutcome) -> CheckedContinuation<FetchOutcome, Never>? {
        guard self.outcome == nil else { return nil }
        self.outcome = outcome
        return continuation.take()
    }

    /// Keeps what is left to do until the caller has resumed, because no user code may run in a cancellation handler.
    ///
    /// - Parameters:
    ///   - abandoned: What nobody wants any more since this call has left: observers must be notified.
    ///   - released: What may be the user's.
    func leave(_ abandoned: [FetchTicket<Value>], _ released: [any Sendable]) {
        leftovers = (abandoned, released)
    }

    /// Takes what is left to do.
    func takeLeftovers() -> (abandoned: [FetchTicket<Value>], released: [any Sendable]) {
        defer { leftovers = ([], []) }
        return leftovers
    }

    /// Throws what has gone wrong, with the keys that it is about; called where no lock is held.
    func check(_ outcome: FetchOutcome) throws(FetchError) {
        guard case .failure(let positions, let error) = outcome else { return }
        let handles = positions.map { $0.sorted().map { awaited[$0] } } ?? awaited + refreshed
        throw error(handles.map(\.key))
    }
}

/// How one call of `fetch` has ended.
enum FetchOutcome: Sendable {
    case success
    /// Entities could not be fetched: those at some places among what is waited for; `nil` for all.
    case failure(at: [Int]?, _ error: @Sendable ([FlatCacheKey]) -> FetchError)
}
