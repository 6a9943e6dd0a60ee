import FlatCache
import Foundation
import SeededRandom
import Synchronization
import TestThreads
import Testing

/// Input that the models don't expect.
///
/// It gives an error or problems, and loses nothing else.
@Suite("Hostile payloads", .mayBlock)
struct HostilePayloadTests {
    private static func decode(_ data: Data) throws -> Payload<[Story]> {
        try JSONDecoder().decode(Payload<[Story]>.self, from: data)
    }

    private static let document = Data(
        """
        [{"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "editorID": {"id": 8, "name": "E"},
          "remarks": ["r1", {"id": "r2", "text": "T", "writer": null, "replies": [{"id": "r3", "text": "\\u00e9"}]}]},
         {"id": "2", "title": "B", "writerID": 7, "remarkIDs": [], "tags": ["x", "y"], "summary": null},
         {"id": "3", "title": "C", "writerId": {"id": 9, "name": "N", "bio": "b"}, "remarks": [{"id": "r4", "text": "V"}]}]
        """.utf8
    )

    private struct Branch: Cachable, Codable {
        let id: String
        var kids: [Branch]?
        var map: [String: Branch]?
    }

    @Test(
        "Levels that don't fit on a small stack are a problem",
        arguments: [(#"{"id": "1", "map": {"a": "#, "}}"), (#"{"id": "1", "kids": ["#, "]}")],
        [512, 1_024]
    )
    func smallStack(level: (open: String, close: String), kilobytes: Int) throws {
        let depth = 250
        let json = String(repeating: level.open, count: depth) + "null" + String(repeating: level.close, count: depth)
        let problems = Mutex<[PayloadProblem]?>(nil)
        let thread = RunningThread(stackSize: kilobytes << 10) {
            let payload = try? JSONDecoder().decode(Payload<[Branch]>.self, from: Data("[\(json)]".utf8))
            problems.withLock { $0 = payload?.problems }
        }
        thread.finish()
        let found = try #require(problems.withLock { $0 })
        #expect(found.contains { if case .tooDeep = $0.reason { true } else { false } })
    }

    @Test("A payload inside another one leaves its entities to that one")
    func nestedPayload() throws {
        struct Response: Decodable {
            let inner: Payload<[Writer]>
            let tail: [Writer]
        }
        let writers = #"[{"id": 1, "name": "A"}, 5]"#
        let json = Data(#"{"inner": \#(writers), "tail": [{"id": 2, "name": "B"}]}"#.utf8)
        let cache = FlatCache()
        let stored = cache.store(try JSONDecoder().decode(Payload<Response>.self, from: json))
        #expect(stored.problems.count == 1 && stored.ids(of: Writer.self) == [1, 2])
        #expect(stored.value.map { cache.store($0.inner).value?.map(\.name) } == ["A"])
        let twice = try JSONDecoder().decode(Payload<Payload<[Writer]>>.self, from: Data(writers.utf8))
        #expect(twice.problems.count == 1 && cache.store(twice).ids(of: Writer.self) == [1])
    }

    @Test("A truncated response throws the decoder's error")
    func truncated() {
        for end in 0..<Self.document.count {
            #expect(throws: DecodingError.self) { try Self.decode(Self.document[..<end]) }
        }
    }

    @Test(
        "Changed bytes give an error or problems",
        arguments: Seeds.first(1_000, full: 3_000, orAsIn: "FLATCACHE_MUTATIONS")
    )
    func mutated(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var data = Self.document
        for _ in 0...random.below(4) {
            let place = random.below(data.count)
            switch random.below(4) {
            case 0: data[place] = UInt8(random.below(256))
            case 1: data.remove(at: place)
            case 2: data.insert(random.pick(from: Array(#"{}[]":,0a\nul"#.utf8)), at: place)
            default: data.replaceSubrange(place..<min(place + random.below(12), data.count), with: Data("null".utf8))
            }
        }
        guard let payload = try? Self.decode(data) else { return }
        let cache = FlatCache()
        let stored = cache.store(payload)
        // Each element is an entity or a problem.
        let elements = (try? JSONSerialization.jsonObject(with: data) as? [Any])?.count ?? 0
        #expect((stored.value ?? []).count + stored.problems.count >= elements, "FLATCACHE_SEED=\(seed)")
    }

    @Test(
        "Every member may have a value of any kind",
        arguments: ["null", "5", "1e400", "true", "\"x\"", "[]", "{}", "[[1]]"]
    )
    func kinds(value: String) throws {
        let whole = #"{"id": "w", "title": "W", "writerID": 1, "remarkIDs": []}"#
        for key in ["id", "title", "summary", "writer", "writerID", "editor", "remarks", "remarkIDs", "tags"] {
            let json = """
                [\(whole), {"id": "1", "title": "A", "writerID": 1, "remarkIDs": [], "\(key)": \(value)},
                 \(whole.replacing(#""w""#, with: #""v""#))]
                """
            guard let payload = try? Self.decode(Data(json.utf8)) else { continue }
            let cache = FlatCache()
            let ids = cache.store(payload).value?.map(\.id) ?? []
            #expect(ids.first == "w" && ids.last == "v", "\(json)")
        }
    }

    @Test("Deep nesting is an error")
    func deep() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), (#"{"id": "1", "remarks": ["#, "]}")] {
            let text = String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
            #expect(throws: (any Error).self) { try Self.decode(Data(text.utf8)) }
        }
    }

    @Test("P1: An entity inside too many others is a problem, and the others are stored", arguments: [false, true])
    func tooDeep(isForeign: Bool) throws {
        var tree: Tree = ["id": "r199", "text": "T"]
        for number in (0..<199).reversed() {
            tree = ["id": .text("r\(number)"), "text": "T", "replies": [tree, .text("s\(number)")]]
        }
        tree = [tree, ["id": "last", "text": "T"]]
        let payload =
            try isForeign
            ? TreeDecoder.decode(Payload<[Remark]>.self, tree)
            : JSONDecoder().decode(Payload<[Remark]>.self, from: Data(tree.json.utf8))
        let cache = FlatCache()
        let stored = cache.store(payload)
        #expect(stored.value?.map(\.id) == ["r0", "last"])
        let problem = try #require(stored.problems.first)
        if case .tooDeep = problem.reason {} else { Issue.record("\(problem)") }
        #expect(stored.problems.count == 1)
        let depth = cache.count(of: Remark.self) - 1
        #expect(depth > 100 && problem.codingPath.count == 2 * depth + 1)
        #expect(cache.get(Remark.self, id: "r\(depth - 1)")?.replyIDs == ["r\(depth)", "s\(depth - 1)"])
    }

    /// An entity with a required property that is read after the nested entities.
    private struct Node: Cachable, Codable, Equatable, FlatCache.PayloadDecodable {
        let id: Int
        var childID: Node.ID?
        var members: [Member]?
        var text: String

        static var payloadKeys: [_PayloadKey] {
            [
                .init(id: "id", \.id), .init("childID", \.childID, Node.self, "childId", "child"),
                .init("members", \.members), .init("text", \.text),
            ]
        }

        struct Member: Codable, Equatable {
            let node: Node.ID

            init(from decoder: any Decoder) throws { node = try Node(from: decoder).id }
            func encode(to encoder: any Encoder) throws { try node.encode(to: encoder) }
        }
    }

    @Test("P1: Each level of incomplete entities is decoded a bounded number of times")
    func incompleteLevels() throws {
        var json = #"{"id": 60}"#
        for id in (0..<60).reversed() { json = #"{"id": \#(id), "child": \#(json)}"# }
        let cache = FlatCache()
        for id in 0...60 { cache.set(Node(id: id, text: "t")) }
        let payload = try JSONDecoder().decode(Payload<[Node]>.self, from: Data("[\(json)]".utf8))
        let stored = cache.store(payload)
        #expect(stored.problems.isEmpty && stored.ids(of: Node.self) == Array((0...60).reversed()))
        #expect((0..<60).allSatisfy { cache.get(Node.self, id: $0) == Node(id: $0, childID: $0 + 1, text: "t") })
    }

    @Test("P1: Each level of entities that custom initializers decode is decoded a bounded number of times")
    func customLevels() throws {
        var json = #"{"id": 40, "text": "t"}"#
        for id in (0..<40).reversed() { json = #"{"id": \#(id), "members": [\#(json)], "text": "t"}"# }
        let cache = FlatCache()
        let payload = try JSONDecoder().decode(Payload<[Node]>.self, from: Data("[\(json)]".utf8))
        let stored = cache.store(payload)
        #expect(stored.problems.isEmpty && stored.value?.map(\.id) == [0])
        #expect(Set(stored.ids(of: Node.self)) == Set(0...40))
    }

    @Test("A million elements are decoded")
    func many() throws {
        let ids = (0..<1_000_000).map { "\"\($0)\"" }.joined(separator: ",")
        let payload = try Self.decode(Data(#"[{"id": "1", "title": "A", "writerID": 1, "remarks": [\#(ids)]}]"#.utf8))
        #expect(FlatCache().store(payload).value?.first?.remarkIDs.count == 1_000_000)
        let broken = try JSONDecoder().decode(
            Payload<[Writer]>.self,
            from: Data("[\(String(repeating: "{\"id\":1,\"name\":\"a\"},0,", count: 10_000))null]".utf8)
        )
        #expect(broken.problems.count == 10_001)
    }

    @Test("P2: Of an entity that is there very often, all count")
    func repeated() throws {
        let count = Extent.count(20_000, full: 1_000_000)
        let elements = (0..<count / 2).map { #"{"id": 1, "name": "a\#($0)", "bio": "b"}, {"id": 1, "name": "c"}"# }
        let data = Data("[\(elements.joined(separator: ","))]".utf8)
        let payload = try JSONDecoder().decode(Payload<[Writer]>.self, from: data)
        let cache = FlatCache()
        let stored = cache.store(payload)
        #expect(stored.problems.isEmpty)
        #expect(stored.ids(of: Writer.self) == [1])
        #expect(cache.allValues(of: Writer.self) == [Writer(id: 1, name: "c", bio: "b")])
        #expect(stored.value?.count == count / 2 * 2)
    }

    @Test("Of members with the same key one counts, and invalid text costs its entity")
    func duplicates() throws {
        let payload = try Self.decode(
            Data(#"[{"id": "1", "id": "2", "title": "A", "writerID": 1, "remarks": []}]"#.utf8)
        )
        #expect(FlatCache().store(payload).value?.count == 1)
        let invalid = try Self.decode(Data(#"[{"id": "1"#.utf8) + [0xff, 0xfe] + Data(#""}]"#.utf8))
        #expect(invalid.problems.count == 1)
    }
}
