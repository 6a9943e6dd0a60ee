/// What a change of a queue's state makes necessary, done when the queue's lock is open.
struct FetchEffects<Value: Cachable>: ~Copyable {
    /// Requests that have ended without an outcome, or without a call: their entities aren't loading any more.
    var ended: [FetchTicket<Value>] = []
    var calls: [FetchCall<Value>] = []
    var timers: [(batch: Int, window: Duration, priority: TaskPriority)] = []
    var cancelled: [Task<Void, Never>] = []
    var escalations: [(task: Task<Void, Never>, priority: TaskPriority)] = []
    var resumptions:
        [(continuation: CheckedContinuation<Result<Void, FetchError>, Never>, outcome: Result<Void, FetchError>)] = []
    /// What may run user code when it is released.
    var released: [any Sendable] = []

    /// Ends the wait of one call of `fetch`.
    mutating func end(_ waiter: FetchWaiter<Value>, _ outcome: Result<Void, FetchError>) {
        if let continuation = waiter.end(outcome) { resumptions.append((continuation, outcome)) }
        for call in waiter.awaited {
            if let caller = call.remove(waiter) { released.append(caller) }
        }
        released.append(waiter.awaited)
        waiter.awaited = []
    }
}
