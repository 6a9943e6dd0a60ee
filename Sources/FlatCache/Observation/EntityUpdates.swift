/// The values of one entity over time: the one that is stored when iteration begins, then each that replaces it.
///
///     for await post in cache.updates(of: Post.self, id: "1") {
///         show(post)                  // nil while the post is not stored
///     }
///
/// An iterator that is slower than the writers skips to the newest value; it never holds more than one. Every iterator
/// observes by itself and stops when it is released or its task is cancelled. The sequence ends when the cache goes,
/// which it doesn't keep alive.
public struct EntityUpdates<Value: Cachable>: AsyncSequence, Sendable {
    /// The entity, or `nil` while it is not stored.
    public typealias Element = Value?

    /// Observation doesn't fail.
    public typealias Failure = Never

    private let cache: WeakReference<FlatCache>
    private let id: Value.ID

    init(of id: Value.ID, in cache: WeakReference<FlatCache>) {
        self.cache = cache
        self.id = id
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard let cache = cache.object else {
            continuation.finish()
            return AsyncIterator(observer: nil, subscription: nil, signals: signals.makeAsyncIterator())
        }
        let table = cache.registry.table(of: Value.self).takeUnretainedValue()
        let (observer, registration) = table.withSlot(for: id, HashedID(id)) { slot in
            let observer = EntityObserver(Transition(initialStateOf: slot), signal: continuation)
            return (observer, SlotRegistration(adding: observer, to: slot, of: table))
        }
        return AsyncIterator(
            observer: observer,
            subscription: CacheSubscription(observer, [registration]),
            signals: signals.makeAsyncIterator()
        )
    }

    /// Waits for the values of one entity.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observer: EntityObserver?
        fileprivate let subscription: CacheSubscription?
        fileprivate var signals: AsyncStream<Void>.AsyncIterator

        /// Returns the newest value if it is another than the last one, or waits for it.
        ///
        /// - Returns: The entity, `.some(nil)` if it isn't stored, or `nil` when the cache is gone or the task cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value?? {
            while !Task.isCancelled {
                if let change = observer?.takeChange(of: Value.self) { return .some(change.value) }
                guard await signals.next(isolation: actor) != nil else { break }
            }
            return nil
        }

        /// Returns the newest value if it is another than the last one, or waits for it.
        ///
        /// - Returns: The entity, `.some(nil)` if it isn't stored, or `nil` when the cache is gone or the task cancelled.
        public mutating func next() async -> Value?? {
            await next(isolation: nil)
        }
    }
}
