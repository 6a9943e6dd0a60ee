import FlatCache
import Foundation
import Testing

@Suite("Payloads beside other threads")
struct ConcurrentPayloadTests {
    private static func payload<Root>(_ type: Root.Type, _ json: String) throws -> Payload<Root> {
        try JSONDecoder().decode(Payload<Root>.self, from: Data(json.utf8))
    }

    @Test("Properties that the payload leaves out keep the writes of other threads")
    func atomic() async throws {
        let cache = FlatCache()
        cache.set(Story(id: "1", title: "", writerID: 0, remarkIDs: []))
        let rounds = 200
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<rounds { cache.update(Story.self, id: "1") { $0.remarkIDs.append("r") } }
                }
            }
            for task in 0..<2 {
                group.addTask {
                    for round in 0..<rounds {
                        let json = #"[{"id": "1", "title": "\#(task) \#(round)"}, {"id": "1", "summary": "s"}]"#
                        guard let payload = try? Self.payload([Story].self, json) else { continue }
                        #expect(cache.store(payload).problems.isEmpty)
                    }
                }
            }
        }
        let story = try #require(cache.get(Story.self, id: "1"))
        #expect(story.remarkIDs.count == 2 * rounds)
        #expect(story.title.hasSuffix("\(rounds - 1)") && story.summary == "s")
    }

    @Test("Types are learnt by several threads at once")
    func learning() async throws {
        struct Learnt: Cachable, Codable, Equatable {
            let id: Int
            let constant: Int?
            var text: String
        }
        let cache = FlatCache()
        for id in 0..<50 { cache.set(Learnt(id: id, constant: id, text: "old")) }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for id in 0..<50 {
                        let json = #"[{"id": -1, "constant": 5, "text": "x"}, {"id": \#(id), "text": "\#(task)"}]"#
                        guard let payload = try? Self.payload([Learnt].self, json) else { continue }
                        #expect(cache.store(payload).problems.isEmpty)
                    }
                }
            }
        }
        #expect((0..<50).allSatisfy { cache.get(Learnt.self, id: $0)?.constant == $0 })
    }

    @Test("One payload can be stored by several threads and in several caches")
    func shared() async throws {
        let json =
            #"[{"id": "1", "title": "A", "writer": {"id": 7, "name": "W"}, "remarks": ["r"]}, {"id": "2", "title": "B"}]"#
        let payload = try Self.payload([Story].self, json)
        let caches = (0..<4).map { _ in FlatCache() }
        await withTaskGroup(of: Void.self) { group in
            for cache in caches + caches {
                group.addTask {
                    let stored = cache.store(payload)
                    #expect(stored.value?.map(\.id) == ["1"] && stored.problems.count == 1)
                }
            }
        }
        #expect(caches.allSatisfy { $0.count == 2 })
    }

    /// An entity that several threads decode for the first time, alone and in a union.
    private struct Draft: Cachable, Codable, Equatable {
        let id: String
        let text: String
        var note: String?

        enum Member: Decodable {
            case draft(Draft), writer(Writer)

            init(from decoder: any Decoder) throws {
                if let draft = try? Draft(from: decoder) {
                    self = .draft(draft)
                } else {
                    self = .writer(try decoder.singleValueContainer().decode(Writer.self))
                }
            }
        }
    }

    @Test("Payloads of all kinds are decoded and stored by several threads, beside readers and writers")
    func kinds() async throws {
        let cache = FlatCache()
        let rounds = 20
        let subscription = cache.observe([Writer.flatCacheKey(id: 7)]) { _ in _ = cache.get(Draft.self, id: "d0") }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<rounds {
                        #expect((try? Self.storeAllKinds(round, in: cache)) == [])
                        cache.update(Writer.self, id: 7) { $0.bio = "\(task)" }
                        _ = cache.read { cache.allValues(of: Draft.self).compactMap(\.note) }
                    }
                }
            }
        }
        subscription.cancel()
        #expect(cache.count(of: Draft.self) == 2 * rounds)
        #expect(cache.allValues(of: Draft.self).allSatisfy { $0.note == "n" || $0.id.hasPrefix("e") })
        #expect(cache.get(Writer.self, id: 7)?.bio != nil)
        #expect(cache.get(Article.self, id: 1)?.authorID == "9" && cache.get(Person.self, id: "9") != nil)
    }

    /// Stores a payload of each kind.
    ///
    /// - Returns: The problems.
    private static func storeAllKinds(_ round: Int, in cache: FlatCache) throws -> [String] {
        let draft = #"{"id": "d\#(round)", "text": "t"}"#
        let noted = #"{"id": "d\#(round)", "note": "n"}"#
        let writer = #"{"id": 7, "name": "W"}"#
        let union = try payload([Draft.Member].self, #"[\#(draft), \#(writer), {"id": "e\#(round)", "text": "u"}]"#)
        let whole = try payload([Draft].self, "[\(draft), \(noted)]")
        let flat = try decode(
            FlatPayload<Story, Writer>.self,
            #"{"stories": {"1": {"title": "A", "writer": \#(writer), "remarks": []}}, "writers": [\#(writer)]}"#
        )
        let document = try decode(
            JSONAPI.Document<[Article], Person>.self,
            """
            {"data": [{"type": "articles", "id": "1", "attributes": {"title": "A"},
               "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
             "included": [{"type": "people", "id": "9", "attributes": {"firstName": "P"}}]}
            """
        )
        let problems =
            cache.store(union).problems + cache.store(whole).problems + cache.store(flat).problems
            + cache.store(document).problems
        return problems.map(\.description)
    }

    /// An entity whose decoding uses the cache, which holds no lock then.
    struct Nosy: Cachable, Decodable {
        let id: Int
        let value: Int?

        enum CodingKeys: CodingKey { case id, value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(Int.self, forKey: .id)
            value = try container.decodeIfPresent(Int.self, forKey: .value)
            FlatCache.current.set(Writer(id: id, name: "by init"))
            _ = FlatCache.current.get(Nosy.self, id: id)
        }
    }

    @Test("Decoding and merging may use the cache")
    func reentrant() throws {
        let cache = FlatCache()
        try FlatCache.withCurrent(cache) {
            let json = #"[{"id": 1, "value": 1}, {"id": 2}, {"id": 1}]"#
            let payload = try Self.payload([Nosy].self, json)
            for _ in 0..<3 { cache.store(payload) }
            #expect(cache.get(Writer.self, id: 1)?.name == "by init")
            #expect(cache.count(of: Nosy.self) == 2)
        }
    }
}
