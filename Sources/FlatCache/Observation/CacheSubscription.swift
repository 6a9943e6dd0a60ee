/// A running observation, which ends when this object is cancelled or released.
///
///     let subscription = cache.observe(Post.self, id: "1") { show($0.value) }
///     …
///     subscription.cancel()
///
/// Keep it as long as the callback should be called, usually as a property of a view or model. The observation also
/// ends when the cache is deallocated.
public final class CacheSubscription: @unchecked Sendable {  // `parts` is guarded by the lock.
    private let lock = Lock()
    private let calls: ObserverCalls
    private var parts: Held<(observer: any Observer, registrations: [any Registration])>

    init(_ observer: any Observer, _ registrations: [any Registration]) {
        calls = observer.calls
        parts = Held((observer, registrations))
    }

    /// Creates a subscription to a cache that is already deallocated.
    init() {
        calls = ObserverCalls()
        calls.end()
        parts = Held()
    }

    deinit {
        cancel()
    }

    /// Ends the observation and releases the callback.
    ///
    /// After `cancel` returns, on any thread, no call of the callback begins. It doesn't wait for a call that runs on
    /// another thread, so a callback can cancel any subscription, including its own. The values that the callback
    /// captured live until that call ends. Use ``ended()`` to wait for it.
    ///
    /// This can be called from any thread. Calling it again has no effect.
    ///
    /// - Complexity: O(1) for each observed key.
    public func cancel() {
        // This comes first: if two threads cancel, neither may return while a call can begin.
        calls.end()
        guard let (observer, registrations) = lock.withLock({ parts.take() }) else { return }
        observer.finish()
        for registration in registrations { registration.remove() }
    }

    /// Waits until the observation has ended and no call of the callback is running.
    ///
    ///     subscription.cancel()
    ///     await subscription.ended()
    ///     buffer.deallocate()             // no call can use it any more
    ///
    /// The observation ends when it is cancelled, or when its cache is deallocated. This returns immediately inside of
    /// the callback itself, and if the waiting task is cancelled.
    public func ended() async {
        await calls.waitForEnd()
    }
}

extension CacheSubscription: Hashable {
    /// Returns whether two references point to the same subscription.
    public static func == (lhs: CacheSubscription, rhs: CacheSubscription) -> Bool { lhs === rhs }

    /// Feeds the identity of the subscription into a hasher, so that subscriptions can be kept in a set.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CacheSubscription: CustomStringConvertible, CustomReflectable {
    /// A line with the state: `CacheSubscription: active`, or `ended`.
    public var description: String { Summary.line("CacheSubscription", nil, [calls.areEnded ? "ended" : "active"]) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
