import FlatCache
import Foundation
import SeededRandom
import Testing

@Suite("Rules of JSON:API")
struct JSONAPIRulesTests {
    private typealias Page = JSONAPI.Document<[Article], Person>

    private let cache = FlatCache()

    private static func page(_ data: String, included: String? = nil) -> String {
        #"{"data": [\#(data)]\#(included.map { #", "included": [\#($0)]"# } ?? "")}"#
    }

    private static func article(_ id: Int, _ relationships: String = "") -> String {
        let relationships = relationships.isEmpty ? "" : #", "relationships": {\#(relationships)}"#
        return #"{"type": "articles", "id": "\#(id)", "attributes": {"title": "T"}\#(relationships)}"#
    }

    private static func person(_ id: String, _ members: String = "") -> String {
        #"{"type": "people", "id": "\#(id)", "attributes": {"firstName": "P"}\#(members)}"#
    }

    /// Decodes a document, and checks that strict decoding throws if there are problems.
    private func problems<Root: PayloadConvertible & Decodable>(_ type: Root.Type, _ json: String) throws -> [String] {
        let problems = try decode(type, json).payload.problems.map(\.description)
        if problems.isEmpty {
            _ = try decode(type, json) { $0.userInfo[.isStrictPayload] = true }
        } else {
            #expect(throws: PayloadProblem.self) {
                try decode(type, json) { $0.userInfo[.isStrictPayload] = true }
            }
        }
        return problems
    }

    @Test("Primary data without an identifier, and without other entities, throws a problem with its path")
    func unidentified() {
        for isStrict in [false, true] {
            let problem = #expect(throws: PayloadProblem.self) {
                try decode(JSONAPI.Document<Article?, Person>.self, #"{"data": {"type": "articles"}}"#) {
                    $0.userInfo[.isStrictPayload] = isStrict
                }
            }
            #expect(problem?.description == "data: a resource of type 'articles' has neither an id nor a lid")
        }
    }

    @Test("A resource that is there several times is a problem, and its objects are merged")
    func duplicates() throws {
        let json = Self.page(
            "\(Self.article(1)), \(Self.article(1)), \(Self.article(2, #""author": {"data": {"type": "people", "id": "9"}}"#))",
            included: "\(Self.person("9")), \(Self.article(2)), \(Self.person("9"))"
        )
        #expect(
            try problems(Page.self, json) == [
                "data[1]: the document has articles 1 more than once",
                "included[1]: the document has articles 2 more than once",
                "included[2]: the document has people 9 more than once",
            ]
        )
        #expect(cache.store(try decode(Page.self, json)).value?.map(\.id) == [1, 1, 2])
    }

    @Test("An included resource without a chain of relationships is a problem")
    func fullLinkage() throws {
        let linked = Self.page(
            Self.article(1, #""undeclared": {"data": [{"type": "ads", "id": "1"}]}"#),
            included: """
                {"type": "ads", "id": "1", "relationships": {"sponsor": {"data": {"type": "people", "id": "9"}}}},
                \(Self.person("9", #", "relationships": {"self": {"data": {"type": "people", "id": "9"}}}"#))
                """
        )
        #expect(try problems(Page.self, linked) == [])
        let unlinked = Self.page(
            Self.article(1, #""author": {"links": {"related": "/a"}}"#),
            included: """
                \(Self.person("9", #", "relationships": {"friend": {"data": {"type": "people", "id": "8"}}}"#)),
                \(Self.person("8", #", "relationships": {"friend": {"data": {"type": "people", "id": "9"}}}"#))
                """
        )
        #expect(
            try problems(Page.self, unlinked) == [
                "included[0]: no relationship leads to people 9", "included[1]: no relationship leads to people 8",
            ]
        )
        cache.store(try decode(Page.self, unlinked))
        #expect(cache.count(of: Person.self) == 2)
    }

    @Test("A linkage of another type is a problem, and the link is kept")
    func linkageTypes() throws {
        let json = Self.page(
            Self.article(
                1,
                #""author": {"data": {"type": "ads", "id": "1"}}, "comments": {"data": [{"type": "people", "id": "9"}]}"#
            )
        )
        cache.set(Article(id: 1, title: "A", authorID: "9"))
        #expect(
            Set(try problems(Page.self, json)) == [
                "data[0].relationships.author.data: the type is 'ads' instead of 'people'; if that is its name, "
                    + "state it by FlatCache.PayloadNamed",
                "data[0].relationships.comments.data[0]: the type is 'people' instead of 'comments'; if that is its name, "
                    + "state it by FlatCache.PayloadNamed",
            ]
        )
        let stored = cache.store(try decode(Page.self, json))
        #expect(stored.value?.first?.authorID == "9")
        #expect(stored.value?.first?.commentIDs == [])
    }

    @Test("Linkage of the wrong cardinality is a problem")
    func cardinality() throws {
        let json = Self.page(
            Self.article(1, #""author": {"data": [{"type": "people", "id": "1"}]}, "comments": {"data": null}"#)
        )
        #expect(try problems(Page.self, json).count == 1)
        let one = Self.page(Self.article(1, #""comments": {"data": {"type": "comments", "id": "1"}}"#))
        #expect(try problems(Page.self, one).count == 1)
        #expect(cache.store(try decode(Page.self, one)).value?.map(\.id) == [1])
    }

    @Test("Included resources without data are a problem")
    func includedWithoutData() throws {
        let json = #"{"meta": {}, "included": [\#(Self.person("9"))]}"#
        #expect(try problems(Page.self, json) == ["included: the document has 'included' but no 'data'"])
        #expect(cache.store(try decode(Page.self, json)).ids(of: Person.self) == ["9"])
    }

    @Test("A document with errors is thrown with all members")
    func errors() throws {
        let json = """
            {"errors": [{"id": "1", "links": {"about": "/about", "type": {"href": "/type"}}, "status": "422",
               "code": "E1", "title": "Invalid", "detail": "Too short.",
               "source": {"pointer": "/data/attributes/name", "parameter": "p", "header": "h"}, "meta": {"a": 1}},
              {"status": 500, "title": 5}, 7],
             "meta": {"m": true}, "links": {"self": "/x"}, "jsonapi": {"version": "1.0"}}
            """
        let document = try #require(throws: JSONAPI.ErrorDocument.self) { try decode(Page.self, json) }
        #expect(document.errors.count == 3)
        let error = try #require(document.errors.first)
        #expect(error.id == "1")
        #expect(error.links["about"]?.href == "/about")
        #expect(error.links["type"]?.href == "/type")
        #expect(error.status == "422")
        #expect(error.code == "E1")
        #expect(error.title == "Invalid")
        #expect(error.detail == "Too short.")
        #expect(error.source?.pointer == "/data/attributes/name")
        #expect(error.source?.parameter == "p")
        #expect(error.source?.header == "h")
        #expect(error.meta?["a"]?.integer == 1)
        #expect(document.errors[1].status == "500")
        #expect(document.meta?["m"]?.boolean == true)
        #expect(document.links["self"]?.href == "/x")
        #expect(document.jsonapi?.version == "1.0")
        #expect("\(document)" == "422: Invalid: Too short. (/data/attributes/name); 500; an error")
        #expect(try decode(JSONAPI.ErrorDocument.self, json) == document)
    }

    @Test("Errors exclude data")
    func dataAndErrors() throws {
        #expect(throws: JSONAPI.ErrorDocument.self) { try decode(Page.self, #"{"errors": []}"#) }
        #expect(throws: JSONAPI.ErrorDocument.self) { try decode(Page.self, #"{"data": null, "errors": [{}]}"#) }
        #expect(throws: DecodingError.self) { try decode(Page.self, #"{"errors": 5}"#) }
        let json = #"{"data": [\#(Self.article(1))], "errors": []}"#
        #expect(try problems(Page.self, json) == ["errors: the document has 'data' and 'errors'"])
    }

    @Test("A local identifier leads to the resource with it")
    func localIdentifiers() throws {
        let json = """
            {"data": [{"type": "articles", "id": "1", "attributes": {"title": "T"},
               "relationships": {"author": {"data": {"type": "people", "lid": "a"}}}}],
             "included": [{"type": "people", "id": "9", "lid": "a", "attributes": {"firstName": "P"}}]}
            """
        #expect(try problems(Page.self, json) == [])
        #expect(cache.store(try decode(Page.self, json)).value?.first?.authorID == "9")
    }

    @Test("A resource with only a local identifier is a problem, as are links to it")
    func onlyLocalIdentifiers() throws {
        let json = """
            {"data": [{"type": "articles", "id": "1", "attributes": {"title": "T"},
               "relationships": {"author": {"data": {"type": "people", "lid": "a"}}}}],
             "included": [{"type": "people", "lid": "a", "attributes": {"firstName": "P"}}]}
            """
        #expect(
            try problems(Page.self, json) == [
                "data[0].relationships.author.data: the document has no id for people with lid a",
                "included[0].id: can't read Person: it is missing",
            ]
        )
        #expect(cache.store(try decode(Page.self, json)).value?.map(\.authorID) == [nil])
    }

    @Test("An entity whose identifier is the local one is stored under it")
    func entitiesWithLocalIdentifiers() throws {
        struct Draft: Cachable, Decodable, FlatCache.PayloadDecodable {
            let lid: String
            let parentID: Draft.ID?
            var id: String { lid }

            static var payloadKeys: [_PayloadKey] {
                [.init(id: "lid", \.lid), .init("parentID", \.parentID, Draft.self, "parentId", "parent")]
            }
        }
        let json = """
            {"data": {"type": "drafts", "lid": "a",
              "relationships": {"parent": {"data": {"type": "drafts", "lid": "b"}}}}}
            """
        #expect(try problems(JSONAPI.Document<Draft>.self, json) == [])
        #expect(cache.store(try decode(JSONAPI.Document<Draft>.self, json)).value?.parentID == "b")
    }

    @Test("Very many included resources are read, in cycles too")
    func large() throws {
        let count = Extent.count(10_000, full: 100_000)
        let people = (0..<count).map { index in
            """
            {"type":"people","id":"\(index)","attributes":{"firstName":"P"},\
            "relationships":{"next":{"data":{"type":"people","id":"\((index + 1) % count)"}}}}
            """
        }
        let json = Self.page(
            Self.article(1, #""author": {"data": {"type": "people", "id": "5"}}"#),
            included: people.joined(separator: ",")
        )
        let document = try decode(Page.self, json)
        #expect(document.problems.isEmpty)
        #expect(cache.store(document).ids(of: Person.self).count == count)
    }

    @Test("A related identifier of another type is left out as if the relationship were absent")
    func unexpectedType() throws {
        cache.set(Essay(id: "1", title: "T", authorID: "9"))
        let json = """
            {"data": [{"type": "essays", "id": "1", "attributes": {"title": "U"},
                       "relationships": {"author": {"data": {"type": "articles", "id": "7"}}}},
                      {"type": "essays", "id": "2", "attributes": {"title": "V"},
                       "relationships": {"author": {"data": {"type": "articles", "id": "7"}}}},
                      {"type": "essays", "id": "3", "attributes": {"title": "W"},
                       "relationships": {"author": {"data": {"type": "people", "lid": "7"}}}}]}
            """
        let document = try decode(JSONAPI.Document<[Essay]>.self, json)
        #expect(
            document.problems.map(\.description) == [
                "data[0].relationships.author.data: the type is 'articles' instead of 'people'; if that is its name, "
                    + "state it by FlatCache.PayloadNamed",
                "data[1].relationships.author.data: the type is 'articles' instead of 'people'; if that is its name, "
                    + "state it by FlatCache.PayloadNamed",
                "data[2].relationships.author.data: the document has no id for people with lid 7",
            ]
        )
        let stored = cache.store(document)
        #expect(stored.value == [Essay(id: "1", title: "U", authorID: "9")])
        #expect(
            stored.problems.dropFirst(3).map(\.description) == [
                "data[1]: Essay isn't stored, and the payload leaves out authorID",
                "data[2]: Essay isn't stored, and the payload leaves out authorID",
            ]
        )
    }

    @Test("Included resources of another kind are a problem beside primary data", arguments: ["5", "{}", "[5]"])
    func includedOfAnotherKind(included: String) throws {
        let json = #"{"data": [\#(Self.article(1))], "included": \#(included)}"#
        let document = try decode(Page.self, json)
        #expect(document.problems.count == 1)
        #expect(cache.store(document).value?.map(\.id) == [1])
        if included != "[5]" {
            #expect(throws: (any Error).self) { try decode(Page.self, #"{"data": [], "included": \#(included)}"#) }
        }
    }

    @Test("A local identifier of two resources is a problem")
    func localIdentifierOfTwo() throws {
        let json = Self.page(
            Self.article(1, #""author": {"data": {"type": "people", "lid": "P"}}"#),
            included: "\(Self.person("9", #", "lid": "P""#)), \(Self.person("8", #", "lid": "P""#))"
        )
        #expect(try problems(Page.self, json).contains("included: the document has people with lid P more than once"))
    }

    private struct Essay: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        var title: String
        let authorID: Person.ID

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("title", \.title), .init("authorID", \.authorID, Person.self, "author")]
        }
    }
}
