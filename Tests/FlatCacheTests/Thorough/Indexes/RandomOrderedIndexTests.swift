import FlatCache
import SeededRandom
import Testing

/// `FLATCACHE_QUERIES=2000` tries more.
@Suite("Random queries of ordered indexes")
struct RandomOrderedIndexTests {
    typealias Scores = FlatCache.Query<Score>

    let cache = FlatCache()

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
