/// A running observation, which ends when it is cancelled or released, whichever comes first.
///
///     let subscription = cache.observe(Post.self, id: "1") { show($0.value) }
///     …
///     subscription.cancel()
///
/// Keep it for as long as the callback shall be called; a view or a model usually has it as a property.
public final class CacheSubscription: @unchecked Sendable {  // Both variables are guarded by the lock.
    private let lock = Lock()
    private var observer: (any Observer)?
    private var registrations: [any Registration]

    init(_ observer: any Observer, _ registrations: [any Registration]) {
        self.observer = observer
        self.registrations = registrations
    }

    /// Creates a subscription to what is gone already.
    init() {
        observer = nil
        registrations = []
    }

    deinit {
        cancel()
    }

    /// Ends the observation and releases the callback; calling it again has no effect.
    ///
    /// No call of the callback begins after `cancel` has returned. One that has begun on another thread is not waited
    /// for, so that a callback may cancel any subscription, its own included.
    ///
    /// Can be called from any thread.
    ///
    /// - Complexity: O(1) for each observed key.
    public func cancel() {
        // Before the observer is forgotten: another thread that cancels, too, must not return while it can be called.
        let observer = lock.withLock { self.observer }
        observer?.finish()
        let registrations = lock.withLock {
            defer {
                self.observer = nil
                self.registrations = []
            }
            return self.registrations
        }
        for registration in registrations { registration.remove() }
    }
}

extension CacheSubscription: Hashable {
    /// Returns whether two references are to the same subscription.
    public static func == (lhs: CacheSubscription, rhs: CacheSubscription) -> Bool { lhs === rhs }

    /// Feeds the identity of the subscription into a hasher, so that subscriptions can be kept in a set.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
