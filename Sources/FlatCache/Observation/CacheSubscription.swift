/// A running observation, which ends when it is cancelled or released, whichever comes first.
///
///     let subscription = cache.observe(Post.self, id: "1") { show($0.value) }
///     …
///     subscription.cancel()
///
/// Keep it for as long as the callback shall be called; a view or a model usually has it as a property.
public final class CacheSubscription: @unchecked Sendable {  // `parts` is guarded by the lock.
    private let lock = Lock()
    private let calls: ObserverCalls
    private var parts: Held<(observer: any Observer, registrations: [any Registration])>

    init(_ observer: any Observer, _ registrations: [any Registration]) {
        calls = observer.calls
        parts = Held((observer, registrations))
    }

    /// Creates a subscription to what is gone already.
    init() {
        calls = ObserverCalls()
        calls.end()
        parts = Held()
    }

    deinit {
        cancel()
    }

    /// Ends the observation and releases the callback; calling it again has no effect.
    ///
    /// Once `cancel` has returned, on any thread, no call of the callback begins. One that is running on another thread is
    /// not waited for, so that a callback may cancel any subscription, its own included; what the callback has captured
    /// lives until then. ``ended()`` waits for it.
    ///
    /// Can be called from any thread.
    ///
    /// - Complexity: O(1) for each observed key.
    public func cancel() {
        // First, whoever takes the parts: another thread that cancels, too, must not return while a call can begin.
        calls.end()
        guard let (observer, registrations) = lock.withLock({ parts.take() }) else { return }
        observer.finish()
        for registration in registrations { registration.remove() }
    }

    /// Waits until the observation has ended and no call of the callback is running any more.
    ///
    ///     subscription.cancel()
    ///     await subscription.ended()
    ///     buffer.deallocate()             // nobody calls who could use it
    ///
    /// The observation ends when it is cancelled, or when its cache goes. Inside of the callback itself this returns at
    /// once, and so it does when the waiting task is cancelled.
    public func ended() async {
        await calls.waitForEnd()
    }
}

extension CacheSubscription: Hashable {
    /// Returns whether two references are to the same subscription.
    public static func == (lhs: CacheSubscription, rhs: CacheSubscription) -> Bool { lhs === rhs }

    /// Feeds the identity of the subscription into a hasher, so that subscriptions can be kept in a set.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
