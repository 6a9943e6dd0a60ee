import FlatCache
import Foundation
import Testing

/// Entities whose `init(from:)` isn't synthesized.
@Suite("Custom initializers of entities")
struct CustomInitializerTests {
    private let cache = FlatCache()

    private func decode<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    enum Anything: Codable, Equatable, Sendable {
        case null
        case number(Int)
        case text(String)
        case list([Anything])
        case object([String: Anything])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([Anything].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: Anything].self))
            }
        }
    }

    /// An entity that decodes all of its members as one dictionary.
    struct Bag: Cachable, Decodable, Equatable {
        let id: String
        let members: [String: Anything]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            members = try value.decode([String: Anything].self)
            id = try value.decode([String: Anything].self)["id"].map { "\($0)" } ?? ""
        }
    }

    /// An entity that decodes its members as one dictionary, if it has a certain member.
    struct Sack: Cachable, Decodable, Equatable {
        let id: String
        let texts: [String: String]?

        enum CodingKeys: CodingKey { case id, hasTexts }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            id = try members.decode(String.self, forKey: .id)
            texts = members.contains(.hasTexts) ? try decoder.singleValueContainer().decode([String: String].self) : nil
        }
    }

    @Test("An entity can decode its object as a dictionary, at any place")
    func dictionaries() throws {
        let bags = #"[{"id": "1", "x_y": 1, "y": {"z_z": [1, "a", null]}}, {"id": "2"}, 5, {"id": "3", "x": "a"}]"#
        let sacks = #"[{"id": "1"}, {"id": "2", "hasTexts": "b"}, {"id": "3"}, {"id": "4", "hasTexts": "c"}]"#
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        func check<Entity: Cachable & Decodable & Equatable>(_ type: Entity.Type, _ json: String, _ count: Int) throws {
            let data = Data(json.utf8)
            let plain = try decoder.decode([Plain<Entity>].self, from: data).compactMap(\.value)
            let stored = cache.store(try decoder.decode(Payload<[Entity]>.self, from: data))
            #expect(stored.value == plain && plain.count == count)
        }
        try check(Bag.self, bags, 3)
        try check(Sack.self, sacks, 4)
        #expect(cache.store(try decode(Bag.self, #"{"id": "9", "x": 1}"#)).value?.members.count == 2)
        #expect(cache.store(try decode([String: Bag].self, #"{"k": {"id": "9", "x": 1}}"#)).value?.count == 1)
    }

    /// An element as the user's decoder decodes it alone, or `nil`.
    struct Plain<Value: Decodable>: Decodable {
        let value: Value?

        init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
    }

    /// An entity that asks for containers of its relationships.
    struct Circle: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        var leaderID: Int?
        var memberIDs: [Int]?
        var deputyName: String?

        enum CodingKeys: CodingKey { case id, leaderID, memberIDs, deputyID }
        enum DeputyKeys: CodingKey { case name }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            if container.contains(.leaderID), try !container.decodeNil(forKey: .leaderID) {
                leaderID = try Writer(from: container.superDecoder(forKey: .leaderID)).id
            }
            if container.contains(.memberIDs) {
                var members = try container.nestedUnkeyedContainer(forKey: .memberIDs)
                var ids: [Int] = []
                while !members.isAtEnd {
                    if let id = try members.decodeIfPresent(Int.self) { ids.append(id) }
                }
                memberIDs = ids
            }
            if container.contains(.deputyID) {
                let deputy = try container.nestedContainer(keyedBy: DeputyKeys.self, forKey: .deputyID)
                deputyName = try deputy.decode(String.self, forKey: .name)
            }
        }

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("leaderID", \.leaderID, Writer.self, "leader"),
                .init("memberIDs", \.memberIDs, Writer.self, "members"),
                .init("deputyID", to: Writer.self, "deputy"),
            ]
        }
    }

    @Test("Containers of a relationship's key are at the place of the related entities")
    func containers() throws {
        let payload = try decode(
            [Circle].self,
            """
            [{"id": "1", "leader": {"id": 7, "name": "L"},
              "members": [{"id": 8, "name": "M"}, 9, null, {"id": 10, "name": 5}],
              "deputy": {"name": "D"}},
             {"id": "2", "leaderID": {"id": 11, "name": "K"}, "memberIDs": [9], "members": [{"id": 9, "name": "N"}]},
             {"id": "3", "leader": null, "members": []}]
            """
        )
        #expect(payload.problems.map { $0.description.prefix { $0 != ":" } } == ["[0].members[3].name"])
        let circles = try #require(cache.store(payload).value)
        #expect(circles.map(\.leaderID) == [7, 11, nil] && circles.map(\.memberIDs) == [[8, 9, 10], [9], []])
        #expect(circles.map(\.deputyName) == ["D", nil, nil])
        #expect(cache.allValues(of: Writer.self).map(\.name).sorted() == ["K", "L", "M", "N"])
    }

    enum Item: Decodable, Equatable, Sendable {
        case story(Story), writer(Writer)

        enum Keys: CodingKey { case type }

        init(from decoder: any Decoder) throws {
            switch try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .type) {
            case "story": self = .story(try Story(from: decoder))
            default: self = .writer(try decoder.singleValueContainer().decode(Writer.self))
            }
        }
    }

    enum Tried: Decodable, Equatable, Sendable {
        case story(Story), writer(Writer)

        init(from decoder: any Decoder) throws {
            if let story = try? Story(from: decoder) {
                self = .story(story)
            } else {
                self = .writer(try Writer(from: decoder))
            }
        }
    }

    @Test("An incomplete entity in a union is merged with the stored one")
    func incompleteUnions() throws {
        cache.set(Story(id: "2", title: "T", writerID: 7, remarkIDs: []))
        cache.set(Writer(id: 7, name: "W"))
        let json = """
            [{"type": "story", "id": "2", "writer": {"id": 9, "name": "X"}}, {"type": "writer", "id": 7, "bio": "B"},
             {"type": "writer", "id": 8, "bio": "B"},
             {"type": "story", "id": "3", "title": 5, "writer": {"id": 10, "name": "Y"}}]
            """
        let stored = cache.store(try decode([Item].self, json))
        #expect(stored.value == [])
        #expect(cache.get(Story.self, id: "2") == Story(id: "2", title: "T", writerID: 9, remarkIDs: []))
        #expect(cache.get(Writer.self, id: 7) == Writer(id: 7, name: "W", bio: "B"))
        #expect(cache.count(of: Writer.self) == 3 && cache.count(of: Story.self) == 1)
        #expect(
            stored.problems.map { $0.description.prefix { $0 != ":" } } == ["[3].title", "[2]"]
        )
    }

    @Test("An attempt at a union's case that finds an incomplete entity leaves nothing behind")
    func incompleteAttempts() throws {
        cache.set(Story(id: "7", title: "T", writerID: 7, remarkIDs: []))
        cache.set(Writer(id: 7, name: "W"))
        let json = """
            [{"id": 7, "bio": "B"}, {"id": 8, "name": "N"},
             {"id": "7", "title": 5, "writer": {"id": 66, "name": "no"}, "bio": "no"}]
            """
        let stored = cache.store(try decode([Tried].self, json))
        #expect(cache.get(Writer.self, id: 7) == Writer(id: 7, name: "W", bio: "B"))
        #expect(stored.value == [.writer(Writer(id: 8, name: "N"))])
        #expect(cache.count(of: Writer.self) == 2)
        #expect(stored.problems.map { $0.description.prefix { $0 != ":" } } == ["[2].id"])
    }

    @Test("An incomplete entity in another one is merged, and the other one is a problem")
    func incompleteParts() throws {
        struct Owner: Cachable, Decodable {
            let id: Int
            let writer: Writer

            init(from decoder: any Decoder) throws {
                writer = try Writer(from: decoder)
                id = writer.id
            }
        }
        cache.set(Writer(id: 7, name: "W"))
        let stored = cache.store(try decode([Owner].self, #"[{"id": 7, "bio": "B"}, {"id": 7, "name": "N"}]"#))
        #expect(stored.value?.map(\.writer) == [Writer(id: 7, name: "N")])
        #expect(stored.problems.map(\.description) == ["[0].name: can't read Owner: it is missing"])
        #expect(cache.get(Writer.self, id: 7) == Writer(id: 7, name: "N", bio: "B"))
    }
}
