#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Handles that are released while their keys are written, removed, observed and taken by other handles.
@Suite("Races of handles", .mayBlock)
struct HandleRaces {
    let cache = FlatCache()

    @Test("H1: An entity that is removed while its last handle goes leaves no slot")
    func removal() {
        cache.set(Counter(id: 1, count: 1))
        releaseHandle { [cache] in
            cache.remove(Counter.self, id: 1)
            #expect(cache.slotCount(of: Counter.self) == 1)
        }
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("H1: An entity that is stored while the last handle of its key goes stays")
    func insertion() {
        releaseHandle { [cache] in cache.set(Counter(id: 1, count: 1)) }
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
        #expect(cache.slotCount(of: Counter.self) == 1)
    }

    @Test("H1: A handle that is made while another of its key goes works on, stored or not", arguments: [true, false])
    func newHandle(isStored: Bool) throws {
        if isStored { cache.set(Counter(id: 1, count: 1)) }
        let made = Recorder<Cached<Counter>>()
        releaseHandle { [cache] in
            made.record(Cached(Counter.self, id: 1, in: cache))
            cache.removeAll()
        }
        let handle = try #require(made.take().first)
        #expect(handle.value == nil)
        cache.set(Counter(id: 1, count: 2))
        #expect(handle.value?.count == 2)
        #expect(handle == Cached(Counter.self, id: 1, in: cache))
        #expect(cache.slotCount(of: Counter.self) == 1)
    }

    @Test("H1, N8: An observer that registers while the last handle of its key goes is notified")
    func observer() {
        let notified = Recorder<Int?>()
        let subscriptions = Recorder<CacheSubscription>()
        releaseHandle { [cache] in
            subscriptions.record(cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) })
        }
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.elements == [nil, 1])
        for subscription in subscriptions.take() { subscription.cancel() }
        cache.removeAll()
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("H1: Everything is removed while a handle goes, and the key is stored again")
    func removeAll() {
        cache.set(contentsOf: (0..<100).map { Counter(id: $0, count: $0) })
        releaseHandle { [cache] in
            cache.removeAll()
            cache.set(Counter(id: 1, count: -1))
        }
        #expect(cache.get(Counter.self, id: 1)?.count == -1)
        #expect(cache.count == 1)
        #expect(cache.slotCount(of: Counter.self) == 1)
    }

    @Test("H3: A cache that goes while a handle goes releases everything")
    func cacheGoes() {
        let alive = Protected(0)
        let holder = Protected<FlatCache?>(FlatCache())
        let handle = holder.withLock { cache in
            cache?.set(Counted(1, alive))
            return cache.map { Cached(Counted.self, id: 1, in: $0) }
        }
        let handles = Protected(handle)
        _ = consume handle
        let release = StoppedThread(at: .releasing) { handles.withLock { $0 = nil } }
        holder.withLock { $0 = nil }
        #expect(alive.withLock { $0 } == 0)
        release.finish()
        #expect(alive.withLock { $0 } == 0)
    }

    @Test("H1: A handle that is made between a removal and its delivery sees what is stored afterwards")
    func handleBeforeDelivery() {
        cache.set(Counter(id: 1, count: 1))
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
        let removal = StoppedThread(at: .committed) { [cache] in cache.remove(Counter.self, id: 1) }
        let handle = Cached(Counter.self, id: 1, in: cache)
        subscription.cancel()
        cache.set(Counter(id: 1, count: 2))
        removal.finish()
        #expect(handle.value?.count == 2)
        #expect(notified.elements == [1])
        #expect(cache.slotCount(of: Counter.self) == 1)
    }

    /// Makes a handle of the counter 1 and releases it while another thread does something.
    private func releaseHandle(while action: @escaping @Sendable () -> Void) {
        var handle: Cached<Counter>? = Cached(Counter.self, id: 1, in: cache)
        _ = handle?.value
        stopping(at: .releasing, while: action) { handle = nil }
    }
}
#endif
