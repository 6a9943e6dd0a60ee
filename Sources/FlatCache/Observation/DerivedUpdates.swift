/// The values over time of what a closure computes from a cache: the first one, then each other one.
///
///     for await name in cache.updates({ post.author?.name }) {
///         title = name
///     }
///
/// The closure is run when a value is asked for and something that it has read was changed, on the task that asks. An
/// iterator that is slower than the writers skips to the newest value; it never holds more than one. Every iterator
/// observes by itself and stops when it is released or its task is cancelled. The sequence ends when the cache goes, which
/// it doesn't keep alive, and when the closure has read nothing, for its value is the last one then.
public struct DerivedUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Observation doesn't fail.
    public typealias Failure = Never

    private let cache: WeakReference<FlatCache>
    private let compute: @Sendable () -> Element

    init(in cache: WeakReference<FlatCache>, _ compute: @escaping @Sendable () -> Element) {
        self.cache = cache
        self.compute = compute
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observer = ReadObserver(signal: continuation)
        return AsyncIterator(
            observer: observer,
            subscription: CacheSubscription(observer, []),
            derivation: Derivation(in: cache, compute),
            signals: signals.makeAsyncIterator(),
            cache: cache
        )
    }

    /// Waits for the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observer: ReadObserver
        fileprivate let subscription: CacheSubscription
        fileprivate let derivation: Derivation<Element>
        fileprivate var signals: AsyncStream<Void>.AsyncIterator
        fileprivate let cache: WeakReference<FlatCache>

        /// Returns the newest value if it is another than the last one, or waits for it.
        ///
        /// - Returns: The value, or `nil` when the cache is gone or the task cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while !Task.isCancelled {
                if observer.takeNews() {
                    if let value = derivation.next(observer) { return value }
                    // While that was computed, more news may have come, and the signal of it been taken.
                    continue
                }
                guard observer.isWatching, cache.object != nil, await signals.next(isolation: actor) != nil else {
                    break
                }
            }
            return nil
        }

        /// Returns the newest value if it is another than the last one, or waits for it.
        ///
        /// - Returns: The value, or `nil` when the cache is gone or the task cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }
    }
}
