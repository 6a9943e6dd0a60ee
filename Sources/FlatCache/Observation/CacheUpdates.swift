/// What is observed in a cache over time: the state when iteration begins, then each other one.
///
///     for await post in cache.updates(of: Post.self, id: "1") {
///         show(post)                  // nil while the post is not stored
///     }
///
/// An iterator that is slower than the writers skips to the newest element; it never holds more than one. Every iterator
/// observes by itself and stops when it is released or its task is cancelled. The sequence ends when the cache is released,
/// which it doesn't keep alive.
///
/// ``FlatCache/updates(of:id:)``, ``FlatCache/changes(of:initial:)`` and ``FlatCache/updates(_:)`` make such sequences, and
/// `updates` of handles, lists and references.
public struct CacheUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Observation doesn't fail.
    public typealias Failure = Never

    private let cache: WeakReference<FlatCache>
    private let observe: @Sendable (FlatCache, AsyncStream<Void>.Continuation) -> PolledObservation<Element>

    /// Creates a sequence.
    ///
    /// - Parameters:
    ///   - cache: The cache that is observed.
    ///   - observe: Begins an observation that signals a stream when there may be a new element.
    init(
        in cache: WeakReference<FlatCache>,
        _ observe: @escaping @Sendable (FlatCache, AsyncStream<Void>.Continuation) -> PolledObservation<Element>
    ) {
        self.cache = cache
        self.observe = observe
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return AsyncIterator(
            observation: cache.object.map { observe($0, continuation) },
            signals: signals.makeAsyncIterator()
        )
    }

    /// Waits for the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: PolledObservation<Element>?
        fileprivate var signals: AsyncStream<Void>.AsyncIterator

        /// Returns the newest element if it is another than the last one, or waits for it.
        ///
        /// - Parameter actor: The actor on which to return.
        /// - Returns: The element, or `nil` when the cache is released or the task cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while !Task.isCancelled {
                switch observation?.poll() {
                case .element(let element): return element
                case .nothing: if await signals.next(isolation: actor) == nil { return nil }
                case .end, nil: return nil
                }
            }
            return nil
        }

        /// Returns the newest element if it is another than the last one, or waits for it.
        ///
        /// - Returns: The element, or `nil` when the cache is released or the task cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }
    }
}

/// An observation whose observer is asked for news instead of being called.
struct PolledObservation<Element: Sendable> {
    let subscription: CacheSubscription
    /// Returns what is new, without waiting.
    let poll: () -> Poll

    enum Poll {
        /// The newest element.
        case element(Element)
        /// There is nothing new now.
        case nothing
        /// There can't be anything new any more.
        case end
    }
}
