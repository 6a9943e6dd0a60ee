import Observation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Sections of queries", .mayBlock)
struct SectionTests {
    let cache = FlatCache()

    private typealias Results = Recorder<GroupedResult<Int, Track>>

    private func text(_ result: GroupedResult<Int, Track>) -> String {
        result.sections.map { "\($0.key): \($0.values.ids)" }.joined(separator: ", ")
    }

    private func steps(_ result: GroupedResult<Int, Track>) -> [String] {
        let difference = result.difference
        func place(_ place: GroupedPosition) -> String { "\(place.section).\(place.index)" }
        return difference.removedSections.map { "-\($0)" } + difference.insertedSections.map { "+\($0)" }
            + difference.movedSections.map { "\($0.source)>\($0.destination)" }
            + difference.removals.map { "-" + place($0) } + difference.insertions.map { "+" + place($0) }
            + difference.moves.map { place($0.source) + ">" + place($0.destination) }
            + difference.updates.map { "!" + place($0) }
    }

    @Test("Sections are in the order of their first entities, and entities in that of the query")
    func order() {
        cache.set(contentsOf: [
            Track(id: 1, artistID: 3, plays: 5, label: "b"), Track(id: 2, artistID: 1, plays: 4),
            Track(id: 3, artistID: 3, plays: 3, label: "a"), Track(id: 4, artistID: 2, plays: 2),
            Track(id: 5, artistID: 1, plays: 1, label: "b"),
        ])
        let byPlays = cache.query(Tracks().sorted(by: \.plays))
        #expect(byPlays.grouped(by: \.artistID).sections.keys == [1, 2, 3])
        #expect(byPlays.grouped(by: \.artistID).sections.map(\.values.ids) == [[5, 2], [4], [3, 1]])
        #expect(byPlays.grouped(by: \.label).sections.keys == ["b", nil, "a"])
        let byKey = cache.query(Tracks().sorted(by: \.artistID, .descending).sorted(by: \.plays))
        #expect(byKey.grouped(by: \.artistID).sections.keys == [3, 2, 1])
        // Sections are those of the entities that remain after the limit.
        let limited = cache.query(Tracks().sorted(by: \.plays).offset(1).limit(2)).grouped(by: \.artistID)
        #expect("\(limited.sections.map(\.values.ids))" == "[[4], [3]]")
        #expect(limited.sections.map(\.id) == [2, 3] && limited.cache === cache)
        #expect(limited.sections == limited.sections && limited.sections != byKey.grouped(by: \.artistID).sections)
    }

    @Test("Each difference has the sections and the entities that have come, gone, moved and changed")
    func differences() {
        cache.set(contentsOf: [
            Track(id: 1, artistID: 1, plays: 10), Track(id: 2, artistID: 1, plays: 20),
            Track(id: 3, artistID: 2, plays: 30), Track(id: 4, artistID: 2, plays: 40),
            Track(id: 5, artistID: 3, plays: 50),
        ])
        let results = Results()
        let groups = cache.query(Tracks().sorted(by: \.plays)).grouped(by: \.artistID)
        let subscription = groups.observe { results.record($0) }
        func expect(_ sections: String, _ expected: [String], _ location: SourceLocation = #_sourceLocation) {
            let result = results.take()
            #expect(result.map(text) == [sections], sourceLocation: location)
            #expect(result.map(steps) == [expected], sourceLocation: location)
        }
        expect("1: [1, 2], 2: [3, 4], 3: [5]", [])
        // Within a section.
        cache.update(Track.self, id: 3) { $0.name = "renamed" }
        expect("1: [1, 2], 2: [3, 4], 3: [5]", ["!1.0"])
        cache.update(Track.self, id: 2) { $0.plays = 5 }
        expect("1: [2, 1], 2: [3, 4], 3: [5]", ["0.1>0.0", "!0.0"])
        cache.set(Track(id: 6, artistID: 2, plays: 35))
        expect("1: [2, 1], 2: [3, 6, 4], 3: [5]", ["+1.1"])
        cache.remove(Track.self, id: 3)
        expect("1: [2, 1], 2: [6, 4], 3: [5]", ["-1.0"])
        // From one section to another, to a new one, and from one that is gone.
        cache.update(Track.self, id: 1) { $0.artistID = 2 }
        expect("1: [2], 2: [1, 6, 4], 3: [5]", ["0.1>1.0", "!1.0"])
        cache.update(Track.self, id: 4) { $0.artistID = 9 }
        expect("1: [2], 2: [1, 6], 9: [4], 3: [5]", ["+2", "-1.2"])
        cache.update(Track.self, id: 5) { $0.artistID = 2 }
        expect("1: [2], 2: [1, 6, 5], 9: [4]", ["-3", "+1.2"])
        // Sections.
        cache.update(Track.self, id: 4) { $0.plays = 0 }
        expect("9: [4], 1: [2], 2: [1, 6, 5]", ["2>0", "!0.0"])
        cache.transaction {
            cache.remove(Track.self, id: 2)
            cache.set(contentsOf: [Track(id: 7, artistID: 7, plays: 99), Track(id: 8, artistID: 7, plays: 98)])
        }
        expect("9: [4], 2: [1, 6, 5], 7: [8, 7]", ["-1", "+2"])
        cache.set(Author(id: "1"))
        #expect(results.count == 0)
        cache.removeAll(of: Track.self)
        expect("", ["-0", "-1", "-2"])
        subscription.cancel()
        cache.set(Track(id: 1))
        #expect(results.count == 0)
    }

    @Test("A key that reads the cache moves entities when its reads change, and nothing else")
    func readingKeys() {
        cache.set(contentsOf: (1...4).map { Track(id: $0, artistID: $0) })
        cache.set(contentsOf: (1...4).map { Author(id: "\($0)", name: "\($0 % 2)") })
        let results = Recorder<GroupedResult<String, Track>>()
        let subscription = cache.query(Tracks()).grouped(by: \.authorName).observe { results.record($0) }
        #expect(results.take().map { $0.sections.map(\.values.ids) } == [[[1, 3], [2, 4]]])
        cache.set(Author(id: "3", name: "0"))
        let result = results.take()
        #expect(result.map { $0.sections.map(\.values.ids) } == [[[1], [2, 3, 4]]])
        #expect(result[0].difference.moves.map(\.source) == [GroupedPosition(section: 0, index: 1)])
        #expect(result[0].difference.moves.map(\.destination) == [GroupedPosition(section: 1, index: 1)])
        #expect(result[0].difference.updates == [])
        cache.update(Author.self, id: "3") { $0 = Author(id: "3", name: "0") }
        #expect(results.count == 0)
        subscription.cancel()
    }

    @Test("Keys and sort keys without an order lose no entity")
    func unordered() {
        var random = SeededGenerator(seed: 1)
        let results = Recorder<GroupedResult<Double?, Track>>()
        let query = cache.query(Tracks().sorted(by: \.rating))
        let subscription = query.grouped(by: \.rating).observe { results.record($0) }
        for _ in 0..<500 {
            let id = random.below(40)
            switch random.below(4) {
            case 0: cache.remove(Track.self, id: id)
            case 1: cache.set(Track(id: id, plays: random.below(9), rating: .nan))
            default: cache.set(Track(id: id, plays: random.below(9), rating: Double(random.below(5))))
            }
        }
        let sections = results.elements.last?.sections.map(\.values.ids) ?? []
        #expect(sections.flatMap { $0 }.sorted() == cache.allValues(of: Track.self).map(\.id).sorted())
        #expect(sections.count == 6)
        subscription.cancel()
    }

    @Test("S2: In a transaction sections are those of its state, and an observer gets one result for it")
    func transactions() {
        let groups = cache.query(Tracks()).grouped(by: \.artistID)
        let results = Results()
        let subscription = groups.observe { results.record($0) }
        cache.transaction {
            cache.set(contentsOf: (1...6).map { Track(id: $0, artistID: $0 % 2) })
            #expect(groups.sections.map(\.values.ids) == [[1, 3, 5], [2, 4, 6]])
            cache.remove(Track.self, ids: [1, 3, 5])
            #expect(groups.sections.keys == [0])
        }
        #expect(results.take().map(text) == ["", "0: [2, 4, 6]"])
        subscription.cancel()
    }

    @Test("Sections can be observed on the main actor, as a sequence, and by the Observation framework")
    @MainActor func ways() async {
        cache.set(Track(id: 1, artistID: 1))
        let groups = cache.query(Tracks()).grouped(by: \.artistID)
        let onMain = Results()
        let subscription = groups.observe(on: MainActor.shared) { onMain.record($0) }
        var updates = groups.updates.makeAsyncIterator()
        let first = await updates.next(isolation: MainActor.shared)
        #expect(first.map(text) == "1: [1]" && first?.isInitial == true)
        let changed = Recorder<Int>()
        withObservationTracking {
            #expect(groups.sections.keys == [1])
        } onChange: {
            changed.record(1)
        }
        cache.set(Track(id: 2, artistID: 2))
        cache.set(Track(id: 3, artistID: 1))
        let second = await updates.next(isolation: MainActor.shared)
        #expect(second.map(text) == "1: [1, 3], 2: [2]" && second.map(steps) == ["+1", "+0.1"])
        #expect(changed.count == 1)
        #expect(groups.sections.keys == [1, 2])
        subscription.cancel()
        #expect(onMain.elements.map(text) == ["1: [1]", "1: [1], 2: [2]", "1: [1, 3], 2: [2]"])
    }

    @Test("S2: Aggregates and sections beside writers on several threads are those of one state")
    func consistency() {
        cache.set(contentsOf: (0..<40).map { Track(id: $0, artistID: $0 % 4, plays: 1_000) })
        let tracks = cache.query(Tracks().sorted(by: \.plays))
        let (sums, counts) = (Recorder<Int?>(), Recorder<Int>())
        let subscriptions = [
            tracks.sum(of: \.plays).observe { sums.record($0) },
            tracks.grouped(by: \.artistID).observe { result in
                counts.record(result.sections.reduce(0) { $0 + $1.values.count })
            },
        ]
        onThreads(4) { [cache] thread in
            var random = SeededGenerator(seed: 7, stream: thread)
            for _ in 0..<300 {
                let seed = random.next()
                cache.transaction {
                    var random = SeededGenerator(seed: seed)
                    let amount = random.below(50)
                    cache.update(Track.self, id: random.below(40)) { $0.plays -= amount }
                    cache.update(Track.self, id: random.below(40)) {
                        $0.plays += amount
                        $0.artistID = Int(seed % 5)
                    }
                }
            }
        }
        #expect(sums.elements == [40_000])
        #expect(counts.elements.allSatisfy { $0 == 40 } && counts.count > 1)
        for subscription in subscriptions { subscription.cancel() }
    }

    @Test("S2: A slow observer loses no entity that was changed and changed back meanwhile")
    func changedBackMeanwhile() {
        cache.set(contentsOf: [Track(id: 1, artistID: 10), Track(id: 2, artistID: 20)])
        let results = Results()
        let groups = cache.query(Tracks().sorted(by: \.id)).grouped(by: \.artistID)
        let subscription = groups.observe { [cache] result in
            results.record(result)
            guard results.count == 2 else { return }
            RunningThread {
                cache.update(Track.self, id: 1) { $0.artistID = 11 }
                cache.update(Track.self, id: 1) { $0.artistID = 10 }
                cache.remove(Track.self, id: 2)
                cache.set(Track(id: 3, artistID: 30))
            }.finish()
        }
        cache.set(Track(id: 9, artistID: 90))
        cache.update(Track.self, id: 1) { $0.artistID = 12 }
        #expect(results.elements.last.map(text) == "12: [1], 30: [3], 90: [9]")
        subscription.cancel()
    }

    @Test("N7: A live answer holds no keys of sections that are gone")
    func releasedKeys() {
        let alive = Protected(0)
        let tagged = cache.query(FlatCache.Query(Tagged.self))
        let subscriptions = [tagged.grouped(by: \.tag).observe { _ in }, tagged.distinct(\.tag).observe { _ in }]
        for _ in 0..<3 {
            cache.set(contentsOf: (0..<5).map { Tagged(id: $0, tag: Tag(alive)) })
            #expect(alive.withLock { $0 } == 5)
        }
        cache.removeAll(of: Tagged.self)
        #expect(alive.withLock { $0 } == 0)
        for subscription in subscriptions { subscription.cancel() }
    }
}

private struct Tagged: Cachable {
    let id: Int
    let tag: Tag
}

/// A key that counts how many of it are alive.
private final class Tag: Hashable, Sendable {
    private let token: Token

    init(_ alive: Protected<Int>) {
        token = Token(alive)
    }

    static func == (lhs: Tag, rhs: Tag) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
