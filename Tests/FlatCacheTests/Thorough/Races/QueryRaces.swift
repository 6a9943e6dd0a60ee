#if DEBUG
import TestThreads
import Testing

@testable import FlatCache

/// Commits that a snapshot has, and that the answers which are kept current don't have yet.
@Suite("Races of closures that read queries", .mayBlock)
struct QueryRaces {
    let cache = FlatCache()
    private let counts = Recorder<[Int]>()
    private let writer = Protected<StoppedThread?>(nil)

    /// Ends the stopped commit, once.
    private func finishWriter() { writer.withLock { $0.take() }?.finish() }

    /// Stops a commit, runs the observed closure because of another commit meanwhile, and ends the first one, at the latest when
    /// the closure waits for its locks.
    private func run(beside commit: @escaping @Sendable () -> Void, stoppedAt point: SyncPoint) {
        let stopped = StoppedThread(at: point, commit)
        writer.withLock { $0 = stopped }
        let handler: @Sendable (SyncPoint) -> Void = { [self] reached in
            if point == .drawn && reached == .between { finishWriter() }
        }
        SyncPoint.$handler.withValue(handler) {
            _ = cache.set(Counter(id: 1, count: 1))
        }
        finishWriter()
    }

    @Test("S2: A closure sees a commit in all that it reads of a query", arguments: Write.allCases)
    func valuesAndSum(_ write: Write) {
        cache.set(Track(id: 1, plays: 1))
        let query = cache.query(Tracks().sorted(by: \.plays))
        let subscription = cache.observe { [self] in
            let counter = cache.get(Counter.self, id: 1)?.count ?? 0
            let plays = query.values.reduce(0) { $0 + $1.plays }
            finishWriter()
            return [counter, plays, query.sum(of: \.plays).value ?? -1]
        } onChange: { [counts] in
            counts.record($0)
        }
        run(beside: { [cache] in write.run(in: cache) }, stoppedAt: .drawn)
        #expect(counts.elements == [[0, 1, 1], [1, write.sum, write.sum]])
        subscription.cancel()
    }

    @Test("N2, S2: A closure doesn't miss a commit that its state has", arguments: Reading.allCases, Write.allCases)
    func missedCommit(_ reading: Reading, _ write: Write) {
        cache.set(Track(id: 1, plays: 1))
        if reading == .indexed { cache.buildIndex(.init(\Track.artistID)) }
        let subscription = cache.observe { [cache] in
            [cache.get(Counter.self, id: 1)?.count ?? 0, reading.number(in: cache)]
        } onChange: { [counts] in
            counts.record($0)
        }
        let before = reading.number(in: cache)
        run(beside: { [cache] in write.run(in: cache) }, stoppedAt: .drawn)
        #expect(counts.elements == [[0, before], [1, reading.number(in: cache)]])
        subscription.cancel()
    }

    @Test(
        "N2, S2: A closure doesn't miss a commit of what the conditions of its query read",
        arguments: Condition.allCases,
        [SyncPoint.drawn, .committed]
    )
    func readByCondition(_ condition: Condition, _ point: SyncPoint) {
        cache.set(Author(id: "1", name: "a"))
        cache.set(contentsOf: (0..<3).map { Track(id: $0) })
        let query = cache.query(condition.query)
        let subscription = cache.observe { [cache] in
            [cache.get(Counter.self, id: 1)?.count ?? 0, query.count]
        } onChange: { [counts] in
            counts.record($0)
        }
        run(beside: { [cache] in _ = cache.set(Author(id: "1", name: "b")) }, stoppedAt: point)
        #expect(query.count == 0)
        #expect(counts.elements == [[0, 3], [1, 0]])
        subscription.cancel()
    }

    @Test(
        "Q1: An answer has a commit of a query that its conditions read, or not at all",
        arguments: Condition.allCases
    )
    func answerOfOneState(_ condition: Condition) {
        cache.set(Author(id: "1", name: "a"))
        cache.set(contentsOf: (0..<3).map { Track(id: $0) })
        let query = condition.query
        let results = Recorder<QueryResult<Track>>()
        let subscription = cache.query(query).observe { results.record($0) }
        let renaming = StoppedThread(at: .committed) { [cache] in _ = cache.set(Author(id: "1", name: "b")) }
        cache.set(Track(id: 9))
        renaming.finish()
        #expect(results.elements.map(\.ids) == [[0, 1, 2], [9]])
        subscription.cancel()
        #expect(!cache.isWatched(Author.self))
        #expect(cache.queryShares.count == 0)
    }

    @Test("Queries that begin to read each other, one after the other")
    func circle() {
        cache.set(contentsOf: (0..<3).map { Track(id: $0) })
        let isDone = ends { [cache, counts] in
            let first = Protected<FlatCache.Query<Track>?>(nil)
            let second = Tracks().filter(id: "second") { track in
                guard FlatCache.current.contains(Counter.self, id: 1), let first = first.withLock({ $0 }) else {
                    return true
                }
                return !FlatCache.current.query(first).ids.contains(track.id)
            }
            let last = Tracks().filter(id: "first") { track in
                if FlatCache.current.contains(Counter.self, id: 1) { return track.id == 1 }
                return FlatCache.current.query(second).ids.contains(track.id)
            }
            first.withLock { $0 = last }
            let subscription = cache.observe { [cache] in
                [cache.query(last).count, cache.query(second).count]
            } onChange: {
                counts.record($0)
            }
            for round in 0..<20 {
                if round % 2 == 0 { cache.set(Counter(id: 1)) } else { cache.remove(Counter.self, id: 1) }
                #expect(counts.elements.last == (round % 2 == 0 ? [1, 2] : [3, 3]))
            }
            subscription.cancel()
        }
        #expect(isDone)
    }

    /// How a track with two plays is stored.
    enum Write: CaseIterable {
        case set, batch, transaction, transactionOfTypes, large, replacingAll

        func run(in cache: FlatCache) {
            let track = Track(id: 2, plays: 2)
            switch self {
            case .set: cache.set(track)
            case .batch: cache.set(contentsOf: [track, Track(id: 1, plays: 1)])
            case .transaction: cache.transaction { _ = cache.set(track) }
            case .transactionOfTypes:
                cache.transaction {
                    cache.set(Author(id: "1", name: "a"))
                    cache.set(track)
                }
            case .large: cache.set(contentsOf: [track] + (10...smallCommit + 10).map { Track(id: $0) })
            case .replacingAll:
                cache.transaction {
                    cache.removeAll(of: Track.self)
                    cache.set(track)
                }
            }
        }

        var sum: Int { self == .replacingAll ? 2 : 3 }
    }

    /// What a closure reads of a query.
    enum Reading: CaseIterable {
        case count, sum, greatest, sections, first, filtered, indexed

        func number(in cache: FlatCache) -> Int {
            let query = cache.query(Tracks().sorted(by: \.plays, .descending))
            return switch self {
            case .count: query.count
            case .sum: query.sum(of: \.plays).value ?? -1
            case .greatest: query.max(of: \.plays).value ?? -1
            case .sections: query.grouped(by: \.plays).sections.count
            case .first: cache.query(query.query.limit(1)).values.first?.plays ?? -1
            case .filtered: cache.query(Tracks().filter { $0.plays == 2 }).count
            case .indexed: cache.query(Tracks().filter(\.artistID, equals: 0)).values.reduce(0) { $0 + $1.plays }
            }
        }
    }

    /// How a condition reads the name of an author.
    enum Condition: CaseIterable {
        case entity, allEntities, query, queryOfQuery

        var query: FlatCache.Query<Track> {
            let named = FlatCache.Query(Author.self).filter(\.name, equals: "a")
            return Tracks().filter(id: self) { track in
                if track.id == 9 { return true }
                let cache = FlatCache.current
                return switch self {
                case .entity: cache.get(Author.self, id: "1")?.name == "a"
                case .allEntities: cache.allValues(of: Author.self).contains { $0.name == "a" }
                case .query: !cache.query(named).isEmpty
                case .queryOfQuery:
                    !cache.query(FlatCache.Query(Author.self).filter { _ in !FlatCache.current.query(named).isEmpty })
                        .isEmpty
                }
            }
        }
    }
}
#endif
