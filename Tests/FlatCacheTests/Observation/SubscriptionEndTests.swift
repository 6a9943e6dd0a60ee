#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

@Suite("The end of subscriptions", .mayBlock)
struct SubscriptionEndTests {
    let cache = FlatCache()

    @Test(
        "N7: Waiting for the end of a cancelled subscription waits for the running call",
        .ends
    )
    func waitsForCall() async {
        let isInside = Gate("the callback is running")
        let mayReturn = Gate("the callback may return")
        let hasReturned = Protected(false)
        let subscription = Cached(Counter.self, id: 1, in: cache).observe(initial: false) { _ in
            isInside.open()
            mayReturn.wait()
            hasReturned.withLock { $0 = true }
        }
        let writer = RunningThread { [cache] in cache.set(Counter(id: 1)) }
        isInside.wait()
        subscription.cancel()
        #expect(!hasReturned.withLock { $0 })
        async let ended: Void = subscription.ended()
        mayReturn.open()
        await ended
        #expect(hasReturned.withLock { $0 })
        writer.finish()
    }

    @Test("N7: The end of a subscription that is not called is there at once, for everybody, again and again")
    func noCall() async {
        let subscription = cache.observe(Counter.self, id: 1) { _ in }
        subscription.cancel()
        await subscription.ended()
        await subscription.ended()
        let derived = cache.observe {
            cache.count
        } onChange: { _ in
        }
        derived.cancel()
        await derived.ended()
    }

    @Test(
        "N7: Waiting for the end before it is cancelled ends when it is, or when the cache is released",
        arguments: [true, false]
    )
    func waitsForCancel(isCancelled: Bool) async {
        var cache: FlatCache? = FlatCache()
        let subscription = cache?.observe(Counter.self, id: 1) { _ in }
        let waiting = Task { await subscription?.ended() }
        if isCancelled { subscription?.cancel() } else { cache = nil }
        await waiting.value
    }

    @Test("N7: Waiting for the end stops when the task is cancelled")
    func cancelledTask() async {
        let subscription = cache.observe(Counter.self, id: 1) { _ in }
        let waiting = Task { await subscription.ended() }
        waiting.cancel()
        await waiting.value
        subscription.cancel()
    }

    @Test("N7: Inside of the callback itself nobody waits for its end", .ends)
    func insideOfCallback() async {
        let subscription = Protected<CacheSubscription?>(nil)
        let hasEnded = Protected(false)
        let made = Cached(Counter.self, id: 1, in: cache).observe(initial: false) { _ in
            let own = subscription.withLock { $0 }
            own?.cancel()
            // Begins on the thread of the callback, before that returns.
            Task.immediate {
                await own?.ended()
                hasEnded.withLock { $0 = true }
            }
            #expect(hasEnded.withLock { $0 })
        }
        subscription.withLock { $0 = made }
        cache.set(Counter(id: 1))
        #expect(hasEnded.withLock { $0 })
    }

    @Test("N7: After cancel has returned no call begins, however threads meet")
    func cancelUnderLoad() {
        for _ in 0..<200 {
            let isCancelled = Protected(false)
            let late = Recorder<Int>()
            let subscription = Cached(Counter.self, id: 1, in: cache).observe(initial: false) { _ in }
            onThreads(3) { [cache] number in
                // A call that a thread prepares when the subscription is cancelled already must not begin.
                let mayBegin = Protected(true)
                let handler: @Sendable (SyncPoint) -> Void = { point in
                    if case .taken = point { mayBegin.withLock { $0 = !isCancelled.withLock { $0 } } }
                    if case .calling = point, !mayBegin.withLock({ $0 }) { late.record(number) }
                }
                SyncPoint.$handler.withValue(handler) {
                    if number == 0 {
                        subscription.cancel()
                        isCancelled.withLock { $0 = true }
                    } else {
                        for count in 0..<5 { cache.set(Counter(id: 1, count: count)) }
                    }
                }
            }
            #expect(late.elements.isEmpty)
        }
    }

    /// Commits what an observer of the counter 3 sees, when it is released.
    private final class WritesWhenReleased: Sendable {
        private let cache: FlatCache

        init(_ cache: FlatCache) {
            self.cache = cache
        }

        deinit {
            cache.set(Counter(id: 3, count: 7))
        }
    }

    @Test(
        "N1: An observer that is released while others are called may commit what somebody observes",
        arguments: [true, false]
    )
    func releasedWhileOthersAreCalled(cancelsItself: Bool) {
        let cancelled = Protected<CacheSubscription?>(nil)
        let cancel: @Sendable () -> Void = {
            let subscription = cancelled.withLock { subscription in
                defer { subscription = nil }
                return subscription
            }
            subscription?.cancel()
        }
        let observe = { [cache] in
            let guest = WritesWhenReleased(cache)
            return Cached(Counter.self, id: 2, in: cache).observe(initial: false) { [cache] change in
                withExtendedLifetime(guest) {}
                guard cancelsItself else { return }
                if change.value?.count == 1 { cache.set(Counter(id: 2, count: 2)) } else { cancel() }
            }
        }
        cancelled.withLock { $0 = observe() }
        let seen = Recorder<Int?>()
        let subscriptions = [
            Cached(Counter.self, id: 1, in: cache).observe(initial: false) { [cache] _ in
                cache.set(Counter(id: 2, count: 1))
                cache.set(Counter(id: 4))
                // What waits for its call is all that is left of the observer.
                if !cancelsItself { cancel() }
            },
            Cached(Counter.self, id: 3, in: cache).observe(initial: false) { seen.record($0.value?.count) },
            Cached(Counter.self, id: 4, in: cache).observe(initial: false) { _ in },
        ]
        cache.set(Counter(id: 1))
        #expect(seen.elements == [7])
        for subscription in subscriptions { subscription.cancel() }
    }
}
#endif
