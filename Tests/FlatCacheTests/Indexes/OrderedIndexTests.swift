import TestThreads
import Testing

@testable import FlatCache

@Suite("Ordered indexes", .mayBlock)
struct OrderedIndexTests {
    let cache = FlatCache()
    typealias Scores = FlatCache.Query<Score>

    private let asked = Protected(0)

    /// A query whose first condition counts the entities that it is asked.
    private var counting: Scores {
        Scores().filter(id: "counting") { [asked] _ in
            asked.withLock { $0 += 1 }
            return true
        }
    }

    private func takeAsked() -> Int {
        asked.withLock { asked in
            defer { asked = 0 }
            return asked
        }
    }

    private func scan(_ isMatch: (Score) -> Bool = { _ in true }) -> [Score] {
        cache.allValues(of: Score.self, inOrder: true).filter(isMatch)
    }

    @Test(
        "A limited query asks the first entities in the order of an index, and no others",
        arguments: [Scores.Order.ascending, .descending],
        [1, 20, 100]
    )
    func limit(order: Scores.Order, limit: Int) {
        cache.set(contentsOf: (0..<2_000).map { Score(id: $0, points: $0 * 7_919 % 2_000) })
        cache.buildIndex(.init(\Score.points))
        let query = counting.sorted(by: \.points, order).limit(limit)
        let sorted = scan().sorted { order == .ascending ? $0.points < $1.points : $0.points > $1.points }
        // The index is built when it is needed, and has the states from then on.
        #expect(Array(cache.query(query).values) == Array(sorted.prefix(limit)))
        _ = takeAsked()
        #expect(Array(cache.query(query).values) == Array(sorted.prefix(limit)))
        #expect(takeAsked() == limit)
        #expect(cache.read { cache.query(query).ids } == sorted.prefix(limit).map(\.id))
        #expect(takeAsked() == limit)
        #expect(cache.query(query.offset(10)).ids == sorted[10..<10 + limit].map(\.id))
        #expect(takeAsked() == limit + 10)
        cache.transaction {
            #expect(cache.query(query).ids == sorted.prefix(limit).map(\.id))
            #expect(takeAsked() == limit)
            cache.set(Score(id: 2_000, points: -1))
            cache.set(Score(id: 2_001, points: 10_000))
            cache.set(Score(id: 2_002, points: 1_000))
            let id = order == .ascending ? 2_000 : 2_001
            #expect(cache.query(query).ids == [id] + sorted.prefix(limit - 1).map(\.id))
            // The transaction has its own changes in order, too.
            #expect(takeAsked() == limit + min(limit, 3))
        }
    }

    @Test("A range asks the entities in the range, also for the first answer of an observer")
    func range() {
        cache.set(
            contentsOf: (0..<2_000).map { Score(id: $0, points: $0 * 7_919 % 2_000, rank: $0 % 2 == 0 ? $0 : nil) }
        )
        cache.buildIndex(.init(\Score.points), isOrdered: true)
        cache.buildIndex(.init(\Score.rank), isOrdered: true)
        #expect(cache.query(counting.filter(\.points, in: 100..<150)).count == 50)
        #expect(takeAsked() == 50)
        #expect(cache.query(counting.filter(\.rank, in: ...100)).count == 51)
        #expect(takeAsked() == 51)
        // The condition with the fewest entities is asked.
        let both = counting.filter(\.points, in: 10...).filter(\.rank, in: 20...40)
        #expect(cache.query(both).ids == scan { $0.points >= 10 && (20...40).contains($0.rank ?? 0) }.map(\.id))
        #expect(takeAsked() == 11)
        // Two conditions on one property are one range.
        #expect(cache.query(counting.filter(\.points, in: 100...).filter(\.points, in: ...103)).count == 4)
        #expect(takeAsked() == 4)
        #expect(cache.query(counting.filter(\.points, in: 100...).filter(\.points, in: ...3)).count == 0)
        #expect(takeAsked() == 0)
        let results = Recorder<[Int]>()
        let query = counting.filter(\.points, in: 100..<103)
        let subscription = cache.query(query).observe { results.record($0.ids) }
        #expect(takeAsked() == 3)
        #expect(results.take() == [scan { (100..<103).contains($0.points) }.map(\.id)])
        cache.update(Score.self, id: 1) { $0.points = 101 }
        #expect(results.take() == [scan { (100..<103).contains($0.points) }.map(\.id)])
        subscription.cancel()
    }

    @Test("A range and an order of different indexes use the one that needs fewer entities")
    func choice() {
        cache.set(contentsOf: (0..<2_000).map { Score(id: $0, points: $0, rank: 2_000 - $0) })
        for index in [FlatCache.Index(\Score.points), .init(\.rank)] { cache.buildIndex(index, isOrdered: true) }
        let sorted = counting.sorted(by: \.rank).limit(10)
        #expect(cache.query(sorted.filter(\.points, in: 5...)).ids == (1_990..<2_000).reversed())
        #expect(takeAsked() == 10)
        #expect(cache.query(sorted.filter(\.points, in: 5..<10)).ids == (5..<10).reversed())
        #expect(takeAsked() == 5)
        #expect(cache.query(sorted.filter(\.rank, in: 100...)).ids == (1_891...1_900).reversed())
        #expect(takeAsked() == 10)
    }

    @Test("If nearly no entity matches, each is asked not more than twice")
    func rareMatches() {
        cache.set(contentsOf: (0..<5_000).map { Score(id: $0, points: -$0) })
        cache.buildIndex(.init(\Score.points), isOrdered: true)
        let query = counting.filter { $0.id < 3 }.sorted(by: \.points).limit(2)
        #expect(cache.query(query).ids == [2, 1])
        #expect((5_000...7_500).contains(takeAsked()))
    }

    @Test("Further sort keys decide among all entities with an equal first key")
    func furtherKeys() {
        cache.set(
            contentsOf: (0..<6_000).map {
                Score(id: $0, points: $0 % 3, name: "\($0 * 31 % 6_000)", isPinned: $0 % 1_500 == 7)
            }
        )
        for index in Score.allIndexes { cache.buildIndex(index, isOrdered: true) }
        for order in [Scores.Order.ascending, .descending] {
            let names = Scores().sorted(by: \.points, order).sorted(by: \.name).limit(5)
            let points = order == .ascending ? 0 : 2
            #expect(
                Array(cache.query(names).values)
                    == Array(scan { $0.points == points }.sorted { $0.name < $1.name }.prefix(5))
            )
            // Entities with equal keys are in the order of insertion, and a few of them are enough.
            let first = counting.sorted(by: \.points, order).limit(5)
            #expect(Array(cache.query(first).values) == Array(scan { $0.points == points }.prefix(5)))
            #expect(takeAsked() <= 1_024)
        }
        let pinned = counting.sorted(by: \.isPinned.number, .descending).sorted(by: \.name).limit(4)
        #expect(Set(cache.query(pinned).ids) == [7, 1_507, 3_007, 4_507])
        #expect(takeAsked() == 4)
    }

    @Test("A declared index has an order when a query needs it, and costs commits nothing before")
    func declared() {
        struct Item: Cachable, Equatable {
            let id: Int
            var place = 0
            static let indexes: [FlatCache.Index<Item>] = [.init(\.place)]
        }
        cache.set(contentsOf: (0..<100).map { Item(id: $0, place: 100 - $0) })
        #expect(cache.query(.init(Item.self).filter(\.place, equals: 5)).ids == [95])
        #expect(cache.slotCount(of: OrderEntry<Item, Int>.self) == 0)
        #expect(cache.query(.init(Item.self).sorted(by: \.place)).ids.first == 99)
        #expect(cache.slotCount(of: OrderEntry<Item, Int>.self) == 0)
        #expect(cache.query(.init(Item.self).sorted(by: \.place).limit(1)).ids == [99])
        #expect(cache.slotCount(of: OrderEntry<Item, Int>.self) == 1)
        cache.removeAll(of: Item.self)
        #expect(cache.slotCount(of: OrderEntry<Item, Int>.self) == 0)
        #expect(cache.query(.init(Item.self).sorted(by: \.place).limit(1)).ids == [])
    }

    @Test("Properties without an order have nothing to build in order")
    func unordered() {
        cache.set(Photo(id: 1, place: .init(name: "x")))
        cache.buildIndex(.init(\Photo.place), isOrdered: true)
        cache.buildIndex(.init(each: \Photo.tagIDs), isOrdered: true)
        #expect(cache.query(FlatCache.Query(Photo.self).filter(\.place, equals: .init(name: "x"))).ids == [1])
    }

    @Test("S2: A transaction that reads a range or the first entities runs again only if a key changes")
    func conflicts() {
        cache.set(contentsOf: (0..<100).map { Score(id: $0, points: $0) })
        cache.buildIndex(.init(\Score.points), isOrdered: true)
        for query in [Scores().filter(\.points, in: 90...), Scores().sorted(by: \.points, .descending).limit(10)] {
            for (id, points, runs) in [(3, 3, 1), (3, 1_000, 2)] {
                var count = 0
                let ids = cache.transaction {
                    count += 1
                    let ids = cache.query(query).ids
                    if count == 1 {
                        onThreads(1) { [cache] _ in cache.update(Score.self, id: id) { $0.points = points } }
                        onThreads(1) { [cache] _ in cache.update(Score.self, id: id) { $0.name += "x" } }
                    }
                    cache.set(Score(id: 100 + ids.count, points: -1))
                    return ids
                }
                #expect(count == runs)
                #expect(ids.contains(3) == (points == 1_000))
            }
            cache.update(Score.self, id: 3) { $0.points = 3 }
            cache.remove(Score.self) { $0.id >= 100 }
        }
    }

    @Test("A closure that reads the first entities runs again when they change")
    func observed() {
        cache.set(contentsOf: (0..<100).map { Score(id: $0, points: $0) })
        cache.buildIndex(.init(\Score.points), isOrdered: true)
        let results = Recorder<[Int]>()
        let subscription = cache.observe { [cache] in
            cache.query(Scores().sorted(by: \.points, .descending).limit(2)).ids
        } onChange: {
            results.record($0)
        }
        #expect(results.take() == [[99, 98]])
        cache.update(Score.self, id: 5) { $0.points = 98 }
        #expect(results.take() == [[99, 5]])
        cache.update(Score.self, id: 6) { $0.points = 7 }
        #expect(results.take() == [])
        cache.remove(Score.self, id: 99)
        #expect(results.take() == [[5, 98]])
        subscription.cancel()
    }
}
