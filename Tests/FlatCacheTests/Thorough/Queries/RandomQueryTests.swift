import SeededRandom
import Testing

@testable import FlatCache

/// Random commits, compared with answers from scratch after each.
///
/// `FLATCACHE_QUERIES=10000` tries more.
@Suite("Random queries")
struct RandomQueryTests {
    typealias Tracks = FlatCache.Query<Track>

    @Test(
        "After each commit the result is the answer from scratch, and the difference leads to it",
        arguments: Seeds.first(20, full: 60, orAsIn: "FLATCACHE_QUERIES")
    )
    func sequences(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        if seed % 2 == 0 { cache.buildIndex(.init(\Track.artistID)) }
        if seed % 3 == 0 { cache.buildIndex(.init(\Track.label)) }
        let queries = (0..<4).map { _ in Self.query(&random) }
        for _ in 0..<random.below(30) { Self.write(cache, &random) }
        let followers = queries.map { Follower($0, in: cache) }
        for step in 0..<40 {
            Self.commit(cache, &random, step)
            for follower in followers { follower.check("seed \(seed), step \(step)") }
        }
    }

    /// Iterators that poll at different times fold different numbers of updates.
    // An answer that never comes is a failure.
    @Test(
        "Observers of an equal query that read at random times get the difference to their own last answer",
        .timeLimit(.minutes(Extent.isFull ? 60 : 30))
    )
    func randomSpeeds() async {
        for seed in Seeds.first(60, full: 3_000) {
            var random = SeededGenerator(seed: seed)
            let cache = FlatCache()
            let query = Self.query(&random)
            var iterators = (0..<3).map { _ in cache.query(query).updates.makeAsyncIterator() }
            let followers = (0..<5).map { _ in ArrayFollower() }
            var subscriptions = [cache.query(query).observe { followers[3].apply($0) }]
            for place in iterators.indices { await iterators[place].next().map { followers[place].apply($0) } }
            let large = random.below(8) == 0 ? random.below(40) : -1
            for step in 0..<40 {
                if step == large {
                    cache.set(contentsOf: (0..<5_000).map { Track(id: $0 + 100, plays: $0 % 5) })
                    cache.remove(Track.self) { $0.id > 110 }
                } else {
                    Self.commit(cache, &random, step)
                }
                if step == 20 { subscriptions.append(cache.query(query).observe { followers[4].apply($0) }) }
                let expected = Array(cache.query(query).values)
                for place in iterators.indices where random.below(1 + place * 6) == 0 {
                    // There is a next element only if the answer differs.
                    if followers[place].shown.withLock({ $0 }) == expected { continue }
                    await iterators[place].next().map { followers[place].apply($0) }
                    #expect(followers[place].shown.withLock { $0 } == expected, "seed \(seed), step \(step)")
                }
                for follower in followers[3...].prefix(subscriptions.count) {
                    #expect(follower.shown.withLock { $0 } == expected, "seed \(seed), step \(step)")
                }
            }
            for follower in followers { #expect(follower.mistakes.take() == [], "seed \(seed)") }
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    /// Makes a random commit: one write, or a transaction of several.
    static func commit(_ cache: FlatCache, _ random: inout SeededGenerator, _ step: Int) {
        let count = random.below(4) == 0 ? random.below(12) : 1
        if count == 1 { return write(cache, &random) }
        let seed = random.next()
        cache.transaction {
            // The body may not use the generator, because it may run again.
            var random = SeededGenerator(seed: seed, stream: step)
            for _ in 0..<count { write(cache, &random) }
        }
    }

    /// A random query.
    static func query(_ random: inout SeededGenerator) -> Tracks {
        var query = Tracks()
        for _ in 0..<random.below(3) {
            switch random.below(7) {
            case 0: query = query.filter(\.artistID, equals: random.below(3))
            case 5: query = query.filter(\.artistID, in: (0..<random.below(4)).map { _ in random.below(4) })
            case 1: query = query.filter(\.plays, in: random.below(3)...)
            case 2: query = query.filter(\.label, equals: nil)
            case 3: query = query.filter { $0.id % 3 != 0 }
            case 4: query = query.filter(\.name, hasPrefix: "a")
            default:
                query = query.filter { FlatCache.current.get(Author.self, id: "\($0.artistID)")?.name != "hidden" }
            }
        }
        for _ in 0..<random.below(3) {
            let order: Tracks.Order = random.below(2) == 0 ? .ascending : .descending
            switch random.below(5) {
            case 0: query = query.sorted(by: \.plays, order)
            case 1: query = query.sorted(by: \.name, order)
            case 2: query = query.sorted(by: \.label, order, nils: random.below(2) == 0 ? .first : .last)
            case 3: query = query.sorted(by: \.authorName, order)
            default: query = query.sorted(by: \.rating, order)
            }
        }
        if random.below(2) == 0 { query = query.limit(random.below(12)) }
        if random.below(4) == 0 { query = query.offset(random.below(6)) }
        return query
    }

    static func write(_ cache: FlatCache, _ random: inout SeededGenerator) {
        let id = random.below(25)
        switch random.below(16) {
        case 0...1: cache.remove(Track.self, id: id)
        case 2: cache.set(Author(id: "\(random.below(4))", name: random.pick(from: ["hidden", "a", "b"])))
        case 3: cache.remove(Author.self, id: "\(random.below(4))")
        case 4: cache.set(contentsOf: (0..<random.below(8)).map { track($0 * 3 + id, &random) })
        case 5:
            if random.below(6) == 0 { cache.removeAll(of: Track.self) }
        case 6...8: cache.update(Track.self, id: id) { $0.plays = ($0.plays + 1) % 5 }
        default: cache.set(track(id, &random))
        }
    }

    private static func track(_ id: Int, _ random: inout SeededGenerator) -> Track {
        Track(
            id: id,
            name: random.pick(from: ["", "a", "ab", "b"]),
            artistID: random.below(4),
            plays: random.below(5),
            rating: random.below(3) == 0 ? nil : Double(random.below(4)),
            label: random.below(3) == 0 ? nil : random.pick(from: ["x", "y"])
        )
    }
}

/// An observer that applies each difference to its last answer.
private final class Follower: Sendable {
    private let cache: FlatCache
    private let query: FlatCache.Query<Track>
    private let shown = Protected<[Track]>([])
    private let mistakes = Recorder<String>()
    private let subscription = Protected<CacheSubscription?>(nil)

    init(_ query: FlatCache.Query<Track>, in cache: FlatCache) {
        self.cache = cache
        self.query = query
        let new = cache.query(query).observe { [unowned self] in apply($0) }
        subscription.withLock { $0 = new }
    }

    private func apply(_ result: QueryResult<Track>) {
        let values = Array(result.values)
        defer { shown.withLock { $0 = values } }
        if result.isInitial { return }
        let old = shown.withLock { $0 }
        let difference = result.difference
        var new = old
        let moves = difference.moves
        for place in (difference.removals + moves.map(\.source)).sorted(by: >) { new.remove(at: place) }
        let arrivals = difference.insertions.map { ($0, values[$0]) } + moves.map { ($0.destination, old[$0.source]) }
        for (place, value) in arrivals.sorted(by: { $0.0 < $1.0 }) { new.insert(value, at: place) }
        for place in difference.updates {
            let isMoved = moves.contains { $0.destination == place }
            if new[place] == values[place], !isMoved { mistakes.record("the entity at \(place) is unchanged") }
            new[place] = values[place]
        }
        if new != values { mistakes.record("\(difference) leads to \(new) instead of \(values)") }
        if difference.isEmpty { mistakes.record("the difference is empty") }
        if Array(difference.oldValues) != old { mistakes.record("the old answer is another one") }
        if old.applying(CollectionDifference(difference)) != values { mistakes.record("a wrong collection difference") }
    }

    func check(_ place: String) {
        let expected = cache.query(query).values
        let values = shown.withLock { $0 }
        #expect(Array(expected) == values, "\(place)")
        #expect(mistakes.take() == [], "\(place)")
        // Both answers may come from an index, and this one doesn't.
        let matches = FlatCache.withCurrent(cache) {
            cache.allValues(of: Track.self).filter { track in query.conditions.allSatisfy { $0.isMet(track) } }
        }
        let all = cache.query(query.offset(0).limit(.max))
        #expect(Set(all.ids) == Set(matches.map(\.id)), "\(place), \(query)")
    }
}
