internal import Synchronization

/// A fetch queue whose entity type is not known to the caller: its lock, and the facts that are read without it.
///
/// While the lock is held nothing of the user's runs and nothing of it is released, as in all of the library. Entities are
/// known by their slots, which handles keep, because identifiers would have to be hashed and compared. In builds for debugging
/// each ``Fetcher`` checks at its end that no queue is locked. Inside the lock that of the graph of calls may be taken, and
/// none of the library's others; it is never taken while one of those is held.
class ErasedFetchQueue: TableCompanion, @unchecked Sendable {  // All variables are atomic.
    private let lock = Lock()
    /// The age, in nanoseconds, from which on entities are stale; negative for never.
    private let maxAge = Atomic<Int64>(-1)
    /// The newest revision that is stale whatever its age.
    private let staleRevision = Atomic<UInt64>(0)
    /// Whether single entities may be stale that are newer.
    private let hasMarks = Atomic(false)

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
    private static let lockedQueue = ThreadLocal<ErasedFetchQueue>()

    static var isLockedByThread: Bool { lockedQueue.reference != nil }
    #endif

    /// Sets the age from which on entities are stale; `nil` for never.
    func setMaxAge(_ age: Duration?) {
        maxAge.store(age?.nanoseconds ?? -1, ordering: .relaxed)
    }

    /// Takes over which entities were declared stale.
    func setInvalidations(_ invalidations: Invalidations) {
        staleRevision.store(invalidations.all, ordering: .relaxed)
        hasMarks.store(invalidations.hasMarks, ordering: .relaxed)
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

extension Duration {
    /// The whole nanoseconds, at least none and at most as many as are three hundred years.
    fileprivate var nanoseconds: Int64 {
        if self <= .zero { return 0 }
        if self >= .nanoseconds(Int64.max) { return .max }
        return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}

/// Fetches the entities of one type in one cache: passes events to a ``FetchStateMachine`` and performs its actions.
///
/// The lock guards everything variable: the state, and beside it the fetcher, tasks and continuations that the state knows by
/// their numbers. What runs or releases user code is done when the lock is open: notifying observers, calling the fetcher,
/// cancelling and resuming tasks, releasing entities.
final class FetchQueue<Value: Cachable>: ErasedFetchQueue, @unchecked Sendable {  // The lock guards all variables.
    private var state = FetchStateMachine()
    private var fetcher: Fetcher<Value>?
    /// The running calls and timers.
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    /// The waiters whose tasks are suspended.
    private var continuations: [UInt64: CheckedContinuation<FetchOutcome, Never>] = [:]
    /// The number of the last request.
    private let lastRequest = Atomic<UInt64>(0)
    /// The cache, which the queue doesn't keep alive.
    let cache: WeakReference<FlatCache>
    private let history: History

    init(of cache: FlatCache) {
        self.cache = cache.reference
        history = cache.history.object
    }

    /// The last commit, an atomic number, which may be asked for while the lock is held.
    private var lastRevision: UInt64 { HistoryReference(history).lastRevision }

    /// Reads the state under the lock.
    func look<Result>(_ body: (FetchStateMachine) -> Result) -> Result {
        withLock { body(state) }
    }

    /// Passes an event to the state machine under the lock, and performs its action when the lock is open.
    func change(_ event: (inout FetchStateMachine) -> FetchAction) {
        perform(withLock { collect(event(&state)) })
    }

    /// An action, with the objects that the state knows by their numbers.
    private struct Work {
        var action: FetchAction
        /// The tasks that the steps of the action are about, in the order of the steps.
        var tasks: [Task<Void, Never>?] = []
        var continuations: [CheckedContinuation<FetchOutcome, Never>?] = []
        /// The fetcher of calls that are to be made.
        var fetcher: Fetcher<Value>?
    }

    /// Adds to an action the objects that it is about, under the lock.
    private func collect(_ action: consuming FetchAction) -> Work {
        setInvalidations(state.invalidations)
        // The first to ask is the first to go on. Task groups need a time for each task that grows with their number if
        // those end in another order than that in which they were made.
        if action.resumed.count > 1 { action.resumed.sort { $0.waiter < $1.waiter } }
        var work = Work(action: action)
        for step in work.action.steps {
            switch step {
            case .call: work.fetcher = fetcher
            case .cancel(let task), .forget(let task): work.tasks.append(tasks.removeValue(forKey: task))
            case .escalate(let task, _): work.tasks.append(tasks[task])
            case .link(let caller, let call): caller.wait(forNew: call)
            case .unlink(let caller, let call): caller.endWait(for: call)
            case .wait, .check: break
            }
        }
        work.continuations = work.action.resumed.map { continuations.removeValue(forKey: $0.waiter) }
        return work
    }

    private func perform(_ work: consuming Work) {
        // Tasks go first, because observers may take their time.
        var tasks = work.tasks[...]
        for step in work.action.steps {
            switch step {
            case .call(let call): if let fetcher = work.fetcher { start(call, of: fetcher) }
            case .wait(let timer): start(timer)
            case .check(let marks): check(marks)
            case .cancel: tasks.removeFirst()?.cancel()
            case .escalate(_, let priority): if let task = tasks.removeFirst() { escalate(task, to: priority) }
            case .forget: tasks.removeFirst()
            case .link, .unlink: break
            }
        }
        if !work.action.due.isEmpty { read(work.action.due) }
        end(work.action.ended)
        let resumed = work.action.resumed
        let continuations = work.continuations
        // Nothing is left of a request when its task goes on.
        work = Work(action: FetchAction())
        for (place, continuation) in continuations.enumerated() {
            continuation?.resume(returning: resumed[place].outcome)
        }
    }

    override func close() {
        var old: Fetcher<Value>?
        change { state in
            swap(&old, &fetcher)
            return state.closed()
        }
        withExtendedLifetime(old) {}
    }

    func setFetcher(_ new: Fetcher<Value>?) {
        var old = new
        var turn: FetchTurn?
        change { state in
            swap(&old, &fetcher)
            setMaxAge(new?.maxAge)
            let (needed, action) = state.fetcherReplaced(by: new?.terms)
            turn = needed
            return action
        }
        withExtendedLifetime(old) {}
        if let turn { give(turn, isolation: nil) }
    }
}

/// Requests.
extension FetchQueue {
    /// Asks for entities, and waits for those that the request waits for.
    func perform(_ request: FetchRequest, isolation: isolated (any Actor)?) async throws(FetchError) {
        if request.awaited.isEmpty && request.refreshed.isEmpty { return }
        if request.awaited.isEmpty { return try check(begin(request, isolation: isolation) ?? .success, of: request) }
        let outcome = await withTaskCancellationHandler(
            operation: { () -> FetchOutcome in
                if let outcome = begin(request, isolation: isolation) { return outcome }
                return await withCheckedContinuation(isolation: isolation) { park(request, $0) }
            },
            onCancel: { change { $0.waiterCancelled(request.number) } },
            isolation: isolation
        )
        var waiter: FetchWaiter?
        change { state in
            let (finished, leftovers) = state.waiterFinished(request.number)
            waiter = finished
            return leftovers
        }
        try withExtendedLifetime(waiter) { () throws(FetchError) in try check(outcome, of: request) }
    }

    /// The number of a new request.
    func nextRequest() -> UInt64 {
        lastRequest.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Makes the fetches of a request, notifies observers of them, and puts them into the open batch.
    ///
    /// - Returns: The outcome, if there is one already.
    private func begin(_ request: FetchRequest, isolation: isolated (any Actor)?) -> FetchOutcome? {
        guard let cache = cache.object else { return .failure(.cancelled, at: nil) }
        var arrival = FetchStateMachine.Arrival()
        change { state in
            // The lock of the queue is held, so that what is noted in the graph stays true of the state.
            let nodes = request.caller == nil ? [] : state.callsAwaited(by: request).compactMap { $0 }
            let cyclic = request.caller?.wait(for: nodes) ?? []
            arrival = state.requestArrived(request, cyclic: cyclic, now: lastRevision)
            return arrival.action
        }
        if let outcome = arrival.outcome { return outcome }
        announce(arrival.unannounced, in: cache)
        var turn: FetchTurn?
        change { state in
            let (needed, action) = state.announced(arrival.unannounced, turnOf: isolation.map { ObjectIdentifier($0) })
            turn = needed
            return action
        }
        if let turn { give(turn, isolation: isolation) }
        return nil
    }

    /// Keeps the continuation to resume when the wait of a call of `fetch` ends, or resumes it at once.
    private func park(_ request: FetchRequest, _ continuation: CheckedContinuation<FetchOutcome, Never>) {
        let outcome = withLock {
            let outcome = state.waiterParked(request.number)
            if outcome == nil { continuations[request.number] = continuation }
            return outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Throws what has gone wrong, with the keys that it is about.
    private func check(_ outcome: FetchOutcome, of request: FetchRequest) throws(FetchError) {
        guard case .failure(let failure, let positions) = outcome else { return }
        let readings = positions.map { $0.sorted().map { request.awaited[$0] } } ?? request.awaited + request.refreshed
        throw failure.error(readings.map { $0.entity.handle(of: Value.self).key })
    }
}

/// Batches and calls.
extension FetchQueue {
    /// Lets everything else that is queued on the executor of a caller have its turn, then makes a call of a batch.
    ///
    /// The task is isolated as the caller is, so that all requests that an actor makes before its next turn are in the
    /// batch.
    private func give(_ turn: FetchTurn, isolation: isolated (any Actor)?) {
        Task(priority: turn.priority) {
            _ = isolation
            await Task.yield()
            change { $0.batchDue(turn.batch) }
        }
    }

    private func start(_ timer: FetchTimer) {
        let task = Task.detached(priority: timer.task.priority) { [self] in
            try? await history.clock.sleep(timer.window)
            // The window of a batch that has a new fetcher is another one.
            if !Task.isCancelled { change { $0.batchDue(timer.batch) } }
        }
        keep(task, timer.task)
    }

    /// Reads the states of the entities of batches, which makes the batches calls.
    private func read(_ batches: [[PendingFetch]]) {
        let readings = batches.map { batch in
            batch.map { (fetch: $0.number, state: $0.entity.handle(of: Value.self).slotState) }
        }
        change { $0.batchesStarted(readings, now: lastRevision) }
    }

    /// Reads which entities that were declared stale are fresh again.
    private func check(_ marks: [Invalidations.Mark]) {
        let readings = marks.map { (mark: $0, state: $0.entity.handle(of: Value.self).slotState) }
        change { $0.marksChecked(readings) }
    }

    /// Calls a fetcher, whose call keeps the cache alive until it has returned.
    private func start(_ call: FetchCall, of fetcher: Fetcher<Value>) {
        // Otherwise the cache is just going, and ends the call.
        guard let cache = cache.object else { return }
        let task = Task.detached(executorPreference: FetcherExecutor.shared, priority: call.task.priority) { [self] in
            if FlatCache.current === cache { return await run(call, of: fetcher, in: cache) }
            await FlatCache.withCurrent(cache) { await run(call, of: fetcher, in: cache) }
        }
        keep(task, call.task)
    }

    /// Keeps a task that was just made, to cancel or escalate it.
    private func keep(_ task: Task<Void, Never>, _ made: FetchTask) {
        let fate = withLock {
            let fate = state.taskStarted(made.number, priority: made.priority)
            if case .runs = fate { tasks[made.number] = task }
            return fate
        }
        switch fate {
        // A waiter with more priority may have joined since.
        case .runs(let priority): if priority > made.priority { escalate(task, to: priority) }
        case .isCancelled: task.cancel()
        case .hasEnded: break
        }
    }

    private func run(_ call: FetchCall, of fetcher: Fetcher<Value>, in cache: FlatCache) async {
        let fetches = look { $0.fetches(of: call.task.number).filter { $0.phase != .ended } }
        // All waiters have left before it began.
        if fetches.isEmpty { return call.node.end() }
        var answer = FetchAnswer()
        do {
            try await FetchGraphNode.$current.withValue(call.node) {
                try await fetcher.load(Set(fetches.map { $0.entity.handle(of: Value.self).id }), &answer)
            }
        } catch {
            call.node.end()
            return fail(call, error)
        }
        call.node.end()
        store(answer, of: call, in: cache)
    }

    /// Raises the priority of a task, and of all that it waits for: a task that waits for it lends it the own priority.
    private func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        Task.detached(priority: priority) { await task.value }
    }
}
