import Combine
import FlatCache
import Testing

@Suite("Values of publishers on demand")
struct DemandTests {
    let cache = FlatCache()

    private var counts: CachePublisher<Int?> {
        cache.publisher { [weak cache] in cache?.get(Counter.self, id: 1)?.count }
    }

    @Test("N3: A subscriber gets the value of now before it is asked for anything else, then each other one")
    func valuesInOrder() {
        let subscriber = StrictSubscriber<Int?>()
        counts.subscribe(subscriber)
        #expect(subscriber.take() == [nil])
        for count in 1...3 { cache.set(Counter(id: 1, count: count)) }
        cache.set(Counter(id: 1, count: 3))
        cache.set(Counter(id: 2))
        cache.remove(Counter.self, id: 1)
        #expect(subscriber.values == [1, 2, 3, nil])
        subscriber.check()
        subscriber.cancel()
    }

    @Test("N7: No value comes that was not asked for; one that is, is the newest")
    func newestOnDemand() {
        let subscriber = StrictSubscriber<Int?>(.none)
        counts.subscribe(subscriber)
        for count in 1...100 { cache.set(Counter(id: 1, count: count)) }
        #expect(subscriber.values == [])
        subscriber.request(.max(1))
        #expect(subscriber.take() == [100])
        cache.set(Counter(id: 1, count: 101))
        cache.set(Counter(id: 1, count: 102))
        #expect(subscriber.values == [])
        subscriber.request(.max(2))
        #expect(subscriber.take() == [102])
        cache.set(Counter(id: 1, count: 103))
        cache.set(Counter(id: 1, count: 104))
        #expect(subscriber.take() == [103])
        subscriber.request(.unlimited)
        cache.set(Counter(id: 1, count: 105))
        #expect(subscriber.take() == [104, 105])
        subscriber.check()
        subscriber.cancel()
    }

    @Test("N4, N7: A slow subscriber gets no value that it has already")
    func thereAndBack() {
        let subscriber = StrictSubscriber<Int?>(.max(1))
        cache.set(Counter(id: 1, count: 1))
        counts.subscribe(subscriber)
        cache.set(Counter(id: 1, count: 2))
        cache.set(Counter(id: 1, count: 1))
        subscriber.request(.max(1))
        #expect(subscriber.take() == [1])
        cache.set(Counter(id: 1, count: 3))
        #expect(subscriber.take() == [3])
        subscriber.check()
        subscriber.cancel()
    }

    @Test("N7: A value without demand isn't computed")
    func computedOnDemand() {
        let computations = Protected(0)
        let subscriber = StrictSubscriber<Int?>(.max(1))
        let publisher = cache.publisher { [weak cache] in
            computations.withLock { $0 += 1 }
            return cache?.get(Counter.self, id: 1)?.count
        }
        publisher.subscribe(subscriber)
        for count in 1...100 { cache.set(Counter(id: 1, count: count)) }
        #expect(computations.withLock { $0 } == 1)
        subscriber.request(.max(1))
        #expect(computations.withLock { $0 } == 2)
        #expect(subscriber.values == [nil, 100])
        subscriber.check()
        subscriber.cancel()
    }

    enum Asking: CaseIterable {
        case byResult, bySubscription, byBoth
    }

    @Test("A subscriber can ask for one more with each value, whichever way", arguments: Asking.allCases)
    func oneMore(asking: Asking) {
        let subscriber = StrictSubscriber<Int?>(.max(1)) { subscriber, _ in
            if asking != .byResult { subscriber.request(.max(1)) }
            return asking == .bySubscription ? .none : .max(1)
        }
        counts.subscribe(subscriber)
        for count in 1...100 { cache.set(Counter(id: 1, count: count)) }
        #expect(subscriber.values == [nil] + Array(1...100))
        subscriber.check()
        subscriber.cancel()
    }

    @Test("A subscriber that asks for values within a callback of the cache gets them at once")
    func withinCallback() {
        let subscriber = StrictSubscriber<Int?>(.max(1))
        let seen = Recorder<[Int?]>()
        counts.subscribe(subscriber)
        let screen = cache.observe(Counter.self, id: 2) { _ in
            subscriber.request(.max(1))
            seen.record(subscriber.values)
        }
        #expect(seen.elements == [[nil]])
        cache.set(Counter(id: 1, count: 1))
        #expect(subscriber.values == [nil, 1])
        cache.set(Counter(id: 1, count: 2))
        cache.set(Counter(id: 2))
        #expect(seen.elements.last == [nil, 1, 2])
        subscriber.check()
        screen.cancel()
        subscriber.cancel()
    }

    @Test("Combine's own operators get what they ask for")
    func operators() {
        let received = Recorder<Int>()
        let firstTwo = Recorder<Int?>()
        let sink = counts.compactMap { $0 }.filter { $0 % 2 == 0 }.sink { received.record($0) }
        let prefix = counts.prefix(2).sink { firstTwo.record($0) }
        for count in 1...6 { cache.set(Counter(id: 1, count: count)) }
        #expect(received.elements == [2, 4, 6])
        #expect(firstTwo.elements == [nil, 1])
        sink.cancel()
        prefix.cancel()
    }

    @Test("The publishers of entities, handles and lists follow them")
    func ofEntities() {
        let entity = StrictSubscriber<Counter?>()
        let handle = StrictSubscriber<Counter?>()
        let list = StrictSubscriber<CachedListState<Counter>>()
        let counters = cache.list("counters", of: Counter.self)
        cache.publisher(of: Counter.self, id: 1).subscribe(entity)
        Cached(Counter.self, id: 1, in: cache).publisher.subscribe(handle)
        counters.publisher.subscribe(list)
        counters.append(Counter(id: 1, count: 1))
        cache.set(Counter(id: 1, count: 2))
        cache.remove(Counter.self, id: 1)
        #expect(entity.values.map { $0?.count } == [nil, 1, 2, nil])
        #expect(handle.values.map { $0?.count } == [nil, 1, 2, nil])
        #expect(list.values.map { $0.values.map(\.count) } == [[], [1], [2], []])
        #expect(list.values.last?.missingIDs == [1])
        entity.check()
        handle.check()
        list.check()
        for subscriber in [entity, handle] { subscriber.cancel() }
        list.cancel()
    }
}
