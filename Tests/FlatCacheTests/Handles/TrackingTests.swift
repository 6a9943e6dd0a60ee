import FlatCache
import Observation
import Testing

@Suite("Observation of handles")
struct TrackingTests {
    let cache = FlatCache()

    @Test("What reads the value of a handle is told when that entity changes, and of no other")
    func tracking() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let handle = Cached(Counter.self, id: 1, in: cache)
        let other = Cached(Counter.self, id: 2, in: cache)
        _ = other.value
        let told = Recorder<Int>()
        withObservationTracking {
            _ = handle.value?.count
        } onChange: {
            told.record(1)
        }
        other.update { $0.count += 1 }
        cache.set(Counter(id: 1))
        #expect(told.count == 0)
        cache.set(Counter(id: 1, count: 1))
        #expect(told.count == 1)
        handle.update { $0.count += 1 }
        #expect(told.count == 1)
    }

    @Test("The new value is there when the framework is told")
    func newValueIsVisible() {
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let seen = Recorder<Int?>()
        withObservationTracking {
            _ = handle.value
        } onChange: {
            seen.record(handle.value?.count)
        }
        handle.value = Counter(id: 1, count: 9)
        #expect(seen.elements == [9])
    }

    @Test("N5, N8: Insertion and removal are told too, through any handle of the key")
    func insertionAndRemoval() {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let told = Recorder<String>()
        withObservationTracking {
            _ = Cached(Counter.self, id: 1, in: cache) == handle ? handle.value : nil
        } onChange: {
            told.record("inserted")
        }
        cache.set(Counter(id: 1))
        withObservationTracking {
            _ = handle.value
        } onChange: {
            told.record("removed")
        }
        cache.removeAll()
        // A change off the main thread is told again on the main actor, where it may meet the second reader.
        #expect(Set(told.elements) == ["inserted", "removed"])
        #expect(told.elements.first == "inserted")
    }

    @Test("A handle that only writes, or is released, leaves nothing registered")
    func registersWhenRead() {
        do {
            let handle = Cached(Counter.self, id: 1, in: cache)
            handle.value = Counter(id: 1)
            handle.update { $0.count += 1 }
            #expect(cache.observedKeyCount(of: Counter.self) == 0)
            _ = handle.value
            #expect(cache.observedKeyCount(of: Counter.self) == 1)
        }
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("A change made by another thread while the main actor reads is told once reading is over")
    @MainActor
    func changeWhileReading() async {
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let (told, continuation) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = handle.value
            onThreads(1) { [cache] _ in cache.set(Counter(id: 1, count: 1)) }
        } onChange: {
            continuation.yield()
        }
        var iterator = told.makeAsyncIterator()
        await iterator.next()
        #expect(handle.value?.count == 1)
    }
}
