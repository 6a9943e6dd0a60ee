/// The effects of an event of the state machine, which the queue performs after unlocking.
///
/// Objects that are removed from the state and may refer to user values are moved into an action, so that they aren't
/// released while the lock is held.
struct FetchAction: Sendable {
    enum Step: Sendable {
        /// Calls the fetcher.
        case call(FetchCall)
        /// Waits for the end of a batch window.
        case wait(FetchTimer)
        /// Checks which entities with a mark are fresh again.
        case check([Invalidations.Mark])
        /// Cancels a task.
        case cancel(task: UInt64)
        /// Raises the priority of a task.
        case escalate(task: UInt64, TaskPriority)
        /// Removes a task, which ends by itself.
        case forget(task: UInt64)
        /// Records in the graph that a call waits for an entity of another call, which has not begun.
        case link(FetchGraphNode, to: FetchGraphNode)
        /// Records in the graph that a call waits for one entity less of another call.
        case unlink(FetchGraphNode, from: FetchGraphNode)
    }

    var steps: [Step] = []
    /// The batches that are due, whose entities must be read to decide which of them need a call.
    var due: [[PendingFetch]] = []
    /// The fetches that have ended without an outcome or without a call, so that their entities aren't loading any
    /// more.
    var ended: [PendingFetch] = []
    /// The waiters to resume.
    var resumed: [(waiter: UInt64, outcome: FetchOutcome)] = []
    /// The entities to release.
    var released: [FetchEntity] = []
    /// The invalidations to release.
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

/// The fate of a new task.
enum FetchTaskFate: Sendable {
    /// It runs, with a higher priority if other waiters have joined since.
    case runs(TaskPriority)
    /// It was cancelled before it was created.
    case isCancelled
    /// It has already ended.
    case hasEnded
}
