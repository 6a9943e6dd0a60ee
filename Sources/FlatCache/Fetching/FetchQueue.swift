/// What fetches the entities of one type in one cache: joins requests for one entity, gathers requests into batches, and
/// calls the fetcher.
///
/// The state, with the tickets, requests and calls in it, is guarded by the lock. What runs user code is done when the lock
/// is open: see ``FetchEffects``.
///
/// The state that acts and the lock that only guards it are kept apart as in Apple's swift-async-algorithms.
final class FetchQueue<Value: Cachable>: ErasedFetchQueue, @unchecked Sendable {  // `state` is guarded by the lock.
    private var state = FetchQueueState<Value>()
    /// The cache, which the queue doesn't keep alive.
    let cache: WeakReference<FlatCache>
    private let clock: CacheClock
    /// The number of errors from which on those are forgotten that nobody can ask about; guarded by the lock.
    var errorLimit = 64

    init(of cache: FlatCache) {
        self.cache = cache.reference
        clock = cache.history.object.clock
    }

    /// Changes the state under the lock, and does what that makes necessary when the lock is open.
    @discardableResult
    func change<Result>(
        _ body: (inout FetchQueueState<Value>, inout FetchEffects<Value>) -> Result
    ) -> Result {
        var effects = FetchEffects<Value>()
        let result = withLock {
            defer { setInvalidations(all: state.invalidations.all, hasMarks: state.invalidations.hasMarks) }
            return body(&state, &effects)
        }
        perform(effects)
        return result
    }

    /// Reads the state under the lock.
    func look<Result>(_ body: (FetchQueueState<Value>) -> Result) -> Result {
        withLock { body(state) }
    }

    private func perform(_ effects: consuming FetchEffects<Value>) {
        // First what others wait for: observers may take their time.
        for call in effects.calls { start(call) }
        for timer in effects.timers { start(timer) }
        for task in effects.cancelled { task.cancel() }
        for (task, priority) in effects.escalations { escalate(task, to: priority) }
        end(effects.ended)
        // Who is resumed finds nothing left of the request.
        // The first to ask is the first to go on. Task groups need a time for each task that grows with their number if
        // those end in another order than that in which they were made.
        let resumptions = effects.resumptions.sorted { $0.request < $1.request }
        effects = FetchEffects()
        for resumption in resumptions { resumption.continuation.resume(returning: resumption.outcome) }
    }

    override func close() {
        change { $0.close(&$1) }
    }
}

extension FetchQueue {
    /// Asks for entities, and waits for those that the request waits for.
    func perform(_ request: FetchRequest<Value>, isolation: isolated (any Actor)?) async throws(FetchError) {
        if request.awaited.isEmpty && request.refreshed.isEmpty { return }
        if request.awaited.isEmpty { return try request.check(begin(request, isolation: isolation) ?? .success) }
        let outcome = await withTaskCancellationHandler(
            operation: { () -> FetchOutcome in
                if let outcome = begin(request, isolation: isolation) { return outcome }
                return await withCheckedContinuation(isolation: isolation) { park(request, $0) }
            },
            onCancel: { cancel(request) },
            isolation: isolation
        )
        let leftovers = look { _ in request.takeLeftovers() }
        end(leftovers.abandoned)
        try request.check(outcome)
    }

    /// Makes the tickets of a request, notifies observers of them, and puts them into the open batch.
    ///
    /// - Returns: The outcome, if there is one already.
    private func begin(_ request: FetchRequest<Value>, isolation: isolated (any Actor)?) -> FetchOutcome? {
        guard let cache = cache.object else { return .failure(at: nil) { .cancelled($0) } }
        let (outcome, unannounced) = change { $0.register(request, &$1) }
        if let outcome { return outcome }
        announce(unannounced, in: cache)
        let turn = change { state, effects in
            state.add(unannounced, &effects)
            return state.schedule(for: isolation.map { ObjectIdentifier($0) }, &effects)
        }
        if let turn { give(turn, isolation: isolation) }
        return nil
    }

    /// Keeps what to resume when the wait of a call of `fetch` ends, or resumes it at once.
    private func park(_ request: FetchRequest<Value>, _ continuation: CheckedContinuation<FetchOutcome, Never>) {
        let outcome = look { _ in
            if request.outcome == nil { request.continuation = continuation }
            return request.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    /// Ends the wait of a call of `fetch` whose task was cancelled.
    ///
    /// The call itself notifies observers and releases what is left, when it has resumed: the runtime may hold a lock of the
    /// task here.
    private func cancel(_ request: FetchRequest<Value>) {
        change { state, effects in
            state.leave(request, .failure(at: nil) { .cancelled($0) }, &effects)
            request.leave(effects.ended, effects.released)
            effects.ended = []
            effects.released = []
        }
    }

    /// Lets everything else that is queued on the executor of a caller have its turn, then makes a call of a batch.
    ///
    /// The task is isolated as the caller is, so that all requests that an actor makes before its next turn are in the
    /// batch.
    func give(_ turn: FetchTurn, isolation: isolated (any Actor)?) {
        Task(priority: turn.priority) {
            _ = isolation
            await Task.yield()
            dispatch(turn.batch)
        }
    }

    private func start(_ timer: FetchTimer) {
        let task = Task.detached(priority: timer.priority) { [self] in
            try? await clock.sleep(timer.window)
            // The window of a batch that has a new fetcher is another one.
            if !Task.isCancelled { dispatch(timer.batch) }
        }
        change { state, effects in
            guard state.batch?.setTask(task, of: timer.number) == true, let priority = state.batch?.priority else {
                effects.cancelled.append(task)
                return
            }
            if priority > timer.priority { effects.escalations.append((task, priority)) }
        }
    }

    private func dispatch(_ batch: Int) {
        change { state, effects in
            if state.batch?.number == batch { state.dispatch(&effects) }
        }
    }

    /// Calls a fetcher, whose call keeps the cache alive until it has returned.
    private func start(_ call: FetchCall<Value>) {
        // Otherwise the cache is just going, and ends the call.
        guard let cache = cache.object else { return }
        let priority = look { _ in call.priority }
        let task = Task.detached(executorPreference: FetcherExecutor.shared, priority: priority) { [self] in
            if FlatCache.current === cache { return await run(call, in: cache) }
            await FlatCache.withCurrent(cache) { await run(call, in: cache) }
        }
        change { _, effects in
            if call.isCancelled { effects.cancelled.append(task) }
            // Somebody with more priority may have joined since.
            if call.priority > priority { effects.escalations.append((task, call.priority)) }
            call.task = task
        }
    }

    private func run(_ call: FetchCall<Value>, in cache: FlatCache) async {
        let tickets = look { _ in call.tickets.filter { $0.phase != .ended } }
        // Everybody has left before it began.
        if tickets.isEmpty { return call.node.end() }
        var answer = FetchAnswer()
        do {
            try await RunningCall.$current.withValue(call.node) {
                try await call.fetcher.load(Set(tickets.map(\.id)), &answer)
            }
        } catch {
            call.node.end()
            return fail(call, error)
        }
        call.node.end()
        store(answer, of: call, in: cache)
    }

    /// Raises the priority of a task, and of all that it waits for: who waits for it lends it the own priority.
    private func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
        Task.detached(priority: priority) { await task.value }
    }
}
