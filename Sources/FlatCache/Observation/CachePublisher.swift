#if canImport(Combine)
public import Combine

/// A Combine publisher of values from a cache: the current one, then each new one.
///
///     let publisher = cache.publisher { post.author?.name }
///
/// The closure runs when the subscriber has demand and an entity that the closure read has changed. A subscriber that
/// is slower than the writers skips to the newest value, and no values are buffered for it. Values are delivered on the
/// thread that commits or that requests them, or in a task if writers are faster than the subscriber. Use
/// `receive(on:)` to move them to a scheduler.
///
/// The publisher never fails and doesn't keep the cache alive. It finishes when the cache is deallocated. It also
/// finishes after a value for which the closure has read nothing, because such a value can't change. A subscriber
/// without demand receives this completion when it requests a value.
public struct CachePublisher<Output: Sendable>: Publisher, Sendable {
    /// The publisher never fails.
    public typealias Failure = Never

    private let cache: WeakReference<FlatCache>
    private let compute: @Sendable () -> Output

    init(in cache: WeakReference<FlatCache>, _ compute: @escaping @Sendable () -> Output) {
        self.cache = cache
        self.compute = compute
    }

    /// Attaches a subscriber and begins to observe for it.
    public func receive<Target: Subscriber>(subscriber: Target) where Target.Input == Output, Target.Failure == Never {
        let link = CacheLink(
            DemandedValues(DerivedValue(in: cache, compute), for: AnySubscriber(subscriber)),
            in: cache
        )
        subscriber.receive(subscription: link)
        link.begin()
    }
}

/// The subscription of one subscriber, with its observation.
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

    /// Begins to observe.
    ///
    /// No value is delivered before this.
    func begin() { observe { $0.begin() } }

    func request(_ demand: Subscribers.Demand) {
        if values.add(demand) { observe { $0.readAgain() } }
    }

    /// Calls the observer as a callback is called, outside of any surrounding body.
    private func observe(_ call: (DependencyTracker) -> Bool) {
        guard let cache = cache.object else { return values.finish() }
        Delivery.begin(observer, in: cache) { call(observer) }
    }

    func cancel() {
        // The subscriber is released first, so that it receives no completion from the cancellation.
        values.cancel()
        observation.cancel()
    }
}

/// The demand of a subscriber, and whether there is a new value for it.
private final class DemandedValues<Value: Sendable>: @unchecked Sendable {
    // Everything mutable is guarded by the lock.
    private let lock = Lock()
    private var demand = Subscribers.Demand.none
    /// Whether a change arrived when there was no demand.
    private var isBehind = false
    private var parts: Held<Parts>

    private typealias Parts = (derivation: DerivedValue<Value>, subscriber: AnySubscriber<Value, Never>)

    init(_ derivation: DerivedValue<Value>, for subscriber: AnySubscriber<Value, Never>) {
        parts = Held((derivation, subscriber))
    }

    /// Sends the newest value to the subscriber, if it has demand and hasn't received that value.
    ///
    /// The caller must have the turn.
    func deliver(_ observer: DependencyTracker) {
        guard let (derivation, subscriber) = lock.withLock({ wanted() }) else { return }
        if let value = derivation.next(observer) {
            // The subscription may have ended while the value was computed.
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

    /// Adds demand of the subscriber.
    ///
    /// - Returns: Whether there is already a new value for it.
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

    /// Releases the subscriber and the closure that computes its values.
    func cancel() {
        let rest = lock.withLock { parts.take() }
        withExtendedLifetime(rest) {}
    }
}

extension FlatCache {
    /// Returns a publisher of the values that a closure computes from this cache: the first one, then each different
    /// one.
    ///
    /// - Parameter value: A closure that computes the value. It should only read, and its result should depend only on
    ///   this cache. It runs again when a commit changes an entity that it read.
    public func publisher<Value: Sendable>(_ value: @escaping @Sendable () -> Value) -> CachePublisher<Value> {
        CachePublisher(in: reference, value)
    }

    /// Returns a publisher of the values of one entity, which sends `nil` while the entity isn't stored.
    ///
    /// - Parameters:
    ///   - type: The type of the entity; can be omitted if it is inferred.
    ///   - id: The identifier of the entity.
    public func publisher<Value: Cachable>(of type: Value.Type = Value.self, id: Value.ID) -> CachePublisher<Value?> {
        Cached(id: id, in: self).publisher
    }
}

extension CachePublisher: CustomStringConvertible, CustomReflectable {
    /// A line with the type of the values: `CachePublisher<Blog.Post>`.
    public var description: String { Summary.line(Summary.name("CachePublisher", of: Output.self)) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Cached {
    /// A publisher of the values of the entity, which sends `nil` while the entity isn't stored.
    public var publisher: CachePublisher<Value?> { CachePublisher(in: reference) { self.current } }
}
#endif
