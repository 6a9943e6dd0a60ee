import SeededRandom
import Testing

@testable import FlatCache

/// Random commits, after each of which sections and aggregates are compared with those computed from scratch.
///
/// `FLATCACHE_QUERIES=10000` tries more.
@Suite("Random sections and aggregates")
struct RandomSectionTests {
    @Test(
        "Q1: After each commit the sections are those from scratch, and the difference leads to them",
        arguments: Seeds.first(20, full: 60, orAsIn: "FLATCACHE_QUERIES")
    )
    func sections(seed: UInt64) {
        Self.run(seed) { query, cache, random in
            switch random.below(4) {
            case 0: SectionFollower(query, by: \.artistID, in: cache).check
            case 1: SectionFollower(query, by: \.label, in: cache).check
            case 2: SectionFollower(query, by: \.authorName, in: cache).check
            default: SectionFollower(query, by: \.rating, in: cache).check
            }
        }
    }

    @Test(
        "Q1: After each commit the aggregates are those from scratch, and only new ones are delivered",
        arguments: Seeds.first(20, full: 60, orAsIn: "FLATCACHE_QUERIES")
    )
    func aggregates(seed: UInt64) {
        Self.run(seed) { query, cache, random in
            let tracks = cache.query(query)
            let authorNames = { @Sendable in cache.read { tracks.values.map(\.authorName) } }
            switch random.below(11) {
            case 0: return AggregateFollower(tracks.min(of: \.plays)) { tracks.values.map(\.plays).min() }.check
            case 1: return AggregateFollower(tracks.max(of: \.name)) { tracks.values.map(\.name).max() }.check
            case 2:
                return AggregateFollower(tracks.min(of: \.rating)) {
                    tracks.values.compactMap(\.rating).min()
                }.check
            case 3: return AggregateFollower(tracks.max(of: \.authorName)) { authorNames().max() }.check
            case 4: return AggregateFollower(tracks.min(of: \.authorName)) { authorNames().min() }.check
            case 5: return AggregateFollower(tracks.sum(of: \.plays)) { tracks.values.map(\.plays).reduce(0, +) }.check
            case 6:
                return AggregateFollower(tracks.sum(of: \.small)) {
                    Int8(exactly: tracks.values.map { Int($0.small ?? 0) }.reduce(0, +))
                }.check
            case 7:
                return AggregateFollower(tracks.sum(of: \.rating)) {
                    tracks.values.compactMap(\.rating).reduce(0, +)
                }.check
            case 8:
                return AggregateFollower(tracks.distinct(\.label)) {
                    DistinctValues(of: tracks.values.compactMap(\.label))
                }.check
            case 9:
                return AggregateFollower(tracks.distinct(\.authorName)) {
                    DistinctValues(of: authorNames())
                }.check
            default:
                return AggregateFollower(tracks.distinct(\.artistID)) {
                    DistinctValues(of: tracks.values.map(\.artistID))
                }.check
            }
        }
    }

    /// Makes random commits, and calls a check after each.
    private static func run(
        _ seed: UInt64,
        _ checks: (FlatCache.Query<Track>, FlatCache, inout SeededGenerator) -> (String) -> Void
    ) {
        var random = SeededGenerator(seed: seed)
        let cache = FlatCache()
        if seed % 2 == 0 { cache.buildIndex(.init(\Track.artistID)) }
        for _ in 0..<random.below(30) { RandomQueryTests.write(cache, &random) }
        let checks = (0..<4).map { _ in checks(RandomQueryTests.query(&random), cache, &random) }
        for step in 0..<40 {
            RandomQueryTests.commit(cache, &random, step)
            for check in checks { check("seed \(seed), step \(step)") }
            if random.below(4) == 0 {
                cache.transaction {
                    var random = SeededGenerator(seed: seed, stream: step)
                    for _ in 0..<3 { RandomQueryTests.write(cache, &random) }
                }
                for check in checks { check("seed \(seed), transaction after step \(step)") }
            }
        }
    }
}

extension Track {
    /// A number of a type with a small range.
    fileprivate var small: Int8? { plays == 0 ? nil : Int8(plays * 20 - 50) }
}

/// An observer that applies each difference to its last sections.
private final class SectionFollower<Key: Hashable & Sendable>: Sendable {
    private typealias Section = (key: Key, values: [Track])

    private let groups: CachedGroups<Key, Track>
    private let fromScratch: @Sendable () -> [Section]
    private let shown = Protected<[Section]>([])
    private let mistakes = Recorder<String>()
    private let subscription = Protected<CacheSubscription?>(nil)

    init(_ query: FlatCache.Query<Track>, by key: any KeyPath<Track, Key> & Sendable, in cache: FlatCache) {
        let tracks = cache.query(query)
        groups = tracks.grouped(by: key)
        fromScratch = {
            cache.read {
                var sections: [Section] = []
                for track in tracks.values {
                    let trackKey = track[keyPath: key]
                    if let place = sections.firstIndex(where: { $0.key == trackKey }) {
                        sections[place].values.append(track)
                    } else {
                        sections.append((trackKey, [track]))
                    }
                }
                return sections
            }
        }
        let new = groups.observe { [unowned self] in apply($0) }
        subscription.withLock { $0 = new }
    }

    private func apply(_ result: GroupedResult<Key, Track>) {
        let new = result.sections.map { Section($0.key, Array($0.values)) }
        let old = shown.withLock { $0 }
        shown.withLock { $0 = new }
        if result.isInitial {
            if !result.difference.isEmpty { mistakes.record("the first result has a difference") }
            return
        }
        if result.difference.isEmpty { mistakes.record("the difference is empty") }
        if !same(result.difference.oldSections.map { Section($0.key, Array($0.values)) }, old) {
            mistakes.record("the old answer is another one")
        }
        if !same(applying(result.difference, to: old, new), new) {
            mistakes.record("\(result.difference) leads elsewhere")
        }
    }

    /// Applies a difference as ``GroupedDifference`` says.
    private func applying(_ difference: GroupedDifference<Key, Track>, to old: [Section], _ new: [Section]) -> [Section]
    {
        var sections = old
        for place in (difference.removals + difference.moves.map(\.source)).sorted(by: >) {
            sections[place.section].values.remove(at: place.index)
        }
        var moved: [Int: Section] = [:]
        for move in difference.movedSections { moved[move.destination] = sections[move.source] }
        for place in (difference.removedSections + difference.movedSections.map(\.source)).sorted(by: >) {
            sections.remove(at: place)
        }
        for place in (difference.insertedSections + moved.keys).sorted() {
            sections.insert(moved[place] ?? new[place], at: place)
        }
        let arrivals =
            difference.insertions.map { ($0, new[$0.section].values[$0.index]) }
            + difference.moves.map { ($0.destination, old[$0.source.section].values[$0.source.index]) }
        for (place, value) in arrivals.sorted(by: { $0.0 < $1.0 }) {
            sections[place.section].values.insert(value, at: place.index)
        }
        for place in difference.updates {
            let value = new[place.section].values[place.index]
            let isMoved = difference.moves.contains { $0.destination == place }
            let last = sections[place.section].values[place.index]
            if last.id != value.id { mistakes.record("an update of another entity") }
            if last == value, !isMoved { mistakes.record("the entity at \(place) is unchanged") }
            sections[place.section].values[place.index] = value
        }
        return sections
    }

    private func same(_ first: [Section], _ second: [Section]) -> Bool {
        first.count == second.count && zip(first, second).allSatisfy { $0.key == $1.key && $0.values == $1.values }
    }

    func check(_ place: String) {
        let expected = fromScratch()
        let values = shown.withLock { $0 }
        #expect(same(values, expected), "\(place): \(values) instead of \(expected)")
        #expect(same(groups.sections.map { Section($0.key, Array($0.values)) }, expected), "\(place)")
        #expect(mistakes.take() == [], "\(place)")
    }
}

/// An observer of an aggregate.
private final class AggregateFollower<Result: Equatable & Sendable>: Sendable {
    private let aggregate: CachedAggregate<Track, Result>
    private let fromScratch: @Sendable () -> Result
    private let delivered = Recorder<Result>()
    private let subscription: CacheSubscription

    init(_ aggregate: CachedAggregate<Track, Result>, _ fromScratch: @escaping @Sendable () -> Result) {
        self.aggregate = aggregate
        self.fromScratch = fromScratch
        subscription = aggregate.observe { [delivered] in delivered.record($0) }
    }

    func check(_ place: String) {
        let expected = fromScratch()
        let elements = delivered.elements
        #expect(aggregate.value == expected, "\(place)")
        #expect(elements.last == expected, "\(place)")
        #expect(zip(elements, elements.dropFirst()).allSatisfy { $0 != $1 }, "\(place): \(elements)")
    }
}

extension DistinctValues {
    /// The first of each of several equal values.
    fileprivate init(of values: [Property]) {
        var seen: Set<Property> = []
        let groups = values.filter { seen.insert($0).inserted }
            .map { QueryGroup(name: GroupName($0), matches: ListTree()) }
        self.init(ListTree(groups))
    }
}
