#if canImport(Combine)
public import Combine

/// The values over time of something in a cache, for Combine: the first one, then each other one.
///
///     let publisher = cache.publisher { post.author?.name }
///
/// The closure runs when a value is wanted and something that it has read was changed. A subscriber that is slower than the
/// writers skips to the newest value; none is kept for it. Values come on the thread that commits, or that asks for them, and
/// in a task where writers are faster than the subscriber; `receive(on:)` takes them elsewhere.
///
/// The publisher never fails. It finishes when the cache goes, which it doesn't keep alive, and when the closure has read
/// nothing, for its value is the last one then. A subscriber that hasn't asked for a value yet gets that completion when it asks.
public struct CachePublisher<Output: Sendable>: Publisher, Sendable {
    /// Observation doesn't fail.
    public typealias Failure = Never

    private let cache: WeakReference<FlatCache>
    private let compute: @Sendable () -> Output

    init(in cache: WeakReference<FlatCache>, _ compute: @escaping @Sendable () -> Output) {
        self.cache = cache
        self.compute = compute
    }

    /// Begins to observe for a subscriber.
    public func receive<Target: Subscriber>(subscriber: Target) where Target.Input == Output, Target.Failure == Never {
        let link = CacheLink(
            DemandedValues(DerivedValue(in: cache, compute), for: AnySubscriber(subscriber)),
            in: cache
        )
        subscriber.receive(subscription: link)
        link.begin()
    }
}

/// What connects a subscriber with its observation.
private final class CacheLink<Value: Sendable>: Subscription {
    private let values: DemandedValues<Value>
    private let observer: DependencyTracker
    private let observation: CacheSubscription
    private let cache: WeakReference<FlatCache>

    init(_ values: DemandedValues<Value>, in cache: WeakReference<FlatCache>) {
        self.values = values
        self.cache = cache
        observer = DependencyTracker {
            values.deliver($0)
        } onEnd: {
            values.finish()
        }
        observation = CacheSubscription(observer, [])
    }

    deinit {
        cancel()
    }

    /// Begins to observe; before that, nothing comes that is asked for.
    func begin() { observe { $0.begin() } }

    func request(_ demand: Subscribers.Demand) {
        if values.add(demand) { observe { $0.readAgain() } }
    }

    /// Calls the observer as callbacks are, whatever is running around this.
    private func observe(_ call: (DependencyTracker) -> Bool) {
        guard let cache = cache.object else { return values.finish() }
        Delivery.begin(observer, in: cache) { call(observer) }
    }

    func cancel() {
        // First, the subscriber: what ends without it is not completed.
        values.cancel()
        observation.cancel()
    }
}

/// What a subscriber wants, and whether there is something new for it.
private final class DemandedValues<Value: Sendable>: @unchecked Sendable {
    // Everything mutable is guarded by the lock.
    private let lock = Lock()
    private var demand = Subscribers.Demand.none
    /// Whether there was news when nothing was wanted.
    private var isBehind = false
    private var parts: Held<Parts>

    private typealias Parts = (derivation: DerivedValue<Value>, subscriber: AnySubscriber<Value, Never>)

    init(_ derivation: DerivedValue<Value>, for subscriber: AnySubscriber<Value, Never>) {
        parts = Held((derivation, subscriber))
    }

    /// Sends the subscriber the newest value, if it wants one that it doesn't have yet; called by whoever has the turn.
    func deliver(_ observer: DependencyTracker) {
        guard let (derivation, subscriber) = lock.withLock({ wanted() }) else { return }
        if let value = derivation.next(observer) {
            // Computing it may have taken long.
            guard !observer.isFinished else { return }
            lock.withLock { demand -= 1 }
            let more = subscriber.receive(value)
            lock.withLock { demand += more }
        }
        if !observer.isWatching { finish() }
    }

    private func wanted() -> Parts? {
        isBehind = demand == .none
        return isBehind ? nil : parts.copy
    }

    /// Notes that the subscriber wants more values.
    ///
    /// - Returns: Whether there is something new for it already.
    func add(_ more: Subscribers.Demand) -> Bool {
        lock.withLock {
            demand += more
            guard isBehind, demand > .none else { return false }
            isBehind = false
            return true
        }
    }

    /// Ends the subscription, once.
    func finish() {
        guard let (_, subscriber) = lock.withLock({ parts.take() }) else { return }
        ReadContext.runOutsideOfAll { subscriber.receive(completion: .finished) }
    }

    /// Lets go of the subscriber and of what computes its values.
    func cancel() {
        let rest = lock.withLock { parts.take() }
        withExtendedLifetime(rest) {}
    }
}

extension FlatCache {
    /// Returns a publisher of what a closure computes from this cache, as ``updates(_:)`` does for `AsyncSequence`.
    ///
    /// - Parameter value: Computes the value; what it may do is said at ``observe(initial:_:onChange:)``.
    public func publisher<Value: Sendable>(_ value: @escaping @Sendable () -> Value) -> CachePublisher<Value> {
        CachePublisher(in: reference, value)
    }

    /// Returns a publisher of one entity, which is `nil` while it isn't stored.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted where it is inferred.
    ///   - id: The identifier of the entity.
    public func publisher<Value: Cachable>(of type: Value.Type = Value.self, id: Value.ID) -> CachePublisher<Value?> {
        Cached(id: id, in: self).publisher
    }
}

extension Cached {
    /// A publisher of the entity, which is `nil` while it isn't stored.
    public var publisher: CachePublisher<Value?> { CachePublisher(in: reference) { self.current } }
}
#endif
