import FlatCache
import Foundation
import Testing

/// The shapes of responses and of models' `init(from:)`.
@Suite("Shapes of payloads")
struct PayloadShapeTests {
    private let cache = FlatCache()

    private func decode<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    @Test("Key, date and data strategies remain the decoder's")
    func strategies() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.dataDecodingStrategy = .base64
        let json = """
            {"id": "1", "created_at": 86400, "raw_bytes": "AAEC", "home_page": "https://example.net/", "price": 12.5,
             "owner": {"id": 7, "name": "W"}, "counts_by_day": {"first_day": 1},
             "other_writers": {"main_writer": {"id": 8, "name": "X"}}}
            """
        let payload = try decoder.decode(Payload<Dated>.self, from: Data(json.utf8))
        let stored = cache.store(payload)
        #expect(payload.problems.isEmpty)
        let dated = try #require(stored.value)
        #expect(dated.createdAt == Date(timeIntervalSince1970: 86400))
        #expect(dated.rawBytes == Data([0, 1, 2]) && dated.homePage.host() == "example.net" && dated.price == 12.5)
        #expect(dated.ownerID == 7)
        #expect(dated.countsByDay == ["first_day": 1])
        #expect(dated.otherWriters?.keys.sorted() == ["main_writer"])
        #expect(cache.count(of: Writer.self) == 2)
    }

    struct Dated: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: String
        var createdAt: Date
        var rawBytes: Data
        var homePage: URL
        var price: Decimal
        var ownerID: Writer.ID
        var countsByDay: [String: Int]
        var otherWriters: [String: Writer]?

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("createdAt", \.createdAt), .init("rawBytes", \.rawBytes),
                .init("homePage", \.homePage), .init("price", \.price),
                .init("ownerID", \.ownerID, Writer.self, "ownerId", "owner"),
                .init("countsByDay", \.countsByDay), .init("otherWriters", \.otherWriters),
            ]
        }
    }

    @Test(
        "Property lists are decoded as JSON is",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]
    )
    func propertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
        let list: [String: Any] = [
            "id": "1", "title": "A", "writer": ["id": 7, "name": "W"],
            "publishedAt": Date(timeIntervalSince1970: 86400),
            "bytes": Data([1]),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let payload = try PropertyListDecoder().decode(Payload<Issued>.self, from: data)
        #expect(payload.problems.map(\.description) == [])
        let issued = try #require(cache.store(payload).value)
        #expect(issued.publishedAt == Date(timeIntervalSince1970: 86400) && issued.bytes == Data([1]))
        #expect(cache.get(Writer.self, id: 7) == Writer(id: 7, name: "W"))
    }

    struct Issued: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: String
        var publishedAt: Date
        var bytes: Data
        var writerID: Writer.ID

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("publishedAt", \.publishedAt), .init("bytes", \.bytes),
                .init("writerID", \.writerID, Writer.self, "writerId", "writer"),
            ]
        }
    }

    @Test("A decoder that isn't Foundation's decodes payloads", arguments: [false, true])
    func foreignDecoder(advancesOnFailure: Bool) throws {
        let tree: Tree = [
            [
                "id": "1", "title": "A", "writer": ["id": 7, "name": "W"],
                "remarks": ["r0", ["id": "r1", "text": "T"]],
            ],
            ["id": "2", "title": 3],
            5,
            ["id": "3", "title": "C", "writerID": 8, "remarkIDs": []],
        ]
        let payload = try TreeDecoder.decode(Payload<[Story]>.self, tree, advancesOnFailure: advancesOnFailure)
        let stored = cache.store(payload)
        #expect(stored.value?.map(\.id) == ["1", "3"])
        #expect(stored.value?.map(\.remarkIDs) == [["r0", "r1"], []])
        #expect(payload.problems.map { $0.codingPath.first?.intValue } == [1, 2])
    }

    // MARK: Unions and custom initializers

    enum Item: Decodable, Sendable {
        case story(Story), writer(Writer)

        init(from decoder: any Decoder) throws {
            if let story = try? Story(from: decoder) {
                self = .story(story)
            } else {
                self = .writer(try decoder.singleValueContainer().decode(Writer.self))
            }
        }
    }

    enum Tried: Decodable, Sendable {
        case story(Story), writer(Writer)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let story = try? container.decode(Story.self) {
                self = .story(story)
            } else {
                self = .writer(try container.decode(Writer.self))
            }
        }
    }

    @Test("An incomplete entity of a union is merged, and costs only the value that it would be")
    func incompleteUnions() throws {
        struct Page: Decodable, Sendable {
            let number: Int
            let lead: Kept?
            let others: [Kept]
        }
        enum Kept: Decodable, Sendable {
            case writer(Writer)

            init(from decoder: any Decoder) throws {
                self = .writer(try decoder.singleValueContainer().decode(Writer.self))
            }
        }
        cache.set(contentsOf: [Writer(id: 1, name: "A", bio: nil), Writer(id: 2, name: "B", bio: nil)])
        let json = """
            {"number": 5, "lead": {"id": 1, "bio": "a"}, "others": [{"id": 2, "bio": "b"}, {"id": 3, "name": "C"}]}
            """
        let stored = cache.store(try decode(Page.self, json))
        #expect(stored.value?.number == 5 && stored.value?.lead == nil && stored.value?.others.count == 1)
        #expect(stored.problems.isEmpty)
        #expect((1...3).map { cache.get(Writer.self, id: $0)?.bio } == ["a", "b", nil])
    }

    @Test("An incomplete entity of a union inside an entity is merged, and is a problem of the value around it")
    func incompleteUnionsInEntities() throws {
        enum Kept: Codable, Equatable, Sendable {
            case writer(Writer)

            init(from decoder: any Decoder) throws {
                self = .writer(try decoder.singleValueContainer().decode(Writer.self))
            }
        }
        struct Shelf: Cachable, Codable, FlatCache.PayloadDecodable {
            let id: Int
            var lead: Kept?
            var others: [Kept]

            static var payloadKeys: [_PayloadKey] {
                [.init(id: "id", \.id), .init("lead", \.lead), .init("others", \.others)]
            }
        }
        let old = Writer(id: 1, name: "A", bio: nil)
        cache.set(old)
        cache.set(Shelf(id: 5, lead: .writer(old), others: []))
        let json = """
            {"id": 5, "lead": {"id": 1, "bio": "a"}, "others": [{"id": 1, "bio": "b"}, {"id": 3, "name": "C"}]}
            """
        let stored = cache.store(try decode(Shelf.self, json))
        let paths = stored.problems.map { $0.codingPath.map(\.stringValue) }
        #expect(paths == [["lead", "name"], ["others", "Index 0", "name"]])
        #expect(stored.value?.lead == .writer(old) && stored.value?.others.count == 1)
        #expect(cache.get(Writer.self, id: 1) == Writer(id: 1, name: "A", bio: "b"))
    }

    @Test("Attempts that fail leave nothing behind")
    func unions() throws {
        // The story of the second element nests an entity before its title is found to be of another type.
        let json = """
            [{"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "remarks": []},
             {"id": 9, "name": "N"},
             {"id": "2", "writer": {"id": 66, "name": "no"}, "title": "T", "remarks": 5}, {"id": 10, "name": "O"}]
            """
        let payload = try decode([Tried].self, json)
        let stored = cache.store(payload)
        #expect(cache.allValues(of: Writer.self).map(\.id).sorted() == [7, 9, 10])
        #expect(stored.ids(of: Story.self) == ["1"])
        #expect(payload.problems.map { $0.codingPath.first?.intValue } == [2])
    }

    @Test("An entity that another value decodes from its own decoder is found")
    func escapes() throws {
        let json = """
            [{"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "remarks": []}, {"id": 9, "name": "N"}]
            """
        let stored = cache.store(try decode([Item].self, json))
        #expect(stored.ids(of: Writer.self).sorted() == [7, 9])
        #expect(stored.ids(of: Story.self) == ["1"])
    }

    // MARK: Kept properties

    @propertyWrapper struct Upper: Codable, Equatable, Sendable {
        var wrappedValue: String { didSet { wrappedValue = wrappedValue.uppercased() } }

        init(wrappedValue: String) { self.wrappedValue = wrappedValue.uppercased() }

        init(from decoder: any Decoder) throws {
            self.init(wrappedValue: try decoder.singleValueContainer().decode(String.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(wrappedValue)
        }
    }

    enum Mood: String, Codable, Sendable { case fine, bad }

    /// Properties of all kinds, with a table if `Keys` is `Generated`.
    struct Mixed<Keys>: Cachable, Codable, Equatable {
        let id: String
        let constant: Int?
        fileprivate(set) var counter: Int
        private var secret: String?
        @Upper var wrapped: String
        var mood: Mood?
        var plain: String

        init(id: String, _ number: Int, _ text: String) {
            self.id = id
            constant = number
            counter = number
            secret = text
            wrapped = text
            mood = .fine
            plain = text
        }

        enum CodingKeys: String, CodingKey {
            case id = "_id"
            case constant, counter, secret, wrapped, mood
            case plain = "plain_text"
        }

        var allTexts: [String?] { [secret, wrapped, plain] }
    }

    enum Generated {}
    enum Learnt {}

    private func expectKept<Keys>(_ mask: Int, by type: Mixed<Keys>.Type) throws {
        let members = [
            "\"constant\": 2", "\"counter\": 2", "\"secret\": \"b\"", "\"wrapped\": \"b\"", "\"mood\": \"bad\"",
            "\"plain_text\": \"b\"",
        ]
        cache.set(Mixed<Keys>(id: "1", 1, "a"))
        // A complete decoding teaches the keys, or with a table only the types of property wrappers.
        _ = try decode(type, "{\"_id\": \"0\", \(members.joined(separator: ", "))}")
        let sent = members.enumerated().filter { mask & 1 << $0.offset != 0 }.map(\.element)
        let stored = cache.store(try decode(type, "{\(([#""_id": "1""#] + sent).joined(separator: ", "))}"))
        #expect(stored.problems.map(\.description) == [])
        let new = try #require(stored.value)
        func expected<T>(_ bit: Int, _ sent: T, _ kept: T) -> T { mask & 1 << bit != 0 ? sent : kept }
        #expect(new.constant == expected(0, 2, 1) && new.counter == expected(1, 2, 1))
        #expect(new.allTexts == [expected(2, "b", "a"), expected(3, "B", "A"), expected(5, "b", "a")])
        #expect(new.mood == expected(4, .bad, .fine))
    }

    @Test("Any properties that the payload leaves out are kept, with a table", arguments: 0..<64)
    func generatedTable(mask: Int) throws { try expectKept(mask, by: Mixed<Generated>.self) }

    @Test("Any properties that the payload leaves out are kept, without a table", arguments: 0..<64)
    func learntTable(mask: Int) throws { try expectKept(mask, by: Mixed<Learnt>.self) }

    struct Closed: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        private var secret: Int?
        var open: Int?

        var text: String { "\(secret ?? 0) \(open ?? 0)" }

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("secret", Int?.self), .init("open", \.open)]
        }
    }

    @Test("A property that can't be kept is one problem of its type")
    func lost() throws {
        cache.store(
            try decode([Closed].self, #"[{"id": 1, "secret": 1, "open": 2}, {"id": 2, "secret": 1, "open": 2}]"#)
        )
        let stored = cache.store(try decode([Closed].self, #"[{"id": 1}, {"id": 2}, {"id": 3}]"#))
        #expect(stored.value?.map(\.text) == ["0 2", "0 2", "0 0"])
        #expect(
            stored.problems.map(\.description) == [
                "a payload without Closed.secret replaces its stored value, because init(from:) can't restore it"
            ]
        )
    }

    @Test("An entity that is in a payload twice is merged twice, in order")
    func twice() throws {
        let stored = cache.store(
            try decode(
                [Writer].self,
                #"[{"id": 1, "name": "A", "bio": "B"}, {"id": 1, "bio": "C"}, {"id": 1, "name": "D"}]"#
            )
        )
        #expect(cache.get(Writer.self, id: 1) == Writer(id: 1, name: "D", bio: "C"))
        #expect(stored.problems.isEmpty)
        #expect(stored.ids(of: Writer.self) == [1])
    }

    @Test("Entities written since the revision are left as they are")
    func since() throws {
        cache.set(Writer(id: 1, name: "old"))
        cache.set(Writer(id: 2, name: "old"))
        cache.set(Writer(id: 3, name: "old"))
        let revision = cache.revision()
        cache.set(Writer(id: 1, name: "newer"))
        cache.remove(Writer.self, id: 3)
        let payload = try decode(
            [Writer].self,
            #"[{"id": 1, "name": "answer"}, {"id": 2, "name": "answer"}, {"id": 3, "name": "answer"}]"#
        )
        let stored = cache.store(payload, since: revision)
        #expect(stored.value == [Writer(id: 1, name: "newer"), Writer(id: 2, name: "answer")])
    }

    @Test("Strict storing throws the first problem and stores nothing")
    func strict() throws {
        let payload = try decode([Writer].self, #"[{"id": 1, "name": "A"}, {"id": 2, "bio": "A"}]"#)
        #expect(throws: PayloadProblem.self) { try cache.store(payload, strict: true) }
        #expect(cache.count == 0)
        let decoder = JSONDecoder()
        decoder.userInfo[.isStrictPayload] = true
        #expect(throws: PayloadProblem.self) {
            try decoder.decode(Payload<[Writer]>.self, from: Data(#"[{"id": 1, "name": 4}]"#.utf8))
        }
    }

    @Test("A root of another kind throws the decoder's error")
    func otherRoot() {
        #expect(throws: DecodingError.self) { try decode([Story].self, #"{"error": "no"}"#) }
        #expect(throws: DecodingError.self) { try decode(Story.self, #"{"error": "no"}"#) }
        #expect(throws: DecodingError.self) { try decode([Story].self, #"[{"id": "1""#) }
    }

    @Test("Values inside too many others are a problem, not a crash")
    func depth() throws {
        var json = #"{"id": "x", "text": "x"}"#
        for number in 0..<200 { json = #"{"id": "\#(number)", "text": "t", "replies": [\#(json)]}"# }
        let payload = try decode(Remark.self, json)
        #expect(payload.problems.count == 1)
        #expect(cache.store(payload).ids(of: Remark.self).count == 128)
    }
}

extension PayloadShapeTests.Mixed: FlatCache.PayloadOwner, FlatCache.PayloadDecodable
where Keys == PayloadShapeTests.Generated {
    static var payloadKeys: [_PayloadKey] {
        [
            .init(id: "_id", \.id), .init("constant", \.constant), .init("counter", \.counter),
            .init("secret", String?.self), .init("wrapped", wrapped: \.wrapped), .init("mood", \.mood),
            .init("plain_text", \.plain),
        ]
    }
}
