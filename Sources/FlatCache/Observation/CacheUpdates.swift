/// An asynchronous sequence of states in a cache: the state when iteration begins, then each new one.
///
///     for await post in cache.updates(of: Post.self, id: "1") {
///         show(post)                  // nil while the post is not stored
///     }
///
/// An iterator that is slower than the writers skips to the newest element and never buffers more than one. Each
/// iterator observes separately, and stops when it is released or its task is cancelled. The sequence doesn't keep the
/// cache alive and ends when the cache is deallocated.
///
/// Create sequences with ``FlatCache/updates(of:id:)``, ``FlatCache/changes(of:initial:)`` and
/// ``FlatCache/updates(_:)``, and with the `updates` of handles, lists and references.
public struct CacheUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// The sequence never throws.
    public typealias Failure = Never

    private let cache: WeakReference<FlatCache>
    private let observe: @Sendable (FlatCache, AsyncStream<Void>.Continuation) -> PolledObservation<Element>

    /// Creates a sequence.
    ///
    /// - Parameters:
    ///   - cache: The cache that is observed.
    ///   - observe: A closure that begins an observation, which signals a stream when there may be a new element.
    init(
        in cache: WeakReference<FlatCache>,
        _ observe: @escaping @Sendable (FlatCache, AsyncStream<Void>.Continuation) -> PolledObservation<Element>
    ) {
        self.cache = cache
        self.observe = observe
    }

    /// Returns an iterator, which begins to observe.
    public func makeAsyncIterator() -> AsyncIterator {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return AsyncIterator(
            observation: cache.object.map { observe($0, continuation) },
            signals: signals.makeAsyncIterator()
        )
    }

    /// An iterator that waits for the elements.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: PolledObservation<Element>?
        fileprivate var signals: AsyncStream<Void>.AsyncIterator

        /// Returns the newest element, after waiting until it differs from the last one.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: The element, or `nil` if the cache is deallocated or the task is cancelled.
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

        /// Returns the newest element, after waiting until it differs from the last one.
        ///
        /// - Returns: The element, or `nil` if the cache is deallocated or the task is cancelled.
        public mutating func next() async -> Element? {
            await next(isolation: nil)
        }
    }
}

/// An observation whose observer is polled instead of being called.
struct PolledObservation<Element: Sendable> {
    let subscription: CacheSubscription
    /// Returns the new element, without waiting.
    let poll: () -> Poll

    enum Poll {
        /// The newest element.
        case element(Element)
        /// There is no new element now.
        case nothing
        /// There will be no new element.
        case end
    }
}

extension CacheUpdates: CustomStringConvertible, CustomReflectable {
    /// A line with the type of the elements: `CacheUpdates<Blog.Post>`.
    public var description: String { Summary.line(Summary.name("CacheUpdates", of: Element.self)) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
