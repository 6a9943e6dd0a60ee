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
