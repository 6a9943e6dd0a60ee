import FlatCache
import Foundation
import Testing

/// Values that could be lost in code between a payload and its entities.
@Suite("Losses inside user code")
struct PayloadLossTests {
    private let cache = FlatCache()

    /// A page that ignores the errors of its stories.
    private struct LenientPage: Decodable {
        let stories: [Story]?
        let count: Int

        init(from decoder: any Decoder) throws {
            let page = try decoder.container(keyedBy: CodingKeys.self)
            stories = try? page.decode([Story].self, forKey: .stories)
            count = try page.decode(Int.self, forKey: .count)
        }

        enum CodingKeys: CodingKey { case stories, count }
    }

    @Test("Strict decoding throws the first problem, also of a value whose errors user code ignores")
    func strictInsideAttempts() throws {
        let json = #"{"count": 1, "stories": [{"id": "1", "title": 5}, {"id": 2}]}"#
        let lenient = try decode(Payload<LenientPage>.self, json)
        let strict = #expect(throws: PayloadProblem.self) {
            try decode(Payload<LenientPage>.self, json) { $0.userInfo[.isStrictPayload] = true }
        }
        #expect(strict?.description == lenient.problems.first?.description)
        #expect(lenient.problems.count == 2)
    }

    @Test("Strict decoding of a root that can't be read throws the first problem, or the error of the root")
    func strictRoot() throws {
        let broken = #"{"stories": [{"id": "1", "title": 5}], "count": "x"}"#
        let problem = #expect(throws: PayloadProblem.self) {
            try decode(Payload<LenientPage>.self, broken) { $0.userInfo[.isStrictPayload] = true }
        }
        #expect(problem?.codingPath.map(\.stringValue) == ["stories", "Index 0", "title"])
        #expect(throws: DecodingError.self) {
            try decode(Payload<LenientPage>.self, #"{"count": "x"}"#) { $0.userInfo[.isStrictPayload] = true }
        }
    }

    @Test("A structure at the root that can't be read is a problem, and the entities in it are stored")
    func failedRoot() throws {
        struct Page: Decodable, Sendable {
            let writers: [Writer]
            let next: Next
            let editor: Writer?

            struct Next: Decodable, Sendable { let url: String }
        }
        let json = #"{"writers": [{"id": 1, "name": "A"}], "next": {"url": 5}, "editor": {"id": 2, "name": "B"}}"#
        let stored = cache.store(try decode(Payload<Page>.self, json))
        #expect(stored.value == nil)
        #expect(stored.problems.map { $0.codingPath.map(\.stringValue) } == [["next", "url"]])
        #expect(stored.ids(of: Writer.self) == [1])
        #expect(cache.count == 1)
        #expect(throws: DecodingError.self, "nothing was found before") {
            try decode(Payload<Page>.self, #"{"writers": 5, "next": {"url": "/"}}"#)
        }
    }

    /// An entity that contains another one as a value.
    struct Issue: Cachable, Decodable, Equatable {
        let id: Int
        let number: Int
        let cover: Picture?
        let letters: [Writer]
        let storyID: Story.ID
    }

    @Test("The entities in the values of an unreadable entity are stored")
    func valuesAfterTheFailure() throws {
        let whole = #"""
            {"id": 1, "number": 1, "cover": {"id": 1, "address": "/"}, "letters": [], "storyID": "1"}
            """#
        let json = #"""
            [\#(whole),
             {"id": 2, "number": "two", "cover": {"id": 2, "address": "/2"}, "letters": [{"id": 7, "name": "W"}, {"id": 8}],
              "storyID": {"id": "5"}}]
            """#
        let stored = cache.store(try decode(Payload<[Issue]>.self, json))
        #expect(stored.value?.map(\.id) == [1])
        #expect(cache.get(Picture.self, id: 2)?.address == "/2")
        #expect(cache.get(Writer.self, id: 7)?.name == "W")
        let problems = stored.problems.map(\.description)
        #expect(problems.count == 2 && problems[0].hasPrefix("[1].number: can't read Issue"))
        #expect(problems.last == "[1].letters[1]: Writer isn't stored, and the payload leaves out name")
    }

    /// A property wrapper that decodes its value by itself.
    @propertyWrapper struct Plain<Value: Decodable & Equatable & Sendable>: Decodable, Equatable, Sendable {
        var wrappedValue: Value

        init(wrappedValue: Value) {
            self.wrappedValue = wrappedValue
        }

        init(from decoder: any Decoder) throws {
            wrappedValue = try decoder.singleValueContainer().decode(Value.self)
        }
    }

    struct Column: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        @Plain var writerID: Writer.ID
        @Plain var editorIDs: [Writer.ID]
        @Plain var guestID: Writer.ID?

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("writerID", \.writerID, Writer.self, "writer"),
                .init("editorIDs", \.editorIDs, Writer.self, "editors"),
                .init("guestID", \.guestID, Writer.self, "guest"),
            ]
        }
    }

    @Test("Wrapped identifiers accept entities in their place")
    func wrappers() throws {
        let json = #"""
            [{"id": "1", "writer": {"id": 1, "name": "A"}, "editorIDs": [2, {"id": 3, "name": "C"}], "guestID": null},
             {"id": "2", "writerID": 4, "editors": [{"id": 5, "name": "E"}], "guest": {"id": 6, "name": "F"}}]
            """#
        let stored = cache.store(try decode(Payload<[Column]>.self, json))
        #expect(stored.problems.map(\.description) == [])
        let columns = try #require(stored.value)
        #expect(columns.map(\.writerID) == [1, 4] && columns.map(\.editorIDs) == [[2, 3], [5]])
        #expect(columns.map(\.guestID) == [nil, 6])
        #expect(Set(cache.allValues(of: Writer.self).map(\.id)) == [1, 3, 5, 6])
    }

    /// An entity whose `init(from:)` decodes its identifiers from decoders.
    struct Letter: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        let writerID: Writer.ID
        let readerIDs: [Writer.ID]

        init(from decoder: any Decoder) throws {
            let letter = try decoder.container(keyedBy: CodingKeys.self)
            id = try letter.decode(String.self, forKey: .id)
            writerID = try letter.superDecoder(forKey: .writerID).singleValueContainer().decode(Int.self)
            var readers = try letter.superDecoder(forKey: .readerIDs).unkeyedContainer()
            var ids: [Int] = []
            while !readers.isAtEnd { ids.append(try readers.decode(Int.self)) }
            readerIDs = ids
        }

        enum CodingKeys: CodingKey { case id, writerID, readerIDs }

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("writerID", \.writerID, Writer.self, "writer"),
                .init("readerIDs", \.readerIDs, Writer.self, "readers"),
            ]
        }
    }

    @Test("Decoders of relationships accept entities in place of identifiers")
    func superDecoders() throws {
        let json = #"{"id": "1", "writer": {"id": 1, "name": "A"}, "readerIDs": [2, {"id": 3, "name": "C"}]}"#
        let stored = cache.store(try decode(Payload<Letter>.self, json))
        #expect(stored.problems.map(\.description) == [])
        #expect(stored.value?.writerID == 1 && stored.value?.readerIDs == [2, 3])
        #expect(Set(cache.allValues(of: Writer.self).map(\.id)) == [1, 3])
    }

    @Test("S2: An older response doesn't replace the changes of the transaction around its storing")
    func ownChanges() throws {
        cache.set(contentsOf: [
            Writer(id: 1, name: "old", bio: "B"), Writer(id: 2, name: "old"), Writer(id: 3, name: "old"),
        ])
        let revision = cache.revision()
        let json = #"""
            [{"id": 1, "name": "response"}, {"id": 2, "name": "response"}, {"id": 3, "bio": "first"},
             {"id": 3, "name": "second"}, {"id": 4, "name": "response"}]
            """#
        let payload = try decode(Payload<[Writer]>.self, json)
        cache.transaction {
            cache.set(Writer(id: 1, name: "own", bio: "own"))
            cache.remove(Writer.self, id: 2)
            cache.store(payload, since: revision)
        }
        #expect(
            cache.allValues(of: Writer.self).sorted { $0.id < $1.id } == [
                Writer(id: 1, name: "own", bio: "own"), Writer(id: 3, name: "second", bio: "first"),
                Writer(id: 4, name: "response"),
            ]
        )
        cache.transaction {
            cache.removeAll(of: Writer.self)
            cache.store(payload, since: cache.revision())
        }
        #expect(cache.allValues(of: Writer.self).isEmpty)
    }
}
