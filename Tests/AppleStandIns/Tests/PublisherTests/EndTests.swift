import Combine
import TestThreads
import Testing

@testable import FlatCache

@Suite("The end of publishers", .mayBlock)
struct EndTests {
    enum Moment: CaseIterable {
        case atSubscription, atFirstValue, atLaterValue
    }

    @Test("N7: Nothing comes after a subscriber has cancelled within a call", arguments: Moment.allCases)
    func cancelWithin(moment: Moment) {
        let cache = FlatCache()
        let subscriber = StrictSubscriber<Int> { subscriber, count in
            if (moment == .atFirstValue && count == 0) || count == 2 { subscriber.cancel() }
            return .max(1)
        } onSubscription: { subscriber in
            if moment == .atSubscription { subscriber.cancel() }
        }
        cache.counts().subscribe(subscriber)
        for count in 1...5 { cache.set(Counter(id: 1, count: count)) }
        let expected: [Int] =
            switch moment {
            case .atSubscription: []
            case .atFirstValue: [0]
            case .atLaterValue: [0, 1, 2]
            }
        #expect(subscriber.values == expected)
        #expect(!subscriber.hasEnded)
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        subscriber.check()
    }

    @Test("N7: Once another thread has cancelled, no call begins for a commit that was on its way")
    func cancelBeforeCall() {
        let cache = FlatCache()
        let subscriber = StrictSubscriber<Int>()
        cache.counts().subscribe(subscriber)
        let writer = StoppedThread(at: .taken) { cache.set(Counter(id: 1, count: 1)) }
        subscriber.cancel()
        writer.finish()
        #expect(subscriber.values == [0])
        subscriber.check()
    }

    @Test("N7: A call that is running is not waited for, and what comes meanwhile is not sent")
    func cancelDuringCall() {
        let cache = FlatCache()
        let isInside = Gate("a value is received")
        let mayReturn = Gate("the call may return")
        let subscriber = StrictSubscriber<Int> { _, count in
            guard count == 1 else { return .none }
            isInside.open()
            mayReturn.wait()
            return .max(1)
        }
        cache.counts().subscribe(subscriber)
        let writer = RunningThread { cache.set(Counter(id: 1, count: 1)) }
        isInside.wait()
        cache.set(Counter(id: 1, count: 2))
        subscriber.cancel()
        cache.set(Counter(id: 1, count: 3))
        mayReturn.open()
        writer.finish()
        #expect(subscriber.values == [0, 1])
        subscriber.check()
    }

    @Test("N7: A value isn't sent when its subscriber is cancelled while it is computed")
    func cancelDuringComputation() {
        let cache = FlatCache()
        let subscriber = StrictSubscriber<Int>()
        cache.publisher {
            let count = FlatCache.current.get(Counter.self, id: 1)?.count ?? 0
            if count == 1 { subscriber.cancel() }
            return count
        }.subscribe(subscriber)
        for count in 1...3 { cache.set(Counter(id: 1, count: count)) }
        #expect(subscriber.values == [0])
        #expect(!subscriber.hasEnded)
        subscriber.check()
    }

    @Test("N7: A cancelled subscription observes nothing, though somebody keeps it")
    func keptSubscription() {
        let cache = FlatCache()
        var kept: (any Subscription)?
        let sink = cache.counts().handleEvents(receiveSubscription: { kept = $0 }).sink { _ in }
        #expect(cache.observedKeyCount(of: Counter.self) == 1)
        sink.cancel()
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        kept?.request(.max(1))
        kept?.cancel()
    }

    @Test("N7: A subscription that a subscriber doesn't keep is cancelled")
    func abandoned() {
        let cache = FlatCache()
        let subscriber = StrictSubscriber<Int> { subscriber, _ in
            subscriber.abandon()
            return .none
        }
        cache.counts().subscribe(subscriber)
        cache.set(Counter(id: 1, count: 1))
        #expect(subscriber.values == [0])
        #expect(!subscriber.hasEnded)
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        subscriber.check()
    }

    @Test("H3: The publisher doesn't keep the cache alive, and ends when it goes", arguments: [0, 1, 2])
    func cacheGone(demand: Int) {
        var cache: FlatCache? = FlatCache()
        let isCacheAlive = { [weak cache] in cache != nil }
        let subscriber = StrictSubscriber<Int>(.max(demand))
        let publisher = cache?.counts()
        publisher?.subscribe(subscriber)
        cache?.set(Counter(id: 1, count: 1))
        cache = nil
        #expect(!isCacheAlive())
        // One that has never asked has begun nothing that could end.
        if demand == 0 { subscriber.request(.max(1)) }
        #expect(subscriber.values == Array([0, 1].prefix(demand)))
        #expect(subscriber.hasEnded)
        subscriber.request(.max(1))
        subscriber.check()

        let late = StrictSubscriber<Int>()
        publisher?.subscribe(late)
        #expect(late.values == [])
        #expect(late.hasEnded)
        late.check()
    }

    @Test("H3: A subscriber is completed once, however much is read")
    func endOfSeveral() {
        let subscriber = StrictSubscriber<Int>()
        do {
            let cache = FlatCache()
            cache.publisher {
                FlatCache.current.count(of: Post.self)
                    + (1...100).reduce(0) { $0 + (FlatCache.current.get(Counter.self, id: $1)?.count ?? 0) }
            }.subscribe(subscriber)
        }
        #expect(subscriber.values == [0])
        #expect(subscriber.hasEnded)
        subscriber.check()
    }

    @Test("H3: Combine's own subscribers are completed", .timeLimit(.minutes(30)))
    func endOfOthers() async {
        var cache: FlatCache? = FlatCache()
        let ends = Recorder<Int>()
        let sink = cache?.counts().sink { _ in
            ends.record(1)
        } receiveValue: { _ in
        }
        var values = cache?.counts().values.makeAsyncIterator()
        #expect(await values?.next() == 0)
        cache?.set(Counter(id: 1, count: 1))
        #expect(await values?.next() == 1)
        #expect(ends.count == 0)
        cache = nil
        #expect(ends.count == 1)
        #expect(await values?.next() == nil)
        sink?.cancel()
    }

    @Test("A publisher of what reads nothing ends after its only value")
    func constant() {
        let cache = FlatCache()
        let subscriber = StrictSubscriber<Int>(.none)
        cache.publisher { 5 }.subscribe(subscriber)
        #expect(!subscriber.hasEnded)
        subscriber.request(.max(1))
        #expect(subscriber.values == [5])
        #expect(subscriber.hasEnded)
        subscriber.check()
    }

    enum Ending: CaseIterable {
        case cancelled, cacheGone, released
    }

    @Test("N7: At the end the subscriber and the captures of the closure are released", arguments: Ending.allCases)
    func memory(ending: Ending) {
        let alive = Protected(0)
        var cache: FlatCache? = FlatCache()
        var subscription: AnyCancellable?
        do {
            let token = Token(alive), computing = Token(alive)
            subscription = cache?.publisher {
                withExtendedLifetime(computing) { FlatCache.current.get(Counter.self, id: 1)?.count }
            }.sink { _ in withExtendedLifetime(token) {} }
        }
        cache?.set(Counter(id: 1))
        #expect(alive.withLock { $0 } == 2)
        switch ending {
        case .cancelled: subscription?.cancel()
        case .cacheGone: cache = nil
        case .released: subscription = nil
        }
        #expect(alive.withLock { $0 } == 0)
        withExtendedLifetime(subscription) {}
        #expect(cache.map { $0.observedKeyCount(of: Counter.self) } ?? 0 == 0)
    }

    @Test("H3: A subscriber that never cancels is released with the cache, whatever it has not asked for")
    func neverCancelled() {
        weak var subscriber: StrictSubscriber<Int>?
        do {
            let cache = FlatCache()
            let made = StrictSubscriber<Int>(.max(1))
            cache.counts().subscribe(made)
            cache.set(Counter(id: 1, count: 1))
            subscriber = made
        }
        #expect(subscriber == nil)
    }

    @Test("N1: Released objects may use the cache, and so may a subscriber at the end")
    func releasedCodeUsesCache() {
        let other = FlatCache()
        let released = Recorder<Int>()
        var cache: FlatCache? = FlatCache()
        do {
            let captured = UsesCacheWhenReleased([other], released)
            let subscriber = StrictSubscriber<Int>(onEnd: {
                withExtendedLifetime(captured) { useEverything(of: other) }
            })
            cache?.counts().subscribe(subscriber)
        }
        cache?.set(Counter(id: 1, count: 1))
        #expect(released.count == 0)
        cache = nil
        #expect(released.count == 1)
    }
}

extension FlatCache {
    /// The count of the counter 1, or 0.
    func counts() -> CachePublisher<Int> {
        publisher { FlatCache.current.get(Counter.self, id: 1)?.count ?? 0 }
    }
}
