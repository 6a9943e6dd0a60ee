import FlatCache
import Foundation
import Testing

@Suite("Keys that aren't in the table of a type")
struct UnlistedKeyTests {
    /// A private property of a private type, which the table can't have.
    struct Item: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: Int
        private enum Kind: String, Codable { case a, b }
        private var kind: Kind
        private var mood: Kind?
        let size: Int
        let note: String?

        var texts: [String?] { [kind.rawValue, mood?.rawValue] }

        static var payloadKeys: [_PayloadKey] { [.init(id: "id", \.id), .init("size", \.size), .init("note", \.note)] }
    }

    /// The same type, which no test decodes as a whole.
    struct Undecoded: Cachable, Codable, FlatCache.PayloadDecodable {
        let id: Int
        let size: Int
        private enum Kind: String, Codable { case a, b }
        private var kind: Kind = .a

        var text: String { kind.rawValue }

        init(id: Int, size: Int) {
            self.id = id
            self.size = size
        }

        static var payloadKeys: [_PayloadKey] { [.init(id: "id", \.id), .init("size", \.size)] }
    }

    /// An initializer that reads other keys than the properties.
    struct Flagged: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        var isFlagged: Bool
        let size: Int
        let note: String?

        enum CodingKeys: CodingKey { case id, flagged, size, note }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            size = try container.decode(Int.self, forKey: .size)
            note = try container.decodeIfPresent(String.self, forKey: .note)
            isFlagged = try container.decodeIfPresent(Bool.self, forKey: .flagged) ?? false
        }

        static var payloadKeys: [_PayloadKey] { [.init(id: "id", \.id), .init("size", \.size), .init("note", \.note)] }
    }

    /// A nested container, whose value has no type.
    struct Place: Cachable, Decodable, FlatCache.PayloadDecodable {
        let id: Int
        var latitude: Int?
        let size: Int

        enum CodingKeys: CodingKey { case id, geo, size }
        enum GeoKeys: CodingKey { case latitude }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            size = try container.decode(Int.self, forKey: .size)
            let geo = try? container.nestedContainer(keyedBy: GeoKeys.self, forKey: .geo)
            latitude = try geo?.decode(Int.self, forKey: .latitude)
        }

        static var payloadKeys: [_PayloadKey] { [.init(id: "id", \.id), .init("size", \.size)] }
    }

    /// An identifier that is computed from another key.
    struct Keyed: Cachable, Codable, FlatCache.PayloadDecodable {
        var key: String
        var size: Int
        var id: String { "k" + key }

        static var payloadKeys: [_PayloadKey] { [.init("key", \.key), .init("size", \.size)] }
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

    private var texts: [String?]? { cache.get(Item.self, id: 1)?.texts }

    @Test("P2: A private property of a private type takes sent values, and keeps stored ones")
    func privateTypes() throws {
        let json = #"{"id": 1, "kind": "a", "mood": "a", "size": 1, "note": "n"}"#
        #expect(try store(Item.self, json, #"{"id": 1, "kind": "b"}"#) == [])
        #expect(texts == ["b", "a"])
        #expect(try store(Item.self, #"{"id": 1, "mood": "b"}"#, #"{"id": 1, "kind": "a", "size": 2}"#) == [])
        #expect(texts == ["a", "b"])
        #expect(try store(Item.self, #"{"id": 1, "mood": null}"#) == [] && texts == ["a", nil])
        #expect(try store(Item.self, #"{"id": 1, "kind": "b", "mood": null, "size": 3}"#) == [])
        #expect(texts == ["b", nil] && cache.get(Item.self, id: 1)?.note == "n")
    }

    @Test("A sent value of unknown type is a problem of the entity, which isn't stored without it")
    func unknownTypes() throws {
        cache.set(Undecoded(id: 1, size: 1))
        #expect(
            try store(Undecoded.self, #"{"id": 1, "kind": "b"}"#)
                == [
                    "[0].kind: can't read Undecoded: the payload leaves out size, and the type of this value isn't known"
                ]
        )
        #expect(cache.get(Undecoded.self, id: 1)?.text == "a")
        #expect(try store(Place.self, #"{"id": 1, "size": 1, "geo": {"latitude": 1}}"#) == [])
        #expect(
            try store(Place.self, #"{"id": 1, "geo": {"latitude": 2}}"#)
                == ["[0].geo: can't read Place: the payload leaves out size, and the type of this value isn't known"]
        )
        #expect(cache.get(Place.self, id: 1)?.latitude == 1)
    }

    @Test("An initializer gets sent values of keys that aren't properties")
    func otherKeys() throws {
        #expect(try store(Flagged.self, #"{"id": 1, "flagged": false, "size": 1}"#) == [])
        #expect(try store(Flagged.self, #"{"id": 1, "flagged": true}"#) == [])
        #expect(cache.get(Flagged.self, id: 1)?.isFlagged == true)
        #expect(try store(Flagged.self, #"{"id": 1, "flagged": true, "size": 2, "note": "n"}"#) == [])
        #expect(
            try store(Flagged.self, #"{"id": 1, "flagged": false, "size": 2}"#)
                == ["[0]: the payload leaves out Flagged.note, and init(from:) doesn't restore its stored value"]
        )
        #expect(cache.get(Flagged.self, id: 1)?.note == "n" && cache.get(Flagged.self, id: 1)?.isFlagged == true)
    }

    @Test("The problem of an identifier that isn't read at a key says so")
    func computedIdentifier() throws {
        #expect(try store(Keyed.self, #"{"key": "1", "size": 1}"#) == [])
        #expect(
            try store(Keyed.self, #"{"key": "1"}"#)
                == ["[0]: can't read Keyed: the payload leaves out size, and only init(from:) makes the identifier"]
        )
        #expect(try store(Item.self, #"{"size": 1, "kind": "a"}"#) == ["[0].id: can't read Item: it is missing"])
    }
}
