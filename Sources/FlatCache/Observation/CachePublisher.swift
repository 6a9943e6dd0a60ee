#if canImport(Combine)
public import Combine

/// The values over time of something in a cache, for Combine.
///
///     let publisher = cache.publisher { post.author?.name }
///
/// A subscriber gets the value of now and each other one, and never fails. One that is slower than the writers skips to the
/// newest value; at most one waits for it. Values come on the thread that commits; `receive(on:)` takes them elsewhere. The
/// publisher doesn't keep the cache alive; once that is gone, nothing comes any more.
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
        let newest = NewestValue<Output> { value in
            let demand = subscriber.receive(value)
            return demand.max ?? .max
        }
        // What is put before the subscriber asks for values waits.
        let observation = cache.object?.observe(compute) { newest.put($0) }
        subscriber.receive(subscription: CacheLink(newest, observation))
    }
}

/// What connects a subscriber with its observation.
private final class CacheLink<Value: Sendable>: Subscription {
    private let newest: NewestValue<Value>
    private let observation: CacheSubscription?

    init(_ newest: NewestValue<Value>, _ observation: CacheSubscription?) {
        self.newest = newest
        self.observation = observation
    }

    func request(_ demand: Subscribers.Demand) {
        newest.request(demand.max ?? .max)
    }

    func cancel() {
        newest.cancel()
        observation?.cancel()
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
    ///   - type: The type of the entity; can be left out where the context tells it.
    ///   - id: The identifier of the entity.
    public func publisher<Value: Cachable>(of type: Value.Type = Value.self, id: Value.ID) -> CachePublisher<Value?> {
        Cached(id: id, in: self).publisher
    }
}

extension Cached {
    /// A publisher of the entity, which is `nil` while it isn't stored.
    public var publisher: CachePublisher<Value?> { CachePublisher(in: reference) { self.current } }
}

extension CachedList {
    /// A publisher of the order and the entities.
    public var publisher: CachePublisher<CachedListState<Value>> { CachePublisher(in: handle.reference) { self.state } }
}
#endif
