import FlatCache
import Foundation
import Testing

/// Identifiers in arrays of arrays and in dictionaries, in whose place entities can be.
@Suite("Collections of identifiers in payloads")
struct NestedIdentifierTests {
    private let cache = FlatCache()

    /// A table, as the plugin generates it.
    struct Board: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        var writerIDs: [[Writer.ID]]
        var guestIDs: [String: Writer.ID]?
        var scoreIDs: [Int: Writer.ID]?

        static var payloadKeys: [_PayloadKey] {
            [
                .init("id", \.id), .init("writerIDs", \.writerIDs, Writer.self, "writerIds", "writers"),
                .init("guestIDs", \.guestIDs, Writer.self, "guestIds", "guests"),
                .init("scoreIDs", \.scoreIDs, Writer.self, "scoreIds", "scores"),
            ]
        }
    }

    private func store(
        _ json: String,
        _ strategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) throws
        -> StoredPayload<Board>
    {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = strategy
        return cache.store(try decoder.decode(Payload<Board>.self, from: Data(json.utf8)))
    }

    @Test("Identifiers alone are read as before")
    func identifiers() throws {
        let stored = try store(
            #"{"id": "1", "writerIDs": [[1, 2], [], [1]], "guestIDs": {"a": 3}, "scoreIDs": {"10": 4}}"#
        )
        #expect(stored.problems.isEmpty)
        #expect(
            stored.value == Board(id: "1", writerIDs: [[1, 2], [], [1]], guestIDs: ["a": 3], scoreIDs: [10: 4])
        )
        #expect(cache.count(of: Writer.self) == 0)
    }

    @Test("Entities can stand in the place of identifiers, at their own key or another, mixed with identifiers")
    func entities() throws {
        let stored = try store(
            """
            {"id": "1", "writers": [[{"id": 1, "name": "A"}, 2], [], [{"id": 3, "name": "C"}]],
             "guestIDs": {"a": {"id": 4, "name": "D"}, "b": 5}, "scores": {"10": {"id": 6, "name": "F"}}}
            """
        )
        #expect(stored.problems.isEmpty)
        #expect(
            stored.value
                == Board(id: "1", writerIDs: [[1, 2], [], [3]], guestIDs: ["a": 4, "b": 5], scoreIDs: [10: 6])
        )
        #expect([1, 3, 4, 6].map { cache.get(Writer.self, id: $0)?.name } == ["A", "C", "D", "F"])
    }

    @Test("Beside identifiers, the entities at another key are stored, and the identifiers count")
    func both() throws {
        let stored = try store(
            """
            {"id": "1", "writerIDs": [[1]], "writers": [[{"id": 1, "name": "A"}], {"id": 2, "name": "B"}],
             "guestIDs": {"a": 3}, "guests": {"a": {"id": 3, "name": "C"}, "id": {"id": 4, "name": "D"}, "x": 5}}
            """
        )
        #expect(stored.problems.isEmpty)
        #expect(stored.value == Board(id: "1", writerIDs: [[1]], guestIDs: ["a": 3]))
        #expect((1...4).map { cache.get(Writer.self, id: $0)?.name } == ["A", "B", "C", "D"])
    }

    @Test("Keys of dictionaries are not converted, as with plain decoding")
    func keyStrategy() throws {
        let stored = try store(
            #"{"id": "1", "writer_ids": [[1]], "guests": {"first_guest": {"id": 2, "name": "B"}}}"#,
            .convertFromSnakeCase
        )
        #expect(stored.value?.guestIDs == ["first_guest": 2])
        #expect(stored.value?.writerIDs == [[1]])
        #expect(cache.get(Writer.self, id: 2)?.name == "B")
    }

    @Test("A broken element costs itself only")
    func problems() throws {
        let stored = try store(
            """
            {"id": "1", "writerIDs": [[1, "x", {"id": 2, "name": "B"}], 7, [3]],
             "guestIDs": {"a": {"name": "none"}, "b": 4, "c": null}}
            """
        )
        #expect(stored.value == Board(id: "1", writerIDs: [[1, 2], [3]], guestIDs: ["b": 4]))
        #expect(
            Set(stored.problems.map { $0.codingPath.map(\.stringValue).joined(separator: ".") })
                == ["writerIDs.Index 0.Index 1", "writerIDs.Index 1", "guestIDs.a.id", "guestIDs.c"]
        )
        #expect(cache.get(Writer.self, id: 2)?.name == "B")
    }

    @Test("An absent key keeps the dictionary, and null clears it")
    func presence() throws {
        _ = try store(#"{"id": "1", "writerIDs": [[1]], "guestIDs": {"a": 3}, "scoreIDs": {"1": 1}}"#)
        let stored = try store(#"{"id": "1", "guestIDs": null}"#)
        #expect(stored.value == Board(id: "1", writerIDs: [[1]], guestIDs: nil, scoreIDs: [1: 1]))
    }

    /// An enum with identifiers, and with the entities themselves in payloads.
    enum Owner: Decodable, Equatable {
        case writer(Writer.ID)

        init(from decoder: any Decoder) throws { self = .writer(try Writer(from: decoder).id) }
    }

    struct Post: Cachable, Decodable, Equatable, FlatCache.PayloadDecodable {
        let id: String
        var owner: Owner

        static var payloadKeys: [_PayloadKey] { [.init("id", \.id), .init("owner", \.owner)] }
    }

    @Test("The entities that an enum decodes are collected")
    func enums() throws {
        let json = #"{"id": "1", "owner": {"id": 1, "name": "A"}}"#
        let stored = cache.store(try JSONDecoder().decode(Payload<Post>.self, from: Data(json.utf8)))
        #expect(stored.value?.owner == .writer(1))
        #expect(cache.get(Writer.self, id: 1)?.name == "A")
    }
}
