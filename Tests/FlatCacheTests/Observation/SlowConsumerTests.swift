#if DEBUG
import FlatCache
import TestThreads
import Testing

/// Consumers that don't read what waits for them keep nobody from writing, and nothing alive.
@Suite("Consumers that never read", .mayBlock)
struct SlowConsumerTests {
    let cache = FlatCache()

    /// Somebody who observes the counter 1 until it is released, with an object that uses the cache then.
    enum Observer: CaseIterable {
        case derived, oneKey, severalKeys, handle

        func begin(in cache: FlatCache, _ captured: UsesCacheWhenReleased) -> CacheSubscription {
            let handle = Cached(Counter.self, id: 1, in: cache)
            let action: @Sendable () -> Void = { withExtendedLifetime((handle, captured)) {} }
            return switch self {
            case .derived:
                cache.observe {
                    handle.count
                } onChange: { _ in
                    action()
                }
            case .oneKey: cache.observe(Counter.self, id: 1) { _ in action() }
            case .severalKeys: cache.observe([handle.key], initial: false) { _ in action() }
            case .handle: handle.observe(initial: false) { _ in action() }
            }
        }
    }

    @Test(
        "N1, N7: A write ends beside a consumer that never reads, whatever other observers let go of",
        arguments: SlowConsumer.allCases,
        Observer.allCases
    )
    func writeBesideSlowConsumer(consumer: SlowConsumer, observer: Observer) async {
        let other = FlatCache()
        let released = Recorder<Int>()
        cache.set(Counter(id: 1))
        let slow = await consumer.begin(in: cache)
        let writer = RunningThread { [cache] in
            let captured = UsesCacheWhenReleased([cache, other], released)
            var screen: CacheSubscription? = observer.begin(in: cache, captured)
            cache.set(Counter(id: 1, count: 1))
            withExtendedLifetime(screen) {}
            screen = nil
            cache.set(Counter(id: 1, count: 2))
        }
        writer.finish()
        #expect(released.count == 1)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        withExtendedLifetime(slow) {}
    }

    @Test("N7: The captures of a cancelled callback are released at once, however long a consumer doesn't read")
    func cancelledCallbackIsReleased() async {
        cache.set(Counter(id: 1))
        let slow = await SlowConsumer.keyChanges.begin(in: cache)
        for observer in Observer.allCases {
            let released = Recorder<Int>()
            let subscription = observer.begin(in: cache, UsesCacheWhenReleased([cache], released))
            cache.set(Counter(id: 1, count: 1 + released.count))
            cache.set(Counter(id: 1, count: 7))
            #expect(released.count == 0)
            subscription.cancel()
            #expect(released.count == 1, "\(observer)")
        }
        withExtendedLifetime(slow) {}
    }

    @Test("N1: Values that use the cache when they are released may be folded while a callback runs")
    func foldedValues() {
        let isInside = Gate("the callback is running")
        let mayReturn = Gate("the callback may return")
        let calls = Recorder<Int>()
        let subscription = cache.observe([Holder.flatCacheKey(id: 1)], initial: false) { _ in
            calls.record(1)
            if calls.count == 1 {
                isInside.open()
                mayReturn.wait()
            }
        }
        let first = RunningThread { [cache] in cache.set(Holder(id: 1, held: UsesCacheWhenReleased([cache]))) }
        isInside.wait()
        let others = RunningThread { [cache] in
            for _ in 0..<10 { cache.set(Holder(id: 1, held: UsesCacheWhenReleased([cache]))) }
            cache.remove(Holder.self, id: 1)
        }
        others.finish()
        mayReturn.open()
        first.finish()
        #expect(calls.count == 2)
        subscription.cancel()
    }

    private struct Holder: Cachable {
        let id: Int
        let held: UsesCacheWhenReleased
    }

    @Test("N6, S9: However many changes wait for a consumer of many keys, it is given each once, in one set")
    func manyWaitingChanges() async {
        let count = 20_000
        cache.set(contentsOf: (0..<count).map { Counter(id: $0) })
        var changes = cache.changes(of: Set((0..<count).map { Counter.flatCacheKey(id: $0) }), initial: false)
            .makeAsyncIterator()
        for round in 1...2 {
            for id in 0..<count { cache.set(Counter(id: id, count: round)) }
        }
        let set = await changes.next()
        #expect(set?.updated.count == count)
        #expect(set?.inserted.isEmpty == true && set?.removed.isEmpty == true)
    }
}
#endif
