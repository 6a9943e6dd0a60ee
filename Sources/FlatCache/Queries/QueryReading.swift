/// Reads and observes the answer of a query, or something that is computed from it.
///
/// `Current` is read, and `Result` is delivered to observers.
final class QueryReading<Value: Cachable, Current: Sendable, Result: Sendable>: @unchecked Sendable {
    // The lock guards `followed`.
    let query: FlatCache.Query<Value>
    let reference: WeakReference<FlatCache>
    private let compute: @Sendable (QueryValues<Value>) -> Current
    private let follow: @Sendable () -> QueryFold<Value, Result>
    private let identity: QueryIdentity
    private let current: @Sendable (Result) -> Current
    private let lock = Lock()
    private weak var followed: FollowedReading<Value, Current>?

    /// Creates a reading.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - identity: What distinguishes the reading from others of the query, with the property that it reads.
    ///   - reference: The cache.
    ///   - compute: Returns what is read for an answer.
    ///   - follow: Returns what an observer applies to each answer.
    ///   - current: Returns what is read when an observer has a result.
    init(
        of query: FlatCache.Query<Value>,
        _ identity: QueryIdentity,
        in reference: WeakReference<FlatCache>,
        compute: @escaping @Sendable (QueryValues<Value>) -> Current,
        follow begin: @escaping @Sendable () -> QueryFold<Value, Result>,
        current: @escaping @Sendable (Result) -> Current
    ) {
        self.query = query
        self.reference = reference
        self.compute = compute
        self.identity = identity
        follow = begin
        self.current = current
    }

    /// What is read now, or in the state that the calling thread reads.
    var now: Current {
        guard let cache = reference.object, !query.isCircle(in: cache) else {
            return compute(QueryValues())
        }
        guard let snapshot = cache.history.snapshotOfThread else {
            let tracked = TrackingProbe.ofThread.isTracked ? following(in: cache).track(at: nil) : nil
            return tracked ?? read(in: cache)
        }
        if snapshot.transaction != nil { return read(in: cache) }
        if let dependencies = snapshot.dependencies {
            let current = following(in: cache).note(in: dependencies, of: snapshot, cache)
            return current ?? snapshot.withoutWatching { read(in: cache) }
        }
        if !TrackingProbe.ofThread.isTracked { return read(in: cache) }
        return following(in: cache).track(at: snapshot) ?? snapshot.withoutWatching { read(in: cache) }
    }

    private func read(in cache: FlatCache) -> Current { compute(cache.answer(of: query)) }

    /// The reading that is kept current, which equal queries share.
    private func following(in cache: FlatCache) -> FollowedReading<Value, Current> {
        if let known = lock.withLock({ followed }) { return known }
        let new = cache.queryShares.following(query, identity, in: cache) { [query, follow, current] change in
            let fold = follow()
            let difference = QueryResult.difference(for: query)
            return .callback(
                { mail in
                    let result = difference(mail)
                    guard let new = fold(result) else { return nil }
                    return { change((current: current(new), revision: result.revision)) }
                },
                onEnd: { change(nil) }
            )
        }
        lock.withLock { followed = new }
        return new
    }

    func observe(_ onChange: @escaping @Sendable (Result) -> Void, _ calls: QueryCalls = .onCommit) -> CacheSubscription
    {
        guard let cache = reference.object else { return CacheSubscription() }
        let fold = follow()
        let difference = QueryResult.difference(for: query)
        let receiver = QueryObserver.Receiver.callback({ mail in
            guard let new = fold(difference(mail)) else { return nil }
            return { onChange(new) }
        })
        return cache.observe(query, calls, receiver).subscription
    }

    func observe(on mainActor: MainActor, _ onChange: @escaping @MainActor (Result) -> Void) -> CacheSubscription {
        observe({ result in MainActor.assumeIsolated { onChange(result) } }, .onMainActor)
    }

    var updates: CacheUpdates<Result> {
        CacheUpdates(in: reference) { [query, follow, reference] cache, signal in
            let (observation, subscription) = cache.observe(query, .onPoll, .signal(signal))
            let fold = follow()
            let difference = QueryResult.difference(for: query)
            return PolledObservation(subscription: subscription) { [reference] in
                // If more mail waits, any iterator can take it.
                if observation.shared.live.bringUpToDate() { _ = observation.shared.live.deliver() }
                while let mail = observation.observer.takeMail() {
                    guard let cache = reference.object else { return .nothing }
                    if let new = cache.asCurrent({ fold(difference(mail)) }) { return .element(new) }
                }
                return .nothing
            }
        }
    }
}

/// Computes the result of one observer from each new answer, or `nil` if the result is the same as before.
typealias QueryFold<Value: Cachable, Result> = @Sendable (QueryResult<Value>) -> Result?

extension QueryReading {
    /// A line with what is computed, and the query.
    func description(_ type: String) -> String {
        Summary.line(Summary.name(type, of: Value.self), nil, [identity.text] + query.facts)
    }
}
