import Observation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

@Suite("Live queries", .mayBlock)
struct LiveQueryTests {
    let cache = FlatCache()
    typealias Tracks = FlatCache.Query<Track>

    @Test("N4: An observer gets one result for each commit that changes its answer, and none for others")
    func results() {
        cache.set(contentsOf: (1...5).map { Track(id: $0, plays: $0 * 10) })
        let results = Recorder<QueryResult<Track>>()
        let query = Tracks().filter(\.plays, in: 20...).sorted(by: \.plays, .descending).limit(3)
        let subscription = cache.query(query).observe { results.record($0) }
        #expect(results.take().map(\.ids) == [[5, 4, 3]])
        cache.set(Track(id: 1, plays: 15))
        cache.set(Track(id: 2, plays: 25))
        cache.set(Track(id: 5, plays: 50))
        cache.set(Author(id: "1"))
        cache.remove(Track.self, id: 1)
        #expect(results.count == 0)
        cache.update(Track.self, id: 2) { $0.plays = 45 }
        var result = results.take()
        #expect(result.map(\.ids) == [[5, 2, 4]])
        #expect(result.map(\.difference.removals) == [[2]] && result.map(\.difference.insertions) == [[1]])
        cache.transaction {
            cache.remove(Track.self, id: 5)
            cache.remove(Track.self, id: 2)
        }
        result = results.take()
        #expect(result.map(\.ids) == [[4, 3]])
        #expect(result.map(\.difference.removals) == [[0, 1]] && result.map(\.difference.insertions) == [[1]])
        cache.update(Track.self, id: 3) { $0.plays = 99 }
        result = results.take()
        #expect(result.map(\.ids) == [[3, 4]])
        #expect(result[0].difference.updates == [0])
        #expect(result[0].difference.moves.map { [$0.source, $0.destination] } == [[1, 0]])
        cache.update(Track.self, id: 4) { $0.name = "renamed" }
        result = results.take()
        #expect(result[0].difference.updates == [1] && result[0].difference.moves.isEmpty)
        #expect(result[0].values.map(\.name) == ["", "renamed"])
        cache.removeAll()
        result = results.take()
        #expect(result.map(\.ids) == [[]] && result[0].difference.removals == [0, 1])
        subscription.cancel()
        cache.set(Track(id: 5, plays: 50))
        #expect(results.count == 0)
    }

    @Test("An entity is asked again when something that its condition or sort key has read changes, and only that one")
    func readingConditions() {
        cache.set(contentsOf: (0..<100).map { Track(id: $0, artistID: $0 % 10) })
        cache.set(contentsOf: (0..<10).map { Author(id: "\($0)", name: $0 < 3 ? "star" : "") })
        let asked = Recorder<Int>()
        let results = Recorder<QueryResult<Track>>()
        let query = Tracks().filter {
            asked.record($0.id)
            return FlatCache.current.get(Author.self, id: "\($0.artistID)")?.name == "star"
        }
        let subscription = cache.query(query).observe { results.record($0) }
        #expect(asked.take().count == 100)
        #expect(results.take()[0].ids.count == 30)
        cache.set(Author(id: "7", name: "star"))
        #expect(asked.take().sorted() == (0..<10).map { $0 * 10 + 7 })
        #expect(results.take().map(\.difference.insertions.count) == [10])
        cache.set(Author(id: "0", name: "retired"))
        #expect(results.take().map(\.difference.removals.count) == [10])
        _ = asked.take()
        cache.set(Author(id: "11", name: "star"))
        #expect(asked.count == 0 && results.count == 0)
        cache.transaction {
            cache.set(Author(id: "11", name: "star"))
            cache.update(Track.self, id: 5) { $0.artistID = 11 }
        }
        #expect(asked.take() == [5])
        #expect(results.take().map(\.ids.count) == [31])
        cache.removeAll(of: Author.self)
        #expect(results.take().map(\.ids) == [[]])
        subscription.cancel()
        cache.set(Author(id: "1", name: "star"))
        #expect(results.count == 0)
    }

    @Test("A computed sort key is that of the state of the answer")
    func computedSortKey() {
        cache.set(contentsOf: (1...3).map { Track(id: $0, artistID: $0) })
        cache.set(contentsOf: (1...3).map { Author(id: "\($0)", name: "\(9 - $0)") })
        let results = Recorder<QueryResult<Track>>()
        let subscription = cache.query(Tracks().sorted(by: \.artistName)).observe { results.record($0) }
        #expect(results.take().map(\.ids) == [[3, 2, 1]])
        cache.set(Author(id: "1", name: "0"))
        let result = results.take()
        #expect(result.map(\.ids) == [[1, 3, 2]])
        #expect(result[0].difference.moves.map { [$0.source, $0.destination] } == [[2, 0]])
        cache.set(Author(id: "1", name: "00"))
        subscription.cancel()
    }

    @Test("An answer can be observed on the main actor, as a sequence, and by the Observation framework")
    @MainActor func ways() async {
        cache.set(Track(id: 1))
        let query = cache.query(Tracks())
        let onMain = Recorder<[Int]>()
        let subscription = query.observe(on: MainActor.shared) { onMain.record($0.ids) }
        var updates = query.updates.makeAsyncIterator()
        let first = await updates.next(isolation: MainActor.shared)
        #expect(first?.ids == [1] && first?.isInitial == true)
        let changed = Recorder<Int>()
        withObservationTracking {
            #expect(query.ids == [1])
        } onChange: {
            changed.record(1)
        }
        cache.set(Track(id: 2))
        cache.set(Track(id: 3))
        let second = await updates.next(isolation: MainActor.shared)
        #expect(second?.ids == [1, 2, 3] && second?.difference.insertions == [1, 2])
        #expect(changed.count == 1)
        withObservationTracking {
            #expect(query.ids == [1, 2, 3])
        } onChange: {
            changed.record(2)
        }
        while onMain.elements.last != [1, 2, 3] { await Task.yield() }
        subscription.cancel()
    }

    @Test("A derived value that reads a query is computed again when the answer may have changed")
    func derived() {
        let counts = Recorder<Int>()
        let query = cache.query(Tracks().filter(\.plays, in: 1...))
        let subscription = cache.observe {
            query.count
        } onChange: {
            counts.record($0)
        }
        cache.set(Track(id: 1))
        cache.set(Track(id: 2, plays: 1))
        cache.remove(Track.self, id: 2)
        #expect(counts.elements == [0, 1, 0])
        subscription.cancel()
    }

    @Test(
        "Numbers that may be NaN have one order, in the answer and in the one that is kept current",
        arguments: [FlatCache.Query<Track>.Order.ascending, .descending],
        [nil, 5]
    )
    func notNumbers(order: FlatCache.Query<Track>.Order, limit: Int?) throws {
        var random = SeededGenerator(seed: 1)
        let results = Recorder<QueryResult<Track>>()
        var sorted = Tracks().sorted(by: \.rating, order)
        if let limit { sorted = sorted.limit(limit) }
        let query = cache.query(sorted)
        let subscription = query.observe { results.record($0) }
        for step in 0..<500 {
            let id = random.below(40)
            switch random.below(4) {
            case 0: cache.remove(Track.self, id: id)
            case 1: cache.set(Track(id: id, rating: .nan))
            default: cache.set(Track(id: id, rating: Double(random.below(9))))
            }
            try #require(results.elements.last.map { Array($0.ids) } == Array(query.ids), "step \(step)")
        }
        let ratings = query.values.map(\.rating)
        let isDescending = order == .descending
        #expect(ratings.first??.isNaN == isDescending || limit != nil)
        #expect(ratings.last??.isNaN == !isDescending || limit != nil)
        subscription.cancel()
    }

    @Test("S2: Each result is one state, beside writers on several threads and commits in pieces")
    func consistency() {
        let sum = 1_000 * 40
        cache.set(contentsOf: (0..<40).map { Track(id: $0, plays: 1_000) })
        let sums = Recorder<Int>()
        let revisions = Recorder<UInt64>()
        let query = cache.query(Tracks().filter(\.plays, in: (-.max)...).sorted(by: \.plays))
        let subscription = query.observe { result in
            sums.record(result.values.reduce(0) { $0 + $1.plays })
            revisions.record(result.revision)
        }
        onThreads(4) { [cache] thread in
            var random = SeededGenerator(seed: 7, stream: thread)
            for step in 0..<300 {
                if thread == 0, step % 100 == 50 {
                    cache.transaction {
                        let all = cache.allValues(of: Track.self)
                        cache.removeAll(of: Track.self)
                        cache.set(contentsOf: all.map { Track(id: $0.id, plays: 1_000) })
                    }
                }
                cache.transaction {
                    let amount = random.below(50)
                    cache.update(Track.self, id: random.below(40)) { $0.plays -= amount }
                    cache.update(Track.self, id: random.below(40)) { $0.plays += amount }
                }
            }
        }
        #expect(sums.elements.allSatisfy { $0 == sum })
        #expect(zip(revisions.elements, revisions.elements.dropFirst()).allSatisfy { $0 < $1 })
        #expect(query.values.count == 40)
        subscription.cancel()
    }

    @Test("N7: A cancelled observer of a query releases its closures")
    func release() {
        let alive = Protected(0)
        var subscription: CacheSubscription?
        do {
            let token = Token(alive)
            subscription = cache.query(
                Tracks().filter { [cache] track in
                    withExtendedLifetime(token) { cache.get(Author.self, id: "\(track.id)") == nil }
                }
            ).observe { _ in withExtendedLifetime(token) {} }
        }
        for id in 0..<10 { cache.set(Track(id: id)) }
        #expect(alive.withLock { $0 } == 1)
        subscription?.cancel()
        #expect(alive.withLock { $0 } == 0)
    }
}

extension Track {
    fileprivate var artistName: String { FlatCache.current.get(Author.self, id: "\(artistID)")?.name ?? "" }
}
