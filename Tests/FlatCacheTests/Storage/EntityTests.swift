import FlatCache
import TestThreads
import Testing

@Suite("Whole entities", .mayBlock)
struct EntityTests {
    let cache = FlatCache()

    @Test("insertIfAbsent stores an entity where there is none, and gives the one that is stored then")
    func insertIfAbsent() {
        let first = cache.insertIfAbsent(Counter(id: 1, count: 1))
        #expect(first.inserted)
        #expect(first.stored == Counter(id: 1, count: 1))
        let second = cache.insertIfAbsent(Counter(id: 1, count: 2))
        #expect(!second.inserted)
        #expect(second.stored == Counter(id: 1, count: 1))
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
    }

    @Test("S1: Of several threads that insert one entity if it is absent, one does, and all get that one")
    func insertIfAbsentOnThreads() {
        for id in 0..<50 {
            let outcomes = Recorder<(inserted: Bool, stored: Counter)>()
            onThreads(4) { [cache] thread in outcomes.record(cache.insertIfAbsent(Counter(id: id, count: thread))) }
            #expect(outcomes.elements.filter(\.inserted).count == 1)
            #expect(Set(outcomes.elements.map(\.stored.count)) == [cache.get(Counter.self, id: id)?.count])
        }
    }

    @Test("update of an entity replaces a stored one, and stores no other")
    func updateEntity() {
        #expect(!cache.update(Counter(id: 1, count: 1)))
        #expect(cache.count == 0)
        cache.set(Counter(id: 1))
        #expect(cache.update(Counter(id: 1, count: 2)))
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
    }

    @Test("update with a default changes what is stored, or else the default; a throw changes nothing")
    func updateDefault() {
        struct Refusal: Error {}
        let count = { (counter: inout Counter) in
            counter.count += 1
            return counter.count
        }
        #expect(cache.update(default: Counter(id: 1, count: 10), count) == 11)
        #expect(cache.update(default: Counter(id: 1, count: 10), count) == 12)
        #expect(cache.get(Counter.self, id: 1)?.count == 12)
        for id in 1...2 {
            #expect(throws: Refusal.self) {
                try cache.update(default: Counter(id: id)) { counter in
                    counter.count = -1
                    throw Refusal()
                }
            }
        }
        #expect(cache.allValues(of: Counter.self) == [Counter(id: 1, count: 12)])
        let none: Int? = cache.update(default: Counter(id: 3)) { _ in nil }
        #expect(none == nil)
        #expect(cache.contains(Counter.self, id: 3))
    }

    @Test("S1: Updates with a default lose no write of another thread, even while the entity comes and goes")
    func updateDefaultOnThreads() {
        let removed = Protected(0)
        onThreads(4) { [cache] thread in
            for _ in 0..<500 {
                cache.update(default: Counter(id: 1)) { $0.count += 1 }
                if thread == 0, let counter = cache.remove(Counter.self, id: 1) {
                    removed.withLock { $0 += counter.count }
                }
            }
        }
        #expect(removed.withLock { $0 } + (cache.get(Counter.self, id: 1)?.count ?? 0) == 2_000)
    }

    @Test("An entity stands for its key: whether it is stored, removing it, and handles go by the identifier alone")
    func byKey() {
        #expect(!cache.contains(Counter(id: 1)))
        #expect(cache.remove(Counter(id: 1)) == nil)
        #expect(Cached(Counter(id: 1), in: cache).value == nil)
        cache.set(Counter(id: 1, count: 1))
        #expect(cache.contains(Counter(id: 1, count: 9)))
        #expect(Cached(Counter(id: 1, count: 9), in: cache) == Cached(id: 1, in: cache))
        FlatCache.withCurrent(cache) { #expect(Cached(Counter(id: 1)).value?.count == 1) }
        #expect(cache.remove(Counter(id: 1, count: 9)) == Counter(id: 1, count: 1))
        #expect(cache.count == 0)
    }

    @Test("N4: Removing several entities is one commit, which gives those that were there, in order")
    func removeMany() {
        cache.set(contentsOf: (1...4).map { Counter(id: $0) })
        let changes = Recorder<Int>()
        let subscription = cache.observe((1...4).map { Counter.flatCacheKey(id: $0) }, initial: false) {
            changes.record($0.removed.count)
        }
        #expect(cache.remove(Counter.self, ids: [4, 9, 2, 4, 1]).map(\.id) == [4, 2, 1])
        #expect(changes.elements == [3])
        #expect(cache.remove(Counter.self, ids: [4, 9]).isEmpty)
        #expect(cache.remove(Counter.self, ids: AnySequence([3])).count == 1)
        #expect(cache.count == 0)
        subscription.cancel()
    }

    @Test("S2: All of them take part in transactions, and are undone with them")
    func transactions() {
        struct Refusal: Error {}
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        #expect(throws: Refusal.self) {
            try cache.transaction {
                #expect(cache.remove(Counter(id: 1)) != nil)
                #expect(!cache.contains(Counter(id: 1)))
                #expect(!cache.update(Counter(id: 1)))
                #expect(cache.insertIfAbsent(Counter(id: 1, count: 1)).inserted)
                #expect(!cache.insertIfAbsent(Counter(id: 1, count: 2)).inserted)
                #expect(cache.update(default: Counter(id: 1)) { $0.count } == 1)
                #expect(cache.update(default: Counter(id: 3, count: 3)) { $0.count } == 3)
                #expect(cache.update(Counter(id: 3, count: 4)))
                #expect(cache.remove(Counter.self, ids: [2, 3]).map(\.count) == [0, 4])
                throw Refusal()
            }
        }
        #expect(cache.get(Counter.self, ids: 1...3) == [Counter(id: 1), Counter(id: 2)])
    }

    @Test("S3: In a read they write to the cache as it is, and the read goes on as it began")
    func reads() {
        cache.read {
            onThreads(1) { [cache] _ in cache.set(contentsOf: [Counter(id: 1, count: 5), Counter(id: 2)]) }
            #expect(!cache.contains(Counter(id: 1)))
            #expect(cache.insertIfAbsent(Counter(id: 1)).stored.count == 5)
            #expect(cache.update(default: Counter(id: 1)) { $0.count } == 5)
            #expect(cache.update(Counter(id: 1, count: 6)))
            #expect(cache.remove(Counter.self, ids: [2]).count == 1)
            #expect(!cache.contains(Counter(id: 1)))
        }
        #expect(cache.allValues(of: Counter.self) == [Counter(id: 1, count: 6)])
    }
}
