import FlatCache

/// An entity that is one of two structures, which have members of the same names.
///
/// No table names its keys: they are learnt from whole ones.
enum Choice: Cachable, Codable, Snapshotable {
    case person(Person), team(Team)

    struct Person: Codable, Sendable {
        let id: Int
        var name: String
        var note: String?
        var rank: Int?
        var place: Place?
    }

    struct Team: Codable, Sendable {
        let id: Int
        var note: Int?
        var name: [String]?
        var size: Int
        let place: Place
    }

    struct Place: Codable, Sendable, Structure {
        var city: String
        var code: Int?

        var snapshot: [String: JSON] { ["city": .text(city), "code": JSON(code as Any)] }
    }

    private enum TypeKey: CodingKey { case type }

    init(from decoder: any Decoder) throws {
        let type = try decoder.container(keyedBy: TypeKey.self).decode(String.self, forKey: .type)
        self = type == "person" ? .person(try Person(from: decoder)) : .team(try Team(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: TypeKey.self)
        switch self {
        case .person(let person):
            try container.encode("person", forKey: .type)
            try person.encode(to: encoder)
        case .team(let team):
            try container.encode("team", forKey: .type)
            try team.encode(to: encoder)
        }
    }

    var id: Int {
        switch self {
        case .person(let person): person.id
        case .team(let team): team.id
        }
    }

    var local: Int {
        get { 0 }
        set {}
    }

    var snapshot: [String: JSON] {
        let values: [String: Any] =
            switch self {
            case .person(let it):
                ["name": it.name, "note": it.note as Any, "rank": it.rank as Any, "place": it.place as Any]
            case .team(let it):
                ["note": it.note as Any, "name": it.name as Any, "size": it.size, "place": it.place]
            }
        let type = if case .person = self { "person" } else { "team" }
        return values.mapValues { JSON($0) }.merging(["type": .text(type), "id": .int(id), "local": .int(0)]) { $1 }
    }
}

extension Choice {
    /// The model, for which the number of the structure is that of ``Choice/Place``.
    static func model(_ place: Int) -> Model {
        let type = Model.Property(key: "type", kind: .text, isOptional: false)
        let id = Model.Property(key: "id", kind: .id, isOptional: false)
        let person: [Model.Property] = [
            type, id, .init(key: "name", kind: .text, isOptional: false),
            .init(key: "note", kind: .text, isOptional: true), .init(key: "rank", kind: .int, isOptional: true),
            .init(key: "place", kind: .structure(place), isOptional: true),
        ]
        let team: [Model.Property] = [
            type, id, .init(key: "note", kind: .int, isOptional: true),
            .init(key: "name", kind: .texts, isOptional: true), .init(key: "size", kind: .int, isOptional: false),
            .init(key: "place", kind: .structure(place), isOptional: false),
        ]
        return Model(Choice.self, [], cases: ["person": person, "team": team], hasLocal: false)
    }

    static let place: [Model.Property] = [
        .init(key: "city", kind: .text, isOptional: false), .init(key: "code", kind: .int, isOptional: true),
    ]

    /// Whole ones, from which the keys are learnt.
    static let wholeText = """
        [{"type": "person", "id": 1, "name": "a", "note": "b", "rank": 1, "place": {"city": "c", "code": 1}},
         {"type": "team", "id": 2, "note": 1, "name": ["a"], "size": 1, "place": {"city": "c", "code": 1}}]
        """
}
