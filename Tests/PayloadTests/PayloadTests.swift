import FlatCache
import Foundation
import Testing

@Suite("Payloads")
struct PayloadTests {
    private let cache = FlatCache()

    private func decode<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    @Test("A nested entity is stored, and its identifier takes its place")
    func nested() throws {
        let payload = try decode(
            Story.self,
            """
            {"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "editorID": {"id": 8, "name": "E"},
             "remarks": ["r1", {"id": "r2", "text": "T", "writer": null, "replies": [{"id": "r3", "text": "U"}]}]}
            """
        )
        #expect(payload.problems.isEmpty)
        let stored = cache.store(payload)
        let article = Story(id: "1", title: "A", writerID: 7, editorID: 8, remarkIDs: ["r1", "r2"])
        #expect(stored.value == article)
        #expect(stored.problems.isEmpty)
        #expect(cache.get(Writer.self, id: 7) == Writer(id: 7, name: "W"))
        #expect(cache.get(Writer.self, id: 8) == Writer(id: 8, name: "E"))
        #expect(cache.get(Remark.self, id: "r2") == Remark(id: "r2", text: "T", writerID: nil, replyIDs: ["r3"]))
        #expect(cache.get(Remark.self, id: "r3")?.text == "U")
        #expect(cache.get(Remark.self, id: "r1") == nil)
        #expect(stored.ids(of: Remark.self) == ["r3", "r2"])
    }

    @Test("P1: An entity beside its identifier is stored, and the property's key has the identifier")
    func besideIdentifiers() throws {
        let payload = try decode(
            [Story].self,
            """
            [{"id": "1", "title": "A", "writerID": 7, "writer": {"id": 7, "name": "W"},
              "editorId": null, "editor": {"id": 8, "name": "E", "bio": 5},
              "remarkIDs": ["r1"], "remarks": [{"id": "r1", "text": "T"}, {"id": "r2"}, "r3", 5, {"text": "U"}]},
             {"id": "2", "title": "B", "writerID": {"id": 9, "name": "X"}, "writer": "Ada", "remarks": []}]
            """
        )
        let stored = cache.store(payload)
        #expect(
            stored.value == [
                Story(id: "1", title: "A", writerID: 7, remarkIDs: ["r1"]),
                Story(id: "2", title: "B", writerID: 9, remarkIDs: []),
            ]
        )
        #expect(cache.get(Writer.self, ids: [7, 8, 9]).map(\.name) == ["W", "X"])
        #expect(cache.get(Remark.self, ids: ["r1", "r2"]).map(\.text) == ["T"])
        #expect(
            stored.problems.map(\.description) == [
                "[0].editor.bio: can't read Writer: Expected to decode String but found number instead.",
                "[0].remarks[1]: Remark isn't stored, and the payload leaves out text",
            ]
        )
    }

    @Test("P1: Entities nested in an entity that can't be read are stored")
    func insideBroken() throws {
        let payload = try decode(
            [Story].self,
            """
            [{"id": "1", "title": 5, "writer": {"id": 7, "name": "W"}, "editor": {"id": 8, "name": 5},
              "remarks": [{"id": "r1", "text": 5, "replies": [{"id": "r2", "text": "T"}]}, "r3"]},
             {"title": "B", "writer": 9, "remarks": [{"id": "r4", "text": "U"}]},
             {"id": "3", "title": "C", "writer": {"id": 9, "name": 5}, "remarks": []}]
            """
        )
        let stored = cache.store(payload)
        #expect(stored.value?.map(\.id) == ["3"])
        #expect(cache.allValues(of: Writer.self) == [Writer(id: 7, name: "W")])
        #expect(Set(cache.allValues(of: Remark.self).map(\.id)) == ["r2", "r4"])
        #expect(
            Set(payload.problems.map { $0.description.prefix { $0 != ":" } }) == [
                "[0].editor.name", "[0].remarks[0].text", "[0].title", "[1].id", "[2].writer.name",
            ]
        )
        #expect(payload.problems.count == 5)
    }

    @Test("P1: Entities nested in an attempt that user code gives up aren't stored")
    func insideAttempt() throws {
        struct Attempt: Decodable {
            let isStory: Bool

            init(from decoder: any Decoder) throws {
                isStory = (try? decoder.singleValueContainer().decode(Story.self)) != nil
            }
        }
        let json = #"{"id": "1", "title": 5, "writer": {"id": 7, "name": "W"}, "editor": {"id": 8, "name": 5}}"#
        let stored = cache.store(try decode([Attempt].self, "[\(json), \(json)]"))
        #expect(stored.value?.map(\.isStory) == [false, false])
        #expect(cache.count == 0 && stored.problems.isEmpty)
    }

    @Test("Absent keeps, null clears, a value sets")
    func absent() throws {
        cache.set(Writer(id: 7, name: "W", bio: "B"))
        #expect(
            cache.store(try decode(Writer.self, #"{"id": 7, "name": "X"}"#)).value == Writer(id: 7, name: "X", bio: "B")
        )
        #expect(cache.store(try decode(Writer.self, #"{"id": 7, "name": "X", "bio": null}"#)).value?.bio == nil)
        cache.set(Writer(id: 7, name: "W", bio: "B"))
        let stored = cache.store(try decode(Writer.self, #"{"id": 7, "bio": "C"}"#))
        #expect(stored.value == Writer(id: 7, name: "W", bio: "C"))
        #expect(stored.problems.isEmpty)
        let missing = cache.store(try decode([Writer].self, #"[{"id": 9, "bio": "C"}, {"id": 7, "name": "N"}]"#))
        #expect(missing.value == [Writer(id: 7, name: "N", bio: "C")])
        #expect(missing.problems.map(\.description) == ["[0]: Writer isn't stored, and the payload leaves out name"])
        #expect(missing.problems.map(\.key) == [Writer.flatCacheKey(id: 9)])
    }

    @Test(
        "P2: Incomplete entities of one payload complete each other, in order",
        arguments: [
            (#"[{"id": 1, "bio": "x"}, {"id": 1, "name": "A"}]"#, "x"),
            (#"[{"id": 1, "bio": "x"}, {"id": 1, "bio": "y"}, {"id": 1, "name": "A"}]"#, "y"),
            (#"[{"id": 1, "bio": "x"}, {"id": 1, "name": "A", "bio": null}]"#, nil),
            (#"[{"id": 1, "name": "A"}, {"id": 1, "bio": "x"}]"#, "x"),
        ]
    )
    func complements(json: String, bio: String?) throws {
        let payload = try decode([Writer].self, json)
        for _ in 0..<2 {
            let stored = try cache.store(payload, strict: true)
            #expect(stored.value?.allSatisfy { $0 == Writer(id: 1, name: "A", bio: bio) } == true)
        }
        // Parts without a whole entity remain problems.
        let alone = cache.store(try decode([Writer].self, #"[{"id": 2, "bio": "x"}, {"id": 2, "bio": "y"}]"#))
        #expect(alone.problems.count == 2 && alone.value == [])
    }

    @Test("P2: Incomplete entities without a whole one make an entity together")
    func parts() throws {
        struct Part: Cachable, Codable, Equatable {
            let id: Int
            let a: Int
            let b: Int
            var c: Int?
        }
        cache.store(try decode(Part.self, #"{"id": 0, "a": 0, "b": 0, "c": 0}"#))
        let json = #"[{"id": 1, "a": 1, "c": 1}, {"id": 1, "c": null}, {"id": 1, "b": 2}, {"id": 1, "b": 3}]"#
        let stored = cache.store(try decode([Part].self, json))
        #expect(stored.problems.isEmpty && stored.value?.first == Part(id: 1, a: 1, b: 3, c: nil))
    }

    @Test("A constant that the payload leaves out is kept")
    func constants() throws {
        cache.set(Remark(id: "r", text: "T", writerID: 7, replyIDs: ["s"]))
        let stored = cache.store(try decode(Remark.self, #"{"id": "r", "text": "U"}"#))
        #expect(stored.value == Remark(id: "r", text: "U", writerID: 7, replyIDs: ["s"]))
        #expect(stored.problems.isEmpty)
    }

    @Test("A broken element costs only itself")
    func broken() throws {
        let payload = try decode(
            [Writer].self,
            #"[{"id": 1, "name": "A"}, {"id": 2, "name": 5}, 7, null, {"id": 3, "name": "C"}]"#
        )
        #expect(cache.store(payload).value == [Writer(id: 1, name: "A"), Writer(id: 3, name: "C")])
        #expect(payload.problems.map { $0.codingPath.first?.intValue } == [1, 2, 3])
        #expect(payload.problems.allSatisfy { $0.description.contains("can't read Writer") })
    }

    @Test("Entities are found in envelopes, dictionaries and optional values")
    func envelopes() throws {
        struct Page: Decodable, Equatable {
            let items: [Story]
            let byName: [String: Writer]
            let pinned: Story?
            let count: Int
        }
        let payload = try decode(
            Page.self,
            """
            {"items": [{"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "remarks": []}],
             "byName": {"x": {"id": 8, "name": "X"}, "y": {"id": 9}}, "pinned": null, "count": 3}
            """
        )
        let stored = cache.store(payload)
        #expect(stored.value?.items.map(\.writerID) == [7])
        #expect(stored.value?.byName == ["x": Writer(id: 8, name: "X")])
        #expect(cache.count(of: Writer.self) == 2)
        #expect(
            stored.problems.map(\.description) == ["byName.y: Writer isn't stored, and the payload leaves out name"]
        )
    }
}
