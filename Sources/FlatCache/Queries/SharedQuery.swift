/// A live query with the observers that share it.
///
/// Each observer keeps it, and it ends with the last one.
final class SharedQuery<Value: Cachable>: QueryShare, @unchecked Sendable {  // Constant.
    fileprivate let query: FlatCache.Query<Value>
    fileprivate let calls: QueryCalls
    let live: LiveQuery<Value>
    private let observers: QueryObservers
    private let subscription: CacheSubscription

    /// Begins a live query, and puts its first answer into the mailbox of an observer.
    init(of query: FlatCache.Query<Value>, in cache: FlatCache, _ calls: QueryCalls, for observer: QueryObserver) {
        self.query = query
        self.calls = calls
        observers = QueryObservers(observer)
        live = LiveQuery(of: query, in: cache, observers, calls)
        subscription = live.begin(in: cache)
    }

    /// Puts the current answer into the mailbox of a new observer.
    ///
    /// - Returns: Whether it is there, or will be. If not, another thread, or a condition of the query on this thread, is
    ///   changing the answer. Waiting for it could last forever.
    func add(_ observer: QueryObserver, in cache: FlatCache) -> Bool {
        observers.add(observer)
        Delivery.begin(live, in: cache) { live.bringUpToDate(isAwaited: true) }
        return live.calls.mustHop || !observers.removeIfNew(observer)
    }

    override func visitLimitedAnswer<Other: Cachable>(of type: Other.Type, _ visitor: any IDVisitor) {
        if type == Value.self { visitor.visit(Value.self, live.limitedIDs) }
    }

    func remove(_ observer: QueryObserver) { observers.remove(observer) }
}

/// On which threads the answer of a live query is computed.
enum QueryCalls: Hashable, Sendable {
    /// On threads that commit.
    case onCommit
    /// On the main actor.
    case onMainActor
    /// On threads that poll.
    case onPoll
}

/// The entry of an observer in a live query.
struct QueryObservation<Value: Cachable>: Registration {
    let shared: SharedQuery<Value>
    let observer: QueryObserver

    /// Whether the observer has received all commits of the state that the calling thread reads, or `nil` for the current one.
    func isCurrent(for snapshot: Snapshot?) -> Bool { shared.live.isCurrent(for: snapshot) && observer.isIdle }

    func remove() { shared.remove(observer) }
}

extension QueryObservation: ReadQuery {
    var tables: [EntityTable] { shared.live.tables }

    var isIdle: Bool { shared.live.isIdle && observer.isIdle }

    func bringUpToDate(in cache: FlatCache) {
        Delivery.begin(shared.live, in: cache) { shared.live.bringUpToDate() }
        Delivery.begin(observer, in: cache) { observer.deliver() }
    }

    func collect(into queries: inout ReadQueries) { shared.live.collect(into: &queries) }
}

extension QueryShares {
    /// Returns a live query with the current answer in the mailbox of an observer.
    fileprivate func liveQuery<Value: Cachable>(
        _ query: FlatCache.Query<Value>,
        in cache: FlatCache,
        _ calls: QueryCalls,
        for observer: QueryObserver
    ) -> SharedQuery<Value> {
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(calls)
        let hash = hasher.finalize()
        let known = find(SharedQuery<Value>.self, hash: hash) { $0.calls == calls && $0.query == query }
        if let known, known.add(observer, in: cache) { return known }
        let shared = SharedQuery(of: query, in: cache, calls, for: observer)
        if known == nil { add(shared, hash: hash) }
        return shared
    }
}

extension FlatCache {
    /// Begins to observe a query, together with the other observers of equal queries.
    func observe<Value: Cachable>(
        _ query: Query<Value>,
        _ calls: QueryCalls,
        _ receiver: QueryObserver.Receiver
    ) -> (observation: QueryObservation<Value>, subscription: CacheSubscription) {
        let observer = QueryObserver(receiver, onMainActor: calls == .onMainActor)
        let shared = queryShares.liveQuery(query, in: self, calls, for: observer)
        let observation = QueryObservation(shared: shared, observer: observer)
        let subscription = CacheSubscription(observer, [observation])
        if calls != .onPoll { Delivery.begin(observer, in: self) { observer.deliver() } }
        return (observation, subscription)
    }
}
