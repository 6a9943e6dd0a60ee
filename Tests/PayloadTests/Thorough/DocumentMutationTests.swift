import FlatCache
import Foundation
import SeededRandom
import Testing

/// Decodes documents with random faults.
///
/// A crash ends the process, and a hang is a failure at the time limit. `FLATCACHE_SEED` replays one seed.
@Suite("Documents with random faults", .timeLimit(.minutes(30)))
struct DocumentMutationTests {
    private static let noteID = "00000000-0000-0000-0000-00000000000A"

    private static let documents = [
        """
        {"jsonapi": {"version": "1.1"}, "links": {"next": {"href": "/n", "describedby": {"href": "/d"}}, "prev": null},
         "meta": {"a": [1, {"b": null}]},
         "data": [{"type": "articles", "id": "1", "attributes": {"title": "A", "createdAt": 0},
           "relationships": {"author": {"links": {"related": "/a"}, "data": {"type": "people", "id": "9"}},
             "comments": {"data": [{"type": "comments", "id": "\(noteID)"}, {"type": "comments", "lid": "l"}]}},
           "links": {"self": "/1"}, "meta": {"h": 1}}, {"type": "articles", "id": "2"}],
         "included": [{"type": "people", "id": "9", "attributes": {"firstName": "D"},
             "relationships": {"favoriteArticle": {"data": {"type": "articles", "id": "1"}}}},
           {"type": "comments", "id": "\(noteID)", "lid": "l", "attributes": {"body": "B"},
             "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}]}
        """,
        """
        {"errors": [{"id": "1", "links": {"about": "/a"}, "status": "4", "source": {"pointer": "/p"}, "meta": {}}],
         "meta": {"m": 1}}
        """,
        """
        {"stories": {"1": {"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "remarks": ["r"]}},
         "writers": [{"id": 7, "name": "W"}, {"id": 8, "name": "X"}], "remarks": {"r": {"text": "T", "replies": []}}}
        """,
    ]

    /// Decodes and stores in all ways, whatever errors and problems there are.
    private static func consume(_ data: Data) {
        let decoder = JSONDecoder()
        let cache = FlatCache()
        for strict in [false, true] {
            decoder.userInfo[.isStrictPayload] = strict
            consume { try decoder.decode(JSONAPI.Document<[Article], Person, Note>.self, from: data) }
            consume { try decoder.decode(JSONAPI.Document<Article?, Person>.self, from: data) }
            consume { try decoder.decode(FlatPayload<Story, Writer, Remark>.self, from: data) }
        }

        func consume<Root>(_ decode: () throws -> some PayloadConvertible<Root>) {
            guard let decoded = try? decode() else { return }
            _ = cache.store(decoded).problems.map(\.description)
            _ = try? cache.store(decoded, strict: true)
        }
    }

    @Test("Truncated documents give errors or problems")
    func truncated() {
        for document in Self.documents {
            let bytes = Array(document.utf8)
            for count in stride(from: 0, to: bytes.count, by: Extent.count(3, full: 1)) {
                Self.consume(Data(bytes[..<count]))
            }
        }
    }

    // In full, 56 seeds of 3 documents with 60 changes each are 10,080 changes.
    @Test("Values of wrong kinds give errors or problems", arguments: Seeds.first(3, full: 56))
    func wrongKinds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for document in Self.documents {
            let json = try JSONSerialization.jsonObject(with: Data(document.utf8))
            for _ in 0..<60 {
                var mutated = json
                for _ in 0...random.below(3) { mutated = Self.mutated(mutated, &random) }
                Self.consume(try JSONSerialization.data(withJSONObject: mutated, options: .fragmentsAllowed))
            }
        }
    }

    @Test("Changed bytes give errors or problems", arguments: Seeds.first(3, full: 56))
    func changedBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for document in Self.documents {
            for _ in 0..<60 {
                var bytes = Array(document.utf8)
                for _ in 0...random.below(3) {
                    let place = random.below(bytes.count)
                    bytes[place] = random.pick(from: Array(#"{}[]",:0-9enul\"#.utf8) + [UInt8](0x7F...0xFF))
                }
                Self.consume(Data(bytes))
            }
        }
    }

    @Test("Deep values give errors or problems", arguments: ["[", #"{"a":"#, #"{"data":"#, #"{"describedby":"#])
    func deep(opening: String) {
        for count in [500, 100_000] {
            let value = String(repeating: opening, count: count)
            for name in ["meta", "data", "links", "stories", "included"] {
                Self.consume(Data((#"{"\#(name)": {"next": "# + value).utf8))
            }
        }
    }

    @Test("Of equal keys, one counts")
    func equalKeys() throws {
        let json =
            #"{"data": {"type": "articles", "type": "people", "id": "1", "id": "2", "#
            + #""attributes": {"title": "A", "title": "B", "firstName": "P"}}, "data": null}"#
        Self.consume(Data(json.utf8))
    }

    /// A value with one part replaced or removed.
    private static func mutated(_ value: Any, _ random: inout SeededGenerator) -> Any {
        if random.below(5) > 0 {
            if var object = value as? [String: Any], let key = object.keys.sorted().randomElement(using: &random) {
                switch random.below(10) {
                case 0: object[key] = nil
                case 1: object["data"] = object[key]
                default: object[key] = object[key].map { mutated($0, &random) }
                }
                return object
            }
            if var array = value as? [Any], !array.isEmpty {
                let index = random.below(array.count)
                if random.below(10) == 0 { array.append(array[index]) }
                array[index] = mutated(array[index], &random)
                return array
            }
        }
        let others: [Any] = [
            NSNull(), 5, -1.5, 1e300, true, "", "x", [Any](), [5], [[String: Any]()], [String: Any](), ["id": 1],
            ["type": "people", "id": "9"], ["type": "articles"], Int.max,
        ]
        return random.pick(from: others)
    }
}
