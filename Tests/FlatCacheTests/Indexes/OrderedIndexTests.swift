import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// An entity with keys that have an order.
struct Score: Cachable, Equatable {
    let id: Int
    var points = 0
    var rank: Int?
    var weight = 0.0
    var name = ""
    var isPinned = false
    var team = 0
    var mark = Mark(number: 0)

    /// A key whose order is its own.
    struct Mark: Hashable, Comparable, Sendable {
        var number: Int

        static func < (lhs: Mark, rhs: Mark) -> Bool { lhs.number < rhs.number }
    }

    /// A key that isn't stored.
    var absolute: Int { abs(points) }

    static let allIndexes: [FlatCache.Index<Score>] = [
        .init(\.points), .init(\.rank), .init(\.weight), .init(\.name), .init(\.isPinned.number), .init(\.mark),
        .init(\.absolute),
    ]
}

extension Bool {
    /// A number that has an order.
    fileprivate var number: Int { self ? 1 : 0 }
}

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

    @Test(
        "Answers with ordered indexes are those without, after random commits, in reads and in transactions",
        arguments: Seeds.first(24, full: 2_000, orAsIn: "FLATCACHE_QUERIES")
    )
    func sequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plain = FlatCache()
        let size = random.pick(from: [30, 100, 400, Extent.isFull ? 3_000 : 400])
        for count in 0..<random.below(3) { Self.write([cache, plain], &random, size, step: -count) }
        for index in Score.allIndexes where random.below(3) > 0 { cache.buildIndex(index, isOrdered: true) }
        for step in 0..<30 {
            let seed = random.next()
            func check(_ place: String) {
                var random = SeededGenerator(seed: seed, stream: 1)
                for _ in 0..<4 {
                    let query = Self.query(&random, size)
                    #expect(
                        cache.query(query).ids == plain.query(query).ids,
                        "seed \(seed), step \(step) \(place), \(size) entities"
                    )
                }
            }
            switch random.below(3) {
            case 0:
                let writeSeed = random.next()
                for cache in [cache, plain] {
                    var random = SeededGenerator(seed: writeSeed)
                    cache.transaction { Self.write([cache], &random, size, step: step) }
                }
            case 1:
                let writeSeed = random.next()
                cache.transaction {
                    plain.transaction {
                        var random = SeededGenerator(seed: writeSeed)
                        if random.below(4) == 0 { Self.clear([cache, plain], &random) }
                        for _ in 0..<3 { Self.write([cache, plain], &random, size, step: step) }
                        check("in a transaction")
                    }
                }
            default: Self.write([cache, plain], &random, size, step: step)
            }
            cache.read { plain.read { check("in a read") } }
            check("")
        }
    }

    private static func clear(_ caches: [FlatCache], _ random: inout SeededGenerator) {
        let isWhole = random.below(2) == 0
        for cache in caches { if isWhole { cache.removeAll() } else { cache.removeAll(of: Score.self) } }
    }

    private static func write(_ caches: [FlatCache], _ random: inout SeededGenerator, _ size: Int, step: Int) {
        let id = random.below(size)
        let score = Self.score(id, &random, size)
        let many = (0..<random.below(size * 2)).map { Self.score(($0 * 7 + id) % size, &random, size) }
        let kind = random.below(step < 0 ? 1 : 12)
        for cache in caches {
            switch kind {
            case 0: cache.set(contentsOf: many)
            case 1: cache.remove(Score.self, ids: many.prefix(30).map(\.id))
            case 2: cache.remove(Score.self) { $0.team == id % 5 }
            case 3...6: cache.update(Score.self, id: id) { $0.points = score.points }
            case 7: cache.update(Score.self, id: id) { ($0.rank, $0.weight) = (score.rank, score.weight) }
            case 8: cache.set(contentsOf: many.prefix(5))
            default: cache.set(score)
            }
        }
    }

    private static func score(_ id: Int, _ random: inout SeededGenerator, _ size: Int) -> Score {
        Score(
            id: id,
            points: random.below(size) - size / 2,
            rank: random.below(3) == 0 ? nil : random.below(20),
            weight: random.pick(from: [
                .nan, 0.5, -0.0, 0, .infinity, -.infinity, Double(random.below(100)), .signalingNaN,
            ]),
            name: random.pick(from: ["", "a", "ab", "e\u{301}", "\u{E9}", "z", "Z\(random.below(50))"]),
            isPinned: random.below(10) == 0,
            team: random.below(5),
            mark: .init(number: random.below(size))
        )
    }

    private static func query(_ random: inout SeededGenerator, _ size: Int) -> Scores {
        var query = Scores()
        for _ in 0..<random.below(3) {
            let low = random.below(size) - size / 2
            switch random.below(11) {
            case 0: query = query.filter(\.points, in: low...)
            case 1: query = query.filter(\.points, in: low..<low + random.below(size))
            case 2: query = query.filter(\.points, in: ..<low)
            case 3: query = query.filter(\.rank, in: ...random.below(20))
            case 4: query = query.filter(\.rank, in: random.below(10)...15)
            case 5: query = query.filter(\.weight, in: random.pick(from: [-1, 0, .infinity, 40])...)
            case 6: query = query.filter(\.name, in: random.pick(from: ["", "a", "\u{E9}", "Z3"])..<"e\u{302}")
            case 7: query = query.filter { $0.team == 0 }
            case 8: query = query.filter(\.points, equals: low)
            case 9: query = query.filter(\.mark, in: .init(number: 0)...Score.Mark(number: random.below(size)))
            default: query = query.filter(\.absolute, in: 0...abs(low))
            }
        }
        for _ in 0..<random.below(3) {
            let order: Scores.Order = random.below(2) == 0 ? .ascending : .descending
            switch random.below(8) {
            case 0: query = query.sorted(by: \.points, order)
            case 1: query = query.sorted(by: \.rank, order, nils: random.below(2) == 0 ? .first : .last)
            case 2: query = query.sorted(by: \.weight, order)
            case 3: query = query.sorted(by: \.name, order)
            case 4: query = query.sorted(by: \.isPinned.number, order)
            case 5: query = query.sorted(by: \.mark, order)
            case 6: query = query.sorted(by: \.absolute, order)
            default: query = query.sorted(by: \.team, order)
            }
        }
        if random.below(4) > 0 { query = query.limit(random.below(random.below(2) == 0 ? 5 : size / 3)) }
        if random.below(4) == 0 { query = query.offset(random.below(6)) }
        return query
    }
}
