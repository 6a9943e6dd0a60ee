import FlatCache
import Foundation
import Synchronization
import Testing

@Suite("Payloads of types with a merge")
struct PayloadMergeTests {
    private let cache = FlatCache()

    struct Note: Cachable, Codable, Equatable {
        let id: Int
        var version: Int?
        var text: String
        var isRead: Bool?
        var tagIDs: [String]?

        static let merge: Merge<Note> = .newest(by: \.version).then(.union(of: \.tagIDs))
    }

    private func decode<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    private func note(_ id: Int = 1) -> Note? { cache.get(Note.self, id: id) }

    init() throws {
        // Without a table, the keys are learnt from a complete entity.
        cache.store(
            try decode(Note.self, #"{"id": 0, "version": 1, "text": "", "isRead": true, "tagIDs": ["a"]}"#)
        )
    }

    @Test("Absent properties are filled first, and then the entity is merged")
    func order() throws {
        cache.set(Note(id: 1, version: 2, text: "old", isRead: true, tagIDs: ["a"]))
        // The stamp is absent, so the stored one is filled in and is equal.
        let stored = cache.store(try decode(Note.self, #"{"id": 1, "text": "new", "tagIDs": ["b"]}"#))
        #expect(stored.value == Note(id: 1, version: 2, text: "new", isRead: true, tagIDs: ["a", "b"]))
        #expect(stored.problems.isEmpty)
    }

    @Test("An outdated entity changes nothing, notifies nobody and is no problem")
    func outdated() throws {
        cache.set(Note(id: 1, version: 2, text: "new"))
        let notified = Mutex(0)
        let subscription = cache.observe(Note.self, id: 1, initial: false) { _ in notified.withLock { $0 += 1 } }
        let stored = cache.store(try decode([Note].self, #"[{"id": 1, "version": 1, "text": "old"}]"#))
        #expect(stored.value == [Note(id: 1, version: 2, text: "new")])
        #expect(stored.problems.isEmpty && notified.withLock { $0 } == 0)
        let incomplete = cache.store(try decode([Note].self, #"[{"id": 1, "version": 1}]"#))
        #expect(incomplete.problems.isEmpty && note()?.version == 2)
        subscription.cancel()
    }

    @Test("One entity several times in a payload is merged in order")
    func several() throws {
        let stored = cache.store(
            try decode(
                [Note].self,
                """
                [{"id": 1, "version": 2, "text": "2", "tagIDs": ["a"]}, {"id": 1, "version": 1, "text": "1"},
                 {"id": 1, "isRead": true, "tagIDs": ["b"]}]
                """
            )
        )
        #expect(note() == Note(id: 1, version: 2, text: "2", isRead: true, tagIDs: ["a", "b"]))
        #expect(stored.problems.isEmpty)
    }

    @Test("S2: Storing in a transaction sees its writes, and is undone with it")
    func transactions() throws {
        struct Undo: Error {}
        let partial = try decode([Note].self, #"[{"id": 1, "text": "p"}, {"id": 2, "version": 5}]"#)
        cache.transaction {
            cache.set(Note(id: 1, version: 3, text: "t", isRead: true))
            let stored = cache.store(partial)
            #expect(stored.value == [Note(id: 1, version: 3, text: "p", isRead: true)])
            #expect(stored.problems.map(\.description) == ["[1]: Note isn't stored, and the payload leaves out text"])
        }
        #expect(note()?.text == "p")
        let second = try decode([Note].self, #"[{"id": 1, "text": "q"}]"#)
        #expect(throws: Undo.self) {
            try cache.transaction {
                #expect(cache.store(second).value?.first?.text == "q")
                throw Undo()
            }
        }
        #expect(note()?.text == "p")
    }

    @Test("S2: Strict storing throws for an incomplete entity and stores nothing")
    func strict() throws {
        let payload = try decode([Note].self, #"[{"id": 1, "text": "a"}, {"id": 2, "version": 5}]"#)
        #expect(throws: PayloadProblem.self) { try cache.store(payload, strict: true) }
        #expect(note(1) == nil)
        cache.set(Note(id: 2, text: "b"))
        #expect(try cache.store(payload, strict: true).value?.count == 2)
        #expect(note(2) == Note(id: 2, version: 5, text: "b"))
    }

    @Test("P1: A payload beside writers keeps their newest values and merges them")
    func concurrent() async throws {
        cache.set(Note(id: 1, version: 0, text: "", tagIDs: []))
        let cache = cache
        let payload = try decode([Note].self, #"[{"id": 1, "text": "p", "tagIDs": ["p"]}, {"id": 9}]"#)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    for round in 0..<200 {
                        cache.update(Note.self, id: 1) {
                            $0.version = ($0.version ?? 0) + 1
                            $0.tagIDs = ($0.tagIDs ?? []) + ["\(writer)-\(round)"]
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<200 { #expect(cache.store(payload).problems.count == 1) }
            }
        }
        #expect(note()?.version == 400)
        #expect(Set(note()?.tagIDs ?? []).count == 401)
    }
}
