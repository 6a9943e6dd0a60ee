import SeededRandom
import Testing

@testable import FlatCache

/// Random changes and index queries in transactions, compared with a scan.
///
/// `FLATCACHE_TRANSACTION_QUERIES=10000` tries more.
@Suite("Random index queries in transactions")
struct RandomTransactionIndexTests {
    @Test(
        "An index finds what a scan finds, after all that a transaction can change",
        arguments: Seeds.first(60, full: 600, orAsIn: "FLATCACHE_TRANSACTION_QUERIES")
    )
    func sequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        if seed % 3 > 0 {
            // Otherwise the first transactions build the indexes, and the state that they read is from before.
            cache.buildIndex(.init(\Parcel.city))
            cache.buildIndex(.init(\Parcel.weight), isOrdered: true)
        }
        cache.set(contentsOf: (0..<random.below(20)).map { _ in Parcel.random(&random) })
        for number in 0..<12 {
            let next = random.next()
            cache.transaction {
                // The body may not use the generator, because it may run again.
                var random = SeededGenerator(seed: next)
                run(cache, &random, depth: 0, "seed \(seed), transaction \(number)")
            }
            for _ in 0..<4 { check(cache, &random, "seed \(seed), after transaction \(number)") }
        }
    }

    private struct Failure: Error {}

    private func run(_ cache: FlatCache, _ random: inout SeededGenerator, depth: Int, _ name: String) {
        for step in 0..<(4 + random.below(20)) {
            let id = random.below(20)
            switch random.below(24) {
            case 0..<6: cache.set(Parcel.random(&random))
            case 6: cache.set(contentsOf: (0..<random.below(8)).map { _ in Parcel.random(&random) })
            case 7...9: cache.remove(Parcel.self, id: id)
            case 10...13: cache.update(Parcel.self, id: id) { $0.city = ($0.city + 1) % 4 }
            case 14: cache.update(Parcel.self, id: id) { $0.weight = $0.weight.map { $0 + 1 } ?? 0 }
            case 15: _ = cache.get(Parcel.self, id: id)
            case 16: cache.remove(Parcel.self) { $0.id % 5 == 0 }
            case 17 where random.below(3) == 0:
                if random.below(2) == 0 { cache.removeAll() } else { cache.removeAll(of: Parcel.self) }
            case 18...20 where depth < 3:
                let fails = random.below(2) == 0
                try? cache.transaction {
                    run(cache, &random, depth: depth + 1, "\(name).\(step)")
                    if fails { throw Failure() }
                }
            default: check(cache, &random, "\(name), step \(step)")
            }
        }
        check(cache, &random, "\(name), end")
    }

    /// Compares the answer of a random query with a scan.
    private func check(_ cache: FlatCache, _ random: inout SeededGenerator, _ name: String) {
        typealias Parcels = FlatCache.Query<Parcel>
        var query = Parcels()
        var conditions: [(Parcel) -> Bool] = []
        if random.below(3) == 0 {
            let city = random.below(4)
            query = query.filter(\.city, equals: city)
            conditions.append { $0.city == city }
        }
        if random.below(3) == 0 {
            let tag = random.below(4)
            query = query.filter(\.tags, contains: tag)
            conditions.append { $0.tags.contains(tag) }
        }
        if random.below(3) == 0 {
            let least = random.below(6)
            let range = least...(least + random.below(3))
            query = query.filter(\.weight, in: range)
            conditions.append { $0.weight.map(range.contains) ?? false }
        }
        var precedes: ((Parcel, Parcel) -> Bool)?
        if random.below(2) == 0 {
            let isDescending = random.below(2) == 0
            let isNilFirst = random.below(2) == 0
            query = query.sorted(
                by: \.weight,
                isDescending ? .descending : .ascending,
                nils: isNilFirst ? .first : .last
            )
            precedes = { first, second in
                guard let first = first.weight else { return second.weight != nil && isNilFirst }
                guard let second = second.weight else { return !isNilFirst }
                return isDescending ? first > second : first < second
            }
            if random.below(3) == 0 {
                query = query.sorted(by: \.city)
                let byWeight = precedes
                precedes = { first, second in
                    if byWeight?(first, second) == true { return true }
                    return byWeight?(second, first) == false && first.city < second.city
                }
            }
        }
        let limit = random.below(2) == 0 ? 1 + random.below(6) : .max
        if limit < .max { query = query.limit(limit) }
        // The index is asked first, because the scan determines the results of merges.
        let found = Array(cache.query(query).values)
        var expected = cache.allValues(of: Parcel.self, inOrder: true).filter { parcel in
            conditions.allSatisfy { $0(parcel) }
        }
        if let precedes {
            expected = expected.enumerated().sorted {
                precedes($0.element, $1.element)
                    || !precedes($1.element, $0.element) && $0.offset < $1.offset
            }.map(\.element)
        }
        #expect(found == Array(expected.prefix(limit)), "\(name)")
    }
}

/// An entity whose merge moves it to other keys.
private struct Parcel: Cachable, Equatable {
    let id: Int
    var city: Int
    var tags: [Int]
    var weight: Int?
    var arrival: Arrival

    /// What becomes of a parcel of which another one is stored.
    enum Arrival: CaseIterable {
        case replaces, adds, isDropped
    }

    static let indexes: [FlatCache.Index<Parcel>] = [.init(\.city), .init(each: \.tags), .init(\.weight)]

    static let merge = Merge<Parcel> { stored, incoming in
        switch incoming.arrival {
        case .replaces: return incoming
        case .isDropped: return nil
        case .adds:
            var merged = incoming
            merged.city = (stored.city + incoming.city) % 4
            merged.tags = stored.tags.suffix(2) + incoming.tags
            return merged
        }
    }

    static func random(_ random: inout SeededGenerator) -> Parcel {
        Parcel(
            id: random.below(20),
            city: random.below(4),
            tags: (0..<random.below(3)).map { _ in random.below(4) },
            weight: random.below(4) == 0 ? nil : random.below(6),
            arrival: random.pick(from: Arrival.allCases)
        )
    }
}
