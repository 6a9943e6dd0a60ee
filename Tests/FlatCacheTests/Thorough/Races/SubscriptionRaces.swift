#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Subscribing and cancelling, stopped where a commit can come between.
@Suite("Races of subscriptions", .mayBlock)
struct SubscriptionRaces {
    let cache = FlatCache()

    @Test("N3: A commit between registration and the first call notifies with that call, or after it, folded")
    func commitsBeforeFirstCall() {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<EntityChange<Counter>>()
        let commits: @Sendable () -> Void = { [cache] in
            cache.set(Counter(id: 1, count: 2))
            cache.remove(Counter.self, id: 1)
            cache.set(Counter(id: 1, count: 3))
            #expect(notified.count == 0, "another thread has made the first call")
        }
        let subscription = stopping(at: .subscribed, while: commits) {
            cache.observe(Counter.self, id: 1) { notified.record($0) }
        }
        // The first call may tell the newest state at once.
        #expect([[.initial], [.initial, .updated]].contains(notified.elements.map(\.kind)))
        #expect([[3], [1, 3]].contains(notified.elements.map(\.value?.count)))
        #expect(zip(notified.elements, notified.elements.dropFirst()).allSatisfy { $0.revision < $1.revision })
        subscription.cancel()
    }

    @Test("N3, N4: A change that is undone between registration and the first call doesn't notify")
    func changedBackBeforeFirstCall() {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<Int?>()
        let commits: @Sendable () -> Void = { [cache] in
            cache.removeAll()
            cache.set(Counter(id: 1, count: 1))
        }
        let subscription = stopping(at: .subscribed, while: commits) {
            cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
        }
        #expect(notified.elements == [1])
        subscription.cancel()
    }

    @Test("N2, N3: A subscription during a commit begins with the state of the commit, and isn't notified of it")
    func subscriptionBeforeDelivery() {
        cache.set(Counter(id: 1, count: 1))
        let earlier = Recorder<Int?>()
        let later = Recorder<Int?>()
        let several = Recorder<ChangeSet>()
        var subscriptions = [cache.observe(Counter.self, id: 1) { earlier.record($0.value?.count) }]
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 2)) }
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        subscriptions.append(cache.observe(Counter.self, id: 1) { later.record($0.value?.count) })
        subscriptions.append(cache.observe([Counter.flatCacheKey(id: 1)], initial: false) { several.record($0) })
        #expect(later.elements == [2])
        #expect(earlier.elements == [1])
        commit.finish()
        #expect(earlier.elements == [1, 2])
        #expect(later.elements == [2])
        #expect(several.count == 0)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("N2: A late delivery doesn't notify of an older state")
    func lateDelivery() {
        let notified = Recorder<EntityChange<Counter>>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0) }
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 1)) }
        cache.set(Counter(id: 1, count: 2))
        commit.finish()
        // The first commit may be notified, but not after the second.
        #expect([[nil, 2], [nil, 1, 2]].contains(notified.elements.map(\.value?.count)))
        #expect(notified.elements.dropFirst().first?.kind == .inserted)
        #expect(zip(notified.elements, notified.elements.dropFirst()).allSatisfy { $0.revision < $1.revision })
        subscription.cancel()
    }

    @Test("N3: A subscription while a commit holds the key begins with the state of that commit")
    func subscriptionDuringCommit() {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<Int?>()
        let commit = StoppedThread(at: .drawn) { [cache] in cache.set(Counter(id: 1, count: 2)) }
        let subscriber = RunningThread { [cache] in
            cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }.cancel()
        }
        commit.finish()
        subscriber.finish()
        #expect(notified.elements == [2])
    }

    @Test("N7: An observer that is cancelled between a commit and its delivery isn't called", arguments: Way.allCases)
    func cancelBeforeDelivery(_ way: Way) {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<String>()
        let peer = cache.observe(Counter.self, id: 1) { _ in notified.record("peer") }
        var subscription: CacheSubscription? = way.observe(cache) { notified.record("cancelled") }
        _ = notified.take()
        let commit = StoppedThread(at: .committed) { [cache] in cache.set(Counter(id: 1, count: 2)) }
        if way.isReleased { subscription = nil } else { subscription?.cancel() }
        commit.finish()
        #expect(notified.take() == ["peer"])
        cache.removeAll()
        #expect(notified.take() == ["peer"])
        peer.cancel()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("N7: An observer that is cancelled when a change leaves the mailbox isn't called", arguments: Way.allCases)
    func cancelBeforeCall(_ way: Way) {
        let notified = Recorder<Int>()
        var subscription: CacheSubscription? = way.observe(cache) { notified.record(1) }
        _ = notified.take()
        let commit = StoppedThread(at: .taken) { [cache] in cache.set(Counter(id: 1, count: 1)) }
        if way.isReleased { subscription = nil } else { subscription?.cancel() }
        commit.finish()
        #expect(notified.count == 0)
    }

    @Test("N7: cancel doesn't wait for a call that has begun, which is the last", arguments: Way.allCases)
    func cancelDuringDelivery(_ way: Way) {
        let notified = Recorder<Int>()
        var subscription: CacheSubscription? = way.observe(cache) { notified.record(1) }
        _ = notified.take()
        let commit = StoppedThread(at: .calling) { [cache] in cache.set(Counter(id: 1, count: 1)) }
        // Waits for the thread whose call has begun.
        cache.set(Counter(id: 1, count: 2))
        if way.isReleased { subscription = nil } else { subscription?.cancel() }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        commit.finish()
        #expect(notified.count == 1)
        cache.set(Counter(id: 1, count: 3))
        #expect(notified.count == 1)
    }

    @Test("N7: A callback that is running while it is cancelled is not called with what waits", arguments: Way.allCases)
    func cancelDuringCall(_ way: Way) {
        let notified = Recorder<Int>()
        let isInside = Gate("the callback is running")
        let mayReturn = Gate("the callback may return")
        cache.set(Counter(id: 1, count: 1))
        let isArmed = Protected(false)
        var subscription: CacheSubscription? = way.observe(cache) {
            guard isArmed.withLock({ $0 }) else { return }
            notified.record(1)
            isInside.open()
            mayReturn.wait()
        }
        isArmed.withLock { $0 = true }
        let writer = RunningThread { [cache] in cache.set(Counter(id: 1, count: 2)) }
        isInside.wait()
        cache.set(Counter(id: 1, count: 3))
        if way.isReleased { subscription = nil } else { subscription?.cancel() }
        mayReturn.open()
        writer.finish()
        cache.set(Counter(id: 1, count: 4))
        #expect(notified.count == 1)
    }

    @Test("N1, N7: A callback may release the last reference to its own subscription", arguments: Way.allCases)
    func releaseFromWithin(_ way: Way) {
        let holder = Protected<CacheSubscription?>(nil)
        let notified = Recorder<Int>()
        let subscription = way.observe(cache) { [cache] in
            let released = holder.withLock { subscription in
                defer { subscription = nil }
                return subscription
            }
            guard released != nil else { return }
            notified.record(1)
            // Another thread commits while the callback that releases is running.
            RunningThread { cache.set(Counter(id: 1, count: 2)) }.finish()
        }
        holder.withLock { $0 = subscription }
        let isHeld = ReleasedReference(consume subscription)
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.count == 1)
        #expect(isHeld.object == nil)
        cache.set(Counter(id: 1, count: 3))
        #expect(notified.count == 1)
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("N7: Of two threads that cancel one subscription, neither returns while it can still be called")
    func cancelledTwice() {
        var calls = 0
        for step in 0..<2_000 {
            let notified = Recorder<Int>()
            let subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count ?? 0) }
            onThreads(2) { [cache] thread in
                subscription.cancel()
                cache.set(Counter(id: 1, count: -1 - thread - 2 * step))
            }
            calls += notified.count - 1
        }
        #expect(calls == 0, "observers were called with what was written after cancelling")
    }

    /// How a subscription is made, and how it ends.
    enum Way: CaseIterable {
        case cancelOneKey, releaseOneKey, cancelSeveralKeys, releaseSeveralKeys

        var isReleased: Bool { self == .releaseOneKey || self == .releaseSeveralKeys }

        /// Observes the counter 1.
        func observe(_ cache: FlatCache, _ call: @escaping @Sendable () -> Void) -> CacheSubscription {
            switch self {
            case .cancelOneKey, .releaseOneKey: cache.observe(Counter.self, id: 1) { _ in call() }
            case .cancelSeveralKeys, .releaseSeveralKeys:
                cache.observe([1, 2].map { Counter.flatCacheKey(id: $0) }, initial: false) { _ in call() }
            }
        }
    }
}

/// Tells whether an object is gone.
private struct ReleasedReference<Object: AnyObject> {
    weak var object: Object?

    init(_ object: consuming Object) {
        self.object = object
    }
}
#endif
