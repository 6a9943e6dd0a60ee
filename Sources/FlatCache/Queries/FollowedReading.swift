/// What is computed from a query, kept current because something that runs again at changes has read it: a function that the
/// Observation framework tracks, or a closure that the cache observes.
///
/// Equal readings share it, so a `CachedQuery` can be made for each read. It exists as long as a closure has it as a
/// dependency, or a tracked reader may wait for a change. Tracked readers don't tell when they have ended. So it is kept for
/// them until the answer changes although nothing has read it since the last change.
final class FollowedReading<Value: Cachable, Current: Sendable>: AnyFollowedReading, @unchecked Sendable {
    typealias Answer = (current: Current, revision: UInt64)

    // The lock guards the variables.
    private let query: FlatCache.Query<Value>
    private let identity: QueryIdentity
    private let lock = Lock()
    private var live: (observation: QueryObservation<Value>, subscription: CacheSubscription)?
    private var latest: Held<Answer> = Held()
    /// The tracked reads since the last change, or `nil` if there are none.
    private var reads: TrackedReads?
    /// The observers of closures that have read it.
    private var watchers: [ObjectIdentifier: any DependentObserver] = [:]
    /// This object, while it must be kept for its readers.
    private var kept: FollowedReading?
    private let keptReadings: KeptReadings

    fileprivate init(_ query: FlatCache.Query<Value>, _ identity: QueryIdentity, _ keptReadings: KeptReadings) {
        self.query = query
        self.identity = identity
        self.keptReadings = keptReadings
    }

    fileprivate func isReading(_ query: FlatCache.Query<Value>, _ identity: QueryIdentity) -> Bool {
        self.identity == identity && self.query == query
    }

    /// Begins to observe.
    fileprivate func begin(
        in cache: FlatCache,
        _ receiver: (@escaping @Sendable (Answer?) -> Void) -> QueryObserver.Receiver
    ) {
        TrackingProbe.withoutTracking {
            let new = cache.observe(query, .onCommit, receiver { [weak self] in self?.change(to: $0) })
            lock.withLock { live = new }
        }
    }

    /// Tracks a read of the calling thread.
    ///
    /// - Parameter snapshot: The state that the thread reads, or `nil` for the current one.
    /// - Returns: What is read, or `nil` if it isn't known whether it is that of the state.
    func track(at snapshot: Snapshot?) -> Current? {
        // This comes first: the answer that is read afterwards has the commits before.
        let isCurrent = observation?.isCurrent(for: snapshot) == true
        let (reads, answer, isNew) = lock.withLock {
            let reads = self.reads ?? TrackedReads()
            self.reads = reads
            reads.noteReader()
            defer { kept = self }
            return (reads, latest.copy, kept == nil)
        }
        if isNew { keptReadings.add(self) }
        reads.access()
        guard let snapshot, let answer else { return isCurrent ? answer?.current : nil }
        if answer.revision <= snapshot.revision { return isCurrent ? answer.current : nil }
        TrackedReads.notifyReaderSoon()
        return nil
    }

    /// Records a read of a closure that the cache observes.
    ///
    /// - Returns: What is read, or `nil` if it isn't known whether it is that of the state.
    func note(in dependencies: Dependencies, of snapshot: Snapshot, _ cache: FlatCache) -> Current? {
        dependencies.note(SlotIdentity(self)) { watch(for: $0) }
        guard let observation else { return nil }
        if !observation.isCurrent(for: snapshot) {
            observation.shared.live.readQueries.bringUpToDate(in: cache)
            observation.bringUpToDate(in: cache)
        }
        let isCurrent = observation.isCurrent(for: snapshot)
        guard let answer = lock.withLock({ latest.copy }) else { return nil }
        if answer.revision <= snapshot.revision { return isCurrent ? answer.current : nil }
        dependencies.noteChange(at: answer.revision)
        return nil
    }

    private func watch(for observer: any DependentObserver) -> any Registration {
        lock.withLock { watchers[ObjectIdentifier(observer)] = observer }
        observer.noteRead(of: self)
        return Watch(reading: self, observer: observer)
    }

    /// The entry of an observer of a closure.
    private struct Watch: Registration {
        let reading: FollowedReading
        let observer: any DependentObserver

        func remove() {
            _ = reading.lock.withLock { reading.watchers.removeValue(forKey: ObjectIdentifier(observer)) }
            observer.endRead(of: reading)
        }
    }

    /// Notifies the readers of a new answer, or of the end of the cache.
    private func change(to answer: Answer?) {
        let (replaced, reads, watchers, kept) = lock.withLock {
            let reads = self.reads.take()
            let isRead = reads != nil && answer != nil
            return (latest.replace(with: answer), reads, self.watchers.values, isRead ? nil : self.kept.take())
        }
        reads?.notify()
        for watcher in watchers {
            guard let answer, let cache = cache else {
                watcher.finish()
                continue
            }
            watcher.postChange(at: answer.revision)
            Delivery.run(ShortList(watcher), in: cache)
        }
        withExtendedLifetime((replaced, kept)) {}
    }

    private var observation: QueryObservation<Value>? { lock.withLock { live?.observation } }

    private var cache: FlatCache? { observation?.shared.live.cache.object }

    override func collect(into queries: inout ReadQueries) {
        if let observation { queries.add(observation) }
    }

    override var isKept: Bool { lock.withLock { kept != nil } }

    override func release() -> Bool {
        let (reads, kept) = lock.withLock { (self.reads.take(), self.kept.take()) }
        defer { withExtendedLifetime(kept) {} }
        return reads?.notifyExceptRunning() ?? false
    }
}

extension QueryShares {
    /// Returns what is computed from a query, and observes the query.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - identity: What distinguishes the reading from others of the query.
    ///   - cache: The cache.
    ///   - receiver: Returns a receiver that calls a closure with each answer, and with `nil` at the end.
    func following<Value: Cachable, Current>(
        _ query: FlatCache.Query<Value>,
        _ identity: QueryIdentity,
        in cache: FlatCache,
        _ receiver: (@escaping @Sendable (FollowedReading<Value, Current>.Answer?) -> Void) -> QueryObserver.Receiver
    ) -> FollowedReading<Value, Current> {
        typealias Reading = FollowedReading<Value, Current>
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(identity)
        let hash = hasher.finalize()
        if let known = find(Reading.self, hash: hash, where: { $0.isReading(query, identity) }) { return known }
        let new = Reading(query, identity, cache.keptReadings)
        new.begin(in: cache, receiver)
        add(new, hash: hash)
        return new
    }
}

/// A reading without its types.
class AnyFollowedReading: QueryShare, ReadingOfQuery, @unchecked Sendable {
    /// Whether the object keeps itself.
    var isKept: Bool { false }

    /// Notifies the tracked readers, and doesn't keep the object for them any more.
    ///
    /// - Returns: Whether a function of the calling thread that has read may still be running. It isn't notified.
    func release() -> Bool { false }

    func collect(into queries: inout ReadQueries) {}
}

/// The readings that are kept for readers.
///
/// Their number is limited, because readers don't tell when they have ended. The oldest ones notify their readers. So if a
/// reader still waits, it reads again.
final class KeptReadings: @unchecked Sendable {  // The lock guards the variables.
    private let lock = Lock()
    private var list: [WeakReference<AnyFollowedReading>] = []
    /// The length of the list at which those that have ended are removed from it.
    private var longest = limit

    /// The number of readings that are kept at least.
    static var limit: Int { 1_000 }

    func add(_ reading: AnyFollowedReading) {
        let reference = WeakReference<AnyFollowedReading>()
        reference.refer(to: reading)
        let all: [WeakReference<AnyFollowedReading>] = lock.withLock {
            list.append(reference)
            if list.count <= longest { return [] }
            defer { list = [] }
            return list
        }
        if all.isEmpty { return }
        // They are used, and released, without the lock.
        let kept = all.filter { $0.object?.isKept == true }
        lock.withLock {
            list = kept.suffix(Self.limit) + list
            longest = list.count + Self.limit
        }
        var mayReaderRun = false
        for reference in kept.dropLast(Self.limit) where reference.object?.release() == true { mayReaderRun = true }
        // One notification repeats all. Each would need a kilobyte until the thread has time for it.
        if mayReaderRun { TrackedReads.notifyReaderSoon() }
    }
}
