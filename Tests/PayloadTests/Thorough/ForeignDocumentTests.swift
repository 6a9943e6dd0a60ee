import FlatCache
import Foundation
import Testing

@Suite("Documents of other decoders")
struct ForeignDocumentTests {
    private let cache = FlatCache()

    private func decode<Root: Decodable>(_ type: Root.Type, _ json: String, _ advancesOnFailure: Bool) throws -> Root {
        let value = try JSONDecoder().decode(JSONAPI.Value.self, from: Data(json.utf8))
        return try TreeDecoder.decode(type, Tree(value), advancesOnFailure: advancesOnFailure)
    }

    @Test("A document of another decoder is read", arguments: [false, true])
    func document(advancesOnFailure: Bool) throws {
        let json = """
            {"data": [5, {"type": "articles", "id": "1", "attributes": {"title": "A"}, "relationships": {
               "author": {"data": {"type": "people", "lid": "l"}},
               "comments": {"data": [5, {"type": "ads", "id": "1"},
                 {"type": "comments", "id": "00000000-0000-0000-0000-00000000000A"}]}}}],
             "included": [null, {"type": "people", "id": "9", "lid": "l", "attributes": {"first-name": "P"}}],
             "links": {"self": "/a", "next": {"href": "/b", "hreflang": ["en"]}}}
            """
        let document = try decode(JSONAPI.Document<[Article], Person>.self, json, advancesOnFailure)
        let stored = cache.store(document)
        #expect(stored.value?.map(\.authorID) == ["9"])
        #expect(stored.value?.first?.commentIDs?.count == 1)
        #expect(cache.get(Person.self, id: "9")?.firstName == "P")
        #expect(document.links["next"]?.languages == ["en"])
        let paths = document.problems.map { String($0.description.prefix { $0 != ":" }) }
        let comments = "data[1].relationships.comments.data"
        #expect(Set(paths) == ["data[0]", "\(comments)[0]", "\(comments)[0]", "included[0]"])
        #expect(document.problems.count == 4)
    }

    @Test("An attribute with an identifier and its relationship are one link", arguments: [false, true])
    func linkBesideAttribute(advancesOnFailure: Bool) throws {
        let json = """
            {"data": [{"type": "articles", "id": "1", "attributes": {"title": "A", "author-id": "8", "comment-ids": []},
               "relationships": {"author": {"data": {"type": "people", "id": "9"}},
                 "comments": {"data": [{"type": "comments", "id": "00000000-0000-0000-0000-00000000000A"}]}}}]}
            """
        typealias Document = JSONAPI.Document<[Article], Person>
        let documents = [
            try decode(Document.self, json, advancesOnFailure),
            try JSONDecoder().decode(Document.self, from: Data(json.utf8)),
        ]
        for document in documents {
            let stored = cache.store(document)
            #expect(stored.problems.map(\.description) == [])
            #expect(stored.value?.map(\.authorID) == ["9"])
            #expect(cache.count == 1)
        }
    }

    @Test("A flat payload of another decoder is read", arguments: [false, true])
    func flat(advancesOnFailure: Bool) throws {
        let json = """
            {"writers": [5, {"id": 7, "name": "W"}, null], "remarks": {"r": {"text": "T", "replies": []}, "s": 5}, "x": 1}
            """
        let flat = try decode(FlatPayload<Writer, Remark>.self, json, advancesOnFailure)
        let stored = cache.store(flat)
        #expect(stored.ids(of: Writer.self) == [7])
        #expect(stored.ids(of: Remark.self) == ["r"])
        #expect(flat.unknownNames == ["x"])
        #expect(flat.problems.count == 3)
    }
}

extension Tree {
    fileprivate init(_ value: JSONAPI.Value) {
        self =
            switch value {
            case .null: .null
            case .boolean(let value): .bool(value)
            case .integer(let value): .number(Double(value))
            case .number(let value): .number(value)
            case .string(let value): .text(value)
            case .array(let values): .array(values.map { Tree($0) })
            case .object(let members): .object(members.mapValues { Tree($0) })
            }
    }
}
