import Observation
import TestThreads
import Testing

@testable import FlatCache

@Suite("Observation of handles", .mayBlock)
struct TrackingTests {
    let cache = FlatCache()

    @Test("A reader of a handle's value is notified when that entity changes, and of no other change")
    func tracking() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let handle = Cached(Counter.self, id: 1, in: cache)
        let other = Cached(Counter.self, id: 2, in: cache)
        _ = other.value
        let notified = Recorder<Int>()
        withObservationTracking {
            _ = handle.value?.count
        } onChange: {
            notified.record(1)
        }
        other.update { $0.count += 1 }
        cache.set(Counter(id: 1))
        #expect(notified.count == 0)
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.count == 1)
        handle.update { $0.count += 1 }
        #expect(notified.count == 1)
    }

    @Test("The new value is there when the framework is notified")
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

    @Test("N5, N8: Insertion and removal notify too, through any handle of the key")
    func insertionAndRemoval() {
        let handle = Cached(Counter.self, id: 1, in: cache)
        let notified = Recorder<String>()
        withObservationTracking {
            _ = Cached(Counter.self, id: 1, in: cache) == handle ? handle.value : nil
        } onChange: {
            notified.record("inserted")
        }
        cache.set(Counter(id: 1))
        withObservationTracking {
            _ = handle.value
        } onChange: {
            notified.record("removed")
        }
        cache.removeAll()
        // A change off the main thread is notified again on the main actor, where it may meet the second reader.
        #expect(Set(notified.elements) == ["inserted", "removed"])
        #expect(notified.elements.first == "inserted")
    }

    @Test("Untracked reads register nothing; tracked reads leave nothing behind after the notification")
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
        // The shard keeps the reads of missing entities.
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
        let notified = Recorder<Int>()
        withObservationTracking {
            _ = Cached(Counter.self, id: 1, in: cache).count
        } onChange: {
            notified.record(1)
        }
        cache.update(Counter.self, id: 1) { $0.count += 1 }
        #expect(notified.count == 1)
    }

    @Test("Exactly what is read over relationships is tracked, by the methods of a cache as well")
    func trackedReads() {
        cache.set(Post(id: "1", authorID: "7"))
        cache.set(contentsOf: [Author(id: "7", name: "Ada"), Author(id: "8")])
        let notified = Recorder<Int>()
        func track() {
            withObservationTracking {
                _ = cache.tracked { cache in
                    cache.get(Post.self, id: "1").flatMap { cache.get(Author.self, id: $0.authorID)?.name }
                }
            } onChange: {
                notified.record(1)
            }
        }
        track()
        cache.set(contentsOf: [Author(id: "7", name: "Ada"), Author(id: "8", name: "Bob")])
        cache.set(Post(id: "2"))
        #expect(notified.count == 0)
        cache.set(Author(id: "7", name: "Eve"))
        #expect(notified.count == 1)
        track()
        cache.update(Post.self, id: "1") { $0.authorID = "8" }
        #expect(notified.count == 2)
        track()
        cache.set(Author(id: "7"))
        #expect(notified.count == 2)
        cache.set(Author(id: "8"))
        #expect(notified.count == 3)
        // The post hasn't changed since it was read.
        #expect(cache.observedKeyCount(of: Author.self) == 0)
        #expect(cache.observedKeyCount(of: Post.self) == 1)
        cache.removeAll()
        #expect(cache.observedKeyCount(of: Post.self) == 0)
    }

    @Test("Tracking works inside a read, and reads in a transaction are not tracked")
    func bodies() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let notified = Recorder<Int>()
        withObservationTracking {
            cache.read { _ = Cached(Counter.self, id: 1, in: cache).count }
            cache.transaction { _ = Cached(Counter.self, id: 2, in: cache).count }
        } onChange: {
            notified.record(1)
        }
        cache.set(Counter(id: 2, count: 1))
        #expect(notified.count == 0)
        cache.set(Counter(id: 1, count: 1))
        #expect(notified.count == 1)
    }

    @Test("The framework is notified once for each tracked key, however many threads track at the same time")
    func manyThreads() {
        let cache = cache
        cache.set(contentsOf: (0..<8).map { Counter(id: $0) })
        let notified = Recorder<Int>()
        onThreads(8) { number in
            let handle = Cached(Counter.self, id: number, in: cache)
            for _ in 0..<200 {
                withObservationTracking {
                    _ = handle.count
                } onChange: {
                    notified.record(number)
                }
                handle.update { $0.count += 1 }
            }
        }
        #expect(notified.count == 8 * 200)
    }

    @Test("A change by another thread while the main actor reads notifies when reading is over")
    @MainActor
    func changeWhileReading() async {
        cache.set(Counter(id: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let (notified, continuation) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = handle.value
            onThreads(1) { [cache] _ in cache.set(Counter(id: 1, count: 1)) }
        } onChange: {
            continuation.yield()
        }
        var iterator = notified.makeAsyncIterator()
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
        let (notified, continuation) = AsyncStream.makeStream(of: Void.self)
        onThreads(1) { [cache] _ in
            withObservationTracking {
                if byHandle { _ = handle.value } else { cache.tracked { _ = $0.get(Counter.self, id: 1) } }
                onThreads(1) { _ in cache.set(Counter(id: 1, count: 1)) }
            } onChange: {
                continuation.yield()
            }
        }
        var iterator = notified.makeAsyncIterator()
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
