import FlatCache
import TestThreads
import Testing

/// Nested transactions that throw, after all that can be changed in them.
@Suite("Undoing nested transactions", .mayBlock)
struct UndoTests {
    let cache = FlatCache()

    struct Failure: Error {}

    @Test("S2: Clearing that is undone leaves what the outer transaction has changed before", arguments: [true, false])
    func undoneClearing(everything: Bool) {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        cache.transaction {
            cache.set(contentsOf: [Counter(id: 2, count: 2), Counter(id: 3, count: 3)])
            cache.remove(Counter.self, id: 1)
            try? cache.transaction {
                if everything { cache.removeAll() } else { cache.removeAll(of: Counter.self) }
                cache.set(Counter(id: 2, count: 20))
                cache.set(Counter(id: 4, count: 40))
                #expect(cache.count == 2)
                throw Failure()
            }
            #expect(cache.get(Counter.self, ids: 1...4).map(\.count) == [2, 3])
            #expect(cache.count == 2)
        }
        #expect(cache.get(Counter.self, ids: 1...4).map(\.count) == [2, 3])
    }

    @Test("S2: Clearing of the outer transaction stays when a nested one that has cleared again is undone")
    func clearedTwice() {
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        cache.transaction {
            cache.removeAll()
            cache.set(Counter(id: 3))
            try? cache.transaction {
                cache.removeAll()
                throw Failure()
            }
        }
        #expect(cache.allKeys(of: Counter.self) == [Counter.flatCacheKey(id: 3)])
    }

    @Test("S2: What is undone leaves the order of insertion as it was", arguments: 0..<4)
    func orderOfUndone(way: Int) {
        cache.transaction {
            cache.set(contentsOf: (1...3).map { Counter(id: $0) })
            try? cache.transaction {
                switch way {
                case 0: cache.remove(Counter.self, id: 1)
                case 1: cache.removeAll()
                case 2: cache.removeAll(of: Counter.self)
                default: cache.update(Counter.self, id: 1) { $0.count += 1 }
                }
                cache.set(contentsOf: [2, 1, 4].map { Counter(id: $0) })
                throw Failure()
            }
            #expect(cache.allValues(of: Counter.self, inOrder: true).map(\.id) == [1, 2, 3])
        }
        #expect(cache.allValues(of: Counter.self, inOrder: true).map(\.id) == [1, 2, 3])
    }

    @Test("S2: Each level is undone alone: what an inner one has committed to a middle one goes with that")
    func threeLevels() {
        cache.transaction {
            cache.set(Counter(id: 1, count: 1))
            try? cache.transaction {
                cache.update(Counter.self, id: 1) { $0.count += 10 }
                try? cache.transaction {
                    cache.update(Counter.self, id: 1) { $0.count += 100 }
                    throw Failure()
                }
                #expect(cache.get(Counter.self, id: 1)?.count == 11)
                cache.transaction { cache.update(Counter.self, id: 1) { $0.count += 1_000 } }
                #expect(cache.get(Counter.self, id: 1)?.count == 1_011)
                throw Failure()
            }
            #expect(cache.get(Counter.self, id: 1)?.count == 1)
            cache.transaction { cache.update(Counter.self, id: 1) { $0.count += 10_000 } }
        }
        #expect(cache.get(Counter.self, id: 1)?.count == 10_001)
    }

    @Test("S2: An undone removeAll keeps entities of types that were first used after it")
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
}
