import FlatCache
import Foundation
import Testing

@Suite("Forms of requests")
struct RequestFormTests {
    let cache = FlatCache()
    let decoder = JSONDecoder()

    /// A client that decodes responses.
    private func get<Response: Decodable>(_ json: String, as type: Response.Type = Response.self) throws -> Response {
        try decoder.decode(Response.self, from: Data(json.utf8))
    }

    @Test("F4: A request can return a payload, which doesn't undo newer writes")
    func payload() async throws {
        let stored = try await cache.load {
            cache.set(Writer(id: 1, name: "set"))
            return try get(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}, {"id": 3}]"#, as: Payload<[Writer]>.self)
        }
        #expect(stored.value?.map(\.name) == ["set", "B"] && stored.problems.count == 1)
        await #expect(throws: PayloadProblem.self) {
            try await cache.load(strict: true) { try get(#"[{"id": 3}]"#, as: Payload<[Writer]>.self) }
        }
    }

    @Test("A request can return a flat payload, or be decoded as one")
    func flat() async throws {
        let json = #"{"writers": [{"id": 1, "name": "A"}], "others": []}"#
        let stored = try await cache.load { try get(json, as: FlatPayload<Writer, Remark>.self) }
        #expect(stored.ids(of: Writer.self) == [1] && cache.contains(Writer.self, id: 1))
        cache.removeAll()
        let decoded = try await cache.load(FlatPayload<Writer, Remark>.self, with: decoder.decode) { Data(json.utf8) }
        #expect(decoded.value?.unknownNames == ["others"] && decoded.ids(of: Writer.self) == [1])
        #expect(cache.contains(Writer.self, id: 1))
    }

    @Test("A request can return a JSON:API document, or be decoded as one")
    func documents() async throws {
        let json = #"""
            {"data": [{"type": "writers", "id": "1", "attributes": {"name": "A"}}], "links": {"next": "/2"}}
            """#
        let stored = try await cache.load { try get(json, as: JSONAPI.Document<[Writer]>.self) }
        #expect(stored.value?.map(\.name) == ["A"])
        cache.removeAll()
        let decoded = try await cache.load(JSONAPI.Document<[Writer]>.self, with: decoder.decode) { Data(json.utf8) }
        #expect(decoded.value?.links["next"]?.href == "/2" && decoded.ids(of: Writer.self) == [1])
        #expect(cache.get(Writer.self, id: 1)?.name == "A")
    }

    @Test("F4: A request can return patches, which aren't applied to what was written since")
    func patches() async throws {
        cache.set(contentsOf: [Account(id: "1", name: "A"), Account(id: "2", name: "B")])
        let one = try await cache.load { Visit(id: "1") }
        #expect(one.value?.visits == 1)
        let stored = try await cache.load {
            cache.update(Account.self, id: "2") { $0.visits = 9 }
            return [Visit(id: "1"), Visit(id: "2"), Visit(id: "3")]
        }
        #expect(stored.value?.map(\.visits) == [2, 9] && stored.problems.count == 1)
        await #expect(throws: PayloadProblem.self) { try await cache.load(strict: true) { Visit(id: "3") } }
        let decoded = try await cache.load([ProfileResponse].self, with: decoder.decode) {
            Data(#"[{"id": "1", "name": "C"}]"#.utf8)
        }
        #expect(decoded.ids(of: Account.self) == ["1"] && cache.get(Account.self, id: "1")?.name == "C")
    }

    @Test("A response that isn't modified stores nothing, and makes fresh what is named", arguments: [false, true])
    func notModified(all: Bool) async throws {
        let fetched = Changes()
        cache.setFetcher(of: Writer.self) { (id: Int) in
            fetched.append((id, true))
            return Writer(id: id, name: "fetched")
        }
        cache.set(contentsOf: [Writer(id: 1, name: "A"), Writer(id: 2, name: "B")])
        if all {
            cache.invalidateAll(of: Writer.self)
        } else {
            for id in 1...2 { cache.invalidate(Writer.self, id: id) }
        }
        let stored = try await cache.load([Writer].self, with: decoder.decode) { () -> Data in
            throw FlatCache.NotModified(Writer.self, ids: [1, 3])
        }
        #expect(!stored.isModified && stored.value == nil && stored.problems.isEmpty)
        #expect(!cache.contains(Writer.self, id: 3))
        #expect(try await cache.fetch(Writer.self, ids: [1, 2]).map(\.name) == ["A", "fetched"])
        #expect(fetched.all.map { $0.0 } == [2])
        // A mark that is made while the request runs stays.
        _ = try await cache.load { () -> Payload<[Writer]> in
            cache.invalidate(Writer.self, id: 1)
            throw FlatCache.NotModified([Writer.flatCacheKey(id: 1)])
        }
        #expect(try await cache.fetch(Writer.self, id: 1).name == "fetched")
    }
}
