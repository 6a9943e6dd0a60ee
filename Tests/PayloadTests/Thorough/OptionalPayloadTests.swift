import FlatCache
import Foundation
import Testing

/// Optional entities and identifiers.
@Suite("Optional values of payloads")
struct OptionalPayloadTests {
    private let cache = FlatCache()

    private func decode<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    /// An entity whose related entities can be null.
    struct Row: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        var seatIDs: [Int?]
        var guestIDs: Set<Int?>?

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("seatIDs", \.seatIDs, Writer.self, "seats"),
                .init("guestIDs", \.guestIDs, Writer.self, "guests"),
            ]
        }
    }

    @Test("Entities can be among identifiers that can be null")
    func optionalIdentifiers() throws {
        let payload = try decode(
            [Row].self,
            """
            [{"id": "1", "seatIDs": [{"id": 5, "name": "A"}, null, 7], "guests": [8, {"id": 9, "name": "B"}, null]},
             {"id": "2", "seats": [null, 5, {"id": 6, "name": 5}, "x"]}, {"id": "3", "seatIDs": [], "guests": null}]
            """
        )
        #expect(
            cache.store(payload).value == [
                Row(id: "1", seatIDs: [5, nil, 7], guestIDs: [8, 9, nil]), Row(id: "2", seatIDs: [nil, 5, 6]),
                Row(id: "3", seatIDs: []),
            ]
        )
        #expect(payload.problems.map { $0.description.prefix { $0 != ":" } } == ["[1].seats[2].name", "[1].seats[3]"])
        #expect(cache.allValues(of: Writer.self).map(\.name).sorted() == ["A", "B"])
        let partial = cache.store(try decode(Row.self, #"{"id": "1", "guestIDs": [{"id": 10, "name": "C"}]}"#))
        #expect(partial.value == Row(id: "1", seatIDs: [5, nil, 7], guestIDs: [10]))
        #expect(cache.get(Writer.self, id: 10) == Writer(id: 10, name: "C"))
    }

    struct Context: Decodable {
        let first: [Writer?]
        let second: Writer?
        let third: [String: Writer?]
        let fourth: [[Writer]]
        let last: Int
    }

    @Test("An incomplete entity that is optional is merged with the stored one, without a problem")
    func incomplete() throws {
        for id in 1...5 { cache.set(Writer(id: id, name: "W")) }
        let payload = try decode(
            Context.self,
            """
            {"first": [{"id": 1, "bio": "B"}, null, {"id": 6, "name": "X"}], "second": {"id": 2, "bio": "B"},
             "third": {"a": {"id": 3, "bio": "B"}, "b": null}, "fourth": [[{"id": 4, "bio": "B"}], []], "last": 1}
            """
        )
        let stored = cache.store(payload)
        #expect(stored.problems.map(\.description) == [])
        #expect(stored.value?.first == [nil, Writer(id: 6, name: "X")])
        #expect(stored.value?.second == nil && stored.value?.third == ["b": nil] && stored.value?.fourth == [[], []])
        #expect(cache.get(Writer.self, ids: 1...4).map(\.bio) == ["B", "B", "B", "B"])
    }

    @Test(
        "An optional entity at the root is the stored one",
        arguments: [
            (#"{"id": 1, "bio": "B"}"#, Writer(id: 1, name: "W", bio: "B")),
            (#"{"id": 1, "name": "N"}"#, Writer(id: 1, name: "N", bio: "A")), ("null", nil), (#"{"id": 2}"#, nil),
        ] as [(String, Writer?)]
    )
    func root(json: String, expected: Writer?) throws {
        cache.set(Writer(id: 1, name: "W", bio: "A"))
        let stored = cache.store(try decode(Writer?.self, json))
        #expect(stored.value == .some(expected))
        #expect(stored.problems.count == (json.contains("2") ? 1 : 0))
    }

    @Test("An optional entity in an entity keeps its value if the payload has an incomplete one")
    func embedded() throws {
        struct Owner: Cachable, Codable, Equatable {
            let id: String
            var writer: Writer?
        }
        let owner = Owner(id: "1", writer: Writer(id: 1, name: "W"))
        cache.set(owner)
        cache.set(Writer(id: 1, name: "W"))
        let stored = cache.store(try decode([Owner].self, #"[{"id": "1", "writer": {"id": 1, "bio": "B"}}]"#))
        #expect(stored.value == [owner])
        #expect(stored.problems.map(\.description) == ["[0].writer.name: can't read Writer: it is missing"])
        #expect(cache.get(Writer.self, id: 1)?.bio == "B")
    }
}
