/// A call of a loader.
final class ListCall<Value: Cachable>: @unchecked Sendable {  // Locks guard the variables.
    let request: ListRequest<Value>
    let number: UInt64
    /// The node of the call in the graph of calls that wait for each other.
    let node = FetchGraphNode()
    private let waiters = Waiters()
    /// The number of those who wait, which the lock of the loader guards.
    var waiterCount = 0
    /// Whether entities of the page replace newer writes, which the lock of the loader guards.
    var replacesNewerWrites = false
    private let lock = Lock()
    private var task: Task<Void, Never>?
    private var hasDropped = false
    private var hasReplacement = false
    private var result: Result<Bool, any Error>?

    init(_ request: ListRequest<Value>, number: UInt64) {
        self.request = request
        self.number = number
    }

    /// Whether the page of the call had not joined the list when a request for its place was made.
    func hasNotJoined(asOf later: ListRequest<Value>) -> Bool {
        switch request.place {
        case .first: later.lastFirstCall < number
        case .beginning: later.beginningNumber == request.beginningNumber
        case .end: later.endNumber == request.endNumber
        // A request for a gap is made while there is this gap.
        case .gap, .gapFromBelow: true
        }
    }

    /// The entity around which the page is, or `nil` if there is none.
    var entity: Value.ID? { if case .around(let id) = request.page { id } else { nil } }

    /// Whether the page of the call is that of a later request for the same place.
    ///
    /// A request that is made after an invalidation needs a newer page.
    func serves(_ later: ListRequest<Value>) -> Bool {
        hasPage(of: later) && request.invalidations >= later.invalidations
    }

    /// Whether the call has asked for the page of a later request for the same place, maybe too early.
    func hasPage(of later: ListRequest<Value>) -> Bool {
        guard request.generation == later.generation, request.source.number >= later.source.number else { return false }
        return if let around = later.around { around.isSame && around.running == number } else { request.around == nil }
    }

    /// Whether the page isn't to join the list.
    var isDropped: Bool { lock.withLock { hasDropped } }

    /// Whether the call was dropped because a newer one asks for its page again.
    var isReplaced: Bool { lock.withLock { hasReplacement } }

    /// Starts the task, unless the call was dropped.
    func start(_ body: @escaping @Sendable () async -> Void) {
        // The executor distinguishes the tasks of a loader from those that it starts.
        let task = Task(executorPreference: FetcherExecutor.shared, operation: body)
        let isDropped = lock.withLock {
            self.task = task
            return hasDropped
        }
        if isDropped { task.cancel() }
    }

    /// Waits for the end.
    ///
    /// - Returns: Whether a page has joined the list.
    func wait() async throws -> Bool {
        try await waiters.wait()
        return try lock.withLock { result }?.get() ?? false
    }

    /// Sets the result, unless there is one, and ends the wait of all.
    func finish(_ result: Result<Bool, any Error>) {
        lock.withLock { if self.result == nil { self.result = result } }
        waiters.finish()
    }

    /// Ends the wait of all without a page, and cancels the task.
    ///
    /// - Parameter isReplaced: Whether a newer call asks for the page again.
    func drop(isReplaced: Bool = false) {
        let task = lock.withLock {
            hasDropped = true
            hasReplacement = isReplaced
            return self.task
        }
        finish(.success(false))
        task?.cancel()
    }
}
