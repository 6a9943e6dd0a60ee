import Combine
import TestThreads
import Testing

@testable import FlatCache

@Suite("Publishers and threads", .mayBlock)
struct ThreadTests {
    let cache = FlatCache()

    @Test("S7: Subscribing and asking for values make progress, however busy a writer is", arguments: [true, false])
    func busyWriter(atOnce: Bool) async {
        // A value is written while each is received: the subscriber is never done with the newest.
        let isOver = Protected(false)
        let subscriber = StrictSubscriber<Int>(atOnce ? .unlimited : .none) { [cache] _, count in
            if !isOver.withLock({ $0 }) && count < 1_000 {
                // In a task of the library, once the writer is faster.
                RunningThread { cache.set(Counter(id: 1, count: count + 1)) }.finishInLibrary()
            }
            return .none
        }
        cache.counts().subscribe(subscriber)
        if !atOnce { subscriber.request(.unlimited) }
        let received = subscriber.values
        isOver.withLock { $0 = true }
        #expect(received.count < 1_000)
        await Delivery.waitForTasks()
        #expect(subscriber.values.last == cache.get(Counter.self, id: 1)?.count)
        #expect(subscriber.values == subscriber.values.sorted())
        subscriber.check()
        subscriber.cancel()
    }

    @Test("N2: However many threads write and ask, values come in order, one at a time, and the last one comes")
    func racing() async {
        let subscriber = StrictSubscriber<Int>(.max(1))
        cache.counts().subscribe(subscriber)
        onThreads(4) { [cache] number in
            for count in 1...2_000 {
                if number == 0 { cache.set(Counter(id: 1, count: count)) } else { subscriber.request(.max(1)) }
            }
        }
        await Delivery.waitForTasks()
        #expect(subscriber.values.last == 2_000)
        #expect(subscriber.values == subscriber.values.sorted())
        #expect(Set(subscriber.values).count == subscriber.values.count)
        subscriber.check()
        subscriber.cancel()
    }

    @Test("N3: A commit between the subscription and the first call isn't missed")
    func commitWhileSubscribing() {
        let subscriber = StrictSubscriber<Int>()
        stopping(at: .taken) { [cache] in
            cache.set(Counter(id: 1, count: 1))
        } _: {
            cache.counts().subscribe(subscriber)
        }
        #expect(subscriber.values.last == 1)
        subscriber.check()
        subscriber.cancel()
    }

    @Test("Nothing comes while the subscription is being received, but as soon as it was")
    func commitDuringSubscription() {
        let subscriber = StrictSubscriber<Int>(onSubscription: { [cache] _ in
            RunningThread { cache.set(Counter(id: 1, count: 1)) }.finish()
        })
        cache.counts().subscribe(subscriber)
        #expect(subscriber.values == [1])
        subscriber.check()
        subscriber.cancel()
    }

    @Test("N2: A subscriber may write what it observes")
    func writesItself() async {
        let subscriber = StrictSubscriber<Int>(.max(1)) { [cache] _, count in
            if count < 20 { cache.set(Counter(id: 1, count: count + 1)) }
            return .max(1)
        }
        cache.counts().subscribe(subscriber)
        await Delivery.waitForTasks()
        #expect(subscriber.values == Array(0...20))
        subscriber.check()
        subscriber.cancel()
    }

    @Test("H4: The current cache of a subscriber is that of its publisher, from the first value on")
    func currentCache() {
        let isCurrent = Recorder<Bool>()
        let subscriber = StrictSubscriber<Int>(.max(1)) { [cache] _, _ in
            isCurrent.record(FlatCache.current === cache)
            return .none
        }
        cache.counts().subscribe(subscriber)
        cache.set(Counter(id: 1, count: 1))
        subscriber.request(.max(1))
        subscriber.request(.max(1))
        cache.set(Counter(id: 1, count: 2))
        #expect(isCurrent.elements == [true, true, true])
        subscriber.check()
        subscriber.cancel()
    }

    private struct Undone: Error {}

    @Test("N1, S2: A subscriber is outside of the transaction in which somebody subscribes or asks for values")
    func outsideOfTransactions() {
        let subscriber = StrictSubscriber<Int>(.max(1)) { [cache] _, count in
            cache.set(Counter(id: 2, count: count + 10))
            return .none
        }
        let late = StrictSubscriber<Int> { [cache] _, count in
            cache.set(Counter(id: 3, count: count + 20))
            return .none
        }
        cache.counts().subscribe(subscriber)
        cache.set(Counter(id: 1, count: 1))
        #expect(throws: Undone.self) {
            try cache.transaction {
                cache.set(Counter(id: 1, count: 7))
                subscriber.request(.max(1))
                cache.counts().subscribe(late)
                throw Undone()
            }
        }
        #expect(subscriber.values == [0, 1])
        #expect(late.values == [1])
        #expect(cache.get(Counter.self, id: 2)?.count == 11)
        #expect(cache.get(Counter.self, id: 3)?.count == 21)
        for each in [subscriber, late] {
            each.check()
            each.cancel()
        }
    }

    @Test("The reads of a subscriber are no dependencies of an observer that asks for values")
    func outsideOfDerivations() {
        let subscriber = StrictSubscriber<Int>(.none) { [cache] _, _ in
            _ = cache.get(Counter.self, id: 2)
            return .none
        }
        cache.counts().subscribe(subscriber)
        let runs = Protected(0)
        let derived = cache.observe {
            runs.withLock { $0 += 1 }
            subscriber.request(.max(1))
        } onChange: { _ in
        }
        cache.set(Counter(id: 2, count: 1))
        #expect(runs.withLock { $0 } == 1)
        #expect(subscriber.values == [0])
        derived.cancel()
        subscriber.check()
        subscriber.cancel()
    }
}
