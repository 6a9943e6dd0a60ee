/// The changes of several keys over time, a change set for each commit that changes one of them.
///
///     for await changes in cache.changes(of: posts.map(\.flatCacheKey)) {
///         reload(changes.updated)
///     }
///
/// The first change set has the keys that are stored when iteration begins as ``ChangeSet/inserted``, unless the sequence was
/// made without that. An iterator that is slower than the writers gets the
/// commits that wait folded into one change set. Every iterator observes by itself and stops when it is released or its
/// task is cancelled. The sequence ends when the cache goes, which it doesn't keep alive.
public struct KeyChanges: AsyncSequence, Sendable {
    /// A change set for each commit, or for several folded into one.
    public typealias Element = ChangeSet

    /// Observation doesn't fail.
    public typealias Failure = Never

    private let cache: WeakReference<FlatCache>
    private let keys: Set<FlatCacheKey>
    private let isInitial: Bool

    init(of keys: Set<FlatCacheKey>, _ isInitial: Bool, in cache: WeakReference<FlatCache>) {
        self.cache = cache
        self.keys = keys
        self.isInitial = isInitial
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard let cache = cache.object else {
            continuation.finish()
            return AsyncIterator(observer: nil, subscription: nil, signals: signals.makeAsyncIterator())
        }
        let observer = KeySetObserver(isInitial: isInitial, signal: continuation)
        return AsyncIterator(
            observer: observer,
            subscription: cache.subscribe(observer, to: keys, isInitial),
            signals: signals.makeAsyncIterator()
        )
    }

    /// Waits for the changes of several keys.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observer: KeySetObserver?
        fileprivate let subscription: CacheSubscription?
        fileprivate var signals: AsyncStream<Void>.AsyncIterator

        /// Returns what has changed since the last call, or waits until something has.
        ///
        /// - Returns: The changes, or `nil` when the cache is gone or the task cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ChangeSet? {
            while !Task.isCancelled {
                if let changes = observer?.takeChanges() { return changes }
                guard await signals.next(isolation: actor) != nil else { break }
            }
            return nil
        }

        /// Returns what has changed since the last call, or waits until something has.
        ///
        /// - Returns: The changes, or `nil` when the cache is gone or the task cancelled.
        public mutating func next() async -> ChangeSet? {
            await next(isolation: nil)
        }
    }
}
