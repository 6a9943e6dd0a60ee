/// The fetches for the next call of a fetcher.
struct FetchBatch: Sendable {
    let number: UInt64
    /// The fetches, including some that have ended.
    private(set) var fetches: [UInt64] = []
    /// The number of fetches that have not ended.
    private(set) var count = 0
    private(set) var priority = TaskPriority.background
    /// The priorities of the scheduled turns, by actor.
    ///
    /// Each requesting actor has a turn of its own, because another one may be busy. The first turn makes the call.
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

    /// Records that one of the fetches has ended.
    ///
    /// - Parameter isBatched: Whether a fetch is still in the batch.
    mutating func removeOne(keeping isBatched: (UInt64) -> Bool) {
        count -= 1
        if fetches.count > 2 * count + 16 { fetches.removeAll { !isBatched($0) } }
    }

    /// The turn of an actor that must be scheduled, or `nil` if it already is.
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
    /// Whether the task exists, because it is created after the action that starts it.
    var hasStarted = false
}

/// A call of a fetcher whose answer is awaited.
struct FetchCall: Sendable {
    var task: FetchTask
    /// The node of the call in the graph of calls that wait for each other.
    let node = FetchGraphNode()
    /// The revision of the last commit before the call of the fetcher.
    let since: UInt64
    /// The fetches of the call, including those that have ended since.
    let fetches: [UInt64]
    /// The number of fetches that have no outcome and are wanted.
    var wantedCount: Int
    /// Whether the fetcher was replaced since, so that the answer isn't one of the new fetcher.
    var isReplaced = false

    init(_ task: FetchTask, for fetches: [UInt64], since: UInt64) {
        self.task = task
        self.fetches = fetches
        self.since = since
        wantedCount = fetches.count
    }
}
