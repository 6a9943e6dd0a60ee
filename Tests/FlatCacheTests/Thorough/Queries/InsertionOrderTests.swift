import SeededRandom
import Testing

@testable import FlatCache

@Suite("The order of insertion")
struct InsertionOrderTests {
    let cache = FlatCache()

    private func ids() -> [Int] {
        let ids = cache.query(Tracks()).ids
        #expect(cache.allValues(of: Track.self, inOrder: true).map(\.id) == ids)
        return ids
    }

    @Test("A read of a missing entity in a transaction gives it no place")
    func readFirst() {
        cache.transaction {
            _ = cache.get(Track.self, id: 9)
            cache.set(Track(id: 8))
            cache.set(Track(id: 9))
        }
        #expect(ids() == [8, 9])
    }

    @Test("An entity that was removed before in the same transaction is stored later")
    func removedInBetween() {
        cache.transaction {
            cache.set(Track(id: 9))
            cache.set(Track(id: 8))
            cache.remove(Track.self, id: 9)
            cache.set(Track(id: 9))
        }
        #expect(ids() == [8, 9])
    }

    @Test("A failed inner transaction gives its entities no place")
    func failedInner() {
        struct Failure: Error {}
        cache.transaction {
            try? cache.transaction {
                cache.set(Track(id: 9))
                throw Failure()
            }
            cache.set(Track(id: 8))
            cache.set(Track(id: 9))
        }
        #expect(ids() == [8, 9])
    }

    @Test("A stored entity that is removed and stored again in one transaction keeps its place")
    func removedAndStored() {
        cache.set(contentsOf: [Track(id: 1), Track(id: 2)])
        cache.transaction {
            cache.remove(Track.self, id: 1)
            cache.set(Track(id: 1, name: "again"))
            #expect(ids() == [1, 2])
        }
        #expect(ids() == [1, 2])
    }

    @Test("Removed identifiers that are stored in a later order")
    func removedFirst() {
        cache.transaction {
            cache.remove(Track.self, ids: [3, 2, 1])
            cache.set(contentsOf: (1...3).map { Track(id: $0) })
        }
        #expect(ids() == [1, 2, 3])
    }

    @Test(
        "replaceAll keeps the places of those that were stored, and stores others in their order",
        arguments: [5, 5_000]
    )
    func replaceAll(count: Int) {
        cache.set(contentsOf: (0..<count).map { Track(id: $0) })
        cache.replaceAll(of: Track.self, with: ((1..<count * 2).reversed()).map { Track(id: $0, plays: 1) })
        #expect(ids() == Array(1..<count) + (count..<count * 2).reversed())
    }

    @Test("replaceAll of twins stores the later one")
    func twins() {
        cache.replaceAll(of: Track.self, with: [Track(id: 1), Track(id: 2), Track(id: 1, plays: 7)])
        #expect(ids() == [1, 2] && cache.get(Track.self, id: 1)?.plays == 7)
    }

    @Test(
        "A transaction, a read and a live query have the same order as the committed state",
        arguments: Seeds.first(40, full: 100, orAsIn: "FLATCACHE_QUERIES")
    )
    func sameEverywhere(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let follower = ArrayFollower()
        let subscription = cache.query(Tracks()).observe { follower.apply($0) }
        for step in 0..<20 {
            let inner = cache.transaction {
                var random = SeededGenerator(seed: seed, stream: step)
                for _ in 0..<random.below(12) {
                    let id = random.below(12)
                    switch random.below(7) {
                    case 0: cache.remove(Track.self, id: id)
                    case 1: _ = cache.get(Track.self, id: id)
                    case 2: cache.update(Track.self, id: id) { $0.plays += 1 }
                    case 3: cache.set(contentsOf: (0..<3).map { Track(id: (id + $0 * 5) % 12) })
                    case 4: if random.below(4) == 0 { cache.removeAll(of: Track.self) }
                    case 5: cache.insertIfAbsent(Track(id: id))
                    default: cache.set(Track(id: id, plays: random.below(3)))
                    }
                }
                return cache.query(Tracks()).ids
            }
            #expect(inner == ids(), "seed \(seed), step \(step)")
            #expect(follower.shown.withLock { $0.map(\.id) } == inner, "seed \(seed), step \(step)")
            if random.below(5) == 0 { cache.removeAll() }
        }
        #expect(follower.mistakes.take() == [], "seed \(seed)")
        subscription.cancel()
    }
}
