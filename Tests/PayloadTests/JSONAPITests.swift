import FlatCache
import Foundation
import Testing

@Suite("JSON:API documents")
struct JSONAPITests {
    private typealias Page = JSONAPI.Document<[Article], Person, Note>
    private typealias One = JSONAPI.Document<Article, Person, Note>

    private let cache = FlatCache()
    private static let note = UUID(uuidString: "00000000-0000-0000-0000-00000000000A")
    private static let noteID = "00000000-0000-0000-0000-00000000000A"

    private static let document = """
        {"jsonapi": {"version": "1.1", "ext": ["https://example.com/e"], "profile": [], "meta": {"a": 1}},
         "links": {"self": "/articles", "prev": null, "next": {"href": "/articles?page=2", "rel": "next",
           "describedby": {"href": "/schema", "hreflang": ["en", "de"]}, "title": "N", "type": "text/html",
           "hreflang": "en", "meta": {"count": 10}}},
         "meta": {"total_count": 12, "ratio": 0.5, "flags": [true, null, "x"]},
         "data": [{"type": "articles", "id": "1", "attributes": {"title": "A", "createdAt": 0},
           "relationships": {"author": {"links": {"related": "/articles/1/author"},
                                        "data": {"type": "people", "id": "9"}},
                             "comments": {"data": [{"type": "comments", "id": "\(noteID)"}]}},
           "links": {"self": "/articles/1"}, "meta": {"hint": "H"}}],
         "included": [{"type": "people", "id": "9", "attributes": {"firstName": "D"},
             "relationships": {"favoriteArticle": {"data": {"type": "articles", "id": "1"}}}},
           {"type": "comments", "id": "\(noteID)", "attributes": {"body": "B"},
             "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}]}
        """

    @Test("Attributes and linkage are the members of entities, and included resources are stored with them")
    func compound() throws {
        let document = try decode(Page.self, Self.document)
        #expect(document.problems.map(\.description) == [])
        #expect(document.unknownTypes == [])
        let stored = cache.store(document)
        let note = try #require(Self.note)
        let article = try #require(stored.value?.first)
        #expect(stored.value?.count == 1)
        #expect(article.id == 1)
        #expect(article.type == "articles")
        #expect(article.title == "A")
        #expect(article.createdAt == Date(timeIntervalSinceReferenceDate: 0))
        #expect(article.authorID == "9")
        #expect(article.commentIDs == [note])
        #expect(article.meta?["hint"] == .string("H"))
        #expect(article.links?["self"]?.href == "/articles/1")
        #expect(cache.get(Person.self, id: "9") == Person(id: "9", firstName: "D", favoriteArticleID: 1))
        #expect(cache.get(Note.self, id: note) == Note(id: note, body: "B", author: "9"))
        #expect(stored.problems.isEmpty)
        #expect(document.identifiers.map(\.id) == ["1"])
    }

    @Test("The links, the meta information and the version of a document are available")
    func topLevel() throws {
        let document = try decode(Page.self, Self.document)
        #expect(document.links["self"]?.href == "/articles")
        #expect(document.links["prev"] == nil)
        #expect(Set(document.links.byName.keys) == ["self", "next"])
        let next = try #require(document.links["next"])
        #expect(next.href == "/articles?page=2")
        #expect(next.rel == "next")
        #expect(next.title == "N")
        #expect(next.type == "text/html")
        #expect(next.languages == ["en"])
        #expect(next.meta?["count"]?.integer == 10)
        #expect(next.describedBy?.href == "/schema")
        #expect(next.describedBy?.languages == ["en", "de"])
        #expect(document.meta?["total_count"]?.integer == 12)
        #expect(document.meta?["ratio"]?.number == 0.5)
        #expect(document.meta?["flags"]?[0]?.boolean == true)
        #expect(document.meta?["flags"]?[1] == .null)
        #expect(document.meta?["flags"]?[2]?.string == "x")
        #expect(document.jsonapi?.version == "1.1")
        #expect(document.jsonapi?.ext == ["https://example.com/e"])
        #expect(document.jsonapi?.meta?["a"]?.integer == 1)
    }

    @Test("Links, meta information and identifications survive coding")
    func coding() throws {
        let document = try decode(Page.self, Self.document)
        let links = try JSONDecoder().decode(JSONAPI.Links.self, from: JSONEncoder().encode(document.links))
        #expect(links == document.links)
        let meta = try JSONDecoder().decode(JSONAPI.Value.self, from: JSONEncoder().encode(document.meta))
        #expect(meta == document.meta)
        let data = try JSONEncoder().encode(document.identifiers)
        #expect(try JSONDecoder().decode([JSONAPI.Identifier].self, from: data) == document.identifiers)
    }

    @Test("Primary data is one resource, an optional one, or an array")
    func primary() throws {
        let one = #"{"data": {"type": "articles", "id": "1", "attributes": {"title": "A"}}}"#
        #expect(cache.store(try decode(One.self, one)).value?.title == "A")
        let optional = cache.store(try decode(JSONAPI.Document<Article?>.self, one)).value
        #expect(optional??.title == "A")
        let null = cache.store(try decode(JSONAPI.Document<Article?>.self, #"{"data": null}"#)).value
        #expect(null == .some(nil))
        #expect(cache.store(try decode(Page.self, #"{"data": []}"#)).value == [])
        #expect(cache.store(try decode(One.self, #"{"meta": {}}"#)).value == nil)
        #expect(throws: DecodingError.self) { try decode(One.self, #"{"data": null}"#) }
        #expect(throws: DecodingError.self) { try decode(One.self, "{}") }
        #expect(throws: DecodingError.self) { try decode(JSONAPI.Document<String>.self, one) }
        #expect(throws: DecodingError.self) { try decode(JSONAPI.Document<[String]>.self, one) }
    }

    @Test("A relationship without data keeps, null and an empty array clear")
    func clearing() throws {
        let note = try #require(Self.note)
        func decodeWith(_ relationships: String) throws -> StoredPayload<Article> {
            cache.set(Article(id: 1, title: "A", authorID: "9", commentIDs: [note]))
            let json = #"{"data": {"type": "articles", "id": "1", "relationships": {\#(relationships)}}}"#
            return cache.store(try decode(One.self, json))
        }
        let kept = try decodeWith(#""author": {"links": {"related": "/a"}}, "comments": {"meta": {}}"#)
        #expect(kept.value?.authorID == "9")
        #expect(kept.value?.commentIDs == [note])
        #expect(kept.problems.isEmpty)
        let cleared = try decodeWith(#""author": {"data": null}, "comments": {"data": []}"#)
        #expect(cleared.value?.authorID == nil)
        #expect(cleared.value?.commentIDs == [])
        #expect(cleared.problems.isEmpty)
    }

    @Test("A sparse resource keeps the attributes that it leaves out")
    func sparse() throws {
        cache.set(Article(id: 1, title: "A", authorID: "9"))
        let json =
            #"{"data": [{"type": "articles", "id": "1", "attributes": {"createdAt": 0}},"#
            + #"{"type": "articles", "id": "2", "attributes": {"createdAt": 0}}]}"#
        let stored = cache.store(try decode(Page.self, json))
        #expect(stored.value?.map(\.title) == ["A"])
        #expect(stored.value?.first?.authorID == "9")
        #expect(
            stored.problems.map(\.description) == ["data[1]: Article isn't stored, and the payload leaves out title"]
        )
    }

    @Test("Members in camel, kebab and snake case are read", arguments: ["-", "_", ""])
    func spelling(separator: String) throws {
        func name(_ words: String...) -> String {
            separator.isEmpty
                ? words[0] + words.dropFirst().map(\.capitalized).joined() : words.joined(separator: separator)
        }
        let json = """
            {"data": {"type": "people", "id": "9", "attributes": {"\(name("first", "name"))": "D"},
             "relationships": {"\(name("favorite", "article"))": {"data": {"type": "articles", "id": "1"}}}}}
            """
        for strategy in [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
            let document = try decode(JSONAPI.Document<Person>.self, json) { $0.keyDecodingStrategy = strategy }
            let stored = FlatCache().store(document)
            #expect(stored.value == Person(id: "9", firstName: "D", favoriteArticleID: 1))
            #expect(stored.problems.isEmpty)
        }
    }

    @Test("The user's strategies apply to attributes")
    func strategies() throws {
        let json =
            #"{"data": {"type": "articles", "id": "1", "#
            + #""attributes": {"title": "A", "created_at": "2024-01-02T03:04:05Z"}}}"#
        let document = try decode(One.self, json) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $0.dateDecodingStrategy = .iso8601
        }
        #expect(document.problems.isEmpty)
        #expect(cache.store(document).value?.createdAt == ISO8601DateFormatter().date(from: "2024-01-02T03:04:05Z"))
    }

    @Test("A resource of a type that isn't declared is left out and listed")
    func unknownTypes() throws {
        let json =
            #"{"data": [{"type": "articles", "id": "1", "attributes": {"title": "A"}}, {"type": "ads", "id": "1"},"#
            + #"{"type": "people", "id": "2", "attributes": {"firstName": "P"}}, {"type": "ads", "id": "2"}]}"#
        let document = try decode(Page.self, json)
        #expect(document.unknownTypes == ["ads"])
        #expect(document.problems.isEmpty)
        #expect(document.identifiers.map(\.type) == ["articles", "ads", "people", "ads"])
        #expect(cache.store(document).value?.map(\.id) == [1])
        #expect(cache.contains(Person.self, id: "2"))
    }

    @Test("One resource of another type is a problem")
    func unexpectedPrimaryType() throws {
        let person = #"{"data": {"type": "people", "id": "2", "attributes": {"firstName": "P"}}}"#
        let document = try decode(One.self, person)
        #expect(
            document.problems.map(\.description) == [
                "data: the type is 'people' instead of 'articles'; if that is its name, state it by FlatCache.PayloadNamed"
            ]
        )
        #expect(cache.store(document).value == nil)
        #expect(cache.contains(Person.self, id: "2"))
    }

    @Test("A resource of wrong kinds costs only itself")
    func broken() throws {
        let json = #"""
            {"data": [5, null, {}, {"type": "articles"}, {"type": 5, "id": "1"}, {"type": "articles", "id": 7},
              {"type": "articles", "id": "x", "attributes": {"title": "A"}},
              {"type": "articles", "id": "2", "attributes": 5},
              {"type": "articles", "id": "3", "attributes": {"title": 5}},
              {"type": "articles", "id": "4", "attributes": {"title": "A"}, "relationships": {"author": 5,
                "comments": {"data": [5, {"type": "comments", "id": "\#(Self.noteID)"}, {"type": "comments"}]}}}],
             "included": [7, {"type": "people", "id": "9", "attributes": []}], "meta": 5, "links": 7, "jsonapi": []}
            """#
        let document = try decode(Page.self, json)
        let stored = cache.store(document)
        #expect(stored.value?.map(\.id) == [4])
        #expect(stored.value?.first?.commentIDs == [try #require(Self.note)])
        #expect(document.problems.count == 17)
        #expect(document.meta == .integer(5))
        let paths = document.problems.map { $0.description.prefix { $0 != ":" } }
        #expect(paths.contains("data[9].relationships.comments.data[2]"))
        #expect(paths.contains("data[6].id"))
    }

    @Test("An identification alone is a link to an entity")
    func identifications() throws {
        cache.set(Article(id: 1, title: "A"))
        let json =
            #"{"data": [{"type": "articles", "id": "1"}, {"type": "articles", "id": "2"}, "#
            + #"{"type": "articles", "id": "3"}], "#
            + #""included": [{"type": "articles", "id": "3", "attributes": {"title": "C"}}]}"#
        let stored = cache.store(try decode(Page.self, json))
        #expect(stored.problems.isEmpty)
        #expect(stored.value?.map(\.title) == ["A", "C"])
    }

    @Test("A relationship with its links and identifications of several types are properties")
    func relationshipObjects() throws {
        struct Player: Cachable, Decodable {
            let id: String
            let items: [JSONAPI.Identifier]
            let weapon: JSONAPI.Identifier?
            let team: JSONAPI.Relationship?
            let friends: JSONAPI.Relationship?
        }
        let json = """
            {"data": {"type": "players", "id": "1", "relationships": {
              "items": {"data": [{"type": "weapons", "id": "1", "meta": {"slot": 1}}, {"type": "shields", "id": "2"}]},
              "weapon": {"data": {"type": "weapons", "id": "1"}}, "team": {"links": {"related": "/team"}},
              "friends": {"data": [{"type": "players", "id": "2"}], "meta": {"total": 5}}}}}
            """
        let document = try decode(JSONAPI.Document<Player>.self, json)
        #expect(document.problems.map(\.description) == [])
        let player = try #require(cache.store(document).value)
        #expect(player.items.map(\.type) == ["weapons", "shields"])
        #expect(player.items.first?.meta?["slot"]?.integer == 1)
        #expect(player.weapon?.id == "1")
        #expect(player.team?.identifiers == nil)
        #expect(player.team?.links["related"]?.href == "/team")
        #expect(player.friends?.identifiers?.map(\.id) == ["2"])
        #expect(player.friends?.meta?["total"]?.integer == 5)
    }

    @Test("A document in a payload gives its entities to the payload")
    func nested() throws {
        struct Envelope: Decodable { let document: JSONAPI.Document<[Article], Person, Note> }
        let payload = try decode(Payload<Envelope>.self, #"{"document": \#(Self.document)}"#)
        #expect(payload.problems.map(\.description) == [])
        let stored = cache.store(payload)
        #expect(stored.ids(of: Article.self) == [1])
        #expect(stored.value?.document.links["self"]?.href == "/articles")
        #expect(cache.contains(Person.self, id: "9"))
    }

    @Test("A list takes the document of a page")
    func lists() throws {
        let list = cache.list("latest", of: Article.self)
        let stored = list.append(contentsOf: try decode(Page.self, Self.document))
        #expect(stored?.problems.isEmpty == true)
        #expect(Array(list.ids) == [1])
    }

    @Test("The names are members of FlatCache")
    func names() throws {
        let json = #"{"data": []}"#
        #expect(try decode(FlatCache.JSONAPI.Document<[Article]>.self, json).identifiers.isEmpty)
        #expect(try decode(FlatCache.FlatPayload<Person>.self, json).unknownNames == ["data"])
    }
}
