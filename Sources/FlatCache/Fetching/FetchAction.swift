/// The effects of an event of the state machine, which the queue performs when its lock is open.
///
/// Everything that is taken out of the state and may refer to something of the user's goes into an action, so that nothing of it
/// is released while the lock is held.
struct FetchAction: Sendable {
    enum Step: Sendable {
        /// Calls the fetcher.
        case call(FetchCall)
        /// Waits for the end of a batch window.
        case wait(FetchTimer)
        /// Reads which entities that were declared stale are fresh again.
        case check([Invalidations.Mark])
        /// Cancels a task.
        case cancel(task: UInt64)
        /// Raises the priority of a task.
        case escalate(task: UInt64, TaskPriority)
        /// Forgets a task, which ends by itself.
        case forget(task: UInt64)
        /// Notes in the graph that a call waits for an entity of another, which has not begun.
        case link(FetchGraphNode, to: FetchGraphNode)
        /// Notes in the graph that a call waits for one entity less of another.
        case unlink(FetchGraphNode, from: FetchGraphNode)
    }

    var steps: [Step] = []
    /// Batches that are due: the states of their entities are to be read, and decide which of them need a call.
    var due: [[PendingFetch]] = []
    /// Fetches that have ended without an outcome, or without a call: their entities aren't loading any more.
    var ended: [PendingFetch] = []
    /// Waiters whose tasks go on.
    var resumed: [(waiter: UInt64, outcome: FetchOutcome)] = []
    /// Entities to release.
    var released: [FetchEntity] = []
    /// Invalidations to release.
    var forgotten: Invalidations?
}

/// The end of a batch window.
struct FetchTimer: Sendable {
    let task: FetchTask
    let batch: UInt64
    let window: Duration
}

/// A turn of an actor, at the end of which a batch becomes a call.
struct FetchTurn: Sendable {
    let batch: UInt64
    let priority: TaskPriority
}

/// The fate of a task that was just made.
enum FetchTaskFate: Sendable {
    /// It runs, with a priority that is higher if others have joined since.
    case runs(TaskPriority)
    /// It was cancelled before it was made.
    case isCancelled
    /// It has ended already.
    case hasEnded
}
