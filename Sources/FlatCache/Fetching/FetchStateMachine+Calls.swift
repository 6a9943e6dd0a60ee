/// Batches and fetchers.
extension FetchStateMachine {
    /// Adds fetches to the open batch after observers were notified that the entities are loading.
    ///
    /// - Parameters:
    ///   - announced: The fetches. Another request may have announced some of them, too.
    ///   - actor: The actor at whose next turn the batch becomes a call at the latest, or `nil` for the global
    ///     executor.
    /// - Returns: The turn that the caller must schedule, or `nil` if there already is a turn or a timer.
    mutating func announced(
        _ announced: [PendingFetch],
        turnOf actor: ObjectIdentifier?
    ) -> (turn: FetchTurn?, action: FetchAction) {
        var action = FetchAction()
        var refused: [PendingFetch] = []
        for fetch in announced {
            let phase = fetches[fetch.number]?.phase ?? .ended
            // No waiter is left, so the announced status must be reset.
            if phase == .ended { action.ended.append(fetch) }
            // Another request may have announced it, too.
            guard phase == .announcing else { continue }
            guard let fetcher else {
                refused.append(fetch)
                continue
            }
            fetches[fetch.number]?.phase = .batched
            var batch = self.batch.take() ?? FetchBatch(number: nextNumber())
            batch.append(fetch)
            let isFull = batch.count >= fetcher.batchLimit
            self.batch = batch
            if isFull { closeBatch(&action) }
        }
        fail(refused.map { $0.number }, .noFetcher, &action)
        action.ended += refused
        return (schedule(for: actor, &action), action)
    }

    /// Schedules the call of the open batch.
    private mutating func schedule(for actor: ObjectIdentifier?, _ action: inout FetchAction) -> FetchTurn? {
        guard let fetcher, let priority = batch?.priority, let number = batch?.number else { return nil }
        guard let window = fetcher.batchWindow else { return batch?.turn(of: actor) }
        if let timer = batch?.timer {
            guard timer.priority < priority else { return nil }
            batch?.timer?.priority = priority
            if timer.hasStarted { action.steps.append(.escalate(task: timer.number, priority)) }
        } else {
            let timer = FetchTask(number: nextNumber(), priority: priority)
            batch?.timer = timer
            action.steps.append(.wait(FetchTimer(task: timer, batch: number, window: window)))
        }
        return nil
    }

    /// Handles the end of the turn or window of a batch.
    mutating func batchDue(_ number: UInt64) -> FetchAction {
        var action = FetchAction()
        if batch?.number == number { closeBatch(&action) }
        return action
    }

    /// Closes the open batch, whose entities must be read.
    private mutating func closeBatch(_ action: inout FetchAction) {
        guard let batch, fetcher != nil else { return }
        stopTimer(&action)
        self.batch = nil
        var starting: [PendingFetch] = []
        for number in batch.fetches where fetches[number]?.phase == .batched {
            fetches[number]?.phase = .starting
            if let fetch = fetches[number] { starting.append(fetch) }
        }
        action.due.append(starting)
    }

    /// Makes calls for the entities of due batches that need one, after their states were read.
    ///
    /// - Parameters:
    ///   - batches: The fetches that were in each batch, with the states of their entities.
    ///   - now: The revision of the last commit.
    mutating func batchesStarted(_ batches: [[(fetch: UInt64, state: SlotState)]], now: UInt64) -> FetchAction {
        var action = FetchAction()
        for batch in batches { start(batch, now, &action) }
        return action
    }

    private mutating func start(
        _ batch: [(fetch: UInt64, state: SlotState)],
        _ now: UInt64,
        _ action: inout FetchAction
    ) {
        for (number, state) in batch {
            guard let fetch = fetches[number], fetch.phase == .starting else { continue }
            let isSatisfied = !fetch.needsCall && state.hasArrived(since: fetch.since)
            // The answer to a fenced fetch would not be stored.
            guard isSatisfied || state.isFenced(since: fetch.since) else { continue }
            end(number, isSatisfied ? nil : .removed, &action)
            action.ended.append(fetch)
        }
        let called = batch.map { $0.fetch }.filter { fetches[$0]?.phase == .starting }
        guard let fetcher else {
            action.ended += called.compactMap { fetches[$0] }
            return fail(called, .noFetcher, &action)
        }
        for start in stride(from: 0, to: called.count, by: fetcher.batchLimit) {
            let end = start + min(fetcher.batchLimit, called.count - start)
            call(for: Array(called[start..<end]), since: now, &action)
        }
    }

    private mutating func call(for numbers: [UInt64], since: UInt64, _ action: inout FetchAction) {
        let priority = numbers.compactMap { fetches[$0]?.priority }.max { $0.rawValue < $1.rawValue }
        let task = FetchTask(number: nextNumber(), priority: priority ?? .medium)
        let call = FetchCall(task, for: numbers, since: since)
        for number in numbers {
            fetches[number]?.phase = .called
            fetches[number]?.call = task.number
            fetches[number]?.node = call.node
            for waiter in fetches[number]?.waiters.keys ?? [:].keys {
                if let caller = waiters[waiter]?.caller { action.steps.append(.link(caller, to: call.node)) }
            }
        }
        calls[task.number] = call
        action.steps.append(.call(call))
    }

    /// Handles a new fetcher, which gets the open batch, while calls of the old one can't be joined any more.
    ///
    /// - Returns: The turn that the caller must schedule, or `nil` if there already is a turn or a timer.
    mutating func fetcherReplaced(by terms: FetcherTerms?) -> (turn: FetchTurn?, action: FetchAction) {
        var action = FetchAction()
        fetcher = terms
        for (number, call) in calls where !call.isReplaced {
            calls[number]?.isReplaced = true
            for fetch in call.fetches { forget(fetch) }
        }
        stopTimer(&action)
        batch?.forgetTurns()
        if let terms {
            if let count = batch?.count, count >= terms.batchLimit { closeBatch(&action) }
        } else if let batch {
            let refused = batch.fetches.compactMap { fetches[$0] }.filter { $0.phase == .batched }
            fail(refused.map { $0.number }, .noFetcher, &action)
            action.ended += refused
        }
        return (schedule(for: nil, &action), action)
    }

    /// Handles the deallocation of the cache.
    mutating func closed() -> FetchAction {
        var action = allInvalidated(at: 0)
        fetcher = nil
        for number in calls.keys { conclude(number, isCancelled: true, &action) }
        // A waiting request keeps the cache alive, unless the compiler releases it early.
        fail(Array(fetches.keys), .cancelled, &action)
        return action
    }

    mutating func stopTimer(_ action: inout FetchAction) {
        guard let timer = batch?.timer else { return }
        batch?.timer = nil
        cancel(timer, &action)
    }
}

/// Tasks and calls.
extension FetchStateMachine {
    /// Handles the creation of a task.
    ///
    /// - Parameter priority: The priority with which it was created.
    mutating func taskStarted(_ number: UInt64, priority: TaskPriority) -> FetchTaskFate {
        if cancelledTasks.remove(number) != nil { return .isCancelled }
        if let task = calls[number]?.task {
            calls[number]?.task.hasStarted = true
            return .runs(task.priority)
        }
        guard let timer = batch?.timer, timer.number == number else { return .hasEnded }
        batch?.timer?.hasStarted = true
        return .runs(timer.priority)
    }

    private mutating func cancel(_ task: FetchTask, _ action: inout FetchAction) {
        if task.hasStarted {
            action.steps.append(.cancel(task: task.number))
        } else {
            cancelledTasks.insert(task.number)
        }
    }

    /// The fetches of a call, including ended ones, or an empty array if the call has ended.
    func fetches(of call: UInt64) -> [PendingFetch] {
        calls[call]?.fetches.compactMap { fetches[$0] } ?? []
    }

    /// The current values of the fetches that have not ended.
    func open(_ numbers: some Sequence<UInt64>) -> [PendingFetch] {
        numbers.compactMap { fetches[$0] }.filter { $0.phase != .ended }
    }

    /// Handles an error of the fetcher of a call.
    mutating func fetcherFailed(_ number: UInt64, _ error: any Error) -> FetchAction {
        var action = FetchAction()
        guard let call = conclude(number, &action) else { return action }
        fail(call.fetches, .failed(error), &action)
        return action
    }

    /// Removes a call and its ended fetches.
    @discardableResult
    mutating func conclude(
        _ number: UInt64,
        isCancelled: Bool = false,
        _ action: inout FetchAction
    ) -> FetchCall? {
        guard let call = calls.removeValue(forKey: number) else { return nil }
        if isCancelled {
            cancel(call.task, &action)
        } else if call.task.hasStarted {
            action.steps.append(.forget(task: number))
        }
        for fetch in call.fetches where fetches[fetch]?.phase == .ended {
            if let ended = fetches.removeValue(forKey: fetch) { action.released.append(ended.entity) }
        }
        return call
    }
}

/// Answers.
extension FetchStateMachine {
    /// The fetches that wait for an entity of an answer.
    struct Claim {
        /// The condition under which the entity is stored.
        var condition: WriteCondition
        /// The fetches that this answers.
        ///
        /// It is empty if the entity wasn't requested. There are several if the entity was removed and stored again
        /// while the first fetch waited for its batch.
        var answered: [UInt64] = []
        /// A fetch of the same entity by another or a later call.
        var rival: UInt64?
        /// Whether the answer also satisfies that fetch.
        var satisfiesRival = false

        /// Creates the claim on an entity that wasn't requested and has no waiters.
        init(ofUnaskedBy call: FetchCall) {
            condition = WriteCondition(since: call.since, replacesNewerWrites: false, isPinned: false)
        }
    }

    /// An entity of an answer that was stored.
    struct StoredArrival {
        let claim: Claim
        /// The state of the entity after the commit.
        let reading: EntityReading
        /// The revision of the answer's commit.
        let revision: UInt64
        /// The revision of the last commit before the call of the fetcher.
        let calledSince: UInt64
        /// Whether the entity is stored under the identifier that has replaced its own.
        var isReplaced = false
        /// The reason why the entity isn't stored, if it is the answer's.
        var failure: FetchFailure?
    }

    /// The fetches that wait for an entity of an answer.
    ///
    /// - Parameters:
    ///   - slot: The slot of the entity.
    ///   - requested: The fetches of the entity in the call.
    ///   - call: The call.
    func claim(on slot: SlotIdentity, requested: [PendingFetch], by call: FetchCall) -> Claim {
        var claim = Claim(ofUnaskedBy: call)
        claim.answered = requested.map { $0.number }
        if let last = requested.max(by: { $0.number < $1.number }) {
            claim.condition = (fetches[last.number] ?? last).condition
        } else {
            claim.satisfiesRival = !call.isReplaced && invalidations.declared(slot) <= call.since
        }
        if let other = newest[slot], !claim.answered.contains(other) { claim.rival = other }
        return claim
    }

    /// Handles an answer that was stored.
    ///
    /// - Parameters:
    ///   - arrivals: The entities of this type in the answer.
    ///   - omissions: The fetches whose entities it left out, with their outcomes.
    ///   - call: The call, if it is for this type.
    mutating func answerStored(
        _ arrivals: [StoredArrival],
        omissions: [(fetch: UInt64, failure: FetchFailure?)] = [],
        of call: UInt64? = nil
    ) -> FetchAction {
        var action = FetchAction()
        if let call { conclude(call, &action) }
        for arrival in arrivals { settle(arrival, &action) }
        for (number, failure) in omissions { end(number, failure, &action) }
        return action
    }

    private mutating func settle(_ arrival: StoredArrival, _ action: inout FetchAction) {
        let state = arrival.reading.state
        let isStored = state.isStored && state.revision == arrival.revision
        let failure = arrival.failure ?? (state.isStored || arrival.isReplaced ? nil : .removed)
        for number in arrival.claim.answered { end(number, failure, &action) }
        if let rival = arrival.claim.rival, let since = fetches[rival]?.since {
            if arrival.claim.satisfiesRival && state.hasArrived(since: since) {
                end(rival, nil, &action)
            } else if isStored {
                // The fetch must accept only an answer that is newer than this one.
                fetches[rival]?.since = max(since, arrival.revision)
            }
        }
        noteFreshness(arrival, isStored: isStored, &action)
    }
}
