/// A call of a fetcher of whatever type, as a node in the graph of who waits for whom.
///
/// A fetcher may fetch other entities, and wait for their fetchers. If one of those came back to wait for the first, all
/// of them would wait for ever. Therefore each call knows the calls that wait for it, and a wait that would close a circle
/// is refused.
class RunningCall: @unchecked Sendable {  // `callers` is guarded by the lock of the graph.
    /// The call that the task belongs to.
    @TaskLocal static var current: RunningCall?

    /// Guards the edges of the whole graph; taken while the lock of a queue is held, and no lock is taken inside.
    private static let graph = Lock()

    /// The calls that wait for this one, by what waits in them.
    private var callers: [ObjectIdentifier: RunningCall] = [:]

    /// Notes that a call waits for this one, unless this one waits for that already.
    ///
    /// - Returns: Whether the call may wait.
    func add(_ waiter: AnyObject, of caller: RunningCall) -> Bool {
        Self.graph.withLock {
            if caller.isAwaited(by: self) { return false }
            callers[ObjectIdentifier(waiter)] = caller
            return true
        }
    }

    /// Notes that something doesn't wait for this call any more.
    ///
    /// - Returns: The call that has waited with it, to be released after unlocking.
    func remove(_ waiter: AnyObject) -> RunningCall? {
        Self.graph.withLock { callers.removeValue(forKey: ObjectIdentifier(waiter)) }
    }

    /// Whether a call is this one, or waits for it, directly or through others.
    private func isAwaited(by other: RunningCall) -> Bool {
        var visited: Set<ObjectIdentifier> = []
        var open = [self]
        while let call = open.popLast() {
            if call === other { return true }
            if visited.insert(ObjectIdentifier(call)).inserted { open += call.callers.values }
        }
        return false
    }
}

/// A call of a fetcher.
final class FetchCall<Value: Cachable>: RunningCall, @unchecked Sendable {
    // Everything variable is guarded by the queue's lock.
    let fetcher: Fetcher<Value>
    let ids: Set<Value.ID>
    /// The commit after which the fetcher is called.
    let since: UInt64
    /// All that the fetcher is called for, whatever has become of them; empty once the call has ended.
    var tickets: [FetchTicket<Value>]
    /// How many of them have no outcome and are wanted by somebody.
    var wantedCount: Int
    var priority: TaskPriority
    var task: Task<Void, Never>?
    var isCancelled = false
    /// Whether the fetcher was replaced since, so that its answer doesn't speak for the new one.
    var isReplaced = false

    init(of tickets: [FetchTicket<Value>], by fetcher: Fetcher<Value>, since: UInt64) {
        self.fetcher = fetcher
        self.tickets = tickets
        self.since = since
        ids = Set(tickets.map(\.id))
        wantedCount = tickets.count
        priority = tickets.lazy.map(\.priority).max { $0.rawValue < $1.rawValue } ?? .medium
    }
}
