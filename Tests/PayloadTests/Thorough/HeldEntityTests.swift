import FlatCache
import Foundation
import Testing

/// Entities in the stored properties of other entities, and in collections of any kind.
@Suite("Entities as values of others")
struct HeldEntityTests {
    private let cache = FlatCache()

    struct Panel: Cachable, Codable, Equatable {
        let id: Int
        var host: Writer?
        var guests: [Writer]?
        var byRole: [String: Writer]?
    }

    @Test("An incomplete entity that another entity contains is a problem", arguments: [true, false])
    func incomplete(isStored: Bool) throws {
        if isStored { cache.set(Writer(id: 9, name: "Ada")) }
        let json = #"""
            [{"id": 1, "guests": [{"id": 9, "bio": "new"}, {"id": 8, "name": "B"}], "byRole": {"x": {"id": 9}}}]
            """#
        let payload = try decode(Payload<[Panel]>.self, json)
        #expect(
            payload.problems.map(\.description) == [
                "[0].guests[0].name: can't read Writer: it is missing",
                "[0].byRole.x.name: can't read Writer: it is missing",
            ]
        )
        let stored = cache.store(payload)
        #expect(stored.value?.first?.guests?.map(\.id) == [8] && stored.value?.first?.byRole == [:])
        #expect(cache.get(Writer.self, id: 9)?.bio == (isStored ? "new" : nil))
        #expect(throws: PayloadProblem.self) {
            try decode(Payload<[Panel]>.self, json) { $0.userInfo[.isStrictPayload] = true }
        }
    }

    @Test("So is one in an optional property, which keeps its stored value")
    func optional() throws {
        cache.set(Panel(id: 1, host: Writer(id: 9, name: "Ada")))
        let stored = cache.store(try decode(Payload<[Panel]>.self, #"[{"id": 1, "host": {"id": 9, "bio": "new"}}]"#))
        #expect(stored.value?.first?.host == Writer(id: 9, name: "Ada"))
        #expect(
            stored.problems.map(\.description) == [
                "[0].host.name: can't read Writer: it is missing",
                "[0].host: Writer isn't stored, and the payload leaves out name",
            ]
        )
    }

    struct Room: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var title: String
        var host: Writer?
        var seats: Int
        var guest: Writer?
        var stage: Stage?

        struct Stage: Codable, Equatable {
            var act: Writer?
            var size: Int
        }

        static var payloadKeys: [_PayloadKey] {
            [
                .init("id", \.id), .init("title", \.title), .init("host", \.host), .init("seats", \.seats),
                .init("guest", \.guest), .init("stage", \.stage),
            ]
        }
    }

    @Test("P2: An optional property of an incomplete entity keeps it, too", arguments: ["host", "guest", "stage.act"])
    func incompleteOwner(path: String) throws {
        let ada = Writer(id: 9, name: "Ada", bio: "old")
        let room = Room(id: 1, title: "a", host: ada, seats: 4, guest: ada, stage: Room.Stage(act: ada, size: 2))
        let whole = String(decoding: try JSONEncoder().encode([room]), as: UTF8.self)
        #expect(cache.store(try decode(Payload<[Room]>.self, whole)).problems.isEmpty)
        let keys = path.split(separator: ".")
        let member = keys.reversed().reduce(#"{"id": 9, "bio": "new"}"#) { #"{"\#($1)": \#($0)}"# }.dropFirst()
        let stored = cache.store(try decode(Payload<[Room]>.self, #"[{"id": 1, "title": "c", \#(member)]"#))
        #expect(stored.problems.map(\.description) == ["[0].\(path).name: can't read Writer: it is missing"])
        var expected = room
        expected.title = "c"
        #expect(cache.get(Room.self, id: 1) == expected)
        #expect(cache.get(Writer.self, id: 9)?.bio == "new")
    }

    /// A structure whose raw value contains entities.
    struct Team: RawRepresentable, Decodable, Sendable {
        let rawValue: [Writer]

        init(rawValue: [Writer]) { self.rawValue = rawValue }
    }

    struct Collections: Decodable, Sendable {
        let set: Set<Named>
        let contiguous: ContiguousArray<Writer>
        let team: Team
        let range: ClosedRange<Int>
    }

    /// An entity that can be an element of a set.
    struct Named: Cachable, Codable, Hashable {
        let id: Int
        var name: String
    }

    @Test("Entities are found in all collections of the standard library, and in raw values")
    func collections() throws {
        let json = #"""
            {"set": [{"id": 1, "name": "A"}, {"id": 2}], "contiguous": [{"id": 3, "name": "C"}, {"id": 4}],
             "team": {"rawValue": [{"id": 5, "name": "E"}]}, "range": [1, 2]}
            """#
        let stored = cache.store(try decode(Payload<Collections>.self, json))
        #expect(stored.value?.contiguous.map(\.id) == [3])
        #expect(cache.allValues(of: Named.self).map(\.id) == [1])
        #expect(Set(cache.allValues(of: Writer.self).map(\.id)) == [3, 5])
        #expect(stored.problems.count == 2)
        let root = cache.store(try decode(Payload<ContiguousArray<Writer>>.self, #"[{"id": 6, "name": "F"}, 5]"#))
        #expect(root.value?.count == 1 && cache.contains(Writer.self, id: 6))
    }

    struct Wide: Cachable, Codable, Equatable {
        let id: Int
        var number: UInt128
        var other: Int128?
        var list: [UInt128]
    }

    @Test("Integers of 128 bits are decoded")
    func wide() throws {
        let stored = cache.store(
            try decode(Payload<[Wide]>.self, #"[{"id": 1, "number": 5, "other": -6, "list": [7]}]"#)
        )
        #expect(stored.value == [Wide(id: 1, number: 5, other: -6, list: [7])])
        #expect(stored.problems.isEmpty)
        let changed = cache.store(try decode(Payload<[Wide]>.self, #"[{"id": 1, "number": 8}]"#))
        #expect(changed.value == [Wide(id: 1, number: 8, other: -6, list: [7])] && changed.problems.isEmpty)
        let document = try decode(
            JSONAPI.Document<[Wide]>.self,
            #"{"data": [{"type": "wides", "id": "2", "attributes": {"number": 9, "list": []}}]}"#
        )
        #expect(cache.store(document).value == [Wide(id: 2, number: 9, list: [])])
    }
}
