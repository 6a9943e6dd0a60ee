import Foundation
import Testing

@testable import FlatCache

@Suite("Generated tables of keys")
struct PayloadKeyTests {
    private var draft: Draft {
        get throws {
            let json = #"""
                {
                    "id": "1", "text": "Hello", "views": 3, "favourites_count": 4, "keywords": null, "secret": {"a": 1},
                    "writerID": "w", "in_reply_to_id": "2", "reader_ids": ["r"], "trace \"id\"": "t"
                }
                """#
            return try JSONDecoder().decode(Draft.self, from: Data(json.utf8))
        }
    }

    @Test("The keys are those that init(from:) reads, in the order of the properties")
    func names() throws {
        var names = [
            "id", "text", "views", "favourites_count", "keywords", "secret", "writerID", "in_reply_to_id", "reader_ids",
        ]
        #if DEBUG
        names.append("trace \"id\"")
        #endif
        #expect(Draft.payloadKeys.filter { !$0.isLocal }.map(\.name) == names)
        let encoded = try JSONEncoder().encode(draft)
        let object = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        #expect(Set(object.keys) == Set(names))
    }

    @Test("Each key leads to the value of its property, and says its type")
    func values() throws {
        let draft = try draft
        func key(_ name: String) throws -> PayloadProperty<Draft> {
            try #require(Draft.payloadKeys.first { $0.name == name }).property
        }
        #expect(try key("text").value(of: draft) as? String == "Hello")
        #expect(try key("keywords").value(of: draft) as? [String] == [])
        #expect(try key("secret").value(of: draft) == nil)
        #expect(try key("secret").valueType == [String: Int]?.self)
        #expect(try key("favourites_count").valueType == Int?.self)
        #expect(try key("keywords").valueType == Listed.self)
    }

    @Test("Variables can be set by their keys, and constants and private properties can't")
    func copies() throws {
        let draft = try draft
        var other = draft
        other.text = nil
        other.inReplyTo = nil
        other.keywords = ["a"]
        let set = Set(Draft.payloadKeys.filter { $0.property.copy(from: draft, to: &other) }.map(\.name))
        #expect(set.isSuperset(of: ["text", "keywords", "in_reply_to_id", "reader_ids"]))
        #expect(set.isDisjoint(with: ["id", "secret", "writerID"]))
        #expect(other == draft)
    }

    @Test("P1: Related entities are read at the alternatives of generated tables, and all else is kept")
    func payload() throws {
        let cache = FlatCache()
        let draft = try draft
        cache.set(draft)
        cache.update(Draft.self, id: "1") { $0.isExpanded = true }
        let json = #"""
            {
                "id": "1", "text": null, "writer": {"id": "x", "name": "Ada"},
                "replied_to": {"id": "3", "views": 1, "keywords": [], "writerID": "x"}, "readers": ["y", {"id": "z", "name": "Bob"}]
            }
            """#
        let payload = try JSONDecoder().decode(Payload<Draft>.self, from: Data(json.utf8))
        #expect(payload.problems.isEmpty)
        #expect(cache.store(payload).problems.isEmpty)
        let stored = try #require(cache.get(Draft.self, id: "1"))
        #expect(
            stored.text == nil && stored.writerID == "x" && stored.inReplyTo == "3" && stored.readerIDs == ["y", "z"]
        )
        #expect(stored.isExpanded)
        #expect(stored.views == 3 && stored.likes == 4 && stored.writer(in: cache)?.name == "Ada")
        #expect(stored.repliedTo(in: cache)?.views == 1 && cache.count(of: Writer.self) == 2)
        let encoded = String(decoding: try JSONEncoder().encode(stored), as: UTF8.self)
        #expect(encoded.contains(#""secret":{"a":1}"#))
    }

    @Test("A relationship has its own key and its alternatives")
    func relations() throws {
        let relations = Draft.payloadKeys.compactMap(\.relation)
        #expect(
            relations.map(\.names) == [
                ["writerID", "writerId", "writer"], ["in_reply_to_id", "repliedTo", "replied_to", "in_reply_to"],
                ["reader_ids", "readers"],
            ]
        )
    }
}
