internal import Synchronization

/// A fetch queue without its static entity type, with its lock and the values that are read without the lock.
///
/// No user code runs and no user value is released while the lock is held. Entities are identified by their slots,
/// which handles keep, because identifiers would have to be hashed and compared. In debug builds, each ``Fetcher``
/// checks at its end that no queue is locked. Only the lock of the graph of calls may be taken inside this lock. This
/// lock is never taken while another lock of the library is held.
class ErasedFetchQueue: TableCompanion, @unchecked Sendable {  // All variables are atomic.
    private let lock = Lock()
    /// The age in nanoseconds at which entities become stale, negative for never.
    private let maxAge = Atomic<Int64>(-1)
    /// The newest revision that is stale independent of its age.
    private let staleRevision = Atomic<UInt64>(0)
    /// Whether single newer entities may be marked as stale.
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

    /// Stops the program in debug builds if the calling thread holds the lock of a queue.
    static func checkUnlocked() {
        #if DEBUG
        precondition(!isLockedByThread, "something of the user's is released while the lock of a queue is held")
        #endif
    }

    #if DEBUG
    private static let lockedQueue = ThreadLocal<ErasedFetchQueue>()

    static var isLockedByThread: Bool { lockedQueue.reference != nil }
    #endif

    /// Sets the age at which entities become stale, or `nil` for never.
    func setMaxAge(_ age: Duration?) {
        maxAge.store(age?.nanoseconds ?? -1, ordering: .relaxed)
    }

    /// Copies the summary of the invalidations.
    func setInvalidations(_ invalidations: Invalidations) {
        staleRevision.store(invalidations.all, ordering: .relaxed)
        hasMarks.store(invalidations.hasMarks, ordering: .relaxed)
    }

    /// Whether an entity that is new enough may still be marked as stale.
    var mustLookAtMarks: Bool { hasMarks.load(ordering: .relaxed) }

    /// The oldest revision of an entity that isn't stale, unless the entity itself is marked as stale.
    ///
    /// - Parameter age: The age at which it becomes stale, instead of the type's age.
    func oldestFreshRevision(_ age: Duration?, in history: History) -> UInt64 {
        max(staleRevision.load(ordering: .relaxed) + 1, oldestYoungRevision(age, in: history))
    }

    /// The oldest revision of an entity that isn't too old.
    ///
    /// - Parameter age: The age at which it becomes stale, instead of the type's age.
    func oldestYoungRevision(_ age: Duration?, in history: History) -> UInt64 {
        let ownAge = maxAge.load(ordering: .relaxed)
        guard let limit = age ?? (ownAge < 0 ? nil : .nanoseconds(ownAge)) else { return 0 }
        history.startClock()
        return history.oldestRevision(youngerThan: max(limit, .zero))
    }
}

extension Duration {
    /// The number of nanoseconds, limited to the range from zero to three hundred years.
    fileprivate var nanoseconds: Int64 {
        if self <= .zero { return 0 }
        if self >= .nanoseconds(Int64.max) { return .max }
        return components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}

/// The fetching of one type in one cache, which passes events to a ``FetchStateMachine`` and performs its actions.
///
/// The lock guards all variables: the state, the fetcher, and the tasks and continuations that the state refers to by
/// number. Steps that run or release user code are performed after unlocking: notifying observers, calling the fetcher,
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

    /// The revision of the last commit, an atomic number, which may be read while the lock is held.
    private var lastRevision: UInt64 { HistoryReference(history).lastRevision }

    /// Reads the state under the lock.
    func look<Result>(_ body: (FetchStateMachine) -> Result) -> Result {
        withLock { body(state) }
    }

    /// Passes an event to the state machine under the lock, and performs its action after unlocking.
    func change(_ event: (inout FetchStateMachine) -> FetchAction) {
        perform(withLock { collect(event(&state)) })
    }

    /// An action with the objects that the state refers to by number.
    private struct Work {
        var action: FetchAction
        /// The tasks of the steps of the action, in the order of the steps.
        var tasks: [Task<Void, Never>?] = []
        var continuations: [CheckedContinuation<FetchOutcome, Never>?] = []
        /// The fetcher of the calls to make.
        var fetcher: Fetcher<Value>?
    }

    /// Adds the objects of an action, under the lock.
    private func collect(_ action: consuming FetchAction) -> Work {
        setInvalidations(state.invalidations)
        // The first waiter is resumed first. If tasks of a group end in another order than they were created, the group
        // needs time for each task that grows with the number of tasks.
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
        // Task steps are performed first, because observers may be slow.
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
        // The objects of a request are released before its task is resumed.
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
    /// Begins a request, and waits for its awaited entities.
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

    /// Creates the fetches of a request, notifies observers of them, and adds them to the open batch.
    ///
    /// - Returns: The outcome, if it is already known.
    private func begin(_ request: FetchRequest, isolation: isolated (any Actor)?) -> FetchOutcome? {
        guard let cache = cache.object else { return .failure(.cancelled, at: nil) }
        var arrival = FetchStateMachine.Arrival()
        change { state in
            // The lock of the queue is held, so that the graph remains consistent with the state.
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

    /// Stores the continuation of a request until its wait ends, or resumes it immediately.
    private func park(_ request: FetchRequest, _ continuation: CheckedContinuation<FetchOutcome, Never>) {
        let outcome = withLock {
            let outcome = state.waiterParked(request.number)
            if outcome == nil { continuations[request.number] = continuation }
            return outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Throws the error of an outcome, with its keys.
    private func check(_ outcome: FetchOutcome, of request: FetchRequest) throws(FetchError) {
        guard case .failure(let failure, let positions) = outcome else { return }
        let readings = positions.map { $0.sorted().map { request.awaited[$0] } } ?? request.awaited + request.refreshed
        throw failure.error(readings.map { $0.entity.handle(of: Value.self).key })
    }
}

/// Batches and calls.
extension FetchQueue {
    /// Waits for a turn of the caller's executor, then makes the call of a batch.
    ///
    /// The task has the caller's isolation, so that the batch has all requests that the actor makes before its next
    /// turn.
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
            // A batch of a new fetcher has another window.
            if !Task.isCancelled { change { $0.batchDue(timer.batch) } }
        }
        keep(task, timer.task)
    }

    /// Reads the states of the entities of due batches, and turns the batches into calls.
    private func read(_ batches: [[PendingFetch]]) {
        let readings = batches.map { batch in
            batch.map { (fetch: $0.number, state: $0.entity.handle(of: Value.self).slotState) }
        }
        change { $0.batchesStarted(readings, now: lastRevision) }
    }

    /// Checks which entities with a mark are fresh again.
    private func check(_ marks: [Invalidations.Mark]) {
        let readings = marks.map { (mark: $0, state: $0.entity.handle(of: Value.self).slotState) }
        change { $0.marksChecked(readings) }
    }

    /// Calls a fetcher.
    ///
    /// The call keeps the cache alive until the fetcher returns.
    private func start(_ call: FetchCall, of fetcher: Fetcher<Value>) {
        // Otherwise the cache is being deallocated, which ends the call.
        guard let cache = cache.object else { return }
        let task = Task.detached(executorPreference: FetcherExecutor.shared, priority: call.task.priority) { [self] in
            if FlatCache.current === cache { return await run(call, of: fetcher, in: cache) }
            await FlatCache.withCurrent(cache) { await run(call, of: fetcher, in: cache) }
        }
        keep(task, call.task)
    }

    /// Stores a new task, to cancel or escalate it later.
    private func keep(_ task: Task<Void, Never>, _ made: FetchTask) {
        let fate = withLock {
            let fate = state.taskStarted(made.number, priority: made.priority)
            if case .runs = fate { tasks[made.number] = task }
            return fate
        }
        switch fate {
        // A waiter with a higher priority may have joined since.
        case .runs(let priority): if priority > made.priority { escalate(task, to: priority) }
        case .isCancelled: task.cancel()
        case .hasEnded: break
        }
    }

    private func run(_ call: FetchCall, of fetcher: Fetcher<Value>, in cache: FlatCache) async {
        let fetches = look { $0.fetches(of: call.task.number).filter { $0.phase != .ended } }
        // No waiter was left before the call began.
        if fetches.isEmpty { return call.node.end() }
        let ids = fetches.map { $0.entity.handle(of: Value.self).id }
        var answer = FetchAnswer()
        var fresh: [FlatCacheKey] = []
        do {
            defer { call.node.end() }
            try await FetchGraphNode.$current.withValue(call.node) { try await fetcher.load(Set(ids), &answer) }
        } catch let error as FlatCache.NotModified {
            answer = FetchAnswer(unmodified: ids, of: Value.self)
            fresh = ids.map { Value.flatCacheKey(id: $0) } + error.keys
        } catch {
            return fail(call, error)
        }
        // What the store alone has must be in memory, because the answer may keep a part of it.
        let held = answer.hold(for: call, in: cache)
        if !held.isEmpty { await cache.load(held, isolation: nil) }
        for key in fresh { cache.markFresh(key, since: CacheRevision(number: call.since)) }
        store(answer, of: call, in: cache)
        withExtendedLifetime(held) {}
    }

    /// Raises the priority of a task and of the tasks that it waits for, by a task of that priority that waits for it.
    private func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        Task.detached(priority: priority) { await task.value }
    }
}
