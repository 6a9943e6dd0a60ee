/// What a change of a queue's state makes necessary, done when the queue's lock is open.
///
/// Everything that is taken out of the state goes into one of these lists, so that none of the user's objects, of
/// identifiers, fetchers and errors among them, is released while the lock is held.
struct FetchEffects<Value: Cachable>: ~Copyable {
    var calls: [FetchCall<Value>] = []
    var timers: [FetchTimer] = []
    var cancelled: [Task<Void, Never>] = []
    var escalations: [(task: Task<Void, Never>, priority: TaskPriority)] = []
    /// Requests that have ended without an outcome, or without a call: their entities aren't loading any more.
    var ended: [FetchTicket<Value>] = []
    var resumptions: [FetchResumption] = []
    /// What there is nothing to do about.
    var released: [any Sendable] = []

    /// Ends the wait of one call of `fetch`.
    mutating func end(_ request: FetchRequest<Value>, _ outcome: FetchOutcome) {
        if let continuation = request.end(outcome) {
            resumptions.append(FetchResumption(request: request.number, continuation: continuation, outcome: outcome))
        }
        released.append(request)
    }
}

/// A caller of `fetch` that is to go on.
struct FetchResumption {
    /// The number of the request.
    let request: UInt64
    let continuation: CheckedContinuation<FetchOutcome, Never>
    let outcome: FetchOutcome
}

/// The end of a batch window, to be waited for.
struct FetchTimer {
    let batch: Int
    /// Tells the timers of one batch apart.
    let number: Int
    let window: Duration
    let priority: TaskPriority
}

/// A turn of an executor, at the end of which a batch becomes a call.
struct FetchTurn {
    let batch: Int
    let priority: TaskPriority
}
