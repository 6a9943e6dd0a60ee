/// Batches and fetchers.
extension FetchStateMachine {
    /// Observers were notified that entities are loading: their fetches go into the open batch.
    ///
    /// - Parameters:
    ///   - announced: The fetches, of which another request may have announced some, too.
    ///   - actor: Whose turn is the latest at which the batch becomes a call; `nil` for that of the global executor.
    /// - Returns: The turn that the caller must give; `nil` when there is one, or a timer does it.
    mutating func announced(
        _ announced: [PendingFetch],
        turnOf actor: ObjectIdentifier?
    ) -> (turn: FetchTurn?, action: FetchAction) {
        var action = FetchAction()
        var refused: [PendingFetch] = []
        for fetch in announced {
            let phase = fetches[fetch.number]?.phase ?? .ended
            // All waiters have left: the status that was announced is to be withdrawn.
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
        fail(refused.map(\.number), .noFetcher, &action)
        action.ended += refused
        return (schedule(for: actor, &action), action)
    }

    /// Sees to it that the open batch becomes a call.
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

    /// The turn or the window of a batch is over.
    mutating func batchDue(_ number: UInt64) -> FetchAction {
        var action = FetchAction()
        if batch?.number == number { closeBatch(&action) }
        return action
    }

    /// Closes the open batch, whose entities are to be read.
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

    /// The states of the entities of batches were read: those that need a call get one.
    ///
    /// - Parameters:
    ///   - batches: The fetches that were in each batch, with the states of their entities.
    ///   - now: The last commit.
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
            // The answer to a fetch that is fenced would not be stored.
            guard isSatisfied || state.isFenced(since: fetch.since) else { continue }
            end(number, isSatisfied ? nil : .removed, &action)
            action.ended.append(fetch)
        }
        let called = batch.map(\.fetch).filter { fetches[$0]?.phase == .starting }
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

    /// The fetcher is replaced: the open batch is for the new one; calls of the old one can't be joined any more.
    ///
    /// - Returns: The turn that the caller must give; `nil` when there is one, or a timer does it.
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
            fail(refused.map(\.number), .noFetcher, &action)
            action.ended += refused
        }
        return (schedule(for: nil, &action), action)
    }

    /// The cache is gone.
    mutating func closed() -> FetchAction {
        var action = allInvalidated(at: 0)
        fetcher = nil
        for number in calls.keys { conclude(number, isCancelled: true, &action) }
        // A waiting call of `fetch` keeps the cache, unless the compiler releases it early.
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
    /// A task was made.
    ///
    /// - Parameter priority: The priority that it was made with.
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

    /// The fetches of a call, those that have ended among them; none when the call is over.
    func fetches(of call: UInt64) -> [PendingFetch] {
        calls[call]?.fetches.compactMap { fetches[$0] } ?? []
    }

    /// Those fetches that have not ended, as they are now.
    func open(_ numbers: some Sequence<UInt64>) -> [PendingFetch] {
        numbers.compactMap { fetches[$0] }.filter { $0.phase != .ended }
    }

    /// The fetcher of a call has thrown.
    mutating func fetcherFailed(_ number: UInt64, _ error: any Error) -> FetchAction {
        var action = FetchAction()
        guard let call = conclude(number, &action) else { return action }
        fail(call.fetches, .failed(error), &action)
        return action
    }

    /// Forgets a call, and those of its fetches that have ended.
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
    /// Which fetches wait for an entity that the answer of a call brings.
    struct Claim {
        /// Under which circumstances the entity is stored.
        var condition: WriteCondition
        /// The fetches that this is the answer to, none for an entity that the fetcher was not called for; several, when the
        /// entity was removed and stored again while the first of them waited for its batch.
        var answered: [UInt64] = []
        /// A fetch of the same entity that another call, or a call to come, is to answer.
        var rival: UInt64?
        /// Whether that fetch is satisfied, too.
        var satisfiesRival = false

        /// The claim on an entity that the fetcher was not called for, and that nothing waits for.
        init(ofUnaskedBy call: FetchCall) {
            condition = WriteCondition(since: call.since, replacesNewerWrites: false, isPinned: false)
        }
    }

    /// An entity of an answer, when the answer is stored.
    struct StoredArrival {
        let claim: Claim
        /// The state of the entity after the commit.
        let reading: EntityReading
        /// The commit of the answer.
        let revision: UInt64
        /// The commit after which the fetcher was called.
        let calledSince: UInt64
    }

    /// Which fetches wait for an entity that an answer brings.
    ///
    /// - Parameters:
    ///   - slot: The slot of the entity.
    ///   - requested: The fetches of the entity that the fetcher was called for.
    ///   - call: The call.
    func claim(on slot: ObjectIdentifier, requested: [PendingFetch], by call: FetchCall) -> Claim {
        var claim = Claim(ofUnaskedBy: call)
        claim.answered = requested.map(\.number)
        if let last = requested.max(by: { $0.number < $1.number }) {
            claim.condition = (fetches[last.number] ?? last).condition
        } else {
            claim.satisfiesRival = !call.isReplaced && invalidations.declared(slot) <= call.since
        }
        if let other = newest[slot], !claim.answered.contains(other) { claim.rival = other }
        return claim
    }

    /// An answer was stored.
    ///
    /// - Parameters:
    ///   - arrivals: The entities of this type that it has brought.
    ///   - omissions: The fetches that it has left out, with their outcomes.
    ///   - call: The call, if it is one of this type.
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
        for number in arrival.claim.answered { end(number, state.isStored ? nil : .removed, &action) }
        if let rival = arrival.claim.rival, let since = fetches[rival]?.since {
            if arrival.claim.satisfiesRival && state.hasArrived(since: since) {
                end(rival, nil, &action)
            } else if isStored {
                // What it asks for is newer than this, and must not be taken for an older answer.
                fetches[rival]?.since = max(since, arrival.revision)
            }
        }
        noteFreshness(arrival, isStored: isStored, &action)
    }
}
