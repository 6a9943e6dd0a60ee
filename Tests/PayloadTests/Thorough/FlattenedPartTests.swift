import FlatCache
import Foundation
import Testing

/// Values whose `init(from:)` is called with the decoder of another value.
@Suite("Parts and entities of one object")
struct FlattenedPartTests {
    private let cache = FlatCache()

    /// A part with relationships, in the table that the plugin generates.
    struct Credits: Codable, Equatable, Sendable, FlatCache.PayloadOwner {
        var note: String?
        var writerID: Writer.ID?
        var readerIDs: [Writer.ID]?

        enum CodingKeys: CodingKey { case note, writerID, readerIDs }

        static var payloadKeys: [_PayloadKey] {
            [
                .init("writerID", to: Writer.self, "writerId", "writer"),
                .init("readerIDs", to: Writer.self, "readerIds", "readers"),
            ]
        }
    }

    struct Book: Cachable, Codable, Equatable {
        let id: Int
        var credits: Credits
        var pages: Int

        enum CodingKeys: CodingKey { case id, pages }

        init(from decoder: any Decoder) throws {
            let book = try decoder.container(keyedBy: CodingKeys.self)
            id = try book.decode(Int.self, forKey: .id)
            credits = try Credits(from: decoder)
            pages = try book.decode(Int.self, forKey: .pages)
        }

        func encode(to encoder: any Encoder) throws {
            var book = encoder.container(keyedBy: CodingKeys.self)
            try book.encode(id, forKey: .id)
            try book.encode(pages, forKey: .pages)
            try credits.encode(to: encoder)
        }
    }

    struct Envelope: Decodable, Sendable {
        let credits: Credits

        init(from decoder: any Decoder) throws { credits = try Credits(from: decoder) }
    }

    struct Change: Decodable, EntityPatch {
        let id: Int
        let credits: Credits

        enum CodingKeys: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
            credits = try Credits(from: decoder)
        }

        func apply(to book: inout Book) { book.credits = credits }
    }

    private static let members = #""writer": {"id": 5, "name": "W"}, "readers": [{"id": 6, "name": "R"}, 7]"#
    private static let expected = Credits(note: nil, writerID: 5, readerIDs: [6, 7])

    private func store<Root: Decodable>(_ type: Root.Type, _ json: String) throws -> StoredPayload<Root> {
        let stored = cache.store(try decode(Payload<Root>.self, json))
        #expect(stored.problems.map(\.description) == [])
        return stored
    }

    @Test("A part that is decoded from the object of an entity reads its relationships")
    func parts() throws {
        let stored = try store([Book].self, #"[{"id": 1, "pages": 3, \#(Self.members)}]"#)
        #expect(stored.value?.first?.credits == Self.expected)
        #expect(Set(cache.allValues(of: Writer.self).map(\.id)) == [5, 6])
        let own = try store([Book].self, #"[{"id": 2, "pages": 3, "writerID": {"id": 8, "name": "X"}}]"#)
        #expect(own.value?.first?.credits.writerID == 8)
        #expect(cache.get(Writer.self, id: 8)?.name == "X")
    }

    @Test("So do parts of structures around entities, and of patches")
    func partsOfOthers() throws {
        #expect(try store(Envelope.self, "{\(Self.members)}").value?.credits == Self.expected)
        cache.store(try decode(Payload<[Book]>.self, #"[{"id": 1, "pages": 3}]"#))
        _ = try store([Change].self, #"[{"id": 1, \#(Self.members)}]"#)
        #expect(cache.get(Book.self, id: 1)?.credits == Self.expected)
        #expect(Set(cache.allValues(of: Writer.self).map(\.id)) == [5, 6])
    }

    @Test("An incomplete entity keeps its stored members, and reads the relationships of its part")
    func incomplete() throws {
        _ = try store([Book].self, #"[{"id": 1, "pages": 3, "note": "n", "writerID": 1}]"#)
        _ = try store([Book].self, #"[{"id": 1, "writer": {"id": 5, "name": "W"}}]"#)
        let book = try #require(cache.get(Book.self, id: 1))
        #expect(book.pages == 3)
        #expect(book.credits == Credits(note: "n", writerID: 5))
        #expect(cache.get(Writer.self, id: 5)?.name == "W")
    }

    /// An entity whose keys have a name of their own.
    struct Film: Cachable, Decodable, Equatable {
        let id: Int
        var title: String

        enum Members: CodingKey { case id, title }

        init(from decoder: any Decoder) throws {
            let film = try decoder.container(keyedBy: Members.self)
            id = try film.decode(Int.self, forKey: .id)
            title = try film.decode(String.self, forKey: .title)
        }
    }

    struct Wrapped<Entity: Cachable & Decodable>: Decodable, Sendable {
        let entity: Entity

        init(from decoder: any Decoder) throws { entity = try Entity(from: decoder) }
    }

    @Test("An entity that is decoded from the object of another value is found by its keys")
    func unions() throws {
        _ = try store([Wrapped<Film>].self, #"[{"id": 1, "title": "T"}]"#)
        _ = try store([Wrapped<Writer>].self, #"[{"id": 1, "name": "N"}]"#)
        #expect(cache.count(of: Film.self) == 1 && cache.count(of: Writer.self) == 1)
    }

    /// A structure that uses keys which an entity declares.
    struct FilmPage: Decodable, Sendable {
        let films: [Film]
        let titles: [String]

        init(from decoder: any Decoder) throws {
            let page = try decoder.container(keyedBy: Film.PageKeys.self)
            films = try page.decode([Film].self, forKey: .films)
            titles = try page.decode([String].self, forKey: .titles)
        }
    }

    @Test("A structure that uses keys of an entity is not an entity")
    func borrowedKeys() throws {
        let stored = try store(
            FilmPage.self,
            #"{"films": [{"id": 1, "title": "T"}, {"id": 2, "title": "U"}], "titles": ["x"]}"#
        )
        #expect(stored.value?.films.count == 2)
        #expect(cache.count(of: Film.self) == 2)
        #expect(stored.ids(of: Film.self) == [1, 2])
    }
}

extension FlattenedPartTests.Film {
    enum PageKeys: CodingKey { case films, titles }
}
