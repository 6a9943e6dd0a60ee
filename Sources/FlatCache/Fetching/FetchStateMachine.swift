/// The state of fetching the entities of one type: requests, the open batch, and running calls.
///
/// The state machine is a value. Each event is a mutating function that returns a ``FetchAction``. The functions take
/// no lock, create no tasks, read no shards and run no user code. An event brings the states of entities as
/// ``EntityReading``s. An action has the objects that were removed from the state.
///
/// The lock of the ``FetchQueue`` guards the value. The queue performs actions after unlocking: it starts and cancels
/// tasks, calls the fetcher, notifies observers, resumes waiters and releases entities. Only the steps about
/// ``FetchGraphNode``s are performed under the lock of the queue, because the graph has to agree with the state. They
/// run no user code.
///
/// A fetch is announced to observers, waits in the open batch, and belongs to a call of the fetcher, until it has an outcome
/// or its last waiter has left:
///
///     requestArrived → announced → batchDue → batchesStarted → answerStored or fetcherFailed
///
/// A waiter is a request that waits: `requestArrived → waiterParked → waiterFinished`, and `waiterCancelled` at any
/// moment before the last.
///
/// The design, in which a value decides and its owner acts, is from the channels of Apple's swift-async-algorithms.
struct FetchStateMachine: Sendable {
    var fetcher: FetcherTerms?
    /// The fetches that have not ended, and ended fetches of calls that have not ended.
    var fetches: [UInt64: PendingFetch] = [:]
    /// The newest fetch of each entity, by its slot, as long as others may join it.
    var newest: [SlotIdentity: UInt64] = [:]
    /// The waiters whose tasks are not resumed.
    var waiters: [UInt64: FetchWaiter] = [:]
    /// The effects of cancellations, which wait until the tasks of the waiters are resumed.
    private var leftovers: [UInt64: FetchAction] = [:]
    /// The fetches for the next call.
    var batch: FetchBatch?
    /// The calls whose answers are awaited.
    var calls: [UInt64: FetchCall] = [:]
    /// The tasks that were cancelled before they were created.
    var cancelledTasks: Set<UInt64> = []
    private(set) var invalidations = Invalidations()
    private var errors = RememberedErrors()
    private var lastNumber: UInt64 = 0

    /// The number of a new fetch, batch or task.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }
}

/// Requests and their waiters.
extension FetchStateMachine {
    /// The result of a request's arrival.
    struct Arrival {
        /// The outcome, if it is already known.
        var outcome: FetchOutcome?
        /// The fetches that have not been announced by this request, or by another one that is still notifying
        /// observers.
        var unannounced: [PendingFetch] = []
        var action = FetchAction()
    }

    /// The calls that a request would wait for, by the places of its awaited entities, or an empty array if it is
    /// refused anyway.
    func callsAwaited(by request: FetchRequest) -> [FetchGraphNode?] {
        guard fetcher != nil, waiters[request.number]?.outcome == nil else { return [] }
        return request.awaited.map { joinable($0).flatMap { fetches[$0]?.node } }
    }

    /// Handles the arrival of a request, whose entities join existing fetches or get new ones.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - cyclic: The calls that the request must not wait for, because they wait for its caller.
    ///   - now: The revision of the last commit.
    mutating func requestArrived(
        _ request: FetchRequest,
        cyclic: Set<ObjectIdentifier> = [],
        now: UInt64
    ) -> Arrival {
        if let outcome = waiters[request.number]?.outcome { return Arrival(outcome: outcome) }
        guard fetcher != nil else { return Arrival(outcome: .failure(.noFetcher, at: nil)) }
        if !cyclic.isEmpty {
            let nodes = callsAwaited(by: request)
            let places = nodes.indices.filter { nodes[$0].map { cyclic.contains(ObjectIdentifier($0)) } ?? false }
            return Arrival(outcome: .failure(.cyclic, at: places))
        }
        var arrival = Arrival()
        var waiter = FetchWaiter(caller: request.caller, expecting: request.awaited.count)
        for (position, reading) in request.awaited.enumerated() {
            waiter.append(join(reading, request, at: position, now, &arrival))
        }
        for reading in request.refreshed { _ = join(reading, request, at: nil, now, &arrival) }
        if !request.awaited.isEmpty { waiters[request.number] = waiter }
        return arrival
    }

    /// Handles the suspension of a waiter's task.
    ///
    /// - Returns: The outcome, if it is already known. Then the task must not be suspended.
    mutating func waiterParked(_ number: UInt64) -> FetchOutcome? {
        if let outcome = waiters[number]?.outcome { return outcome }
        waiters[number]?.isParked = true
        return nil
    }

    /// Handles the cancellation of a waiter's task, before or after its request arrives.
    ///
    /// Notifications and releases are postponed until ``waiterFinished(_:)``. No user code may run in a cancellation
    /// handler, because the runtime may hold a lock of the task.
    mutating func waiterCancelled(_ number: UInt64) -> FetchAction {
        var action = FetchAction()
        let outcome = FetchOutcome.failure(.cancelled, at: nil)
        guard waiters[number] != nil else {
            // The request finds this waiter when it arrives.
            var waiter = FetchWaiter()
            _ = waiter.end(outcome)
            waiters[number] = waiter
            return action
        }
        guard waiters[number]?.outcome == nil else { return action }
        leave(number, outcome, &action)
        var rest = FetchAction()
        swap(&rest.ended, &action.ended)
        swap(&rest.released, &action.released)
        if !rest.ended.isEmpty || !rest.released.isEmpty { leftovers[number] = rest }
        return action
    }

    /// Handles the resumption of a waiter's task.
    ///
    /// - Returns: The waiter, to be released, or `nil` if its request was refused; and the postponed effects of its
    ///   cancellation.
    mutating func waiterFinished(_ number: UInt64) -> (waiter: FetchWaiter?, leftovers: FetchAction) {
        let waiter = waiters.removeValue(forKey: number)
        guard case .failure(.cancelled, _) = waiter?.outcome else { return (waiter, FetchAction()) }
        return (waiter, leftovers.removeValue(forKey: number) ?? FetchAction())
    }

    /// The fetch that a new request may join, because the entity was not removed or invalidated since the fetch began.
    private func joinable(_ reading: EntityReading) -> UInt64? {
        guard let number = newest[reading.entity.slot], let fetch = fetches[number],
            !reading.state.isFenced(since: fetch.since)
        else { return nil }
        if let since = fetch.call.flatMap({ calls[$0]?.since }), invalidations.declared(reading.entity.slot) > since {
            return nil
        }
        return number
    }

    /// Adds a request to a fetch.
    ///
    /// - Parameter position: The place of the entity among the awaited ones, or `nil` if it is only refreshed.
    /// - Returns: The number of the fetch.
    private mutating func join(
        _ reading: EntityReading,
        _ request: FetchRequest,
        at position: Int?,
        _ now: UInt64,
        _ arrival: inout Arrival
    ) -> UInt64 {
        let number: UInt64
        if let joined = joinable(reading) {
            number = joined
            if let call = fetches[number]?.call {
                if fetches[number]?.isWanted == false { calls[call]?.wantedCount += 1 }
                escalate(call, to: request.priority, &arrival.action)
            } else if fetches[number]?.phase == .batched {
                batch?.raise(to: request.priority)
            }
        } else {
            number = makeFetch(reading.entity, request, now)
        }
        fetches[number]?.add(request, at: position)
        if let fetch = fetches[number], fetch.phase == .announcing { arrival.unannounced.append(fetch) }
        return number
    }

    private mutating func makeFetch(_ entity: FetchEntity, _ request: FetchRequest, _ now: UInt64) -> UInt64 {
        let number = nextNumber()
        let older = newest.updateValue(number, forKey: entity.slot)
        // A removal or invalidation that ends the older fetch must not end this one.
        let since = older == nil ? request.since : now
        fetches[number] = PendingFetch(number: number, entity, since: since, request.priority)
        return number
    }

    private mutating func escalate(_ call: UInt64, to priority: TaskPriority, _ action: inout FetchAction) {
        guard let task = calls[call]?.task, priority > task.priority else { return }
        calls[call]?.task.priority = priority
        // A task that isn't created yet gets the priority later.
        if task.hasStarted { action.steps.append(.escalate(task: call, priority)) }
    }
}

/// The ends of fetches and waits.
extension FetchStateMachine {
    /// Ends a fetch with an outcome, while its waiters continue to wait for their other entities.
    mutating func end(_ number: UInt64, _ failure: FetchFailure?, _ action: inout FetchAction) {
        for (waiter, position) in retire(number, &action) {
            waiters[waiter]?.note(failure, at: position)
            guard waiters[waiter]?.remaining == 0, let summary = waiters[waiter]?.summary else { continue }
            leave(waiter, summary, &action)
        }
    }

    /// Ends fetches with a failure, which also ends the wait of their waiters.
    mutating func fail(_ numbers: [UInt64], _ failure: FetchFailure, _ action: inout FetchAction) {
        var failed: [UInt64: [Int]] = [:]
        for number in numbers {
            for (waiter, position) in retire(number, &action) { failed[waiter, default: []].append(position) }
        }
        for (waiter, positions) in failed { leave(waiter, .failure(failure, at: positions), &action) }
    }

    /// Ends a wait, and abandons fetches without another waiter.
    mutating func leave(_ number: UInt64, _ outcome: FetchOutcome, _ action: inout FetchAction) {
        guard let waiter = waiters[number], waiter.outcome == nil else { return }
        if waiter.isParked { action.resumed.append((number, outcome)) }
        for fetch in waiters[number]?.end(outcome) ?? [] {
            guard fetches[fetch]?.waiters.removeValue(forKey: number) != nil else { continue }
            unlink(waiter, fetches[fetch]?.node, &action)
            if fetches[fetch]?.isWanted == false { abandon(fetch, &action) }
        }
    }

    /// Abandons a fetch without waiters.
    ///
    /// A fetch in a call remains, so that others can join it, while other fetches of the call are wanted.
    private mutating func abandon(_ number: UInt64, _ action: inout FetchAction) {
        guard let fetch = fetches[number] else { return }
        switch fetch.phase {
        case .announcing:
            retire(number, &action)
        case .batched, .starting:
            retire(number, &action)
            action.ended.append(fetch)
        case .called:
            if let call = fetch.call { loseInterest(in: call, &action) }
        case .ended:
            break
        }
    }

    /// Removes a fetch from the newest fetches and from its batch or call.
    ///
    /// - Returns: Its waiters, with the places of the entity among their awaited entities.
    @discardableResult
    mutating func retire(_ number: UInt64, _ action: inout FetchAction) -> [UInt64: Int] {
        guard var fetch = fetches[number], fetch.phase != .ended else { return [:] }
        forget(number)
        fetches[number] = nil
        let waiting = fetch.waiters
        let wasWanted = fetch.isWanted
        for waiter in waiting.keys {
            if let waiter = waiters[waiter] { unlink(waiter, fetch.node, &action) }
        }
        if fetch.phase == .batched { leaveBatch(&action) }
        if let call = fetch.call, calls[call] != nil {
            fetch.phase = .ended
            fetch.waiters = [:]
            fetches[number] = fetch
            if wasWanted { loseInterest(in: call, &action) }
        } else {
            action.released.append(fetch.entity)
        }
        return waiting
    }

    /// Prevents further requests from joining a fetch.
    mutating func forget(_ number: UInt64) {
        guard let slot = fetches[number]?.entity.slot, newest[slot] == number else { return }
        newest[slot] = nil
    }

    /// Records that the caller of a waiter waits for one entity less of a call.
    private func unlink(_ waiter: FetchWaiter, _ node: FetchGraphNode?, _ action: inout FetchAction) {
        guard let caller = waiter.caller, let node else { return }
        action.steps.append(.unlink(caller, from: node))
    }

    private mutating func leaveBatch(_ action: inout FetchAction) {
        let fetches = fetches
        batch?.removeOne(keeping: { fetches[$0]?.phase == .batched })
        guard batch?.count == 0 else { return }
        stopTimer(&action)
        batch = nil
    }

    /// Records that an entity of a call isn't wanted any more, and cancels the call if it was the last.
    private mutating func loseInterest(in number: UInt64, _ action: inout FetchAction) {
        calls[number]?.wantedCount -= 1
        guard calls[number]?.wantedCount == 0, let call = conclude(number, isCancelled: true, &action) else { return }
        for fetch in open(call.fetches) {
            retire(fetch.number, &action)
            action.ended.append(fetch)
        }
    }
}

/// Invalidations and stored errors.
extension FetchStateMachine {
    /// Marks an entity as stale until a commit later than a revision writes it.
    mutating func invalidated(_ entity: FetchEntity, at revision: UInt64) -> FetchAction {
        var action = FetchAction()
        invalidations.insert(entity, revision, &action)
        return action
    }

    /// Marks all entities as stale.
    mutating func allInvalidated(at revision: UInt64) -> FetchAction {
        var action = FetchAction()
        invalidations.insertAll(revision, &action)
        return action
    }

    /// Makes an entity fresh without a write.
    mutating func refreshed(
        _ entity: FetchEntity,
        of revision: UInt64,
        since: UInt64,
        at now: UInt64
    ) -> FetchAction {
        var action = FetchAction()
        invalidations.refresh(entity, of: revision, since: since, at: now, &action)
        return action
    }

    /// Notes that a store has loaded an entity.
    mutating func loaded(
        _ entity: FetchEntity,
        at revision: UInt64,
        written: UInt64,
        isNews: Bool,
        compared: UInt64
    ) -> FetchAction {
        var action = FetchAction()
        invalidations.noteLoaded(entity, revision, written: written, isNews: isNews, compared: compared, &action)
        return action
    }

    /// Removes the marks of entities that are fresh again.
    mutating func marksChecked(_ readings: [(mark: Invalidations.Mark, state: SlotState)]) -> FetchAction {
        var action = FetchAction()
        invalidations.check(readings, &action)
        return action
    }

    /// Updates the mark of an entity after an answer.
    mutating func noteFreshness(_ arrival: StoredArrival, isStored: Bool, _ action: inout FetchAction) {
        let entity = arrival.reading.entity
        if invalidations.declared(entity.slot) > arrival.calledSince && isStored {
            // The fetcher was called before the entity was marked as stale.
            invalidations.extend(entity, to: arrival.revision, &action)
        } else {
            invalidations.remove(entity.slot, upTo: arrival.reading.state.revision, &action)
        }
    }

    /// Counts stored errors.
    ///
    /// - Returns: Whether old errors must be removed.
    mutating func errorsStored(_ count: Int) -> Bool {
        errors.count += count
        return errors.count > errors.limit
    }

    /// An upper bound of the number of stored errors.
    var errorCount: Int { errors.count }

    /// Handles the removal of old errors.
    ///
    /// - Parameters:
    ///   - count: The number of remaining errors.
    ///   - before: The value of ``errorCount`` when they were counted. If errors were stored since, the count is
    ///     unknown.
    ///   - new: The number of new errors among them, whose requests still have handles.
    mutating func errorsCounted(_ count: Int, ifStill before: Int, new: Int) {
        if errors.count == before { errors.count = count }
        errors.limit = max(64, (errors.count - new) * 2)
    }

    private struct RememberedErrors {
        var count = 0
        /// The number of errors above which those without a handle or observer are removed.
        var limit = 64
    }
}
