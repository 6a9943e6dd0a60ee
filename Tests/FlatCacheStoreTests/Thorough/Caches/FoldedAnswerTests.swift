import FlatCache
import Foundation
import TestThreads
import Testing

@testable import FlatCacheStore

@Suite("Answers of fetchers to what only the store has", .mayBlock)
struct FoldedAnswerTests {
    private let folder = FoldingFolder()

    @Test("A payload keeps the properties that it leaves out", arguments: Absence.allCases)
    func absentKeys(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        #expect(cache.count(of: Card.self) == 0)
        cache.setFetcher(of: Card.self) { id in try payload(Card.self, #"{"id": \#(id), "title": "new"}"#) }
        let card = try await cache.fetch(Card.self, id: 1, .networkOnly)
        #expect(card == Card(id: 1, title: "new", note: "kept", stars: 3))
        if absence != .readOnly { #expect(try await folder.stored(after: cache) == [card]) }
    }

    @Test("A payload without required properties completes the stored entity", arguments: Absence.allCases)
    func incomplete(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        cache.setFetcher(of: Card.self) { ids in
            try payload([Card].self, "[\(ids.map { #"{"id": \#($0), "note": null}"# }.joined(separator: ","))]")
        }
        #expect(try await cache.fetch(Card.self, id: 1, .networkOnly) == Card(id: 1, title: "old", stars: 3))
    }

    @Test("A merge finds the stored entity, of the requested type and of a nested one", arguments: Absence.allCases)
    func merging(absence: Absence) async throws {
        let cache = try await folder.opened(absence, tallies: [1, 2].map { Tally(id: $0, marks: [1, 2]) })
        cache.setFetcher(of: Tally.self) { (ids: Set<Int>) in ids.map { Tally(id: $0, marks: [3]) } }
        cache.setFetcher(of: Card.self) { id in
            try payload(Card.self, #"{"id": \#(id), "title": "new", "tally": {"id": 2, "marks": [4]}}"#)
        }
        #expect(try await cache.fetch(Tally.self, id: 1, .networkOnly).marks == [1, 2, 3])
        #expect(try await cache.fetch(Card.self, id: 1, .networkOnly).tallyID == 2)
        #expect(cache.get(Tally.self, id: 2)?.marks == [1, 2, 4])
    }

    @Test(
        "An answer is folded with what only the store has, also while a pending change shows other entities",
        arguments: Absence.allCases,
        [false, true]
    )
    func pendingChange(absence: Absence, isInsertion: Bool) async throws {
        let cache = try await folder.opened(absence, tallies: [Tally(id: 1, marks: [1, 2])])
        cache.setFetcher(of: Tally.self) { (ids: Set<Int>) in ids.map { Tally(id: $0, marks: [3]) } }
        cache.setFetcher(of: Card.self) { id in try payload(Card.self, #"{"id": \#(id), "title": "new"}"#) }
        let end = AsyncStream<Void>.makeStream()
        let mutation = cache.mutate { change in
            if isInsertion {
                change.insert(temporary: Card(id: 1, title: "pending"))
                change.insert(temporary: Tally(id: 1, marks: [9]))
            } else {
                change.set(Card(id: 1, title: "pending"))
                change.set(Tally(id: 1, marks: [9]))
            }
        } send: {
            for await _ in end.stream {}
            throw CancellationError()
        }
        // An insertion shows what is stored under its identifier, which is loaded before the insertion is sent.
        #expect(isInsertion || cache.get(Card.self, id: 1)?.title == "pending")
        _ = try await cache.fetch(Card.self, id: 1, .networkOnly)
        _ = try await cache.fetch(Tally.self, id: 1, .networkOnly)
        end.continuation.finish()
        try? await mutation.value
        #expect(cache.get(Card.self, id: 1) == Card(id: 1, title: "new", note: "kept", stars: 3))
        #expect(cache.get(Tally.self, id: 1)?.marks == [1, 2, 3])
    }

    @Test("F5: All entities of an answer are folded, also those that a limit would evict meanwhile")
    func aboveLimit() async throws {
        let cards = (0..<60).map { Card(id: $0, title: "old", note: "kept", stars: $0) }
        let cache = try await folder.opened(.evicted, cards: cards)
        cache.setLimit(4, for: Card.self)
        cache.setFetcher(of: Tally.self) { (_: Set<Int>, answer: inout FetchAnswer) in
            answer.insert(Tally(id: 9, marks: []))
            let cards = (0..<60).map { #"{"id": \#($0), "title": "new"}"# }.joined(separator: ",")
            answer.insert(try payload([Card].self, "[\(cards)]"))
        }
        _ = try await cache.fetch(Tally.self, id: 9)
        try await cache.flush()
        cache.evictNow()
        #expect(cache.count(of: Card.self) <= 4)
        #expect(
            try await folder.stored(after: cache)
                == cards.map { Card(id: $0.id, title: "new", note: "kept", stars: $0.id) }
        )
    }

    @Test("F5: What was loaded for an answer isn't evicted before the answer is stored")
    func pinned() async throws {
        let store = FlakyStore(FileStore(at: folder.folder.url))
        let cache = try await folder.opened(.evicted, store)
        // The entities of each type are loaded in turn, and what is in memory by then is evicted.
        store.beforeReads { cache.collect() }
        cache.setFetcher(of: Card.self) { id in
            try payload(Card.self, #"{"id": \#(id), "title": "new", "tally": {"id": 1, "marks": [4]}}"#)
        }
        let card = try await cache.fetch(Card.self, id: 1, .networkOnly)
        #expect(card == Card(id: 1, title: "new", note: "kept", stars: 3, tallyID: 1))
        try await cache.flush()
        cache.collect()
        let response = try payload([Card].self, #"[{"id": 1, "title": "newer", "tally": {"id": 1, "marks": [5]}}]"#)
        let stored = await cache.loadAndStore(response)
        #expect(stored.value == [Card(id: 1, title: "newer", note: "kept", stars: 3, tallyID: 1)])
        #expect(cache.get(Tally.self, id: 1)?.marks == [1, 2, 4, 5])
        store.beforeReads {}
    }

    @Test("F3: An answer is stored although its entity was loaded after the request", arguments: Absence.allCases)
    func loadedMeanwhile(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        cache.setFetcher(of: Card.self) { id in
            // Another request loads the entity while this one is on its way.
            let loaded = try await cache.fetch(Card.self, id: id, .cacheOnly)
            #expect(loaded.title == "old")
            return Card(id: id, title: "new")
        }
        #expect(try await cache.fetch(Card.self, id: 1, .networkOnly).title == "new")
    }

    @Test("F3: A write after the request remains, also one of an entity that was loaded", arguments: Absence.allCases)
    func writtenMeanwhile(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        cache.setFetcher(of: Card.self) { id in
            _ = try await cache.fetch(Card.self, id: id, .cacheOnly)
            cache.update(Card.self, id: id) { $0.title = "written" }
            return try payload(Card.self, #"{"id": \#(id), "title": "new", "stars": 5}"#)
        }
        #expect(try await cache.fetch(Card.self, id: 1, .networkOnly).title == "written")
        cache.setFetcher(of: Card.self) { id in
            cache.remove(Card.self, id: id)
            return try payload(Card.self, #"{"id": \#(id), "title": "new"}"#)
        }
        await #expect(throws: FlatCache.FetchError.self) { try await cache.fetch(Card.self, id: 1, .networkOnly) }
        #expect(!cache.contains(Card.self, id: 1))
    }

    @Test(
        "F4: An entity that was loaded meanwhile isn't the answer of a server that has none",
        arguments: Absence.allCases
    )
    func notFound(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        cache.setFetcher(of: Card.self) { (id: Int) -> Card? in
            _ = try await cache.fetch(Card.self, id: id, .cacheOnly)
            return nil
        }
        await #expect(throws: FlatCache.FetchError.self) { try await cache.fetch(Card.self, id: 1, .networkOnly) }
    }

    @Test("An entity that was removed isn't loaded for an answer", arguments: [Absence.evicted, .onDemand])
    func removed(absence: Absence) async throws {
        let cache = try await folder.opened(absence)
        cache.setFetcher(of: Card.self) { id in try payload(Card.self, #"{"id": \#(id), "title": "new"}"#) }
        cache.remove(Card.self, id: 1)
        #expect(try await cache.fetch(Card.self, id: 1, .networkOnly) == Card(id: 1, title: "new"))
        cache.removeAll(of: Card.self)
        #expect(try await cache.fetch(Card.self, id: 1, .networkOnly) == Card(id: 1, title: "new"))
        #expect(try await folder.stored(after: cache) == [Card(id: 1, title: "new")])
    }

    @Test("The store isn't read for whole entities without a merge, and not for what is in memory")
    func nothingToLoad() async throws {
        let store = FlakyStore(FileStore(at: folder.folder.url))
        let cache = try await folder.opened(
            .onDemand,
            store,
            cards: (0..<9).map { Card(id: $0, title: "old", note: "kept") }
        )
        cache.setFetcher(of: Card.self) { (ids: Set<Int>) in ids.map { Card(id: $0, title: "new") } }
        let calls = store.callCount
        _ = try await cache.fetch(Card.self, ids: 0..<9, .networkOnly)
        #expect(store.callCount == calls)
        cache.setFetcher(of: Card.self) { id in try payload(Card.self, #"{"id": \#(id), "title": "again"}"#) }
        _ = try await cache.fetch(Card.self, ids: 0..<9, .networkOnly)
        #expect(store.callCount == calls)
    }

    @Test("If the store can't be read, the answer is stored, and the handler receives the error")
    func failing() async throws {
        let store = FlakyStore(FileStore(at: folder.folder.url))
        let errors = Errors()
        let cache = try await folder.opened(.evicted, store, errors: errors)
        cache.setFetcher(of: Card.self) { id in try payload(Card.self, #"{"id": \#(id), "title": "new"}"#) }
        store.fail(1)
        #expect(try await cache.fetch(Card.self, id: 1, .networkOnly) == Card(id: 1, title: "new"))
        #expect(errors.texts.count == 1 && errors.texts[0].contains("the disk is full"))
    }

    @Test("F2: A request that is cancelled while its answer waits for the store ends at once")
    func cancelled() async throws {
        let store = BlockedStore(FileStore(at: folder.folder.url))
        let cache = try await folder.opened(.onDemand, store)
        cache.setFetcher(of: Card.self) { id in try payload(Card.self, #"{"id": \#(id), "title": "new"}"#) }
        store.block()
        cache.set(Card(id: 9, title: "other"))
        let flush = Task { try await cache.flush() }
        await store.untilBlocked()
        let fetch = Task { try await cache.fetch(Card.self, id: 1, .networkOnly) }
        fetch.cancel()
        await #expect(throws: FlatCache.FetchError.self) { try await fetch.value }
        store.unblock()
        try await flush.value
        #expect(try await cache.fetch(Card.self, id: 1, .cacheOnly).note == "kept")
    }
}
