import TestThreads
import Testing

@testable import FlatCache

/// Merged writes in the bodies of transactions.
@Suite("Merging in transactions", .mayBlock)
struct MergingTransactionTests {
    let cache = FlatCache()

    struct Failure: Error {}

    private func entries(_ id: Int = 1) -> [Int]? { cache.get(Merged.self, id: id)?.entries }

    /// Lets another thread store an entity.
    private func elsewhere(_ value: Merged) {
        onThreads(1) { [cache] _ in cache.set(value) }
    }

    @Test("S2, P3: The body reads the merged entity, by every way of reading")
    func ownWrites() {
        cache.set(Merged(1, [1]))
        let handle = Cached(Merged.self, id: 1, in: cache)
        let inserted = Cached(Merged.self, id: 2, in: cache)
        cache.transaction {
            cache.set(contentsOf: [Merged(1, [2]), Merged(2, [1])])
            #expect(cache.allValues(of: Merged.self).map(\.entries.count).sorted() == [1, 2])
            cache.set(Merged(1, [3]))
            #expect(entries() == [1, 2, 3] && handle.value?.entries == [1, 2, 3] && handle.entries == [1, 2, 3])
            #expect(inserted.value?.entries == [1])
            #expect(cache.contains(Merged.self, id: 2) && cache.count(of: Merged.self) == 2)
            #expect(cache.get(Merged.self, ids: [2, 1]).map(\.entries) == [[1], [1, 2, 3]])
        }
        #expect(entries() == [1, 2, 3] && entries(2) == [1])
    }

    @Test("S2, P3: A merge isn't a read: if another thread writes the entity, only the merge runs again")
    func notARead() {
        cache.set(Merged(1, [1]))
        let runs = Recorder<Int>()
        let merges = Recorder<Int>()
        cache.transaction {
            runs.record(1)
            cache.set(Merged(1, [3], Merged.adding { merges.record($0) }))
            cache.set(contentsOf: [Merged(2, [3], Merged.adding { merges.record($0) })])
            elsewhere(Merged(1, [2]))
            elsewhere(Merged(2, [2]))
            // The state of the body has nothing of the other thread.
            #expect(merges.elements == [1])
        }
        #expect(runs.count == 1 && merges.count == 3)
        #expect(entries() == [1, 2, 3] && entries(2) == [2, 3])
    }

    @Test("P3: If no other thread writes the entity, it is merged once")
    func mergedOnce() {
        cache.set(contentsOf: [Merged(1, [1]), Merged(2, [1]), Merged(3, [1])])
        let merges = Recorder<Int>()
        let merge = Merged.adding { merges.record($0) }
        cache.set(Merged(1, [2], merge))
        cache.set(contentsOf: [Merged(2, [2], merge)])
        cache.transaction {
            cache.set(Merged(3, [2], merge))
            _ = entries(3)
        }
        #expect(merges.elements == [1, 2, 3])
    }

    @Test("S2, P3: A read of a merged entity is a read", arguments: [false, true])
    func readAfterMerge(byUpdate: Bool) {
        cache.set(Merged(1, [1]))
        let runs = Recorder<Int>()
        cache.transaction {
            runs.record(1)
            cache.set(Merged(1, [3]))
            if byUpdate {
                cache.update(Merged.self, id: 1) { $0.entries.append(4) }
            } else {
                cache.set(Counter(id: 1, count: entries()?.count ?? 0))
            }
            if runs.count == 1 { elsewhere(Merged(1, [2])) }
        }
        #expect(runs.count == 2)
        #expect(entries() == (byUpdate ? [1, 2, 3, 4] : [1, 2, 3]))
        #expect(cache.get(Counter.self, id: 1)?.count == (byUpdate ? nil : 3))
    }

    @Test("S2, P3: An entity is merged with the value that the body has read, or the body runs again")
    func mergeAfterRead() {
        cache.set(Merged(1, [1]))
        let runs = Recorder<Int>()
        cache.transaction {
            runs.record(1)
            let count = entries()?.count ?? 0
            cache.set(Merged(1, [10 + count]))
            if runs.count == 1 { elsewhere(Merged(1, [2])) }
        }
        #expect(runs.count == 2)
        #expect(entries() == [1, 2, 12])
    }

    @Test("S2, P3: The commit decides, not the body, whether the stored entity is kept")
    func decidedByCommit() {
        cache.set(contentsOf: [Versioned(id: 1, version: 5), Versioned(id: 2, version: 1), Versioned(id: 3)])
        cache.transaction {
            #expect(!cache.set(Versioned(id: 1, version: 3)))
            #expect(cache.set(Versioned(id: 2, version: 3)))
            #expect(cache.set(Versioned(id: 3, version: 3)))
            #expect(cache.set(Versioned(id: 4, version: 3)))
            onThreads(1) { [cache] _ in
                cache.update(Versioned.self, id: 1) { $0.version = 2 }
                cache.set(contentsOf: [Versioned(id: 2, version: 4), Versioned(id: 4, version: 4)])
                cache.remove(Versioned.self, id: 3)
            }
        }
        #expect(cache.get(Versioned.self, ids: 1...4).map(\.version) == [3, 4, 3, 4])
    }

    @Test("S2, P3: Observers are notified of the net change of a transaction that merges")
    func netChange() {
        cache.set(contentsOf: [Versioned(id: 1, version: 2), Versioned(id: 2, version: 2)])
        let notified = Recorder<ChangeSet>()
        let keys = (1...3).map { Versioned.flatCacheKey(id: $0) }
        let subscription = cache.observe(keys, initial: false) { notified.record($0) }
        cache.transaction {
            cache.set(contentsOf: (1...3).map { Versioned(id: $0, version: $0) })
        }
        // The first is kept, and the second is equal.
        #expect(notified.elements.map(\.keys) == [[keys[2]]])
        subscription.cancel()
    }

    @Test("P3: After a removal in the transaction, the incoming entity is stored as it is", arguments: [false, true])
    func afterRemoval(wholeType: Bool) {
        cache.set(Merged(1, [1]))
        cache.transaction {
            cache.set(Merged(1, [2]))
            if wholeType { cache.removeAll(of: Merged.self) } else { cache.remove(Merged.self, id: 1) }
            #expect(entries() == nil)
            cache.set(Merged(1, [3]))
            cache.set(contentsOf: [Merged(1, [4])])
            #expect(entries() == [3, 4])
        }
        #expect(entries() == [3, 4])
    }

    @Test("P3: Writes after a result of a body are merged with it")
    func afterUpdate() {
        cache.set(Merged(1, [1]))
        cache.transaction {
            cache.update(Merged.self, id: 1) { $0.entries = [7] }
            #expect(!cache.set(Merged(1, [2]) { _, _ in nil }))
            #expect(entries() == [7])
            cache.set(Merged(1, [8]))
        }
        #expect(entries() == [7, 8])
    }

    @Test("S2, P3: A nested transaction that throws takes its merges with it, and only these")
    func undone() {
        cache.set(contentsOf: [Merged(1, [1]), Merged(2, [1]), Merged(3, [1])])
        cache.transaction {
            cache.set(Merged(1, [3]))
            cache.set(contentsOf: [Merged(2, [3])])
            #expect(throws: Failure.self) {
                try cache.transaction {
                    cache.set(contentsOf: (1...4).map { Merged($0, [9]) })
                    cache.set(Merged(1, [9]))
                    #expect(entries() == [1, 3, 9, 9] && entries(4) == [9])
                    cache.update(Merged.self, id: 2) { $0.entries = [] }
                    cache.set(Merged(2, [9]))
                    throw Failure()
                }
            }
            cache.transaction { cache.set(Merged(1, [4])) }
            #expect(entries() == [1, 3, 4] && entries(2) == [1, 3] && entries(3) == [1] && entries(4) == nil)
        }
        #expect(entries() == [1, 3, 4] && entries(2) == [1, 3] && entries(3) == [1] && entries(4) == nil)
    }

    @Test("S2, P3: A write that a nested transaction has undone isn't merged again at the commit")
    func undoneAndOvertaken() {
        cache.set(contentsOf: [Merged(1, [1]), Merged(2, [1]), Merged(3, [1])])
        let runs = Recorder<Int>()
        cache.transaction {
            runs.record(1)
            cache.set(Merged(1, [3]))
            cache.set(Merged(2, [3]))
            try? cache.transaction {
                cache.set(Merged(1, [9]))
                cache.removeAll(of: Merged.self)
                cache.set(Merged(2, [9]))
                throw Failure()
            }
            try? cache.transaction {
                cache.set(Merged(2, [9]))
                cache.set(Merged(3, [9]))
                throw Failure()
            }
            for id in 1...3 { elsewhere(Merged(id, [2])) }
        }
        #expect(runs.count == 1)
        #expect(entries() == [1, 2, 3] && entries(2) == [1, 2, 3] && entries(3) == [1, 2])
    }

    @Test("S9: Many merges of one entity in a nested transaction, and their undoing, take linear time")
    func manyMerges() {
        cache.set(Versioned(id: 1, version: 0))
        cache.transaction {
            cache.transaction { for version in 1...20_000 { cache.set(Versioned(id: 1, version: version)) } }
            try? cache.transaction {
                for version in 1...20_000 { cache.set(Versioned(id: 1, version: -version)) }
                throw Failure()
            }
        }
        #expect(cache.get(Versioned.self, id: 1)?.version == 20_000)
    }

    @Test("S2, P3: A transaction that throws merges nothing")
    func thrown() {
        cache.set(Merged(1, [1]))
        #expect(throws: Failure.self) {
            try cache.transaction {
                cache.set(contentsOf: [Merged(1, [2]), Merged(2, [2])])
                throw Failure()
            }
        }
        #expect(entries() == [1] && cache.count == 1)
        #expect(cache.slotCount(of: Merged.self) == 1)
    }

    @Test("S2, P3: A transaction that reads all entities of a type reads the merged ones, and depends on all")
    func wholeType() {
        cache.set(Merged(1, [1]))
        let runs = Recorder<Int>()
        cache.transaction {
            runs.record(1)
            cache.set(Merged(1, [3]))
            let sum = cache.allValues(of: Merged.self).reduce(0) { $0 + $1.entries.count }
            if runs.count == 1 { elsewhere(Merged(1, [2])) }
            cache.set(Counter(id: 1, count: sum))
        }
        #expect(runs.count == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 3)
    }
}
