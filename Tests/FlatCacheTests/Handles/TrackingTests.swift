import Observation
import Testing

@testable import FlatCache

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
    func newValueIsVisible() throws {
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let seen = Recorder<Int?>()
        withObservationTracking {
            _ = handle.value
        } onChange: {
            seen.record(handle.value?.count)
        }
        try handle.set(Counter(id: 1, count: 9))
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

    @Test("Reads that nobody tracks register nothing; those that somebody tracks leave nothing behind once told")
    func registersWhenTracked() throws {
        let handle = Cached(Counter.self, id: 1, in: cache)
        try handle.set(Counter(id: 1))
        cache.set(Counter(id: 2))
        #expect(handle.value?.count == 0)
        #expect(handle.count == 0)
        // Where it can't be seen whether somebody tracks, each read counts as tracked.
        if TrackingProbe.isDetectionReliable { #expect(cache.observedKeyCount(of: Counter.self) == 0) }
        withObservationTracking {
            _ = handle.value
            _ = Cached(Counter.self, id: 2, in: cache).count
            _ = Cached(Counter.self, id: 3, in: cache).count
        } onChange: {
        }
        // What is missing is kept by the shard.
        #expect(cache.observedKeyCount(of: Counter.self) == 2)
        cache.set(Counter(id: 2, count: 1))
        #expect(cache.observedKeyCount(of: Counter.self) == 1)
        cache.removeAll()
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
        cache.set(Counter(id: 3))
        #expect(cache.observedKeyCount(of: Counter.self) == 0)
    }

    @Test("A handle need not outlive the reading")
    func passingHandle() {
        cache.set(Counter(id: 1))
        let told = Recorder<Int>()
        withObservationTracking {
            _ = Cached(Counter.self, id: 1, in: cache).count
        } onChange: {
            told.record(1)
        }
        cache.update(Counter.self, id: 1) { $0.count += 1 }
        #expect(told.count == 1)
    }

    @Test("Exactly what is read over relationships is tracked, by the methods of a cache as well")
    func trackedReads() {
        cache.set(Post(id: "1", authorID: "7"))
        cache.set(contentsOf: [Author(id: "7", name: "Ada"), Author(id: "8")])
        let told = Recorder<Int>()
        func track() {
            withObservationTracking {
                _ = cache.tracked { cache in
                    cache.get(Post.self, id: "1").flatMap { cache.get(Author.self, id: $0.authorID)?.name }
                }
            } onChange: {
                told.record(1)
            }
        }
        track()
        cache.set(contentsOf: [Author(id: "7", name: "Ada"), Author(id: "8", name: "Bob")])
        cache.set(Post(id: "2"))
        #expect(told.count == 0)
        cache.set(Author(id: "7", name: "Eve"))
        #expect(told.count == 1)
        track()
        cache.update(Post.self, id: "1") { $0.authorID = "8" }
        #expect(told.count == 2)
        track()
        cache.set(Author(id: "7"))
        #expect(told.count == 2)
        cache.set(Author(id: "8"))
        #expect(told.count == 3)
        // The post hasn't changed since it was read.
        #expect(cache.observedKeyCount(of: Author.self) == 0)
        #expect(cache.observedKeyCount(of: Post.self) == 1)
        cache.removeAll()
        #expect(cache.observedKeyCount(of: Post.self) == 0)
    }

    @Test("Tracking works inside a read, and reads in a transaction are not tracked")
    func bodies() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let told = Recorder<Int>()
        withObservationTracking {
            cache.read { _ = Cached(Counter.self, id: 1, in: cache).count }
            cache.transaction { _ = Cached(Counter.self, id: 2, in: cache).count }
        } onChange: {
            told.record(1)
        }
        cache.set(Counter(id: 2, count: 1))
        #expect(told.count == 0)
        cache.set(Counter(id: 1, count: 1))
        #expect(told.count == 1)
    }

    @Test("The framework asks no more than once for each tracked key, however many threads track at the same time")
    func manyThreads() {
        let cache = cache
        cache.set(contentsOf: (0..<8).map { Counter(id: $0) })
        let told = Recorder<Int>()
        onThreads(8) { number in
            let handle = Cached(Counter.self, id: number, in: cache)
            for _ in 0..<200 {
                withObservationTracking {
                    _ = handle.count
                } onChange: {
                    told.record(number)
                }
                handle.update { $0.count += 1 }
            }
        }
        #expect(told.count == 8 * 200)
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

    @Test(
        "N3: So is one made while a background thread reads, by a handle or by the methods of a cache",
        arguments: [true, false]
    )
    func changeWhileBackgroundThreadReads(byHandle: Bool) async {
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let (told, continuation) = AsyncStream.makeStream(of: Void.self)
        onThreads(1) { [cache] _ in
            withObservationTracking {
                if byHandle { _ = handle.value } else { cache.tracked { _ = $0.get(Counter.self, id: 1) } }
                onThreads(1) { _ in cache.set(Counter(id: 1, count: 1)) }
            } onChange: {
                continuation.yield()
            }
        }
        var iterator = told.makeAsyncIterator()
        await iterator.next()
        #expect(handle.value?.count == 1)
    }

    @Test("N7: Tracked reads of entities that never change are released with the cache")
    func trackedCacheGoes() {
        let alive = Protected(0)
        var cache: FlatCache? = FlatCache()
        func track() {
            guard let cache else { return }
            let token = Counted(1, alive)
            withObservationTracking {
                _ = cache.tracked { $0.get(Counter.self, id: 1) }
                _ = Cached(Counter.self, id: 2, in: cache).count
                _ = cache.list("home", of: Counter.self).values
            } onChange: {
                withExtendedLifetime(token) {}
            }
        }
        track()
        #expect(alive.withLock { $0 } == 1)
        cache = nil
        #expect(alive.withLock { $0 } == 0)
    }
}
