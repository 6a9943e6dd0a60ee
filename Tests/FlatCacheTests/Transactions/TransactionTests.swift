import FlatCache
import SeededRandom
import TestThreads
import Testing

@Suite("Transactions", .mayBlock)
struct TransactionTests {
    let cache = FlatCache()

    struct Failure: Error {}

    @Test("S2: Other threads see all of a transaction or none, over keys and types")
    func atomicity() {
        cache.transaction {
            cache.set(Post(id: "1", title: "Hello"))
            cache.set(Author(id: "1", name: "Ann"))
            onThreads(1) { [cache] _ in
                #expect(cache.get(Post.self, id: "1") == nil)
                #expect(cache.get(Author.self, id: "1") == nil)
                #expect(cache.count == 0)
            }
        }
        #expect(cache.get(Post.self, id: "1")?.title == "Hello")
        #expect(cache.get(Author.self, id: "1")?.name == "Ann")
    }

    @Test("S2: A transaction reads its own writes, by every way of reading")
    func ownWrites() {
        cache.set(contentsOf: [Post(id: "1"), Post(id: "2")])
        let handle = Cached(Post.self, id: "3", in: cache)
        cache.transaction {
            cache.set(Post(id: "3", title: "New"))
            cache.remove(Post.self, id: "1")
            cache.update(Post.self, id: "2") { $0.likes = 7 }
            #expect(cache.get(Post.self, id: "3")?.title == "New")
            #expect(cache.get(Post.self, ids: ["1", "2", "3"]).map(\.id) == ["2", "3"])
            #expect(cache.missingIDs(of: Post.self, among: ["1", "2", "3"]) == ["1"])
            #expect(!cache.contains(Post.self, id: "1"))
            #expect(cache.get(Post.self, id: "2")?.likes == 7)
            #expect(Set(cache.allValues(of: Post.self).map(\.id)) == ["2", "3"])
            #expect(Set(cache.allKeys(of: Post.self)) == [Post.flatCacheKey(id: "2"), Post.flatCacheKey(id: "3")])
            #expect(cache.count(of: Post.self) == 2)
            #expect(cache.count == 2)
            #expect(handle.value?.title == "New")
        }
        #expect(handle.value?.title == "New")
        #expect(cache.count == 2)
    }

    @Test("S2: Everything that writes goes through the transaction")
    func ways() {
        let handle = Cached(Post.self, id: "1", in: cache)
        let notified = Recorder<ChangeKind>()
        let subscription = cache.observe(Post.self, id: "1") { notified.record($0.kind) }
        defer { subscription.cancel() }
        #expect(throws: Failure.self) {
            try cache.transaction {
                try handle.set(Post(id: "1"))
                #expect(
                    handle.update {
                        $0.likes += 1; return $0.likes
                    } == 1
                )
                #expect(handle.update(storing: [Author(id: "1")]) { $0.authorID = "1" } != nil)
                cache.set(contentsOf: [Post(id: "2"), Post(id: "3")])
                #expect(
                    cache.update(Post.self, id: "2") {
                        $0.likes += 1; return $0.likes
                    } == 1
                )
                #expect(cache.update(Post.self, id: "4") { $0.likes += 1 } == nil)
                #expect(cache.remove(Post.self, id: "3")?.id == "3")
                #expect(cache.remove(Post.self, id: "3") == nil)
                #expect(cache.count == 3)
                cache.removeAll(of: Author.self)
                #expect(cache.count == 2)
                cache.removeAll()
                #expect(cache.count == 0)
                cache.set(Counter(id: 1))
                #expect(cache.count == 1)
                throw Failure()
            }
        }
        #expect(cache.count == 0)
        #expect(notified.elements == [.initial])
    }

    @Test("S2: A body that throws changes nothing and notifies nobody")
    func rollback() {
        cache.set(contentsOf: [Post(id: "1"), Post(id: "2")])
        let notified = Recorder<ChangeSet>()
        let subscription = cache.observe([Post.flatCacheKey(id: "1"), Counter.flatCacheKey(id: 1)], initial: false) {
            notified.record($0)
        }
        defer { subscription.cancel() }
        #expect(throws: Failure.self) {
            try cache.transaction {
                cache.update(Post.self, id: "1") { $0.likes = 1 }
                cache.remove(Post.self, id: "2")
                cache.set(Counter(id: 1))
                throw Failure()
            }
        }
        #expect(cache.get(Post.self, id: "1")?.likes == 0)
        #expect(cache.contains(Post.self, id: "2"))
        #expect(!cache.contains(Counter.self, id: 1))
        #expect(notified.elements.isEmpty)
    }

    @Test("S2: A nested transaction joins the outer one: both are one commit")
    func nesting() {
        let notified = Recorder<ChangeSet>()
        let keys = [Post.flatCacheKey(id: "1"), Author.flatCacheKey(id: "1")]
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        defer { subscription.cancel() }
        let names = cache.transaction {
            cache.set(Post(id: "1", title: "Hello"))
            return cache.transaction {
                cache.set(Author(id: "1", name: "Ann"))
                return cache.read { [cache.get(Post.self, id: "1")?.title, cache.get(Author.self, id: "1")?.name] }
            }
        }
        #expect(names == ["Hello", "Ann"])
        #expect(notified.elements.map(\.inserted) == [Set(keys)])
    }

    @Test("S2: A nested transaction that throws is undone alone, whatever it changed")
    func nestedRollback() {
        cache.set(contentsOf: [Post(id: "1"), Post(id: "2")])
        cache.transaction {
            cache.update(Post.self, id: "1") { $0.likes = 1 }
            cache.set(Author(id: "1", name: "Ann"))
            #expect(throws: Failure.self) {
                try cache.transaction {
                    cache.update(Post.self, id: "1") { $0.likes = 2 }
                    cache.remove(Author.self, id: "1")
                    cache.set(Counter(id: 1))
                    cache.transaction { cache.set(Counter(id: 2)) }
                    cache.removeAll()
                    cache.set(Post(id: "3"))
                    cache.removeAll(of: Post.self)
                    #expect(cache.count == 0)
                    throw Failure()
                }
            }
            #expect(cache.get(Post.self, id: "1")?.likes == 1)
            #expect(cache.get(Author.self, id: "1")?.name == "Ann")
            #expect(cache.count == 3)
            cache.update(Post.self, id: "2") { $0.likes = 3 }
        }
        #expect(cache.get(Post.self, id: "1")?.likes == 1)
        #expect(cache.get(Post.self, id: "2")?.likes == 3)
        #expect(cache.get(Author.self, id: "1")?.name == "Ann")
        #expect(cache.count == 3)
    }

    @Test("S2: The reads of a nested transaction count although it was undone")
    func nestedReads() {
        cache.set(Counter(id: 1))
        let runs = Protected(0)
        cache.transaction {
            let run = runs.withLock {
                $0 += 1; return $0
            }
            let count = try? cache.transaction {
                cache.set(Counter(id: 2, count: 1))
                let count = cache.get(Counter.self, id: 1)?.count
                if run == 1 { onThreads(1) { [cache] _ in cache.set(Counter(id: 1, count: 5)) } }
                if count == 0 { throw Failure() }
                return count
            }
            cache.set(Counter(id: 3, count: count.flatMap { $0 } ?? -1))
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(cache.get(Counter.self, id: 3)?.count == 5)
        #expect(cache.contains(Counter.self, id: 2))
    }

    @Test("S2: The body runs again when another thread has changed what it read, and only then")
    func conflicts() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2), Counter(id: 3)])
        func runs(whileAnotherThread write: @escaping @Sendable () -> Void, _ body: () -> Void) -> Int {
            var runs = 0
            cache.transaction {
                runs += 1
                body()
                if runs == 1 { onThreads(1) { _ in write() } }
            }
            return runs
        }
        let change: @Sendable () -> Void = { [cache] in cache.update(Counter.self, id: 1) { $0.count += 1 } }
        #expect(runs(whileAnotherThread: change) { cache.update(Counter.self, id: 1) { $0.count += 1 } } == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        // It writes another key than it reads.
        #expect(
            runs(whileAnotherThread: change) {
                cache.set(Counter(id: 2, count: cache.get(Counter.self, id: 1)?.count ?? 0))
            } == 2
        )
        #expect(cache.get(Counter.self, id: 2)?.count == 3)
        // It only writes what the other thread writes, or only reads, or has to do with other keys.
        #expect(runs(whileAnotherThread: change) { cache.set(Counter(id: 1)) } == 1)
        #expect(cache.get(Counter.self, id: 1)?.count == 0)
        #expect(runs(whileAnotherThread: change) { _ = cache.get(Counter.self, id: 1) } == 1)
        #expect(runs(whileAnotherThread: change) { cache.update(Counter.self, id: 3) { $0.count += 1 } } == 1)
        // It reads that something is missing, and how many there are.
        let insert: @Sendable () -> Void = { [cache] in cache.set(Counter(id: 4)) }
        let remove: @Sendable () -> Void = { [cache] in cache.remove(Counter.self, id: 4) }
        #expect(
            runs(whileAnotherThread: insert) {
                cache.set(Counter(id: 2, count: cache.contains(Counter.self, id: 4) ? 1 : 0))
            } == 2
        )
        #expect(cache.get(Counter.self, id: 2)?.count == 1)
        #expect(
            runs(whileAnotherThread: remove) {
                cache.set(Counter(id: 2, count: cache.contains(Counter.self, id: 4) ? 1 : 0))
            } == 2
        )
        #expect(cache.get(Counter.self, id: 2)?.count == 0)
        #expect(
            runs(whileAnotherThread: insert) { cache.set(Counter(id: 2, count: cache.count(of: Counter.self))) } == 2
        )
        #expect(cache.get(Counter.self, id: 2)?.count == 4)
        #expect(
            runs(whileAnotherThread: remove) { cache.set(Counter(id: 2, count: cache.count(of: Counter.self))) } == 2
        )
        #expect(cache.get(Counter.self, id: 2)?.count == 3)
        let clear: @Sendable () -> Void = { [cache] in cache.removeAll(of: Counter.self) }
        #expect(
            runs(whileAnotherThread: clear) { cache.set(Counter(id: 2, count: cache.count(of: Counter.self))) } == 2
        )
        #expect(cache.get(Counter.self, id: 2)?.count == 0)
    }

    @Test("S2: A body that throws because of what it read has read one state, and doesn't run again")
    func throwsOnce() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        var runs = 0
        #expect(throws: Failure.self) {
            try cache.transaction {
                runs += 1
                let first = cache.get(Counter.self, id: 1)
                onThreads(1) { [cache] _ in cache.set(contentsOf: [Counter(id: 1, count: 9), Counter(id: 2, count: 9)])
                }
                #expect(first?.count == cache.get(Counter.self, id: 2)?.count)
                throw Failure()
            }
        }
        #expect(runs == 1)
        #expect(cache.get(Counter.self, id: 1)?.count == 9)
    }

    @Test("Transactions of two caches have nothing to do with each other")
    func twoCaches() {
        let other = FlatCache()
        #expect(throws: Failure.self) {
            try cache.transaction {
                cache.set(Counter(id: 1))
                other.transaction {
                    other.set(Counter(id: 1))
                    cache.set(Counter(id: 2))
                    #expect(cache.count == 2)
                }
                #expect(other.count == 1)
                throw Failure()
            }
        }
        #expect(cache.count == 0)
        #expect(other.count == 1)
    }

    @Test("S1: A transaction in the body of an update, and an update in the body of a transaction")
    func updates() {
        cache.set(Counter(id: 1))
        cache.update(Counter.self, id: 1) { counter in
            counter.count += 1
            cache.transaction {
                cache.update(Counter.self, id: 1) { $0.count = 100 }
                cache.set(Counter(id: 2))
            }
        }
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
        cache.transaction {
            cache.update(Counter.self, id: 1) { counter in
                counter.count += 1
                cache.set(Counter(id: 1, count: 100))
                cache.remove(Counter.self, id: 2)
            }
            #expect(cache.get(Counter.self, id: 1)?.count == 2)
        }
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        #expect(!cache.contains(Counter.self, id: 2))
    }

    @Test("S2: An entity whose identifier an update changes moves within the transaction")
    func moving() {
        cache.set(Draft(id: 1, text: "text"))
        cache.transaction {
            cache.update(Draft.self, id: 1) { $0.id = 2 }
            #expect(cache.get(Draft.self, id: 1) == nil)
            #expect(cache.get(Draft.self, id: 2)?.text == "text")
        }
        #expect(cache.get(Draft.self, id: 1) == nil)
        #expect(cache.get(Draft.self, id: 2)?.text == "text")
    }

    @Test("S2: Transfers between accounts keep the sum, whoever looks")
    func transfers() {
        cache.set(contentsOf: (0..<10).map { Counter(id: $0, count: 100) })
        onThreads(4) { [cache] thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for step in 0..<1_000 {
                let amount = Int.random(in: 1...5, using: &random)
                let (from, to) = (Int.random(in: 0..<10, using: &random), Int.random(in: 0..<10, using: &random))
                cache.transaction {
                    guard let count = cache.get(Counter.self, id: from)?.count, count >= amount else { return }
                    cache.update(Counter.self, id: from) { $0.count -= amount }
                    cache.update(Counter.self, id: to) { $0.count += amount }
                }
                guard step % 10 == 0 else { continue }
                let counts = cache.read { (0..<10).map { cache.get(Counter.self, id: $0)?.count ?? 0 } }
                #expect(counts.reduce(0, +) == 1_000)
                #expect(counts.allSatisfy { $0 >= 0 })
                #expect(cache.read { cache.allValues(of: Counter.self) }.reduce(0) { $0 + $1.count } == 1_000)
            }
        }
        #expect(cache.allValues(of: Counter.self).reduce(0) { $0 + $1.count } == 1_000)
    }

    @Test("S2: A transaction runs again after its entity is removed and another thread makes a handle for the key")
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
}
