/// One call of `fetch` that waits for entities.
final class FetchWaiter<Value: Cachable>: @unchecked Sendable {  // Everything variable is guarded by the queue's lock.
    /// What is waited for, in the order in which it was asked for.
    let ids: [Value.ID]
    /// The call of a fetcher that waits with it, if it was made from inside of one.
    let caller: RunningCall?
    let priority: TaskPriority
    var tickets: [FetchTicket<Value>] = []
    /// The calls that know that `caller` waits for them.
    var awaited: [RunningCall] = []
    /// How many of the entities have no outcome yet.
    var remaining = 0
    private var notFound: Set<Value.ID> = []
    private var removed: Set<Value.ID> = []
    private(set) var outcome: Result<Void, FetchError>?
    var continuation: CheckedContinuation<Result<Void, FetchError>, Never>?
    /// Requests that nobody wants any more since this call has left them; it tells observers so when it has resumed,
    /// because no user code may run in a cancellation handler.
    var abandoned: [FetchTicket<Value>] = []

    init(ids: [Value.ID], caller: RunningCall?, priority: TaskPriority) {
        self.ids = ids
        self.caller = caller
        self.priority = priority
    }

    /// Notes that one of the entities has an outcome that lets the call wait for the others.
    func note(_ outcome: FetchOutcome, of id: Value.ID) {
        remaining -= 1
        switch outcome {
        case .notFound: notFound.insert(id)
        case .removed: removed.insert(id)
        case .success, .noFetcher, .failed: break
        }
    }

    /// The outcome when all entities have one.
    var summary: Result<Void, FetchError> {
        if !notFound.isEmpty { return .failure(.notFound(keys(of: notFound))) }
        if !removed.isEmpty { return .failure(.removed(keys(of: removed))) }
        return .success(())
    }

    /// The keys of some of the entities, in the order in which they were asked for.
    func keys(of some: Set<Value.ID>) -> [FlatCacheKey] {
        ids.filter(some.contains).map { FlatCacheKey(Value.self, id: $0) }
    }

    var keys: [FlatCacheKey] { ids.map { FlatCacheKey(Value.self, id: $0) } }

    /// Ends the wait.
    ///
    /// - Returns: What to resume, after the lock is open.
    func end(_ outcome: Result<Void, FetchError>) -> CheckedContinuation<Result<Void, FetchError>, Never>? {
        guard self.outcome == nil else { return nil }
        self.outcome = outcome
        return continuation.take()
    }
}
