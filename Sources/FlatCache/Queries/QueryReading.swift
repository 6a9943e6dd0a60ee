/// Reads and observes the answer of a query, or something that is computed from it.
///
/// `Current` is read, and `Result` is delivered to observers.
final class QueryReading<Value: Cachable, Current: Sendable, Result: Sendable>: Sendable {
    let query: FlatCache.Query<Value>
    let reference: WeakReference<FlatCache>
    private let compute: @Sendable (QueryValues<Value>) -> Current
    private let follow: @Sendable () -> QueryFold<Value, Result>
    private let followed: FollowedReading<Value, Current>

    /// Creates a reading.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - reference: The cache.
    ///   - compute: Returns what is read for an answer.
    ///   - follow: Returns what an observer applies to each answer.
    ///   - current: Returns what is read when an observer has a result.
    init(
        of query: FlatCache.Query<Value>,
        in reference: WeakReference<FlatCache>,
        compute: @escaping @Sendable (QueryValues<Value>) -> Current,
        follow: @escaping @Sendable () -> QueryFold<Value, Result>,
        current: @escaping @Sendable (Result) -> Current
    ) {
        self.query = query
        self.reference = reference
        self.compute = compute
        self.follow = follow
        followed = FollowedReading { cache, change in
            let fold = follow()
            let difference = QueryResult.difference(for: query)
            return cache.observe(
                query,
                .onCommit,
                .callback(
                    { mail in
                        let result = difference(mail)
                        guard let new = fold(result) else { return nil }
                        return { change((current: current(new), revision: result.revision)) }
                    },
                    onEnd: { change(nil) }
                )
            )
        }
    }

    /// What is read now, or in the state that the calling thread reads.
    var current: Current {
        guard let cache = reference.object else { return compute(QueryValues()) }
        let snapshot = cache.history.snapshotOfThread
        guard TrackingProbe.ofThread.isTracked, snapshot?.transaction == nil, snapshot?.isWatched != true else {
            return now(in: cache)
        }
        let latest = followed.track(in: cache, at: snapshot?.revision)
        return snapshot == nil ? latest ?? now(in: cache) : now(in: cache)
    }

    private func now(in cache: FlatCache) -> Current { compute(cache.answer(of: query)) }

    func observe(_ onChange: @escaping @Sendable (Result) -> Void, _ calls: QueryCalls = .onCommit) -> CacheSubscription {
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

/// A reading that the Observation framework has tracked, which is kept current from then on.
private final class FollowedReading<Value: Cachable, Current: Sendable>: @unchecked Sendable {
    typealias Answer = (current: Current, revision: UInt64)

    // The lock guards the variables.
    private let lock = Lock()
    private let begin: @Sendable (FlatCache, @escaping @Sendable (Answer?) -> Void) -> Live
    private var isFollowing = false
    private var live: Held<Live> = Held()
    private var latest: Held<Answer> = Held()
    /// The tracked reads since the last change, or `nil` if there are none.
    private var reads: TrackedReads?

    typealias Live = (observation: QueryObservation<Value>, subscription: CacheSubscription)

    /// Creates a reading that isn't tracked yet.
    ///
    /// - Parameter begin: Begins to observe a cache, and calls a closure with each answer, and with `nil` at the end.
    init(_ begin: @escaping @Sendable (FlatCache, @escaping @Sendable (Answer?) -> Void) -> Live) {
        self.begin = begin
    }

    /// Tracks a read of the calling thread.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - snapshot: The revision of the state that the thread reads, or `nil` for the current one.
    /// - Returns: The answer, or `nil` if it isn't known whether it has all commits that were made before.
    func track(in cache: FlatCache, at snapshot: UInt64?) -> Current? {
        let isFirst = lock.withLock {
            defer { isFollowing = true }
            return !isFollowing
        }
        if isFirst { follow(in: cache) }
        let observation = lock.withLock { live.copy?.observation }
        // This comes first: the answer that is read afterwards has the commits before.
        let isCurrent = observation?.isCurrent == true
        let (reads, answer) = lock.withLock {
            let reads = self.reads ?? TrackedReads()
            self.reads = reads
            reads.noteReader()
            return (reads, latest.copy)
        }
        reads.access()
        if let snapshot, let answer, answer.revision > snapshot { TrackedReads.notifyReaderSoon() }
        return isCurrent ? answer?.current : nil
    }

    private func follow(in cache: FlatCache) {
        TrackingProbe.withoutTracking {
            let new = begin(cache) { [weak self] in self?.change(to: $0) }
            let old = lock.withLock { live.replace(with: new) }
            withExtendedLifetime(old) {}
        }
    }

    /// Notifies the readers of a new answer, or of the end of the cache.
    private func change(to answer: Answer?) {
        let (old, reads) = lock.withLock { (latest.replace(with: answer), self.reads.take()) }
        reads?.notify()
        withExtendedLifetime(old) {}
    }
}
