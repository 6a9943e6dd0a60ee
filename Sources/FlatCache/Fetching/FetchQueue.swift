/// What fetches the entities of one type in one cache: joins requests for one entity, gathers requests into batches, and
/// calls the fetcher.
///
/// The state, with the tickets, waiters and calls in it, is guarded by the lock. What runs user code is done when the lock
/// is open: see ``FetchEffects``. The lock is taken before those of shards, never while one of them is held.
///
/// The state that acts and the lock that only guards it are kept apart as in Apple's swift-async-algorithms.
final class FetchQueue<Value: Cachable>: ErasedFetchQueue, @unchecked Sendable {  // `state` is guarded by the lock.
    private let lock = Lock()
    private var state = FetchQueueState<Value>()
    /// The cache, which the queue doesn't keep alive.
    let cache: WeakReference<FlatCache>
    private let clock: CacheClock

    init(of cache: FlatCache) {
        self.cache = cache.reference
        clock = cache.history.object.clock
    }

    /// Changes the state under the lock, and does what that makes necessary when the lock is open.
    func change<Result>(
        _ body: (inout FetchQueueState<Value>, inout FetchEffects<Value>) -> Result
    ) -> Result {
        var effects = FetchEffects<Value>()
        let result = lock.withLock {
            defer { setInvalidations(all: state.invalidations.all, hasMarks: state.invalidations.hasMarks) }
            return body(&state, &effects)
        }
        perform(effects)
        return result
    }

    /// Reads the state under the lock.
    func look<Result>(_ body: (FetchQueueState<Value>) -> Result) -> Result {
        lock.withLock { body(state) }
    }

    private func perform(_ effects: borrowing FetchEffects<Value>) {
        end(effects.ended)
        for call in effects.calls { start(call) }
        for (batch, window, priority) in effects.timers { startTimer(of: batch, window, priority) }
        for task in effects.cancelled { task.cancel() }
        for (task, priority) in effects.escalations { escalate(task, to: priority) }
        for (continuation, outcome) in effects.resumptions { continuation.resume(returning: outcome) }
    }

    override func close() {
        change { $0.close(&$1) }
    }
}

extension FetchQueue {
    /// Asks for entities, and waits for those that the request waits for.
    func request(_ request: FetchRequest<Value>, isolation: isolated (any Actor)?) async -> Result<Void, FetchError> {
        guard let waiter = request.waiter else { return begin(request, isolation: isolation) }
        let outcome = await withTaskCancellationHandler(
            operation: { () -> Result<Void, FetchError> in
                if case .failure(let error) = begin(request, isolation: isolation) { return .failure(error) }
                return await withCheckedContinuation(isolation: isolation) { park(waiter, $0) }
            },
            onCancel: { cancel(waiter) },
            isolation: isolation
        )
        end(look { _ in waiter.abandoned.take() })
        return outcome
    }

    /// Makes the tickets of a request, tells observers of them, and puts them into the open batch.
    private func begin(_ request: FetchRequest<Value>, isolation: isolated (any Actor)?) -> Result<Void, FetchError> {
        guard let cache = cache.object else { return .failure(.cancelled(request.keys)) }
        switch change({ $0.register(request, in: cache, &$1) }) {
        case .failure(let error): return .failure(error)
        case .success(let tickets):
            announce(tickets, in: cache)
            let turn = change { state, effects in
                state.add(tickets, &effects)
                return state.schedule(&effects)
            }
            if let turn { schedule(turn, isolation: isolation) }
            return .success(())
        }
    }

    /// Keeps what to resume when the wait of a call of `fetch` ends, or resumes it at once.
    private func park(
        _ waiter: FetchWaiter<Value>,
        _ continuation: CheckedContinuation<Result<Void, FetchError>, Never>
    ) {
        let outcome = look { _ in
            if waiter.outcome == nil { waiter.continuation = continuation }
            return waiter.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Ends the wait of a call of `fetch` whose task was cancelled.
    ///
    /// Observers are told by the call itself, when it has resumed: the runtime may hold a lock of the task here.
    private func cancel(_ waiter: FetchWaiter<Value>) {
        change { state, effects in
            state.leave(waiter, .failure(.cancelled(waiter.keys)), &effects)
            waiter.abandoned = effects.ended.take()
        }
    }
}

extension Array {
    /// Takes all elements out.
    fileprivate mutating func take() -> Self {
        defer { self = [] }
        return self
    }
}

extension FetchQueue {
    /// Lets everything else that is queued on the executor of a caller have its turn, then makes a call of a batch.
    ///
    /// The task is isolated as the caller is, so that all requests that an actor makes before its next turn are in the
    /// batch.
    func schedule(_ turn: ScheduledTurn, isolation: isolated (any Actor)?) {
        Task(priority: turn.priority) {
            _ = isolation
            await Task.yield()
            dispatch(turn.batch)
        }
    }

    private func startTimer(of batch: Int, _ window: Duration, _ priority: TaskPriority) {
        let task = Task.detached(priority: priority) { [self] in
            try? await clock.sleep(window)
            dispatch(batch)
        }
        change { state, effects in
            if state.batch?.number == batch { state.batch?.timer = task } else { effects.cancelled.append(task) }
        }
    }

    private func dispatch(_ batch: Int) {
        change { state, effects in
            if state.batch?.number == batch { state.dispatch(&effects) }
        }
    }

    /// Calls a fetcher.
    private func start(_ call: FetchCall<Value>) {
        let priority = look { _ in call.priority }
        let task = Task.detached(priority: priority) { [self] in
            await FlatCache.withCurrent(unretained: cache) { await run(call) }
        }
        change { state, effects in
            if call.isCancelled { effects.cancelled.append(task) }
            // Somebody with more priority may have joined since.
            if call.priority > priority { effects.escalations.append((task, call.priority)) }
            call.task = task
        }
    }

    private func run(_ call: FetchCall<Value>) async {
        var answer = FetchAnswer()
        do {
            try await RunningCall.$current.withValue(call) {
                try await call.fetcher.load(call.ids, &answer)
            }
        } catch {
            fail(call, error)
            return
        }
        store(answer, of: call)
    }

    /// Raises the priority of a task, and of all that it waits for: who waits for it lends it the own priority.
    private func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        Task.detached(priority: priority) { await task.value }
    }
}
