import Synchronization
import TestThreads
import Testing

@testable import FlatCache

@Suite("Consistent reads", .mayBlock)
struct ReadTests {
    let cache = FlatCache()

    @Test("S3: A read sees the state in which it began, whatever another thread commits")
    func oneState() {
        cache.set(contentsOf: [Post(id: "1", title: "old"), Post(id: "2", title: "old")])
        cache.set(Author(id: "1", name: "old"))
        let handle = Cached(Post.self, id: "2", in: cache)
        cache.read {
            #expect(cache.get(Post.self, id: "1")?.title == "old")
            onThreads(1) { [cache] _ in
                cache.transaction {
                    cache.set(Post(id: "1", title: "new"))
                    cache.set(Author(id: "1", name: "new"))
                    cache.set(Post(id: "3", title: "new"))
                }
                cache.set(Post(id: "1", title: "newer"))
                handle.update { $0.title = "new" }
                cache.remove(Post.self, id: "2")
                #expect(cache.get(Post.self, id: "1")?.title == "newer")
            }
            #expect(cache.get(Post.self, id: "1")?.title == "old")
            #expect(cache.get(Author.self, id: "1")?.name == "old")
            #expect(handle.value?.title == "old")
            #expect(cache.get(Post.self, ids: ["1", "2", "3"]).map(\.id) == ["1", "2"])
            #expect(cache.missingIDs(of: Post.self, among: ["1", "2", "3"]) == ["3"])
            #expect(cache.contains(Post.self, id: "2"))
            #expect(Set(cache.allValues(of: Post.self).map(\.title)) == ["old"])
            #expect(Set(cache.allKeys(of: Post.self).map(\.description)).count == 2)
            #expect(cache.count(of: Post.self) == 2)
            #expect(cache.count == 3)
        }
        #expect(cache.get(Post.self, id: "1")?.title == "newer")
        #expect(handle.value == nil)
    }

    @Test("S3: A read sees what was there before everything was removed", arguments: [false, true])
    func removeAll(isObserved: Bool) {
        cache.set(contentsOf: (0..<100).map { Counter(id: $0, count: $0) })
        let handles = isObserved ? (0..<100).map { Cached(Counter.self, id: $0, in: cache) } : []
        cache.read {
            onThreads(1) { [cache] _ in
                cache.removeAll()
                cache.set(Counter(id: 5, count: -1))
                cache.removeAll(of: Counter.self)
                cache.set(Counter(id: 6, count: -1))
            }
            #expect(cache.allValues(of: Counter.self).map(\.count).sorted() == Array(0..<100))
            #expect(cache.get(Counter.self, id: 5)?.count == 5)
            #expect(cache.get(Counter.self, id: 6)?.count == 6)
        }
        #expect(cache.count == 1)
        withExtendedLifetime(handles) {}
    }

    @Test("S3: A read in a read joins it; one in a transaction sees what that has changed")
    func joining() {
        cache.set(Counter(id: 1, count: 1))
        cache.read {
            onThreads(1) { [cache] _ in cache.set(Counter(id: 1, count: 2)) }
            #expect(cache.read { cache.get(Counter.self, id: 1)?.count } == 1)
        }
        cache.transaction {
            cache.set(Counter(id: 1, count: 3))
            #expect(cache.read { cache.get(Counter.self, id: 1)?.count } == 3)
        }
    }

    @Test("S3: A write in a read is committed at once, and the read doesn't see it")
    func writing() {
        cache.set(Counter(id: 1, count: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let notified = Recorder<Int?>()
        let subscription = cache.observe(Counter.self, id: 1) { [cache] _ in
            notified.record(cache.get(Counter.self, id: 1)?.count)
        }
        defer { subscription.cancel() }
        cache.read {
            cache.set(Counter(id: 1, count: 2))
            onThreads(1) { [cache] _ in #expect(cache.get(Counter.self, id: 1)?.count == 2) }
            cache.update(Counter.self, id: 1) { counter in
                #expect(cache.get(Counter.self, id: 1)?.count == 2)
                counter.count += 1
            }
            handle.update { counter in
                #expect(cache.get(Counter.self, id: 1)?.count == 3)
                counter.count += 1
            }
            let sum = cache.transaction {
                cache.update(Counter.self, id: 1) { $0.count += 1 }
                return cache.get(Counter.self, id: 1)?.count
            }
            #expect(sum == 5)
            #expect(cache.get(Counter.self, id: 1)?.count == 1)
            #expect(handle.value?.count == 1)
            #expect(cache.remove(Counter.self, id: 1)?.count == 5)
            #expect(cache.contains(Counter.self, id: 1))
        }
        #expect(cache.get(Counter.self, id: 1) == nil)
        #expect(notified.elements == [1, 2, 3, 4, 5, nil])
    }

    @Test("S3: An error ends a read, and is thrown on")
    func throwing() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try cache.read { throw Failure() } }
        #expect(cache.history.counters.snapshotCount.pointee.load(ordering: .relaxed) == 0)
        cache.set(Counter(id: 1))
        #expect(cache.get(Counter.self, id: 1) != nil)
    }

    @Test("S3: A read keeps each replaced entity once, and lets go of it at its end")
    func memory() {
        let alive = Protected(0)
        cache.set(Counted(1, alive))
        cache.read {
            onThreads(1) { [cache] _ in
                for _ in 0..<100 { cache.set(Counted(1, alive)) }
            }
            #expect(alive.withLock { $0 } == 2)
        }
        #expect(alive.withLock { $0 } == 1)
    }

    @Test("S3: A read still sees a removed entity after another thread makes a handle for its key")
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
}
