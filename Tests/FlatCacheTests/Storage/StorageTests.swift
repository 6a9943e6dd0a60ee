import FlatCache
import SeededRandom
import TestThreads
import Testing

@Suite("Storage", .mayBlock)
struct StorageTests {
    @Test(
        "Random operations on colliding and on spread identifiers agree with a dictionary",
        arguments: Seeds.first(8, full: 20)
    )
    func agreesWithDictionary(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        var collidingModel: [Int: Int] = [:]
        var model: [String: Int] = [:]
        for step in 0..<2000 {
            let number = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                cache.set(Colliding(number, count: step))
                cache.set(Post(id: "\(number)", likes: step))
                collidingModel[number] = step
                model["\(number)"] = step
            case 4..<8:
                #expect(cache.remove(Colliding.self, id: CollidingID(number: number))?.count == collidingModel[number])
                #expect(cache.remove(Post.self, id: "\(number)")?.likes == model["\(number)"])
                collidingModel[number] = nil
                model["\(number)"] = nil
            case 8:
                #expect(cache.get(Colliding.self, id: CollidingID(number: number))?.count == collidingModel[number])
                #expect(cache.get(Post.self, id: "\(number)")?.likes == model["\(number)"])
            default:
                guard step.isMultiple(of: 50) else { continue }
                cache.removeAll()
                collidingModel = [:]
                model = [:]
            }
            #expect(cache.count(of: Colliding.self) == collidingModel.count, "FLATCACHE_SEED=\(seed), step \(step)")
            #expect(cache.count(of: Post.self) == model.count, "FLATCACHE_SEED=\(seed), step \(step)")
        }
        for number in 0..<60 {
            let id = CollidingID(number: number)
            #expect(cache.get(Colliding.self, id: id)?.count == collidingModel[number], "FLATCACHE_SEED=\(seed)")
        }
    }

    @Test("S5, S6: Each identifier is hashed once by every operation, whatever the number of entities")
    func hashesOnce() {
        let cache = FlatCache()
        let hashes = Protected(0)
        let entities = (0..<1000).map { HashCounting($0, hashes) }
        cache.set(contentsOf: entities)
        #expect(hashes.withLock { $0 } == 1000)
        for entity in entities { cache.set(entity) }
        #expect(hashes.withLock { $0 } == 2000)
        for entity in entities { _ = cache.get(HashCounting.self, id: entity.id) }
        #expect(hashes.withLock { $0 } == 3000)
        cache.removeAll()
        #expect(hashes.withLock { $0 } == 3000)
    }

    @Test("A slot exists only while there is an entity, an observer or a handle for its key")
    func slotsDoNotLeak() throws {
        let cache = FlatCache()
        var handle: Cached<Counter>? = Cached(id: 1, in: cache)
        let subscription = cache.observe(Counter.self, id: 2) { _ in }
        cache.set(Counter(id: 3))
        #expect(cache.slotCount(of: Counter.self) == 3)
        cache.removeAll()
        #expect(cache.slotCount(of: Counter.self) == 2)
        #expect(try #require(handle).value == nil)
        handle = nil
        #expect(cache.slotCount(of: Counter.self) == 1)
        cache.set(Counter(id: 2))
        subscription.cancel()
        #expect(cache.slotCount(of: Counter.self) == 1)
        cache.remove(Counter.self, id: 2)
        #expect(cache.slotCount(of: Counter.self) == 0)
        cache.update(Counter.self, id: 4) { $0.count += 1 }
        #expect(cache.slotCount(of: Counter.self) == 0)
    }

    @Test("An index gives back the buckets that many slots of a moment have needed")
    func indexShrinks() {
        let cache = FlatCache()
        cache.set(contentsOf: (0..<100_000).map { Counter(id: $0) })
        #expect(cache.bucketCount(of: Counter.self) >= 100_000)
        for id in 0..<99_900 { cache.remove(Counter.self, id: id) }
        // Identifiers are spread by chance: a shard may keep some more of them than its share.
        #expect(cache.bucketCount(of: Counter.self) <= 16 * 128)
        #expect(cache.allValues(of: Counter.self).count == 100)
    }

    @Test("Many types live side by side")
    func manyTypes() {
        let cache = FlatCache()
        func store<Marker: Sendable>(_: Marker.Type, depth: Int) {
            cache.set(Boxed<Marker>(id: depth))
            #expect(cache.get(Boxed<Marker>.self, id: depth) != nil)
            #expect(cache.get(Boxed<[Marker]>.self, id: depth) == nil)
            if depth > 0 { store([Marker].self, depth: depth - 1) }
        }
        store(Int.self, depth: 100)
        #expect(cache.count == 101)
        #expect(cache.get(Boxed<Int>.self, id: 100) != nil)
    }

    @Test("S1: Types that are first used by several threads at once have one table")
    func concurrentFirstUse() {
        for _ in 0..<200 {
            let cache = FlatCache()
            onThreads(4) { thread in
                cache.set(Counter(id: thread))
                cache.set(Post(id: "\(thread)"))
                cache.set(Author(id: "\(thread)"))
            }
            #expect(cache.count == 12)
        }
    }

    @Test("A cache that goes releases its entities")
    func releasesEntities() {
        final class Token: Sendable {}
        struct Holder: Cachable {
            let id: Int
            let token: Token
        }
        weak var token: Token?
        do {
            let cache = FlatCache()
            let made = Token()
            token = made
            cache.set(Holder(id: 1, token: made))
            #expect(token != nil)
        }
        #expect(token == nil)
    }

    @Test("An identifier that is compared without a lock is read while other threads replace the entity")
    func comparisonBesideWriters() {
        final class Token: Sendable {}
        struct Holder: Cachable {
            let id: CollidingID
            let token = Token()
        }
        let cache = FlatCache()
        cache.set(Holder(id: CollidingID(number: 1)))
        onThreads(2) { thread in
            for _ in 0..<20_000 {
                // The identifier is compared with the one of the stored entity, whose hash is the same.
                if thread == 0 { #expect(cache.remove(Holder.self, id: CollidingID(number: 2)) == nil) }
                if thread == 1 { cache.set(Holder(id: CollidingID(number: 1))) }
            }
        }
        #expect(cache.count == 1)
    }
}

private struct Boxed<Marker: Sendable>: Cachable {
    let id: Int
}
