import TestThreads
import Testing

@testable import FlatCache

@Suite("Queries", .mayBlock)
struct QueryTests {
    let cache = FlatCache()
    typealias Tracks = FlatCache.Query<Track>

    init() {
        cache.set(contentsOf: [
            Track(id: 4, name: "Dune", artistID: 1, plays: 5, rating: 2, label: "Blue"),
            Track(id: 2, name: "Alba", artistID: 1, plays: 9, label: "Black"),
            Track(id: 3, name: "Cave", artistID: 2, plays: 9, rating: 4.5),
            Track(id: 1, name: "Bolt", artistID: 3, plays: 1, rating: 4),
        ])
    }

    private func ids(_ query: Tracks) -> [Int] { cache.query(query).ids }

    @Test(
        "An entity matches if it meets every condition",
        arguments: [
            (Tracks(), [4, 2, 3, 1]),
            (Tracks().filter(\.artistID, equals: 1), [4, 2]),
            (Tracks().filter(\.artistID, equals: 9), []),
            (Tracks().filter(\.label, equals: nil), [3, 1]),
            (Tracks().filter(\.label, equals: "Blue"), [4]),
            (Tracks().filter(\.name, in: ["Bolt", "Cave"]), [3, 1]),
            (Tracks().filter(\.plays, in: [Int]()), []),
            (Tracks().filter(\.plays, in: 5...), [4, 2, 3]),
            (Tracks().filter(\.plays, in: ..<5), [1]),
            (Tracks().filter(\.plays, in: ...5), [4, 1]),
            (Tracks().filter(\.plays, in: 1..<9), [4, 1]),
            (Tracks().filter(\.plays, in: 5...9), [4, 2, 3]),
            (Tracks().filter(\.rating, in: 4...), [3, 1]),
            (Tracks().filter(\.name, hasPrefix: "C"), [3]),
            (Tracks().filter(\.label, hasPrefix: "Bl"), [4, 2]),
            (Tracks().filter { $0.id > 2 }, [4, 3]),
            (Tracks().filter { $0.id > 2 }.filter(\.artistID, equals: 1), [4]),
        ]
    )
    func conditions(query: Tracks, expected: [Int]) {
        #expect(ids(query) == expected)
        #expect(cache.read { ids(query) } == expected)
        #expect(cache.transaction { ids(query) } == expected)
        let results = Recorder<[Int]>()
        let subscription = cache.query(query).observe { results.record($0.ids) }
        #expect(results.take() == [expected])
        subscription.cancel()
    }

    @Test(
        "Earlier sort keys come first, then the order of insertion; nil is where the query says",
        arguments: [
            (Tracks().sorted(by: \.name), [2, 1, 3, 4]),
            (Tracks().sorted(by: \.name, .descending), [4, 3, 1, 2]),
            (Tracks().sorted(by: \.plays, .descending), [2, 3, 4, 1]),
            (Tracks().sorted(by: \.plays).sorted(by: \.id, .descending), [1, 4, 3, 2]),
            (Tracks().sorted(by: \.rating), [4, 1, 3, 2]),
            (Tracks().sorted(by: \.rating, .descending), [3, 1, 4, 2]),
            (Tracks().sorted(by: \.rating, nils: .first), [2, 4, 1, 3]),
            (Tracks().sorted(by: \.label, .descending, nils: .first), [3, 1, 4, 2]),
            (Tracks().sorted(by: \.name.count).sorted(by: \.name), [2, 1, 3, 4]),
        ]
    )
    func order(query: Tracks, expected: [Int]) {
        #expect(ids(query) == expected)
        let results = Recorder<[Int]>()
        let subscription = cache.query(query).observe { results.record($0.ids) }
        #expect(results.take() == [expected])
        subscription.cancel()
    }

    @Test(
        "Offset and limit choose a part of the answer, in any order of the calls",
        arguments: [
            (Tracks().limit(2), [4, 2]), (Tracks().offset(1).limit(2), [2, 3]), (Tracks().limit(2).offset(1), [2, 3]),
            (Tracks().offset(3).limit(9), [1]), (Tracks().offset(9), []), (Tracks().limit(0), []),
            (Tracks().limit(-1), []), (Tracks().offset(-3), [4, 2, 3, 1]), (Tracks().limit(1).limit(3), [4, 2, 3]),
            (Tracks().offset(.max).limit(.max), []), (Tracks().limit(.max).offset(1), [2, 3, 1]),
        ]
    )
    func window(query: Tracks, expected: [Int]) {
        #expect(ids(query) == expected)
        let result = cache.query(query)
        #expect(result.count == expected.count && result.isEmpty == expected.isEmpty)
        #expect(result.first?.id == expected.first)
        #expect(Array(result.values.reversed()).map(\.id) == expected.reversed())
    }

    @Test("A limited query of many entities has the same answer as the whole one")
    func limitOfMany() {
        cache.set(contentsOf: (10..<20_000).map { Track(id: $0, plays: $0 * 7_919 % 10_007) })
        let all = ids(Tracks().sorted(by: \.plays))
        #expect(ids(Tracks().sorted(by: \.plays).limit(50)) == Array(all.prefix(50)))
        #expect(ids(Tracks().sorted(by: \.plays).offset(5).limit(50)) == Array(all[5..<55]))
    }

    @Test("An entity keeps its place in the order of insertion when it is overwritten, and loses it by a removal")
    func orderOfInsertion() {
        cache.update(Track.self, id: 4) { $0.plays += 1 }
        cache.set(Track(id: 2))
        #expect(ids(Tracks()) == [4, 2, 3, 1])
        cache.remove(Track.self, id: 4)
        cache.set(Track(id: 4))
        #expect(ids(Tracks()) == [2, 3, 1, 4])
        cache.transaction {
            cache.set(Track(id: 9))
            cache.set(Track(id: 8))
            cache.remove(Track.self, id: 2)
            #expect(ids(Tracks()) == [3, 1, 4, 9, 8])
        }
        #expect(ids(Tracks()) == [3, 1, 4, 9, 8])
        cache.set(contentsOf: (100..<10_000).reversed().map { Track(id: $0) })
        #expect(ids(Tracks()) == [3, 1, 4, 9, 8] + (100..<10_000).reversed())
    }

    @Test("A read sees the order of insertion of its state")
    func orderInRead() {
        cache.read {
            cache.remove(Track.self, id: 4)
            cache.set(Track(id: 4, name: "new"))
            cache.remove(Track.self, id: 2)
            cache.set(Track(id: 5))
            #expect(ids(Tracks()) == [4, 2, 3, 1])
        }
        #expect(ids(Tracks()) == [3, 1, 4, 5])
    }

    @Test("In a transaction a query sees the changes of the transaction")
    func transaction() {
        cache.transaction {
            cache.update(Track.self, id: 1) { $0.artistID = 1 }
            cache.remove(Track.self, id: 4)
            cache.set(Track(id: 0, artistID: 1))
            #expect(ids(Tracks().filter(\.artistID, equals: 1)) == [2, 1, 0])
            #expect(ids(Tracks().filter(\.artistID, equals: 1).sorted(by: \.id)) == [0, 1, 2])
        }
        #expect(ids(Tracks().filter(\.artistID, equals: 1)) == [2, 1, 0])
    }

    @Test("S4: A transaction that has read a query runs again if another thread has changed an entity of the type")
    func conflict() {
        let runs = Recorder<Int>()
        let found = cache.transaction {
            runs.record(1)
            let found = ids(Tracks().filter(\.artistID, equals: 1))
            if runs.count == 1 { onThreads(1) { [cache] _ in cache.set(Track(id: 7, artistID: 1)) } }
            cache.set(Author(id: "\(found.count)"))
            return found
        }
        #expect(found == [4, 2, 7])
        #expect(runs.count == 2)
        #expect(cache.allValues(of: Author.self).map(\.id) == ["3"])
    }

    @Test(
        "Two queries are equal if their parts are; a closure is equal to its copies, or to another with its identifier"
    )
    func equality() {
        let closure = Tracks().filter { $0.id > 1 }
        #expect(closure == closure)
        #expect(closure.limit(1) == closure.limit(1))
        #expect(closure != Tracks().filter { $0.id > 1 })
        #expect(Tracks().filter(id: "big") { $0.id > 1 } == Tracks().filter(id: "big") { $0.id > 1 })
        #expect(Tracks().filter(id: "big") { $0.id > 1 } != Tracks().filter(id: "small") { $0.id > 1 })
        let queries: [Tracks] = [
            Tracks(), Tracks().limit(1), Tracks().offset(1), Tracks().filter(\.id, equals: 1),
            Tracks().filter(\.id, equals: 2),
            Tracks().filter(\.plays, equals: 1), Tracks().filter(\.id, in: [1]), Tracks().filter(\.id, in: 1...1),
            Tracks().filter(\.id, in: 1..<1), Tracks().sorted(by: \.id), Tracks().sorted(by: \.id, .descending),
            Tracks().sorted(by: \.label), Tracks().sorted(by: \.label, nils: .first), Tracks().sorted(by: \.name),
            Tracks().filter(\.name, hasPrefix: "1"), Tracks().filter(\.name, equals: "1"),
            Tracks().filter(\.label, equals: nil),
        ]
        for (place, query) in queries.enumerated() {
            for (other, second) in queries.enumerated() {
                #expect((query == second) == (place == other), "\(query) and \(second)")
            }
        }
        #expect(Set(queries + queries).count == queries.count)
        #expect(cache.query(Tracks().limit(1)) == cache.query(Tracks().limit(1)))
        #expect(cache.query(Tracks().limit(1)) != FlatCache().query(Tracks().limit(1)))
    }

    @Test("A query removes its answer in one commit")
    func removeAll() {
        let changes = Recorder<ChangeSet>()
        let subscription = cache.observe((1...4).map { Track.flatCacheKey(id: $0) }, initial: false) {
            changes.record($0)
        }
        let removed = cache.query(Tracks().sorted(by: \.plays).limit(2)).removeAll()
        #expect(removed.map(\.id) == [1, 4])
        #expect(changes.take().map(\.removed) == [[Track.flatCacheKey(id: 1), Track.flatCacheKey(id: 4)]])
        #expect(ids(Tracks()) == [2, 3])
        subscription.cancel()
    }

    @Test("A condition reads the state that the query answers, in the cache of the query")
    func readingCondition() {
        let other = FlatCache()
        other.set(Author(id: "1", name: "other"))
        cache.set(Author(id: "1", name: "ours"))
        let query = Tracks().filter { FlatCache.current.get(Author.self, id: "\($0.artistID)")?.name == "ours" }
        FlatCache.withCurrent(other) { #expect(ids(query) == [4, 2]) }
        cache.read {
            cache.remove(Author.self, id: "1")
            #expect(ids(query) == [4, 2])
        }
        #expect(ids(query) == [])
    }

    @Test("After the cache is deallocated the answer is empty")
    func deallocatedCache() {
        var cache: FlatCache? = FlatCache()
        cache?.set(Track(id: 1))
        let query = cache?.query(Tracks())
        #expect(query?.count == 1)
        cache = nil
        #expect(query?.count == 0 && query?.first == nil && query?.removeAll() == [])
        query?.observe { _ in Issue.record("called") }.cancel()
    }

    @Test("An entity may have an identifier that is compared without a lock, and properties that are computed")
    func otherIdentifiers() {
        cache.set(contentsOf: (0..<50).map { Colliding($0, count: $0 % 3) })
        let query = FlatCache.Query(Colliding.self).filter(\.count, equals: 1).sorted(by: \.negative).limit(2)
        #expect(cache.query(query).ids.map(\.number) == [49, 46])
    }
}

extension Colliding {
    fileprivate var negative: Int { -id.number }
}
