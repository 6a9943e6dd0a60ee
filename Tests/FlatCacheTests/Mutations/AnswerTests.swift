import Foundation
import Testing

@testable import FlatCache

/// What the server returns, beside the merge of the type.
@Suite("Answers to mutations")
struct AnswerTests {
    private let cache = FlatCache()

    @Test("M2: An answer is merged with the entity without the mutation's own change, and 'value' is what is stored")
    func invention() async throws {
        cache.set(StampedNote(id: 1, title: "old", updatedAt: 100))
        let edit = cache.mutate(StampedNote.self, id: 1) {
            $0.title = "mine"
            $0.updatedAt = 1000
        } send: {
            StampedNote(id: 1, title: "server's", updatedAt: 500)
        }
        #expect(try await edit.value == StampedNote(id: 1, title: "server's", updatedAt: 500))
        #expect(cache.note() == StampedNote(id: 1, title: "server's", updatedAt: 500))
        #expect(cache.set(StampedNote(id: 1, title: "Bob's", updatedAt: 600)))
        #expect(!cache.set(StampedNote(id: 1, title: "older", updatedAt: 550)))
        #expect(cache.note()?.title == "Bob's")
    }

    @Test("The merge keeps out an answer that is older than the stored entity, and 'value' is the stored one")
    func olderAnswer() async throws {
        cache.set(StampedNote(id: 1, title: "old", updatedAt: 100))
        let edit = cache.mutate(StampedNote.self, id: 1) {
            $0.title = "mine"
            $0.updatedAt = 1000
        } send: {
            StampedNote(id: 1, title: "cached by a proxy", updatedAt: 50)
        }
        #expect(try await edit.value == StampedNote(id: 1, title: "old", updatedAt: 100))
        #expect(cache.note() == StampedNote(id: 1, title: "old", updatedAt: 100))
    }

    /// The ways in which an entity of the server comes in.
    enum Arrival: CaseIterable {
        case set, batch, update, transaction, payload, fetch, list, page
    }

    @Test(
        "What a mutation without an answer has invented doesn't keep out the next entity",
        arguments: Arrival.allCases
    )
    func withoutAnswer(arrival: Arrival) async throws {
        cache.set(StampedNote(id: 1, title: "old", updatedAt: 100))
        let edit = cache.mutate(StampedNote.self, id: 1) {
            $0.title = "mine"
            $0.updatedAt = 1000
        } send: {
        }
        try await edit.value
        #expect(cache.note() == StampedNote(id: 1, title: "mine", updatedAt: 1000))
        cache.update(StampedNote.self, id: 1) { $0.tags = ["local"] }
        let bobs = StampedNote(id: 1, title: "Bob's", updatedAt: 600)
        func arrive(_ note: StampedNote) async throws {
            let list = cache.list("notes", of: StampedNote.self)
            switch arrival {
            case .set: cache.set(note)
            case .batch: cache.set(contentsOf: [note, StampedNote(id: 2)])
            case .update: cache.update(note)
            case .transaction: cache.transaction { _ = cache.set(note) }
            case .payload:
                let data = try JSONEncoder().encode([note])
                cache.store(try JSONDecoder().decode(Payload<[StampedNote]>.self, from: data))
            case .fetch:
                cache.setFetcher(of: StampedNote.self) { _ in [note] }
                _ = try await cache.fetch(StampedNote.self, id: 1, .networkOnly)
            case .list: list.append(note)
            case .page:
                list.setLoader { (_: Int?) in ListPage([note], next: nil) }
                try await list.refresh()
            }
        }
        // It is older than what was stored before the mutation.
        try await arrive(StampedNote(id: 1, title: "outdated", updatedAt: 99))
        #expect(cache.note()?.title == "mine")
        try await arrive(bobs)
        #expect(cache.note() == bobs)
        try await arrive(StampedNote(id: 1, title: "older", updatedAt: 550))
        #expect(cache.note() == bobs)
    }

    @Test("A union doesn't keep what a mutation has added and the server has not")
    func union() async throws {
        cache.set(TaggedNote(id: 1, tags: ["a"]))
        let refused = cache.mutate(TaggedNote.self, id: 1) {
            $0.tags.append("x")
        } send: {
            TaggedNote(id: 1, tags: ["a"])
        }
        #expect(try await refused.value.tags == ["a"])
        #expect(cache.get(TaggedNote.self, id: 1)?.tags == ["a"])
        let unanswered = cache.mutate(TaggedNote.self, id: 1) {
            $0.tags.append("x")
        } send: {
        }
        try await unanswered.value
        #expect(cache.get(TaggedNote.self, id: 1)?.tags == ["a", "x"])
        cache.set(TaggedNote(id: 1, tags: ["b"]))
        #expect(cache.get(TaggedNote.self, id: 1)?.tags == ["a", "b"])
    }

    @Test("Answers and stamps of several entities, of which the answer has one")
    func several() async throws {
        cache.set(contentsOf: [StampedNote(id: 1, updatedAt: 10), StampedNote(id: 2, updatedAt: 10)])
        let edit = cache.mutate { change in
            for id in 1...2 {
                change.update(StampedNote.self, id: id) {
                    $0.title = "mine"
                    $0.updatedAt = 1000
                }
            }
        } send: {
            StampedNote(id: 1, title: "server's", updatedAt: 20)
        }
        #expect(try await edit.value.title == "server's")
        #expect(cache.note(1)?.title == "server's" && cache.note(2)?.title == "mine")
        cache.set(contentsOf: [
            StampedNote(id: 1, title: "next", updatedAt: 30), StampedNote(id: 2, title: "next", updatedAt: 30),
        ])
        #expect(cache.note(1)?.title == "next" && cache.note(2)?.title == "next")
    }

    @Test("An insertion's stamp doesn't refuse the answer", arguments: [1, 7])
    func insertion(id: Int) async throws {
        let draft = StampedNote(id: 1, title: "draft", updatedAt: 1000)
        let insertion = cache.mutate(inserting: draft) { StampedNote(id: id, title: "server's", updatedAt: 500) }
        #expect(try await insertion.value == StampedNote(id: id, title: "server's", updatedAt: 500))
        #expect(cache.note(id) == StampedNote(id: id, title: "server's", updatedAt: 500))
        #expect(cache.note(1)?.id == id && cache.count(of: StampedNote.self) == 1)
    }

    @Test("A payload keeps the change of members that it leaves out, and its stamp isn't refused")
    func partialPayload() async throws {
        cache.set(StampedNote(id: 1, title: "old", updatedAt: 100))
        // The keys are known from a complete entity.
        _ = try JSONDecoder().decode(Payload<StampedNote>.self, from: try JSONEncoder().encode(StampedNote(id: 0)))
        let edit = cache.mutate(StampedNote.self, id: 1) {
            $0.title = "mine"
            $0.tags = ["mine"]
            $0.updatedAt = 1000
        } send: {
            let json = Data(#"{ "id": 1, "tags": ["server's"], "updatedAt": 500 }"#.utf8)
            return try JSONDecoder().decode(Payload<StampedNote>.self, from: json)
        }
        let expected = StampedNote(id: 1, title: "mine", updatedAt: 500, tags: ["server's"])
        #expect(try await edit.value.value == expected)
        #expect(cache.note() == expected)
    }

    @Test("A removed entity leaves nothing with which the next one is merged")
    func removedAfterwards() async throws {
        cache.set(StampedNote(id: 1, updatedAt: 100))
        for removal in 0..<4 {
            cache.set(StampedNote(id: 1, updatedAt: 100))
            try await cache.mutate(StampedNote.self, id: 1) {
                $0.updatedAt = 1000
            } send: {
            }.value
            switch removal {
            case 0: cache.remove(StampedNote.self, id: 1)
            case 1: cache.removeAll(of: StampedNote.self)
            case 2: cache.transaction { _ = cache.remove(StampedNote.self, id: 1) }
            default: cache.removeAll()
            }
            cache.insertIfAbsent(StampedNote(id: 1, title: "new", updatedAt: 300))
            #expect(!cache.set(StampedNote(id: 1, title: "old", updatedAt: 200)), "\(removal)")
        }
    }
}
