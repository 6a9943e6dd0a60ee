/// A live query with the observers that share it.
///
/// Each observer keeps it, and it ends with the last one.
final class SharedQuery<Value: Cachable>: AnySharedQuery, @unchecked Sendable {  // Constant.
    let query: FlatCache.Query<Value>
    let live: LiveQuery<Value>
    private let observers: QueryObservers
    private let subscription: CacheSubscription

    /// Begins a live query, and puts its first answer into the mailbox of an observer.
    init(of query: FlatCache.Query<Value>, in cache: FlatCache, _ calls: QueryCalls, for observer: QueryObserver) {
        self.query = query
        observers = QueryObservers(observer, in: query.order)
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

    func remove(_ observer: QueryObserver) { observers.remove(observer) }
}

/// A live query without the type of its entities.
class AnySharedQuery: @unchecked Sendable {  // The creator sets the variable.
    /// The entry by which other observers find it, or `nil` if it has only one.
    fileprivate var entry: LiveQueries.Entry?
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

    /// Whether the observer has received all commits that were made before.
    var isCurrent: Bool { shared.live.isCurrent && observer.isCurrent }

    func remove() { shared.remove(observer) }
}

/// The live queries of a cache, by their queries.
final class LiveQueries: @unchecked Sendable {  // The lock guards the variable.
    private let lock = Lock()
    private var known: [Key: [WeakReference<AnySharedQuery>]] = [:]

    fileprivate struct Key: Hashable {
        let type: ObjectIdentifier
        /// The hash value of the query, because its `==` may be user code, which must not run under the lock.
        let hash: Int
        let calls: QueryCalls
    }

    /// Returns a live query with the current answer in the mailbox of an observer.
    func share<Value: Cachable>(
        _ query: FlatCache.Query<Value>,
        in cache: FlatCache,
        _ calls: QueryCalls,
        with observer: QueryObserver
    ) -> SharedQuery<Value> {
        let key = Key(type: ObjectIdentifier(Value.self), hash: query.hashValue, calls: calls)
        let candidates = lock.withLock { known[key]?.compactMap(\.object) ?? [] }
        for candidate in candidates {
            let shared = unsafeDowncast(candidate, to: SharedQuery<Value>.self)
            guard shared.query == query else { continue }
            if shared.add(observer, in: cache) { return shared }
            return SharedQuery(of: query, in: cache, calls, for: observer)
        }
        let shared = SharedQuery(of: query, in: cache, calls, for: observer)
        let reference = WeakReference<AnySharedQuery>()
        reference.refer(to: shared)
        lock.withLock { known[key, default: []].append(reference) }
        shared.entry = Entry(reference, key, in: self)
        return shared
    }

    /// The entry of a live query, which is removed when the query ends.
    final class Entry: Sendable {
        private let reference: WeakReference<AnySharedQuery>
        private let key: Key
        private let queries: LiveQueries

        fileprivate init(_ reference: WeakReference<AnySharedQuery>, _ key: Key, in queries: LiveQueries) {
            self.reference = reference
            self.key = key
            self.queries = queries
        }

        deinit {
            queries.lock.withLock {
                queries.known[key]?.removeAll { $0 === reference }
                if queries.known[key]?.isEmpty == true { queries.known[key] = nil }
            }
        }
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
        let shared = liveQueries.share(query, in: self, calls, with: observer)
        let observation = QueryObservation(shared: shared, observer: observer)
        let subscription = CacheSubscription(observer, [observation])
        if calls != .onPoll { Delivery.begin(observer, in: self) { observer.deliver() } }
        return (observation, subscription)
    }
}
