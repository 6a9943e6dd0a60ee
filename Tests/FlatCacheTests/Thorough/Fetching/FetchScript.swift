@testable import FlatCache

/// A state machine and its events, without a queue: nothing is locked, and no task is made.
///
/// Each event returns in words what is to be done. Entities are counters; what a shard would know of them is set by the test.
struct FetchScript {
    var machine = FetchStateMachine()
    /// The last commit.
    var revision: UInt64 = 10
    /// What the shard knows of each entity.
    private(set) var states: [Int: SlotState] = [:]
    /// How each waiter was resumed.
    private(set) var outcomes: [UInt64: String] = [:]
    /// The batches that are due.
    private(set) var due: [[PendingFetch]] = []
    /// The calls that were begun.
    private(set) var calls: [FetchCall] = []
    private(set) var timers: [FetchTimer] = []
    private(set) var marks: [Invalidations.Mark] = []
    private let cache = FlatCache()
    private var lastWaiter: UInt64 = 0

    /// A state machine with a fetcher.
    init(batchLimit: Int = .max, window: Duration? = nil) {
        _ = setFetcher(FetcherTerms(batchLimit: batchLimit, batchWindow: window))
    }

    func entity(_ id: Int) -> FetchEntity { FetchEntity(Cached(Counter.self, id: id, in: cache)) }

    func reading(_ id: Int) -> EntityReading {
        EntityReading(
            entity(id),
            states[id] ?? SlotState(isStored: false, isConfirmed: false, revision: 0, clearedRevision: 0)
        )
    }

    static func id(of entity: FetchEntity) -> Int { entity.handle(of: Counter.self).id }

    /// Writes or removes an entity.
    mutating func commit(_ id: Int, isStored: Bool = true) {
        revision += 1
        states[id] = SlotState(isStored: isStored, isConfirmed: isStored, revision: revision, clearedRevision: 0)
    }

    mutating func setFetcher(_ terms: FetcherTerms?) -> [String] {
        let (turn, action) = machine.fetcherReplaced(by: terms)
        return note(action) + (turn == nil ? [] : ["turn"])
    }

    /// A request arrives, is announced, and its task is suspended.
    ///
    /// - Returns: What is to be done; the request has the next number, from 1.
    mutating func request(
        _ ids: [Int],
        refreshing refreshed: [Int] = [],
        needsCall: Bool = false,
        priority: TaskPriority = .medium,
        caller: FetchGraphNode? = nil
    ) -> [String] {
        var (number, arrival) = arrive(ids, refreshed, needsCall, priority, caller)
        var done = note(arrival.action)
        if let outcome = arrival.outcome { return done + ["refuse \(number): \(outcome.words)"] }
        done += announce(&arrival.unannounced)
        if !ids.isEmpty { done += park(number) }
        return done
    }

    /// A request arrives.
    mutating func arrive(
        _ ids: [Int],
        _ refreshed: [Int] = [],
        _ needsCall: Bool = false,
        _ priority: TaskPriority = .medium,
        _ caller: FetchGraphNode? = nil
    ) -> (number: UInt64, arrival: FetchStateMachine.Arrival) {
        lastWaiter += 1
        let request = FetchRequest(
            number: lastWaiter,
            awaited: ids.map(reading),
            refreshed: refreshed.map(reading),
            since: revision,
            needsCall: needsCall,
            priority: priority,
            caller: caller
        )
        let awaited = machine.callsAwaited(by: request).compactMap { $0 }
        let cyclic = caller?.wait(for: awaited) ?? []
        return (lastWaiter, machine.requestArrived(request, cyclic: cyclic, now: revision))
    }

    /// Observers were notified that fetches are loading.
    mutating func announce(_ fetches: inout [PendingFetch], turnOf actor: ObjectIdentifier? = nil) -> [String] {
        defer { fetches = [] }
        let (turn, action) = machine.announced(fetches, turnOf: actor)
        return note(action) + (turn == nil ? [] : ["turn"])
    }

    mutating func park(_ waiter: UInt64) -> [String] {
        guard let outcome = machine.waiterParked(waiter) else { return [] }
        outcomes[waiter] = outcome.words
        return ["don't suspend \(waiter): \(outcome.words)"]
    }

    mutating func cancel(_ waiter: UInt64) -> [String] { note(machine.waiterCancelled(waiter)) }

    mutating func finish(_ waiter: UInt64) -> [String] { note(machine.waiterFinished(waiter).leftovers) }

    /// The open batch is due, and its entities are read.
    mutating func dispatch() -> [String] { endTurn() + start() }

    mutating func endTurn() -> [String] { note(machine.batchDue(machine.batch?.number ?? 0)) }

    mutating func start() -> [String] {
        let readings = due.map { batch in
            batch.map { (fetch: $0.number, state: reading(Self.id(of: $0.entity)).state) }
        }
        due = []
        return note(machine.batchesStarted(readings, now: revision))
    }

    mutating func make(_ task: FetchTask) -> FetchTaskFate { machine.taskStarted(task.number, priority: task.priority) }

    /// The fetcher has answered a call; the answer is stored.
    mutating func answer(_ call: Int = 0, with ids: [Int]) -> [String] {
        let call = calls[call]
        guard let current = machine.calls[call.task.number] else { return [] }
        let requested = machine.fetches(of: call.task.number)
        let claims = ids.map { id in
            machine.claim(
                on: entity(id).slot,
                requested: requested.filter { Self.id(of: $0.entity) == id },
                by: current
            )
        }
        revision += 1
        for (id, claim) in zip(ids, claims) {
            let state = reading(id).state
            let isNewer =
                state.revision > claim.condition.since && !(state.isStored && claim.condition.replacesNewerWrites)
            if !isNewer {
                states[id] = SlotState(isStored: true, isConfirmed: true, revision: revision, clearedRevision: 0)
            }
        }
        let arrivals = zip(ids, claims).map { id, claim in
            FetchStateMachine.StoredArrival(
                claim: claim,
                reading: reading(id),
                revision: revision,
                calledSince: current.since
            )
        }
        let omitted = requested.filter { !ids.contains(Self.id(of: $0.entity)) && $0.phase != .ended }.map {
            let hasArrived = reading(Self.id(of: $0.entity)).state.hasArrived(since: $0.since)
            return (fetch: $0.number, failure: hasArrived ? nil : FetchFailure.notFound)
        }
        return note(machine.answerStored(arrivals, omissions: omitted, of: call.task.number))
    }

    mutating func fail(_ call: Int = 0) -> [String] {
        note(machine.fetcherFailed(calls[call].task.number, ServerError()))
    }

    mutating func invalidate(_ id: Int) -> [String] {
        revision += 1
        return note(machine.invalidated(entity(id), at: revision))
    }

    /// It is read which marks are of fresh entities.
    mutating func check(_ marks: [Invalidations.Mark]) -> [String] {
        note(machine.marksChecked(marks.map { ($0, reading(Self.id(of: $0.entity)).state) }))
    }

    /// Whether an entity that is stored is stale.
    func isStale(_ id: Int) -> Bool {
        let reading = reading(id)
        return reading.state.revision <= machine.invalidations.stale(reading.entity.slot)
    }

    /// Whether nothing is left of what was asked for.
    var isEmpty: Bool {
        machine.fetches.isEmpty && machine.newest.isEmpty && machine.waiters.isEmpty && machine.batch == nil
            && machine.calls.isEmpty && machine.cancelledTasks.isEmpty
    }

    /// Keeps what an action hands out.
    ///
    /// - Returns: The action in words, without what it releases.
    mutating func note(_ action: FetchAction) -> [String] {
        var words: [String] = []
        for step in action.steps { words.append(note(step)) }
        due += action.due
        words += action.due.map { "read \($0.ids)" }
        if !action.ended.isEmpty { words.append("notify \(action.ended.ids)") }
        for (waiter, outcome) in action.resumed.sorted(by: { $0.waiter < $1.waiter }) {
            words.append("resume \(waiter): \(outcome.words)")
            outcomes[waiter] = outcome.words
        }
        return words
    }

    private mutating func note(_ step: FetchAction.Step) -> String {
        switch step {
        case .call(let call):
            calls.append(call)
            return "call \(call.fetches.compactMap { machine.fetches[$0] }.ids)"
        case .wait(let timer):
            timers.append(timer)
            return "wait \(timer.window)"
        case .check(let marks):
            self.marks = marks
            return "check \(marks.count)"
        case .cancel: return "cancel"
        case .escalate(_, let priority): return "escalate to \(priority.rawValue)"
        case .forget: return "forget"
        case .link(let caller, let call):
            caller.wait(forNew: call)
            return "link"
        case .unlink(let caller, let call):
            caller.endWait(for: call)
            return "unlink"
        }
    }
}

extension [PendingFetch] {
    /// The identifiers of the entities, in their order.
    fileprivate var ids: [Int] { map { FetchScript.id(of: $0.entity) }.sorted() }
}

extension FetchOutcome {
    /// The outcome in words: `notFound at [0, 2]`.
    var words: String {
        switch self {
        case .success: "success"
        case .failure(let failure, let places):
            "\(failure.error([]).kind)\(places.map { " at \($0.sorted())" } ?? "")"
        }
    }
}
