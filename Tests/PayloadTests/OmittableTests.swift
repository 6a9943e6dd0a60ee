import FlatCache
import Foundation
import Testing

/// Absent, null and values of properties.
@Suite("Omittable properties")
struct OmittableTests {
    struct Change: Codable, Hashable, Sendable {
        let id: String
        @Omittable var note: String?
        @Omittable var newName: String?
        @Omittable var bornAt: Date?
        @Omittable var tags: [String]?
        @Omittable var inner: Inner?

        struct Inner: Codable, Hashable, Sendable {
            @Omittable var note: Int?
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    private func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("Absent, null and values are distinguished, and encoded as they were decoded")
    func roundTrip() throws {
        let json = #"{"id":"1","inner":{"note":null},"newName":"N","note":null}"#
        let change = try decode(Change.self, json)
        #expect(change.$note == .null && change.note == nil)
        #expect(change.$newName == .value("N") && change.newName == "N")
        #expect(change.$tags == .absent && change.tags == nil)
        #expect(change.inner?.$note == .null)
        #expect(try encode(change) == json)
        #expect(try decode(Change.self, encode(change)) == change)
    }

    @Test("An omitted argument is absent, assigning nil is null")
    func assigning() throws {
        var change = Change(id: "1", tags: ["a"])
        #expect(change.$note == .absent && change.$tags == .value(["a"]))
        #expect(try encode(change) == #"{"id":"1","tags":["a"]}"#)
        change.note = nil
        change.tags = nil
        #expect(try encode(change) == #"{"id":"1","note":null,"tags":null}"#)
        change.note = "N"
        change.$tags = .absent
        #expect(try encode(change) == #"{"id":"1","note":"N"}"#)
    }

    @Test("Assigning to a property: absent keeps it, null clears it, a value sets it")
    func assignment() {
        var note: String? = "old"
        Omittable<String>.State.absent.assign(to: &note)
        #expect(note == "old")
        Omittable<String>.State.value("new").assign(to: &note)
        #expect(note == "new")
        Omittable<String>.State.null.assign(to: &note)
        #expect(note == nil)
    }

    @Test("Key and date strategies are the decoder's, in payloads and outside of them")
    func strategies() throws {
        struct Page: Codable, Sendable { let changes: [Change] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let json = Data(
            #"{"changes": [{"id": "1", "new_name": null, "born_at": 5}, {"id": "2", "born_at": null}]}"#.utf8
        )
        let plain = try decoder.decode(Page.self, from: json).changes
        #expect(plain[0].$newName == .null && plain[0].$note == .absent)
        #expect(plain[0].$bornAt == .value(Date(timeIntervalSince1970: 5)) && plain[1].$bornAt == .null)
        let payload = try decoder.decode(Payload<Page>.self, from: json)
        #expect(FlatCache().store(payload).value?.changes == plain)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode(plain[0]), as: UTF8.self)
        #expect(text == #"{"born_at":5,"id":"1","new_name":null}"#)
    }

    @Test("Property lists have no null, but Foundation writes and reads a mark", arguments: [true, false])
    func propertyLists(isXML: Bool) throws {
        var change = Change(id: "1", newName: "N")
        change.note = nil
        let encoder = PropertyListEncoder()
        encoder.outputFormat = isXML ? .xml : .binary
        let data = try encoder.encode(change)
        #expect(try PropertyListDecoder().decode(Change.self, from: data) == change)
        #expect(FlatCache().store(try PropertyListDecoder().decode(Payload<Change>.self, from: data)).value == change)
    }

    @Test("A decoder that isn't Foundation's distinguishes absent from null")
    func foreignDecoder() throws {
        let tree: Tree = ["id": "1", "note": nil, "tags": ["a"]]
        let plain = try TreeDecoder.decode(Change.self, tree)
        #expect(plain.$note == .null && plain.$tags == .value(["a"]) && plain.$newName == .absent)
        #expect(FlatCache().store(try TreeDecoder.decode(Payload<Change>.self, tree)).value == plain)
    }

    @Test("A value of another type is an error, and a problem in a payload")
    func wrongType() throws {
        #expect(throws: DecodingError.self) { try decode(Change.self, #"{"id": "1", "note": 5}"#) }
        let payload = try decode(Payload<[Change]>.self, #"[{"id": "1", "note": 5}, {"id": "2"}]"#)
        #expect(payload.problems.map { $0.codingPath.map(\.stringValue) } == [["Index 0", "note"]])
    }

    @Test("Elements can't be absent, and are encoded as null")
    func elements() throws {
        let values = try decode([Omittable<Int>].self, "[1, null]")
        #expect(values.map(\.projectedValue) == [.value(1), .null])
        #expect(try encode(values + [Omittable(wrappedValue: nil)]) == "[1,null,null]")
    }

    struct Poster: Decodable, Sendable {
        @Omittable var picture: Picture?
        @Omittable var profiles: [ProfileResponse]?
    }

    @Test("P1: Entities and patches in omittable properties are found")
    func entities() throws {
        let cache = FlatCache()
        cache.set(Account(id: "1", name: "A"))
        let json = #"{"picture": {"id": 1, "address": "a"}, "profiles": [{"id": "1", "note": "N"}]}"#
        #expect(cache.store(try decode(Payload<Poster>.self, json)).value?.picture?.id == 1)
        #expect(cache.contains(Picture.self, id: 1) && cache.get(Account.self, id: "1")?.note == "N")
    }

    // MARK: In entities

    /// An entity whose table is generated.
    struct Sheet: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var title: String
        @Omittable var note: String?

        static var payloadKeys: [_PayloadKey] {
            [.init(id: "id", \.id), .init("title", \.title), .init("note", omittable: \.note)]
        }
    }

    /// An entity whose table is learnt.
    struct Page: Cachable, Codable, Equatable {
        let id: Int
        var title: String
        @Omittable var note: String?
    }

    static let states: [Omittable<String>.State] = [.absent, .null, .value("old")]
    static let sent: [(json: String, state: Omittable<String>.State)] = [
        ("", .absent), (#", "note": null"#, .null), (#", "note": "new""#, .value("new")),
    ]

    @Test("P2: A payload without the key keeps the state, in entities with a table", arguments: states, 0..<3)
    func generatedTable(old: Omittable<String>.State, place: Int) throws {
        try expectKept(old, Self.sent[place], in: Sheet(id: 1, title: "T"), \.$note, \.title)
    }

    @Test("P2: A payload without the key keeps the state, in entities without a table", arguments: states, 0..<3)
    func learntTable(old: Omittable<String>.State, place: Int) throws {
        try expectKept(old, Self.sent[place], in: Page(id: 1, title: "T"), \.$note, \.title)
        let missing = FlatCache().store(try decode(Payload<Page>.self, #"{"id": 2}"#))
        #expect(
            missing.problems.map(\.description) == ["the root: Page isn't stored, and the payload leaves out title"]
        )
    }

    /// A structure whose keys are learnt.
    struct Card: Cachable, Codable, Equatable {
        let id: Int
        var title: String
        var extra: Extra?

        struct Extra: Codable, Equatable {
            let count: Int
            @Omittable var note: String?
        }
    }

    /// A structure with a table, which can't be encoded.
    struct Form: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var title: String
        var extra: Extra?

        struct Extra: Decodable, Equatable, FlatCache.PayloadOwner {
            let count: Int
            @Omittable var note: String?

            static var payloadKeys: [_PayloadKey] { [.init("count", \.count), .init("note", omittable: \.note)] }
        }

        static var payloadKeys: [_PayloadKey] {
            [.init("id", \.id), .init("title", \.title), .init("extra", \.extra)]
        }
    }

    @Test("P2: A payload without the key keeps the state in a structure", arguments: states, 0..<3)
    func structures(old: Omittable<String>.State, place: Int) throws {
        let sent = Self.sent[place]
        let state = sent.json.isEmpty ? old : sent.state
        let whole = #"{"id": 0, "title": "U", "extra": {"count": 1}}"#
        #expect(FlatCache().store(try decode(Payload<Card>.self, whole)).problems.isEmpty)
        for (title, count) in [("T", 2), ("T", nil), (nil, 2), (nil, nil)] as [(String?, Int?)] {
            let texts = [count.map { #", "count": \#($0)"# } ?? "", sent.json].joined().dropFirst()
            let json = #"{"id": 1\#(title.map { #", "title": "\#($0)""# } ?? ""), "extra": {\#(texts)}}"#
            let cache = FlatCache()
            var extra = Card.Extra(count: 1)
            extra.$note = old
            cache.set(Card(id: 1, title: "S", extra: extra))
            let stored = cache.store(try decode(Payload<Card>.self, json))
            #expect(stored.problems.map(\.description) == [], "\(json)")
            #expect(stored.value?.extra?.$note == state && stored.value?.extra?.count == count ?? 1)
            #expect(stored.value?.title == title ?? "S")
            // A null is only known from its encoding.
            if old == .null || state == .null { continue }
            var other = Form.Extra(count: 1)
            other.$note = old
            cache.set(Form(id: 1, title: "S", extra: other))
            let form = cache.store(try decode(Payload<Form>.self, json))
            #expect(form.problems.map(\.description) == [], "\(json)")
            #expect(form.value?.extra?.$note == state && form.value?.extra?.count == count ?? 1)
        }
    }

    /// Expects that a payload with a state sets it, and that one without the key keeps the old state.
    private func expectKept<Entity: Cachable & Codable>(
        _ old: Omittable<String>.State,
        _ sent: (json: String, state: Omittable<String>.State),
        in entity: Entity,
        _ note: WritableKeyPath<Entity, Omittable<String>.State>,
        _ text: KeyPath<Entity, String>
    ) throws {
        let cache = FlatCache()
        var entity = entity
        entity[keyPath: note] = old
        // A complete decoding teaches the types of the properties.
        _ = try decode(Payload<Entity>.self, #"{"id": 0, "title": "U"}"#)
        for title in [#", "title": "U""#, ""] {
            cache.set(entity)
            let stored = cache.store(try decode(Payload<Entity>.self, "{\"id\": 1\(title)\(sent.json)}"))
            #expect(stored.problems.map(\.description) == [])
            #expect(stored.value?[keyPath: text] == (title.isEmpty ? "T" : "U"))
            #expect(stored.value?[keyPath: note] == (sent.json.isEmpty ? old : sent.state))
        }
    }
}
