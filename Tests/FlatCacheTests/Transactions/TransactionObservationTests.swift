import FlatCache
import Testing

@Suite("Notifications of transactions")
struct TransactionObservationTests {
    let cache = FlatCache()

    struct Failure: Error {}

    @Test("N4: The second write of one entity in a transaction counts, and notifies once")
    func netChange() {
        cache.set(Post(id: "1"))
        let notified = Recorder<EntityChange<Post>>()
        let subscription = cache.observe(Post.self, id: "1") { notified.record($0) }
        defer { subscription.cancel() }
        _ = notified.take()
        cache.transaction {
            cache.set(Post(id: "1", likes: 1))
            cache.set(Post(id: "1", likes: 2))
        }
        #expect(notified.take().map(\.value?.likes) == [2])
        cache.transaction {
            cache.set(Post(id: "1", likes: 3))
            cache.remove(Post.self, id: "1")
        }
        #expect(notified.take().map(\.kind) == [.removed])
        cache.transaction {
            cache.set(Post(id: "1", likes: 4))
            cache.remove(Post.self, id: "1")
        }
        #expect(notified.take().isEmpty)
    }

    @Test("N4: A transaction that changes a value and changes it back doesn't notify")
    func changeBack() {
        cache.set(contentsOf: [Post(id: "1", likes: 1), Post(id: "2")])
        let notified = Recorder<ChangeSet>()
        let subscription = cache.observe(["1", "2"].map { Post.flatCacheKey(id: $0) }, initial: false) {
            notified.record($0)
        }
        defer { subscription.cancel() }
        cache.transaction {
            cache.update(Post.self, id: "1") { $0.likes += 1 }
            cache.update(Post.self, id: "1") { $0.likes -= 1 }
            cache.removeAll()
            cache.set(contentsOf: [Post(id: "1", likes: 1), Post(id: "2")])
        }
        #expect(notified.elements.isEmpty)
        cache.transaction {
            cache.removeAll()
            cache.set(contentsOf: [Post(id: "1", likes: 5)])
        }
        #expect(notified.elements.map(\.updated) == [[Post.flatCacheKey(id: "1")]])
        #expect(notified.elements.map(\.removed) == [[Post.flatCacheKey(id: "2")]])
    }

    @Test("N1: Observers run after the transaction, with no part in it: what they read and write is committed")
    func observersAreOutside() {
        let seen = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { [cache] change in
            seen.record(cache.get(Counter.self, id: 2)?.count)
            if change.kind == .inserted { cache.set(Counter(id: 3)) }
        }
        defer { subscription.cancel() }
        let other = FlatCache()
        let first = Protected<CacheSubscription?>(nil)
        #expect(throws: Failure.self) {
            try cache.transaction {
                cache.set(Counter(id: 2, count: 7))
                // Notifies at once, because it is another cache; its write is not undone with this transaction.
                first.withLock {
                    $0 = other.observe(Counter.self, id: 1) { [cache] _ in
                        cache.set(Counter(id: 4, count: cache.get(Counter.self, id: 2)?.count ?? 0))
                    }
                }
                #expect(!cache.contains(Counter.self, id: 4))
                throw Failure()
            }
        }
        #expect(cache.get(Counter.self, id: 4)?.count == 0)
        cache.transaction {
            cache.set(Counter(id: 1))
            cache.set(Counter(id: 2, count: 8))
            #expect(seen.elements == [nil])
        }
        #expect(seen.elements == [nil, 8])
        #expect(cache.contains(Counter.self, id: 3))
    }

    @Test("N3: Observing that begins in a transaction begins with the committed state")
    func observingInside() {
        let notified = Recorder<Int?>()
        var subscription: CacheSubscription?
        cache.transaction {
            cache.set(Counter(id: 1, count: 1))
            subscription = cache.observe(Counter.self, id: 1) { notified.record($0.value?.count) }
        }
        #expect(notified.elements == [nil, 1])
        subscription?.cancel()
    }
}
