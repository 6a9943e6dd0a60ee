#if DEBUG
import Testing

@testable import FlatCache

@Suite("The end of subscriptions")
struct SubscriptionEndTests {
    let cache = FlatCache()

    @Test(
        "N7: Who waits for the end of a cancelled subscription waits for the call that is running",
        .timeLimit(.minutes(1))
    )
    func waitsForCall() async {
        let isInside = Gate("the callback is running")
        let mayReturn = Gate("the callback may return")
        let hasReturned = Protected(false)
        let subscription = Cached(Counter.self, id: 1, in: cache).onChange { _ in
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
        "N7: Who waits for the end before it is cancelled goes on when it is, or when the cache goes",
        arguments: [true, false]
    )
    func waitsForCancel(isCancelled: Bool) async {
        var cache: FlatCache? = FlatCache()
        let subscription = cache?.observe(Counter.self, id: 1) { _ in }
        let waiting = Task { await subscription?.ended() }
        if isCancelled { subscription?.cancel() } else { cache = nil }
        await waiting.value
    }

    @Test("N7: Who waits for the end stops when its task is cancelled")
    func cancelledTask() async {
        let subscription = cache.observe(Counter.self, id: 1) { _ in }
        let waiting = Task { await subscription.ended() }
        waiting.cancel()
        await waiting.value
        subscription.cancel()
    }

    @Test("N7: Inside of the callback itself nobody waits for its end", .timeLimit(.minutes(1)))
    func insideOfCallback() async {
        let subscription = Protected<CacheSubscription?>(nil)
        let hasEnded = Protected(false)
        let made = Cached(Counter.self, id: 1, in: cache).onChange { _ in
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
            let isLate = Protected(false)
            let handler: @Sendable (RacePoint) -> Void = { point in
                // From here on the call counts as begun.
                if case .calling = point { isLate.withLock { $0 = $0 || isCancelled.withLock { $0 } } }
            }
            let subscription = Cached(Counter.self, id: 1, in: cache).onChange { _ in }
            onThreads(3) { [cache] number in
                RacePoint.$handler.withValue(handler) {
                    if number == 0 {
                        subscription.cancel()
                    } else {
                        for count in 0..<5 { cache.set(Counter(id: 1, count: count)) }
                    }
                }
            }
            #expect(!isLate.withLock { $0 })
        }
    }
}
#endif
