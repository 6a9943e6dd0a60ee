import FlatCache
import Foundation
import TestThreads
import Testing

@testable import FlatCacheStore

@Suite("Writes of the app to what only the store has", .mayBlock)
struct FoldedWriteTests {
    private let folder = FoldingFolder()

    @Test("A payload keeps the properties that it leaves out, and merges", arguments: Absence.allCases)
    func payloads(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        let response = try payload(
            [Card].self,
            #"[{"id": 1, "title": "new", "tally": {"id": 1, "marks": [3]}}, {"id": 2}]"#
        )
        let stored = await cache.loadAndStore(response)
        #expect(stored.value == [Card(id: 1, title: "new", note: "kept", stars: 3, tallyID: 1)])
        #expect(stored.problems.count == 1)
        #expect(cache.get(Tally.self, id: 1)?.marks == [1, 2, 3])
        if absence != .readOnly { #expect(try await folder.stored(after: cache) == stored.value) }
    }

    @Test("A strict payload throws its first problem, and stores nothing", arguments: Absence.allCases)
    func strict(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        await #expect(throws: PayloadProblem.self) {
            try await cache.loadAndStore(try payload([Card].self, #"[{"id": 1, "stars": 4}, {"id": 2}]"#), strict: true)
        }
        #expect(try await cache.fetch(Card.self, id: 1, .cacheOnly).stars == 3)
        let stored = try await cache.loadAndStore(try payload(Card.self, #"{"id": 1, "stars": 4}"#), strict: true)
        #expect(stored.value == Card(id: 1, title: "old", note: "kept", stars: 4))
    }

    @Test(
        "F3: A loaded entity counts as unwritten since a revision, and a written one doesn't",
        arguments: Absence.allCases
    )
    func since(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        let revision = cache.revision()
        let first = await cache.loadAndStore(try payload(Card.self, #"{"id": 1, "title": "new"}"#), since: revision)
        #expect(first.value?.title == "new" && first.value?.note == "kept")
        let second = await cache.loadAndStore(try payload(Card.self, #"{"id": 1, "title": "newer"}"#), since: revision)
        #expect(second.value?.title == "new")
    }

    @Test("Every write in the body finds the entity", arguments: Absence.allCases)
    func body(absence: Absence) async throws {
        let cards = (1...5).map { Card(id: $0, title: "old", note: "kept", stars: 3) }
        let cache = try await folder.opened(absence, cards: cards)
        let isInserted = await cache.withLoaded(Card.self, ids: 1...5) {
            cache.update(Card.self, id: 1) { $0.stars = 4 }
            cache.store(Rating(id: 2, stars: 5))
            cache.update(default: Card(id: 3, title: "made")) { $0.stars = 6 }
            cache.transaction { _ = cache.update(Card.self, id: 4) { $0.stars = 7 } }
            return cache.insertIfAbsent(Card(id: 5, title: "made")).inserted
        }
        #expect(!isInserted)
        let stars = cache.get(Card.self, ids: 1...5).filter { $0.title == "old" && $0.note == "kept" }.map(\.stars)
        #expect(stars == [4, 5, 6, 7, 3])
        await cache.withLoaded(Tally.self, ids: [1, 7, 1]) {
            cache.set(contentsOf: [1, 7].map { Tally(id: $0, marks: [8]) })
        }
        #expect(cache.get(Tally.self, ids: [1, 7]).map(\.marks) == [[1, 2, 8], [8]])
    }

    @Test("A payload that is stored with a list finds the entities", arguments: Absence.allCases)
    func lists(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        let list = cache.list("home", of: Card.self)
        let response = try payload([Card].self, #"[{"id": 1, "stars": 4}]"#)
        let stored = await cache.withLoaded(response) { list.append(contentsOf: response) }
        #expect(stored?.value == [Card(id: 1, title: "old", note: "kept", stars: 4)])
        #expect(Array(list.ids) == [1])
    }

    @Test("F5: A limit evicts nothing before the body has ended")
    func aboveLimit() async throws {
        let cards = (0..<60).map { Card(id: $0, title: "old", note: "kept") }
        let cache = try await folder.opened(.evicted, cards: cards)
        cache.setLimit(4, for: Card.self)
        await cache.withLoaded(Card.self, ids: 0..<60) {
            cache.evictNow()
            for id in 0..<60 { #expect(cache.update(Card.self, id: id) { $0.stars = 1 }) }
        }
        try await cache.flush()
        cache.evictNow()
        #expect(cache.count(of: Card.self) <= 4)
        #expect(try await folder.stored(after: cache).allSatisfy { $0.note == "kept" && $0.stars == 1 })
    }

    @Test("F2: A cancelled task waits for the store, so that nothing is lost")
    func cancelled() async throws {
        let store = BlockedStore(FileStore(at: folder.folder.url))
        let cache = try await folder.opened(.onDemand, store)
        store.block()
        cache.set(Card(id: 9, title: "other"))
        let flush = Task { try await cache.flush() }
        await store.untilBlocked()
        let storing = Task { await cache.loadAndStore(try payload(Card.self, #"{"id": 1, "title": "new"}"#)).value }
        storing.cancel()
        store.unblock()
        #expect(try await storing.value == Card(id: 1, title: "new", note: "kept", stars: 3))
        try await flush.value
    }

    @Test("If the store can't be read, the body runs, and the handler receives the error")
    func failing() async throws {
        let store = FlakyStore(FileStore(at: folder.folder.url))
        let errors = Errors()
        let cache = try await folder.opened(.onDemand, store, errors: errors)
        store.fail(1)
        #expect(await cache.withLoaded(Card.self, ids: [1]) { cache.contains(Card.self, id: 1) } == false)
        #expect(errors.texts.count == 1)
        #expect(await cache.withLoaded(Card.self, ids: [1]) { cache.contains(Card.self, id: 1) })
    }

    @Test("The error of the body is thrown, of its own type")
    func throwing() async throws {
        struct Failure: Error {}
        let cache = try await folder.opened(.onDemand)
        do throws(Failure) {
            try await cache.withLoaded(Card.self, ids: [1]) { () throws(Failure) in throw Failure() }
            Issue.record("nothing was thrown")
        } catch {}
    }

    @Test("After the store was closed, the body runs with what is in memory")
    func closed() async throws {
        let cache = try await folder.opened(.onDemand)
        try await cache.store?.close()
        #expect(await cache.withLoaded(Card.self, ids: [1]) { cache.contains(Card.self, id: 1) } == false)
    }
}
