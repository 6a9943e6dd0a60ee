/// An entity as the state machine knows it: by its slot, whatever its type.
///
/// The type is left out so that the collections of the state machine are specialized. The queue, which is of one type, casts
/// the handle back.
struct FetchEntity: Sendable {
    /// Identifies the entity in its table, for as long as the handle lives.
    let slot: ObjectIdentifier
    /// Keeps the slot, whose revision shows whether the entity was written or removed.
    private let handle: any AnyObject & Sendable

    init<Value>(_ handle: Cached<Value>) {
        slot = handle.slotIdentity
        self.handle = handle
    }

    /// The handle, for the queue of the entity's type.
    func handle<Value>(of type: Value.Type) -> Cached<Value> { unsafeDowncast(handle, to: Cached<Value>.self) }
}

/// The state of an entity in its shard at one moment.
///
/// A reading may be older than the event that brings it. That has the effect of an earlier event.
struct EntityReading: Sendable {
    let entity: FetchEntity
    let state: SlotState

    init(_ entity: FetchEntity, _ state: SlotState) {
        self.entity = entity
        self.state = state
    }

    /// Reads the state now, under the lock of the entity's shard.
    init<Value>(of handle: Cached<Value>) {
        self.init(FetchEntity(handle), handle.slotState)
    }
}

extension Cached {
    /// Identifies the entity in its table, for as long as any handle of it lives.
    var slotIdentity: ObjectIdentifier { ObjectIdentifier(slot) }
}

/// The fetch of one entity, from the first request for it until all of its waiters have their outcome.
struct PendingFetch: Sendable {
    enum Phase {
        /// Not in a batch yet: observers are being notified that the entity is loading.
        case announcing
        /// In the open batch.
        case batched
        /// In a batch that is due, until it is known whether the entity needs a call.
        case starting
        /// In a call of the fetcher.
        case called
        /// The outcome is known, or the last waiter has left; kept until its call ends.
        case ended
    }

    /// Grows from fetch to fetch of a type.
    let number: UInt64
    let entity: FetchEntity
    /// The commit after which the entity was asked for; later writes are not overwritten.
    var since: UInt64
    var phase = Phase.announcing
    /// The waiters, each with the place of the entity among those that it waits for.
    var waiters: [UInt64: Int] = [:]
    /// Whether the entity is wanted without a waiter.
    var isRefresh = false
    /// Whether the fetcher is called even if the entity is stored before.
    var needsCall = false
    var replacesNewerWrites = false
    var priority: TaskPriority
    /// The number of the call that it is in.
    var call: UInt64?
    /// That call in the graph of calls that wait for each other.
    var node: FetchGraphNode?

    init(number: UInt64, _ entity: FetchEntity, since: UInt64, _ priority: TaskPriority) {
        self.number = number
        self.entity = entity
        self.since = since
        self.priority = priority
    }

    var isWanted: Bool { isRefresh || !waiters.isEmpty }

    /// Adds a request.
    ///
    /// - Parameter position: The place of the entity among the awaited ones; `nil` when it is only refreshed.
    mutating func add(_ request: FetchRequest, at position: Int?) {
        priority = max(priority, request.priority)
        if let position { waiters[request.number] = position } else { isRefresh = true }
        if request.needsCall || position == nil { needsCall = true }
        if request.replacesNewerWrites { replacesNewerWrites = true }
    }

    /// Under which circumstances an answer to this fetch is stored.
    var condition: WriteCondition {
        WriteCondition(since: since, replacesNewerWrites: replacesNewerWrites, isPinned: true)
    }
}

/// The arguments of one call of `fetch`.
struct FetchRequest: Sendable {
    /// Identifies the waiter; grows from request to request of a type.
    let number: UInt64
    /// The entities that it waits for, none twice, in the order in which they were asked for.
    let awaited: [EntityReading]
    /// The entities that are fetched without a waiter.
    var refreshed: [EntityReading] = []
    /// The last commit before the request looked which entities are missing.
    let since: UInt64
    var needsCall = false
    var replacesNewerWrites = false
    var priority = TaskPriority.medium
    /// The call of a fetcher that waits with this request, if it was made from inside of one.
    var caller: FetchGraphNode?
}

/// One call of `fetch` that waits.
struct FetchWaiter: Sendable {
    /// The fetches that it waits for.
    private(set) var fetches: [UInt64] = []
    let caller: FetchGraphNode?
    /// How many of the entities have no outcome yet.
    private(set) var remaining = 0
    private var notFound: [Int] = []
    private var removed: [Int] = []
    private(set) var outcome: FetchOutcome?
    /// Whether its task is suspended.
    var isParked = false

    init(caller: FetchGraphNode? = nil, expecting count: Int = 0) {
        self.caller = caller
        fetches.reserveCapacity(count)
    }

    mutating func append(_ fetch: UInt64) {
        fetches.append(fetch)
        remaining += 1
    }

    /// Notes the outcome of one entity, which lets the waiter wait for the others.
    mutating func note(_ failure: FetchFailure?, at position: Int) {
        remaining -= 1
        switch failure {
        case .notFound: notFound.append(position)
        case .removed: removed.append(position)
        default: break
        }
    }

    /// The outcome when all entities have one.
    var summary: FetchOutcome {
        if !notFound.isEmpty { return .failure(.notFound, at: notFound) }
        if !removed.isEmpty { return .failure(.removed, at: removed) }
        return .success
    }

    /// Ends the wait.
    ///
    /// - Returns: The fetches that it has waited for.
    mutating func end(_ outcome: FetchOutcome) -> [UInt64] {
        self.outcome = outcome
        isParked = false
        defer { fetches = [] }
        return fetches
    }
}

/// The fetches that the next call of a fetcher will be for.
struct FetchBatch: Sendable {
    let number: UInt64
    /// The fetches, with some of those that have ended since.
    private(set) var fetches: [UInt64] = []
    /// The number of those that have not.
    private(set) var count = 0
    private(set) var priority = TaskPriority.background
    /// The priorities of the turns that the batch was given, by the actors whose turns they are.
    ///
    /// Each actor that asks has a turn of its own, because another may be busy. The first that comes makes the call.
    private var turns: [ObjectIdentifier?: TaskPriority] = [:]
    /// The task that waits for the end of the batch window.
    var timer: FetchTask?

    init(number: UInt64) {
        self.number = number
    }

    mutating func append(_ fetch: PendingFetch) {
        fetches.append(fetch.number)
        count += 1
        raise(to: fetch.priority)
    }

    mutating func raise(to priority: TaskPriority) {
        self.priority = max(self.priority, priority)
    }

    /// Notes that one of the fetches has ended.
    ///
    /// - Parameter isBatched: Whether a fetch is still in the batch.
    mutating func removeOne(keeping isBatched: (UInt64) -> Bool) {
        count -= 1
        if fetches.count > 2 * count + 16 { fetches.removeAll { !isBatched($0) } }
    }

    /// The turn that the batch needs of an actor; `nil` when it has one.
    mutating func turn(of actor: ObjectIdentifier?) -> FetchTurn? {
        if let priority = turns[actor], priority >= self.priority { return nil }
        turns[actor] = priority
        return FetchTurn(batch: number, priority: priority)
    }

    mutating func forgetTurns() {
        turns = [:]
    }
}

/// A task that the queue runs for the state machine, from the action that starts it to its end.
struct FetchTask: Sendable {
    let number: UInt64
    var priority: TaskPriority
    /// Whether the task exists: it is made after the action that starts it.
    var hasStarted = false
}

/// A call of a fetcher whose answer is awaited.
struct FetchCall: Sendable {
    var task: FetchTask
    /// The call in the graph of calls that wait for each other.
    let node = FetchGraphNode()
    /// The commit after which the fetcher is called.
    let since: UInt64
    /// The fetches that the fetcher is called for, those that have ended since among them.
    let fetches: [UInt64]
    /// How many of them have no outcome and are wanted.
    var wantedCount: Int
    /// Whether the fetcher was replaced since, so that the answer doesn't speak for the new one.
    var isReplaced = false

    init(_ task: FetchTask, for fetches: [UInt64], since: UInt64) {
        self.task = task
        self.fetches = fetches
        self.since = since
        wantedCount = fetches.count
    }
}
