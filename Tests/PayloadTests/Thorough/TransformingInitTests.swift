import FlatCache
import Foundation
import Testing

@Suite("Types whose init(from:) changes the values that it reads")
struct TransformingInitTests {
    /// Its properties can be set.
    struct Cart: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        var total: Int
        var bonus: Int?
        var count: Int?

        enum CodingKeys: CodingKey { case id, total, bonus, count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            total = try container.decode(Int.self, forKey: .total) * 100
            bonus = try container.decodeIfPresent(Int.self, forKey: .bonus).map { $0 * 100 }
            count = try container.decodeIfPresent(Int.self, forKey: .count)
        }

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("total", \.total), .init("bonus", \.bonus), .init("count", \.count)]
        }
    }

    /// The same with a constant that the initializer leaves as it is, too.
    struct Bill: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        var total: Int?
        let note: Note?
        var count: Int?

        struct Note: Decodable, Sendable { let text: String }

        enum CodingKeys: CodingKey { case id, total, note, count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            total = try container.decodeIfPresent(Int.self, forKey: .total).map { $0 * 100 }
            note = try container.decodeIfPresent(Note.self, forKey: .note)
            count = try container.decodeIfPresent(Int.self, forKey: .count)
        }

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("total", \.total), .init("note", \.note), .init("count", \.count)]
        }
    }

    /// A constant of the initializer.
    struct Image: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        let path: String
        var count: Int?

        enum CodingKeys: CodingKey { case id, path, count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            path = "https://x/" + (try container.decode(String.self, forKey: .path))
            count = try container.decodeIfPresent(Int.self, forKey: .count)
        }

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("path", \.path), .init("count", \.count)]
        }
    }

    /// An optional constant, and no table.
    struct Plain: Cachable, Codable {
        let id: Int
        let total: Int?
        var count: Int?

        enum CodingKeys: CodingKey { case id, total, count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            total = try container.decodeIfPresent(Int.self, forKey: .total).map { $0 * 100 }
            count = try container.decodeIfPresent(Int.self, forKey: .count)
        }
    }

    /// A variable that is decoded as a value of another type.
    struct Price: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        var cents: Int
        var count: Int?

        enum CodingKeys: CodingKey { case id, cents, count }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            cents = Int(try container.decode(Double.self, forKey: .cents) * 100)
            count = try container.decodeIfPresent(Int.self, forKey: .count)
        }

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("cents", \.cents), .init("count", \.count)]
        }
    }

    /// A constant whose `==` doesn't see what the initializer changes.
    struct Heading: Cachable, Decodable, FlatCache.PayloadDecodable {
        struct Text: Decodable, Equatable, Sendable {
            var letters: String
            static func == (lhs: Text, rhs: Text) -> Bool { lhs.letters.lowercased() == rhs.letters.lowercased() }
        }

        let id: Int
        let text: Text
        var count: Int?

        enum CodingKeys: CodingKey { case id, text, count }

        init(id: Int, text: String) {
            self.id = id
            self.text = Text(letters: text)
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            text = Text(letters: try container.decode(Text.self, forKey: .text).letters.uppercased())
            count = try container.decodeIfPresent(Int.self, forKey: .count)
        }

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("text", \.text), .init("count", \.count)]
        }
    }

    /// No table, and nothing that can be read.
    struct Sealed: Cachable, Decodable {
        let id: Int
        let total: Int
        var count: Int?
    }

    private let cache = FlatCache()

    @discardableResult
    private func store<Entity: Cachable & Decodable>(_ type: Entity.Type, _ json: String...) throws -> [String] {
        var problems: [String] = []
        for json in json {
            let payload = try JSONDecoder().decode(Payload<[Entity]>.self, from: Data("[\(json)]".utf8))
            problems += cache.store(payload).problems.map(\.description)
        }
        return problems
    }

    @Test("P2: Stored values of variables aren't changed again")
    func variables() throws {
        #expect(
            try store(
                Cart.self,
                #"{"id": 1, "total": 1, "bonus": 2, "count": 3}"#,
                #"{"id": 1, "count": 4}"#,
                #"{"id": 1}"#
            ) == []
        )
        let cart = cache.get(Cart.self, id: 1)
        #expect(cart?.total == 100 && cart?.bonus == 200 && cart?.count == 4)
        #expect(try store(Cart.self, #"{"id": 1, "bonus": 5}"#) == [])
        #expect(cache.get(Cart.self, id: 1)?.bonus == 500 && cache.get(Cart.self, id: 1)?.total == 100)
    }

    @Test("P2: Neither sent nor stored values are changed again for the sake of a constant")
    func besideConstants() throws {
        let json = #"{"id": 1, "total": 1, "note": {"text": "n"}, "count": 3}"#
        #expect(try store(Bill.self, json, #"{"id": 1, "total": 2}"#, #"{"id": 1, "count": 4}"#) == [])
        let bill = cache.get(Bill.self, id: 1)
        #expect(bill?.total == 200 && bill?.count == 4 && bill?.note?.text == "n")
    }

    @Test("An entity with a constant that would change isn't stored, and is a problem")
    func constants() throws {
        try store(Image.self, #"{"id": 1, "path": "p", "count": 1}"#)
        #expect(
            try store(Image.self, #"{"id": 1, "count": 2}"#, #"{"id": 1}"#)
                == Array(
                    repeating:
                        "[0]: the payload leaves out Image.path, and init(from:) doesn't restore its stored value",
                    count: 2
                )
        )
        #expect(cache.get(Image.self, id: 1)?.path == "https://x/p" && cache.get(Image.self, id: 1)?.count == 1)
    }

    @Test("A constant that would change in a way that == doesn't see is a problem, too")
    func equalConstants() throws {
        cache.set(Heading(id: 1, text: "a"))
        #expect(
            try store(Heading.self, #"{"id": 1, "count": 2}"#)
                == ["[0]: the payload leaves out Heading.text, and init(from:) doesn't restore its stored value"]
        )
        #expect(cache.get(Heading.self, id: 1)?.text.letters == "a")
    }

    @Test("An entity without a table isn't stored if a value would change, and is a problem")
    func withoutTable() throws {
        func problem(_ name: String) -> String {
            "[0]: the payload leaves out Plain.\(name), and init(from:) doesn't restore its stored value"
        }
        #expect(try store(Plain.self, #"{"id": 1, "total": 1}"#, #"{"id": 1, "total": 2}"#) == [])
        #expect(try store(Plain.self, #"{"id": 1, "count": 2}"#) == [problem("total")])
        #expect(try store(Plain.self, #"{"id": 1, "total": 3, "count": 3}"#) == [])
        #expect(try store(Plain.self, #"{"id": 1, "total": 4}"#) == [problem("count")])
        #expect(cache.get(Plain.self, id: 1)?.total == 300 && cache.get(Plain.self, id: 1)?.count == 3)
    }

    @Test("The problem of a stored value with another type, or that can't be read, names its property")
    func otherTypes() throws {
        func problem(_ property: String) -> [String] {
            ["[0]: the payload leaves out \(property), and init(from:) doesn't restore its stored value"]
        }
        #expect(try store(Price.self, #"{"id": 1, "cents": 1.5}"#) == [])
        #expect(try store(Price.self, #"{"id": 1, "count": 2}"#) == problem("Price.cents"))
        #expect(cache.get(Price.self, id: 1)?.cents == 150 && cache.get(Price.self, id: 1)?.count == nil)
        #expect(try store(Sealed.self, #"{"id": 1, "total": 1}"#) == [])
        #expect(try store(Sealed.self, #"{"id": 1, "count": 2}"#) == problem("Sealed.total"))
    }

    @Test("P2: Entities of one payload that complete each other are changed once")
    func complements() throws {
        #expect(
            try store(Cart.self, #"{"id": 1, "bonus": 2}, {"id": 1, "count": 4}, {"id": 1, "total": 1}"#) == []
        )
        let cart = cache.get(Cart.self, id: 1)
        #expect(cart?.total == 100 && cart?.bonus == 200 && cart?.count == 4)
        let problems = try store(Image.self, #"{"id": 1, "count": 2}, {"id": 1, "path": "p"}"#)
        #expect(
            problems == ["[0]: the payload leaves out Image.path, and init(from:) doesn't restore its stored value"]
        )
        #expect(cache.get(Image.self, id: 1) == nil)
    }
}
