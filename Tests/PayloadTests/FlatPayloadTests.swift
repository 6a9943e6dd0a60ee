import FlatCache
import Foundation
import Testing

@Suite("Flat payloads")
struct FlatPayloadTests {
    private let cache = FlatCache()

    private func decode<Root: Decodable>(
        _ type: Root.Type,
        _ json: String,
        _ configure: (JSONDecoder) -> Void = { _ in }
    ) throws -> Root {
        let decoder = JSONDecoder()
        configure(decoder)
        return try decoder.decode(type, from: Data(json.utf8))
    }

    @Test("Dictionaries by identifier and arrays are read, and unknown names are listed")
    func dictionariesAndArrays() throws {
        let flat = try decode(
            FlatPayload<Story, Writer, Remark>.self,
            """
            {"stories": {"1": {"id": "1", "title": "A", "writer": 7, "remarks": ["r"]}},
             "writers": [{"id": 7, "name": "W"}], "remarks": null, "tags": {"a": {}}, "count": 3}
            """
        )
        #expect(flat.unknownNames == ["count", "tags"])
        #expect(flat.problems.isEmpty)
        let stored = cache.store(flat)
        #expect(stored.problems.isEmpty)
        #expect(stored.ids(of: Story.self) == ["1"])
        #expect(stored.ids(of: Writer.self) == [7])
        #expect(stored.value?.unknownNames == flat.unknownNames)
        #expect(cache.get(Story.self, id: "1")?.writerID == 7)
        #expect(cache.get(Writer.self, id: 7)?.name == "W")
    }

    @Test("The key is the identifier of an entity that leaves its identifier out")
    func identifiersFromKeys() throws {
        let flat = try decode(
            FlatPayload<Writer>.self,
            #"{"writers": {"7": {"name": "W"}, "8": {"id": 9, "name": "X"}, "y": {"name": "Y"}, "6": 5}}"#
        )
        #expect(Set(cache.store(flat).ids(of: Writer.self)) == [7, 9])
        #expect(
            Set(flat.problems.map(\.description)) == [
                "writers.y.id: can't read Writer: Expected Int but found the identifier \"y\".",
                "writers.6: can't read Writer: Expected to decode Dictionary<String, Any> but found number instead.",
            ]
        )
    }

    @Test("Properties that an entity leaves out are kept, and an entity that can't be read costs only itself")
    func absentKeeps() throws {
        cache.set(Writer(id: 7, name: "W", bio: "B"))
        let flat = try decode(
            FlatPayload<Writer, Story>.self,
            #"{"writers": [{"id": 7, "bio": "C"}, {"id": 8, "name": 5}, {"id": 9}], "stories": 4}"#
        )
        let stored = cache.store(flat)
        #expect(cache.allValues(of: Writer.self) == [Writer(id: 7, name: "W", bio: "C")])
        #expect(
            stored.problems.map(\.description) == [
                "writers[1].name: can't read Writer: Expected to decode String but found number instead.",
                "stories: can't read Array<Story>: Expected to decode Dictionary<String, Any> but found number instead.",
                "writers[2]: Writer isn't stored, and the payload leaves out name",
            ]
        )
        #expect(throws: PayloadProblem.self) { try cache.store(flat, strict: true) }
    }

    @Test("Names match in every case", arguments: ["blogPosts", "blog_posts", "blog-posts", "BlogPosts", "blogPost"])
    func names(name: String) throws {
        let json =
            #"{"\#(name)": [{"id": 1}], "children": [{"id": 2}], "categories": [{"id": 3}], "boxes": [{"id": 4}]}"#
        for strategy in [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
            let flat = try decode(FlatPayload<BlogPost, Child, Category, Box>.self, json) {
                $0.keyDecodingStrategy = strategy
            }
            #expect(flat.unknownNames.isEmpty)
            let stored = cache.store(flat)
            #expect(stored.ids(of: BlogPost.self) == [1])
            #expect(stored.ids(of: Child.self) == [2])
            #expect(stored.ids(of: Category.self) == [3])
            #expect(stored.ids(of: Box.self) == [4])
        }
    }

    @Test("Names that a key strategy makes equal are both read")
    func equalNames() throws {
        let json = #"{"blog_posts": [{"id": 1}], "blogPosts": [{"id": 2}]}"#
        let flat = try decode(FlatPayload<BlogPost>.self, json) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        #expect(Set(cache.store(flat).ids(of: BlogPost.self)) == [1, 2])
    }

    private struct Envelope: Decodable {
        let entities: FlatPayload<BlogPost, Child>
        let result: [Int]
    }

    private static let enveloped = #"{"entities": {"blogPosts": {"1": {}, "2": {"id": "x"}}}, "result": [1]}"#

    @Test("A flat payload in a structure has its entities")
    func envelope() throws {
        let envelope = try decode(Envelope.self, Self.enveloped)
        #expect(envelope.result == [1])
        #expect(envelope.entities.problems.count == 1)
        #expect(cache.store(envelope.entities).ids(of: BlogPost.self) == [1])
    }

    @Test("The entities of a flat payload in another payload belong to the outer one")
    func payload() throws {
        let payload = try decode(Payload<Envelope>.self, Self.enveloped)
        #expect(payload.problems.count == 1)
        let stored = cache.store(payload)
        #expect(stored.ids(of: BlogPost.self) == [1])
        #expect(stored.value?.result == [1])
        #expect(stored.value?.entities.problems.isEmpty == true)
        #expect(stored.value.map { cache.store($0.entities).ids(of: BlogPost.self) } == [])
    }

    @Test("Strict decoding throws the first problem")
    func strict() throws {
        #expect(throws: PayloadProblem.self) {
            try decode(FlatPayload<Writer>.self, #"{"writers": [{"id": 7}, 5]}"#) {
                $0.userInfo[.isStrictPayload] = true
            }
        }
    }

    @Test("A root of another kind is the decoder's error", arguments: ["[]", "5", "null", "\"a\"", "", "{\"writers\""])
    func roots(json: String) {
        #expect(throws: DecodingError.self) { try decode(FlatPayload<Writer>.self, json) }
    }

    @Test("The recorded issues are read", .enabled(if: SharedData.folder("github") != nil))
    func recorded() throws {
        struct Entities: Decodable {
            let flat: FlatPayload<GitHub.Issue, GitHub.User, GitHub.Milestone, GitHub.PullRequest>
            let labels: FlatPayload<GitHub.Label>

            enum CodingKeys: CodingKey { case labels }

            init(from decoder: any Decoder) throws {
                flat = try FlatPayload(from: decoder)
                labels = try decoder.container(keyedBy: CodingKeys.self).decode(FlatPayload.self, forKey: .labels)
            }
        }
        struct Response: Decodable { let entities: Entities }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        let payload = try decoder.decode(Payload<Response>.self, from: SharedData.data("github", "issues-flat.json"))
        let stored = cache.store(payload)
        #expect(stored.problems.map(\.description) == [])
        #expect(stored.value?.entities.flat.unknownNames == ["labels"])
        #expect(stored.value?.entities.labels.unknownNames == [])
        #expect(cache.count(of: GitHub.Issue.self) == 15)
        #expect(cache.count(of: GitHub.User.self) == 13)
        #expect(cache.count(of: GitHub.Milestone.self) == 2)
        #expect(cache.count(of: GitHub.PullRequest.self) == 3)
        #expect(cache.count(of: GitHub.Label.self) == 4)
        for issue in cache.allValues(of: GitHub.Issue.self) {
            #expect(cache.contains(GitHub.User.self, id: issue.userID))
            #expect(issue.milestoneID.map { cache.contains(GitHub.Milestone.self, id: $0) } ?? true)
        }
    }
}

private struct BlogPost: Cachable, Decodable { let id: Int }
private struct Category: Cachable, Decodable { let id: Int }
private struct Box: Cachable, Decodable { let id: Int }

private struct Child: Cachable, Decodable, FlatCache.PayloadNamed {
    static let payloadName = "children"
    let id: Int
}
