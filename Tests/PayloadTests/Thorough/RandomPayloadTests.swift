import FlatCache
import Foundation
import SeededRandom
import Testing

/// Random graphs of entities, encoded in random ways, and compared with a plain implementation of the rules.
@Suite("Random payloads")
struct RandomPayloadTests {
    @Test(
        "The decoded and stored entities equal those of the plain implementation",
        arguments: Seeds.first(100, full: 300, orAsIn: "FLATCACHE_PAYLOADS")
    )
    func graphs(seed: UInt64) throws {
        var world = PayloadWorld(seed: seed)
        let cache = FlatCache()
        for round in 0..<4 {
            let document = world.document()
            let payload = try decode(Tried.self, document, round)
            let stored = cache.store(payload)
            let expected = world.read(document)
            #expect(cache.storedObjects == world.stored, "FLATCACHE_SEED=\(seed), round \(round): \(document.json)")
            #expect(
                Set(stored.problems.map(\.description)).count == expected,
                "FLATCACHE_SEED=\(seed), round \(round): \(stored.problems) \(document.json)"
            )
        }
    }

    private typealias Tried = [PayloadWorld.Envelope]

    private func decode<Root>(_ type: Root.Type, _ document: Tree, _ round: Int) throws -> Payload<Root> {
        switch round {
        case 0, 1: try JSONDecoder().decode(Payload<Root>.self, from: Data(document.json.utf8))
        case 2: try TreeDecoder.decode(Payload<Root>.self, document)
        default: try TreeDecoder.decode(Payload<Root>.self, document, advancesOnFailure: true)
        }
    }
}

extension FlatCache {
    /// The stored entities, by type and identifier, as trees.
    var storedObjects: [String: [String: Tree]] {
        var objects: [String: [String: Tree]] = [:]
        for writer in allValues(of: Writer.self) {
            objects["writer \(writer.id)"] = [
                "id": .number(Double(writer.id)), "name": .text(writer.name),
                "bio": writer.bio.map { .text($0) } ?? .null,
            ]
        }
        for remark in allValues(of: Remark.self) {
            objects["remark \(remark.id)"] = [
                "id": .text(remark.id), "text": .text(remark.text),
                "writer": remark.writerID.map { .number(Double($0)) } ?? .null,
                "replies": remark.replyIDs.map { .array($0.map { .text($0) }) } ?? .null,
            ]
        }
        for story in allValues(of: Story.self) {
            objects["story \(story.id)"] = [
                "id": .text(story.id), "title": .text(story.title), "summary": story.summary.map { .text($0) } ?? .null,
                "writer": .number(Double(story.writerID)),
                "editor": story.editorID.map { .number(Double($0)) } ?? .null,
                "remarks": .array(story.remarkIDs.map { .text($0) }),
                "tags": story.tags.map { .array($0.map { .text($0) }) } ?? .null,
            ]
        }
        return objects
    }
}

/// Random documents, and a plain implementation of the rules of payloads for them.
struct PayloadWorld {
    var random: SeededGenerator
    /// The entities that must be stored, with null for `nil`.
    private(set) var stored: [String: [String: Tree]] = [:]

    struct Envelope: Decodable, Sendable {
        let story: Story?
        let remarks: [Remark]?
        let writers: [String: Writer]?
        let inner: Inner?
        let feed: [Item]?
        let lead: Item?

        struct Inner: Decodable, Sendable {
            let stories: [[Story]]
        }

        /// An entity of one of several types.
        enum Item: Decodable, Sendable {
            case story(Story), remark(Remark), writer(Writer)

            enum CodingKeys: CodingKey { case kind }

            init(from decoder: any Decoder) throws {
                let entity = try decoder.singleValueContainer()
                switch try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind) {
                case "story": self = .story(try entity.decode(Story.self))
                case "remark": self = .remark(try entity.decode(Remark.self))
                default: self = .writer(try entity.decode(Writer.self))
                }
            }
        }
    }

    /// The members of a type: the kind of each, and whether it is required.
    enum Member {
        case text, texts
        case one(String), many(String)
    }

    static let types: [String: [(name: String, keys: [String], member: Member, isRequired: Bool)]] = [
        "writer": [("name", ["name"], .text, true), ("bio", ["bio"], .text, false)],
        "remark": [
            ("text", ["text"], .text, true), ("writer", ["writerID", "writerId", "writer"], .one("writer"), false),
            ("replies", ["replyIDs", "replies", "replyIds"], .many("remark"), false),
        ],
        "story": [
            ("title", ["title"], .text, true), ("summary", ["summary"], .text, false),
            ("writer", ["writer", "writerID", "writerId"], .one("writer"), true),
            ("editor", ["editor", "editorID"], .one("writer"), false),
            ("remarks", ["remarks", "remarkIDs"], .many("remark"), true), ("tags", ["tags"], .texts, false),
        ],
    ]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    // MARK: Documents

    mutating func document() -> Tree {
        .array((0..<random.below(4)).map { _ in envelope() })
    }

    private mutating func envelope() -> Tree {
        var members: [String: Tree] = [:]
        if chance(2) { members["story"] = entity("story", 0) }
        if chance(2) { members["remarks"] = .array((0..<random.below(4)).map { _ in entity("remark", 0) }) }
        if chance(2) {
            // An object has no order, so each identifier is in it once.
            let writers = (0..<random.below(4)).map { number in
                ("k\(number)", entity("writer", 0).merging(["id": .number(Double(number))]))
            }
            members["writers"] = .object(Dictionary(uniqueKeysWithValues: writers))
        }
        if chance(3) {
            members["inner"] = [
                "stories": .array(
                    (0..<random.below(3)).map { _ in .array((0..<random.below(3)).map { _ in entity("story", 0) }) }
                )
            ]
        }
        if chance(3) { members["feed"] = .array((0..<random.below(5)).map { _ in item() }) }
        if chance(3) { members["lead"] = item() }
        return .object(members)
    }

    private mutating func item() -> Tree {
        let kind = random.pick(from: ["story", "remark", "writer"])
        return entity(kind, 0).merging(["kind": .text(kind)])
    }

    private mutating func entity(_ type: String, _ depth: Int) -> Tree {
        var members: [String: Tree] = ["id": id(of: type)]
        for (_, keys, member, isRequired) in Self.types[type] ?? [] {
            if chance(isRequired ? 6 : 3) { continue }
            let key = random.pick(from: keys)
            if !isRequired && chance(5) {
                members[key] = .null
                continue
            }
            switch member {
            case .text: members[key] = .text("t\(random.below(100))")
            case .texts: members[key] = .array((0..<random.below(3)).map { _ in .text("t") })
            case .one(let related): members[key] = reference(to: related, depth)
            case .many(let related):
                members[key] = .array((0..<random.below(4)).map { _ in reference(to: related, depth) })
            }
        }
        return .object(members)
    }

    private mutating func reference(to type: String, _ depth: Int) -> Tree {
        depth < 4 && chance(2) ? entity(type, depth + 1) : id(of: type)
    }

    private mutating func id(of type: String) -> Tree {
        let number = random.below(5)
        return type == "writer" ? .number(Double(number)) : .text("\(type.first ?? "x")\(number)")
    }

    private mutating func chance(_ bound: Int) -> Bool { random.below(bound) == 0 }

    // MARK: The rules

    /// The incomplete entities of a document that aren't stored.
    private var pending: [String: (members: [String: Tree], count: Int)] = [:]

    /// Stores the entities of a document.
    ///
    /// - Returns: The number of problems.
    mutating func read(_ document: Tree) -> Int {
        var problems = 0
        pending = [:]
        for envelope in document.elements {
            // In the order in which the synthesized initializers ask.
            if let story = envelope["story"] { read("story", story, &problems) }
            for remark in envelope["remarks"]?.elements ?? [] { read("remark", remark, &problems) }
            for number in 0..<4 {
                if let writer = envelope["writers"]?["k\(number)"] { read("writer", writer, &problems) }
            }
            for stories in envelope["inner"]?["stories"]?.elements ?? [] {
                for story in stories.elements { read("story", story, &problems) }
            }
            for item in (envelope["feed"]?.elements ?? []) + [envelope["lead"]].compactMap(\.self) {
                if case .text(let kind) = item["kind"] { read(kind, item, &problems) }
            }
        }
        return problems
    }

    /// Stores an entity after those that are nested in it.
    private mutating func read(_ type: String, _ tree: Tree, _ problems: inout Int) {
        guard let id = tree["id"] else { return }
        let required = Set((Self.types[type] ?? []).filter(\.3).map(\.0))
        var members: [String: Tree] = ["id": id]
        for (name, keys, member, _) in Self.types[type] ?? [] {
            guard let value = Self.keys(keys).lazy.compactMap({ tree[$0] }).first else { continue }
            switch member {
            case .text, .texts: members[name] = value
            case .one(let related): members[name] = identifier(related, value, &problems)
            case .many(let related):
                members[name] =
                    value == .null
                    ? .null : .array(value.elements.map { identifier(related, $0, &problems) })
            }
        }
        let name = "\(type) \(id.idText)"
        var entity = stored[name]
        if entity == nil {
            // Incomplete entities of a document complete each other.
            let earlier = pending[name]
            members = (earlier?.members ?? [:]).merging(members) { $1 }
            guard required.isSubset(of: members.keys) else {
                problems += 1
                pending[name] = (members, (earlier?.count ?? 0) + 1)
                return
            }
            problems -= earlier?.count ?? 0
            pending[name] = nil
            entity = ["id": id]
            for (name, _, _, _) in Self.types[type] ?? [] { entity?[name] = .null }
        }
        stored[name] = entity?.merging(members) { $1 }
    }

    private mutating func identifier(_ type: String, _ value: Tree, _ problems: inout Int) -> Tree {
        guard case .object = value, let id = value["id"] else { return value }
        read(type, value, &problems)
        return id
    }

    /// The keys in the order of precedence: the property's own, then the others.
    private static func keys(_ keys: [String]) -> [String] {
        keys.sorted { lhs, rhs in rank(lhs) < rank(rhs) }
    }

    private static func rank(_ key: String) -> Int { key.hasSuffix("ID") || key.hasSuffix("IDs") ? 0 : 1 }
}

extension Tree {
    subscript(name: String) -> Tree? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The object with other members.
    func merging(_ others: [String: Tree]) -> Tree {
        if case .object(let members) = self { .object(members.merging(others) { $1 }) } else { self }
    }

    var elements: [Tree] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The text of an identifier.
    var idText: String {
        switch self {
        case .text(let text): text
        case .number(let number): "\(Int(number))"
        default: ""
        }
    }

    /// The JSON text.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): number == number.rounded() ? "\(Int(number))" : "\(number)"
        case .text(let text): "\"\(text)\""
        case .array(let elements): "[\(elements.map(\.json).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1.json)" }.joined(separator: ", "))}"
        }
    }
}
