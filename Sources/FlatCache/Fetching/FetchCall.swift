/// A call of a fetcher.
final class FetchCall<Value: Cachable>: @unchecked Sendable {  // Everything variable is guarded by the queue's lock.
    /// The call in the graph of who waits for whom.
    let node = RunningCall()
    let fetcher: Fetcher<Value>
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
        wantedCount = tickets.count
        priority = tickets.lazy.map(\.priority).max { $0.rawValue < $1.rawValue } ?? .medium
    }

    deinit {
        ErasedFetchQueue.checkUnlocked()
    }
}
