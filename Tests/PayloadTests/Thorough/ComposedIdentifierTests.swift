import FlatCache
import Foundation
import Testing

/// Identifiers composed of the sent value and of a value in the decoder's `userInfo`.
@Suite("Composed identifiers")
struct ComposedIdentifierTests {
    struct UserID: Hashable, Codable, Sendable {
        let domain: String
        let number: String

        init(_ domain: String, _ number: String) {
            self.domain = domain
            self.number = number
        }

        init(from decoder: any Decoder) throws {
            self.init(try decoder.domain, try decoder.singleValueContainer().decode(String.self))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    /// An entity whose identifier decodes itself.
    struct User: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: UserID
        var name: String
        var bio: String?

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("name", \.name), .init("bio", \.bio)]
        }
    }

    /// An entity with a relationship, whose `init(from:)` composes the identifier.
    struct Toot: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: UserID
        var text: String?
        let pinned: Bool?
        let userID: UserID
        let fanIDs: [UserID]

        enum CodingKeys: CodingKey { case id, text, pinned, userID, fanIDs }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = UserID(try decoder.domain, try container.decode(String.self, forKey: .id))
            text = try container.decodeIfPresent(String.self, forKey: .text)
            pinned = try container.decodeIfPresent(Bool.self, forKey: .pinned)
            userID = try container.decode(UserID.self, forKey: .userID)
            fanIDs = try container.decode([UserID].self, forKey: .fanIDs)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id.number, forKey: .id)
            try container.encode(text, forKey: .text)
            try container.encodeIfPresent(pinned, forKey: .pinned)
            try container.encode(userID, forKey: .userID)
            try container.encode(fanIDs, forKey: .fanIDs)
        }

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("text", \.text), .init("pinned", \.pinned),
                .init("userID", \.userID, User.self, "userId", "user"),
                .init("fanIDs", \.fanIDs, User.self, "fanIds", "fans"),
            ]
        }
    }

    /// A patch whose `init(from:)` composes the identifier.
    struct UserResponse: Decodable, EntityPatch {
        let id: UserID
        @Omittable var bio: String?

        enum CodingKeys: CodingKey { case id, bio }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = UserID(try decoder.domain, try container.decode(String.self, forKey: .id))
            _bio = try container.decode(Omittable<String>.self, forKey: .bio)
        }

        func apply(to user: inout User) { $bio.assign(to: &user.bio) }

        func makeEntity() -> User? { User(id: id, name: "?") }
    }

    /// An entity whose identifier isn't decodable.
    struct Place: Cachable, Decodable {
        struct ID: Hashable, Sendable {
            let domain: String
            let number: Int
        }

        let id: ID
        let name: String
        var note: String?

        enum CodingKeys: CodingKey { case id, name, note }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = ID(domain: try decoder.domain, number: try container.decode(Int.self, forKey: .id))
            name = try container.decode(String.self, forKey: .name)
            note = try container.decodeIfPresent(String.self, forKey: .note)
        }
    }

    private let cache = FlatCache()

    private func decode<Root>(_ type: Root.Type, _ json: String, at domain: String) throws -> Payload<Root> {
        let decoder = JSONDecoder()
        decoder.userInfo[.domain] = domain
        return try decoder.decode(Payload<Root>.self, from: Data(json.utf8))
    }

    private func user(_ domain: String, _ number: String) -> User? { cache.get(User.self, id: UserID(domain, number)) }

    private static let servers = ["a.net", "b.net"]

    @Test("S4: Equal identifiers of two servers don't collide, nested and alone")
    func twoServers() throws {
        for domain in Self.servers {
            let json = """
                [{"id": "1", "text": "\(domain)", "user": {"id": "7", "name": "\(domain)"}, "fans": ["8", {"id": "9", "name": "F"}]},
                 {"id": "2", "text": null, "userID": "7", "fanIDs": ["7"]}]
                """
            let stored = cache.store(try decode([Toot].self, json, at: domain))
            #expect(stored.problems.map(\.description) == [])
            let toots = try #require(stored.value)
            #expect(toots.map(\.id) == [UserID(domain, "1"), UserID(domain, "2")])
            #expect(toots.map(\.userID) == [UserID(domain, "7"), UserID(domain, "7")])
            #expect(toots.map(\.fanIDs) == [[UserID(domain, "8"), UserID(domain, "9")], [UserID(domain, "7")]])
        }
        #expect(cache.count(of: Toot.self) == 4 && cache.count(of: User.self) == 4)
        for domain in Self.servers { #expect(user(domain, "7")?.name == domain) }
    }

    @Test("P2: Properties that a payload leaves out, constants too, are kept for each server")
    func absent() throws {
        for domain in Self.servers {
            let json =
                #"{"id": "1", "text": "T", "pinned": true, "user": {"id": "7", "name": "N", "bio": "B"}, "fans": []}"#
            cache.store(try decode(Toot.self, json, at: domain))
        }
        let json = #"{"id": "1", "user": {"id": "7", "bio": "C"}, "fans": ["7"]}"#
        let stored = cache.store(try decode(Toot.self, json, at: "b.net"))
        #expect(stored.problems.map(\.description) == [])
        #expect(stored.value?.text == "T" && stored.value?.pinned == true)
        #expect(stored.value?.fanIDs == [UserID("b.net", "7")])
        #expect(user("b.net", "7") == User(id: UserID("b.net", "7"), name: "N", bio: "C"))
        #expect(user("a.net", "7")?.bio == "B")
        // The first required key that is absent is not the last one.
        let incomplete = cache.store(try decode(Toot.self, #"{"id": "1", "text": "U"}"#, at: "a.net"))
        #expect(incomplete.problems.map(\.description) == [])
        #expect(incomplete.value?.text == "U" && incomplete.value?.userID == UserID("a.net", "7"))
    }

    @Test("Without a decodable identifier, an incomplete entity is a problem, and the stored one is left as it is")
    func undecodableIdentifier() throws {
        for domain in Self.servers {
            let json = #"[{"id": 1, "name": "\#(domain)", "note": "N"}, {"id": 2, "name": "M"}]"#
            #expect(cache.store(try decode([Place].self, json, at: domain)).problems.isEmpty)
        }
        let stored = cache.store(
            try decode([Place].self, #"[{"id": 1, "note": "O"}, {"id": 2, "name": "L", "note": null}]"#, at: "b.net")
        )
        #expect(stored.problems.map { $0.codingPath.first?.intValue } == [0])
        #expect(stored.value?.map(\.name) == ["L"])
        #expect(cache.get(Place.self, id: Place.ID(domain: "b.net", number: 1))?.note == "N")
        #expect(cache.get(Place.self, id: Place.ID(domain: "a.net", number: 2))?.name == "M")
    }

    @Test("Patches find the entity of their server")
    func patches() throws {
        cache.set(User(id: UserID("a.net", "7"), name: "A", bio: "B"))
        for domain in Self.servers {
            let json = #"[{"id": "7", "bio": "\#(domain)"}]"#
            let stored = cache.store(try decode([UserResponse].self, json, at: domain))
            #expect(stored.ids(of: User.self) == [UserID(domain, "7")])
        }
        #expect(user("a.net", "7") == User(id: UserID("a.net", "7"), name: "A", bio: "a.net"))
        #expect(user("b.net", "7") == User(id: UserID("b.net", "7"), name: "?", bio: "b.net"))
    }
}

extension CodingUserInfoKey {
    fileprivate static var domain: CodingUserInfoKey { CodingUserInfoKey(rawValue: "domain") ?? .isStrictPayload }
}

extension Decoder {
    /// The server of the response.
    fileprivate var domain: String {
        get throws {
            guard let domain = userInfo[.domain] as? String else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: codingPath, debugDescription: "The server is missing.")
                )
            }
            return domain
        }
    }
}
