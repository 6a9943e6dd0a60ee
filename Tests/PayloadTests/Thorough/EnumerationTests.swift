import FlatCache
import Foundation
import Testing

/// Enumerations as entities, each case of which has keys of its own.
@Suite("Entities that are enumerations")
struct EnumerationTests {
    private let cache = FlatCache()

    struct User: Codable, Equatable {
        let id: String
        let name: String
        var bio: String?
        var size: String?
    }

    struct Group: Codable, Equatable {
        let id: String
        let title: String
        var size: Int?
        var topic: Topic?

        struct Topic: Codable, Equatable {
            let name: String
            var color: String?
        }
    }

    /// A user or a group, depending on a member.
    ///
    /// The keys are learnt in the process, so each order of learning has a type of its own.
    enum Account<Order: Sendable>: Cachable, Codable, Equatable {
        case user(User), group(Group)

        var id: String {
            switch self {
            case .user(let user): user.id
            case .group(let group): group.id
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AccountKeys.self)
            switch try container.decode(String.self, forKey: .type) {
            case "user": self = .user(try User(from: decoder))
            default: self = .group(try Group(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AccountKeys.self)
            switch self {
            case .user(let user):
                try container.encode("user", forKey: .type)
                try user.encode(to: encoder)
            case .group(let group):
                try container.encode("group", forKey: .type)
                try group.encode(to: encoder)
            }
        }
    }

    typealias First = Account<Int8>
    typealias Second = Account<Int16>
    typealias Third = Account<Int32>
    typealias Fourth = Account<Int64>

    private static let user = User(id: "1", name: "n", bio: "b", size: "xl")
    private static let group = Group(id: "2", title: "t", size: 7, topic: Group.Topic(name: "a", color: "red"))

    private func check<Order>(_ type: Account<Order>.Type, _ whole: [Account<Order>], _ parts: [String]) throws {
        let encoded = String(decoding: try JSONEncoder().encode(whole), as: UTF8.self)
        #expect(try store(encoded, type) == [])
        #expect(try store("[\(parts.joined(separator: ", "))]", type) == [])
        let user = User(id: "1", name: "m", bio: "b", size: "xl")
        let group = Group(id: "2", title: "u", size: 7, topic: Group.Topic(name: "c", color: "red"))
        #expect(cache.get(type, id: "1") == .user(user))
        #expect(cache.get(type, id: "2") == .group(group))
    }

    private func store<Order>(_ json: String, _ type: Account<Order>.Type) throws -> [String] {
        cache.store(try JSONDecoder().decode(Payload<[Account<Order>]>.self, from: Data(json.utf8))).problems.map(
            \.description
        )
    }

    private static let partOfUser = #"{"type": "user", "id": "1", "name": "m"}"#
    private static let partOfGroup = #"{"type": "group", "id": "2", "title": "u", "topic": {"name": "c"}}"#

    @Test("P2: Each case keeps what a payload leaves out, in whichever order the cases are decoded")
    func orders() throws {
        try check(First.self, [.user(Self.user), .group(Self.group)], [Self.partOfUser, Self.partOfGroup])
        try check(Second.self, [.group(Self.group), .user(Self.user)], [Self.partOfUser, Self.partOfGroup])
        try check(Third.self, [.user(Self.user), .group(Self.group)], [Self.partOfGroup, Self.partOfUser])
    }

    @Test("P2: Each case is completed if something required is left out", arguments: [false, true])
    func required(isReversed: Bool) throws {
        let whole: [Fourth] = [.user(Self.user), .group(Self.group)]
        let encoded = try JSONEncoder().encode(isReversed ? whole.reversed() : whole)
        #expect(try store(String(decoding: encoded, as: UTF8.self), Fourth.self) == [])
        let parts = [#"{"type": "user", "id": "1", "bio": "c"}"#, #"{"type": "group", "id": "2", "size": 8}"#]
        #expect(try store("[\(parts.joined(separator: ", "))]", Fourth.self) == [])
        #expect(cache.get(Fourth.self, id: "1") == .user(User(id: "1", name: "n", bio: "c", size: "xl")))
        let topic = Group.Topic(name: "a", color: "red")
        #expect(cache.get(Fourth.self, id: "2") == .group(Group(id: "2", title: "t", size: 8, topic: topic)))
    }

    @Test("P2: An entity that changes its case has what the payload says")
    func changed() throws {
        #expect(try store("[\(Self.partOfUser)]", First.self) == [])
        let group = #"[{"type": "group", "id": "1", "title": "u"}]"#
        #expect(try store(group, First.self) == [])
        #expect(cache.get(First.self, id: "1") == .group(Group(id: "1", title: "u", size: nil, topic: nil)))
    }

    /// An enumeration that can't be encoded.
    enum Attachment: Cachable, Decodable, Equatable {
        case image(id: Int, alt: String?), link(id: Int, title: String?)

        var id: Int {
            switch self {
            case .image(let id, _), .link(let id, _): id
            }
        }

        enum CodingKeys: CodingKey { case type, id, alt, title }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let id = try container.decode(Int.self, forKey: .id)
            switch try container.decode(String.self, forKey: .type) {
            case "image": self = .image(id: id, alt: try container.decodeIfPresent(String.self, forKey: .alt))
            default: self = .link(id: id, title: try container.decodeIfPresent(String.self, forKey: .title))
            }
        }
    }

    @Test("P2: What can't be kept of a case is a problem, in whichever order the cases are decoded")
    func problems() throws {
        func store(_ json: String) throws -> [String] {
            let payload = try JSONDecoder().decode(Payload<[Attachment]>.self, from: Data(json.utf8))
            return cache.store(payload).problems.map(\.reason.description)
        }
        let whole = #"[{"type": "image", "id": 1, "alt": "a"}, {"type": "link", "id": 2, "title": "t"}]"#
        #expect(try store(whole) == [])
        #expect(try store(#"[{"type": "image", "id": 1}]"#) == ["can't keep 'alt'"])
        #expect(try store(#"[{"type": "link", "id": 2}]"#) == ["can't keep 'title'"])
    }

    /// A key that one case needs, and another one can do without.
    enum Venue: Cachable, Codable, Equatable {
        case online(Online), hall(Hall)

        struct Online: Codable, Equatable {
            let id: String
            let url: String
            var place: String?
        }

        struct Hall: Codable, Equatable {
            let id: String
            let place: String
        }

        var id: String {
            switch self {
            case .online(let online): online.id
            case .hall(let hall): hall.id
            }
        }

        init(from decoder: any Decoder) throws {
            let type = try decoder.container(keyedBy: AccountKeys.self).decode(String.self, forKey: .type)
            self = type == "online" ? .online(try Online(from: decoder)) : .hall(try Hall(from: decoder))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AccountKeys.self)
            switch self {
            case .online(let online):
                try container.encode("online", forKey: .type)
                try online.encode(to: encoder)
            case .hall(let hall):
                try container.encode("hall", forKey: .type)
                try hall.encode(to: encoder)
            }
        }
    }

    @Test("P2: A key that only another case needs can be nil and left out")
    func keyOfSeveralCases() throws {
        func store(_ json: String) throws -> [String] {
            cache.store(try JSONDecoder().decode(Payload<[Venue]>.self, from: Data(json.utf8))).problems.map(
                \.description
            )
        }
        #expect(
            try store(#"[{"type": "online", "id": "1", "url": "a"}, {"type": "hall", "id": "2", "place": "b"}]"#) == []
        )
        #expect(try store(#"[{"type": "online", "id": "1", "url": "c"}]"#) == [])
        #expect(cache.get(Venue.self, id: "1") == .online(Venue.Online(id: "1", url: "c", place: nil)))
    }
}

private enum AccountKeys: CodingKey { case type }
