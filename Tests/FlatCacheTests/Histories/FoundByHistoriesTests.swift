import FlatCache
import Synchronization
import Testing

/// What histories have found, each as short as it can be.
@Suite("Histories: what they have found")
struct FoundByHistoriesTests {
    let cache = FlatCache()

    @Test("S3: A read goes on seeing an entity that is removed, and whose key somebody then refers to")
    func handleAfterRemoval() {
        cache.set(Counter(id: 1, count: 5))
        let handles = Recorder<Cached<Counter>>()
        let seen = cache.read {
            onThreads(1) { [cache] _ in
                cache.remove(Counter.self, id: 1)
                handles.record(Cached(Counter.self, id: 1, in: cache))
            }
            return cache.get(Counter.self, id: 1)?.count
        }
        #expect(seen == 5)
    }

    @Test("S2: A transaction runs again when what it has read is removed, and somebody then refers to the key")
    func handleAfterRemovalInTransaction() {
        cache.set(Counter(id: 1, count: 5))
        let handles = Recorder<Cached<Counter>>()
        cache.transaction {
            let seen = cache.get(Counter.self, id: 1)?.count
            onThreads(1) { [cache] _ in
                cache.remove(Counter.self, id: 1)
                handles.record(Cached(Counter.self, id: 1, in: cache))
            }
            cache.set(Counter(id: 2, count: seen ?? 0))
        }
        #expect(cache.get(Counter.self, id: 2)?.count == 0)
    }

    @Test("S2: removeAll in a nested transaction that fails leaves entities of types alone that were new then")
    func undoneRemoveAll() {
        cache.transaction {
            try? cache.transaction {
                cache.removeAll()
                cache.set(Post(id: "1"))
                throw PlannedFailure()
            }
            onThreads(1) { [cache] _ in cache.set(Post(id: "2")) }
            cache.set(Counter(id: 1))
        }
        #expect(cache.get(Post.self, id: "2") != nil)
    }

    @Test("S1: removeAll also removes the first entity of a new type that was there before", arguments: [false, true])
    func removeAllAgainstNewType(inTransaction: Bool) {
        let caches = (0..<2_000).map { _ in FlatCache() }
        for cache in caches { cache.set(Counter(id: 1)) }
        let orders = Recorder<FlatCache>()
        let barrier = SpinningBarrier(of: 2)
        onThreads(2) { thread in
            for cache in caches {
                barrier.wait()
                if thread == 0 {
                    if inTransaction { cache.transaction { cache.removeAll() } } else { cache.removeAll() }
                } else {
                    cache.set(Post(id: "1"))
                    // The post is stored while the counter is: so they go together.
                    if cache.contains(Counter.self, id: 1) { orders.record(cache) }
                }
            }
        }
        #expect(orders.elements.filter { $0.contains(Post.self, id: "1") }.isEmpty)
    }

    @Test("S2: A transaction that removes everything locks the types that came while it ran")
    func removeAllAgainstWritersOfNewType() {
        for _ in 0..<100 {
            let cache = FlatCache()
            let ids = (0..<200).map { "\($0)" }
            let hasBegun = Atomic(false)
            onThreads(2) { thread in
                if thread == 0 {
                    cache.transaction {
                        cache.removeAll()
                        while !hasBegun.load(ordering: .acquiring) {}
                    }
                } else {
                    for id in ids {
                        cache.set(Post(id: id))
                        hasBegun.store(true, ordering: .releasing)
                    }
                }
            }
            let stored = ids.filter { cache.contains(Post.self, id: $0) }
            // Those that are missing were stored before those that are there.
            #expect(stored == ids.suffix(stored.count))
            #expect(cache.count(of: Post.self) == stored.count)
        }
    }
}
