import FlatCache
import Foundation
import Testing

/// The requests of the app, whose bodies change the cache as if it happened while they run.
@Suite("Requests of the app")
struct RequestTests {
    let cache = FlatCache()
    let decoder = JSONDecoder()

    private func name(_ id: Int) -> String? { cache.get(Writer.self, id: id)?.name }

    @Test("F4: What is written or removed while a request runs stays")
    func newerWrites() async throws {
        cache.set(contentsOf: (1...4).map { Writer(id: $0, name: "old") })
        let stored = try await cache.load([Writer].self, with: decoder.decode) {
            cache.set(Writer(id: 1, name: "set"))
            cache.update(Writer.self, id: 2) { $0.name = "updated" }
            cache.remove(Writer.self, id: 3)
            return Writer.response([1: "A", 2: "B", 3: "C", 4: "D", 5: "E"])
        }
        #expect(stored.value?.map(\.name) == ["set", "updated", "D", "E"] && stored.problems.isEmpty)
        #expect(cache.count(of: Writer.self) == 4 && name(3) == nil && stored.isModified)
    }

    @Test("F4: A mutation that is confirmed while a request runs stays")
    func mutations() async throws {
        cache.set(Writer(id: 1, name: "old"))
        let stored = try await cache.load([Writer].self, with: decoder.decode) {
            let mutation = cache.mutate(Writer.self, id: 1) {
                $0.name = "mutated"
            } send: {
            }
            try await mutation.value
            return Writer.response([1: "A"])
        }
        #expect(stored.value?.first?.name == "mutated" && name(1) == "mutated")
    }

    @Test(
        "F3: After a removal of everything, nothing of the response is stored, also of types that weren't used before",
        arguments: [false, true]
    )
    func removeAll(inTransaction: Bool) async throws {
        let json = #"[{"id": "1", "text": "T", "writer": {"id": 7, "name": "A"}}]"#
        let stored = try await cache.load([Remark].self, with: decoder.decode) {
            if inTransaction { cache.transaction { cache.removeAll() } } else { cache.removeAll() }
            return Data(json.utf8)
        }
        #expect(stored.value == [] && stored.problems.isEmpty)
        #expect(cache.count(of: Remark.self) == 0 && cache.count(of: Writer.self) == 0)
        // A request that begins later is stored.
        let next = try await cache.load([Remark].self, with: decoder.decode) { Data(json.utf8) }
        #expect(next.value?.count == 1 && name(7) == "A")
    }

    @Test("F3: A removal of everything that is undone drops nothing")
    func undoneRemoval() async throws {
        struct Undo: Error {}
        let stored = try await cache.load([Writer].self, with: decoder.decode) {
            #expect(throws: Undo.self) {
                try cache.transaction {
                    cache.removeAll()
                    throw Undo()
                }
            }
            return Writer.response([1: "A"])
        }
        #expect(stored.value?.count == 1)
    }

    @Test("The cancellation of the task stores nothing and throws a CancellationError", arguments: [false, true])
    func cancellation(clientThrows: Bool) async throws {
        let task = Task { [cache, decoder] in
            try await cache.load([Writer].self, with: decoder.decode) {
                withUnsafeCurrentTask { $0?.cancel() }
                if clientThrows { throw URLError(.cancelled) }
                return Writer.response([1: "A"])
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(cache.count(of: Writer.self) == 0)
    }

    @Test("A cancelled task makes no request")
    func cancelledBefore() async throws {
        let task = Task { [cache, decoder] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await cache.load([Writer].self, with: decoder.decode) {
                Issue.record("the request was made")
                return Data()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A request or a decoder that throws stores nothing")
    func failures() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await cache.load([Writer].self, with: decoder.decode) { () -> Data in throw Failure() }
        }
        await #expect(throws: DecodingError.self) {
            try await cache.load([Writer].self, with: decoder.decode) { Data("[".utf8) }
        }
        #expect(cache.count(of: Writer.self) == 0)
    }

    @Test("P1: Problems are returned, and strict loading throws the first and stores nothing")
    func problems() async throws {
        let json = Data(#"[{"id": 1, "name": "A"}, {"id": 2}, {"id": 3, "name": 5}]"#.utf8)
        await #expect(throws: PayloadProblem.self) {
            try await cache.load([Writer].self, with: decoder.decode, strict: true) { json }
        }
        #expect(cache.count(of: Writer.self) == 0)
        let stored = try await cache.load([Writer].self, with: decoder.decode) { json }
        #expect(stored.value?.map(\.id) == [1] && stored.problems.count == 2)
    }

    @Test("The cache is the current one in the request and in the decoder")
    func current() async throws {
        struct Probe: Decodable, Sendable {
            let isCurrent: Bool

            init(from decoder: any Decoder) throws {
                isCurrent = FlatCache.current === decoder.userInfo[try .probedCache] as? FlatCache
            }
        }
        let decoder = JSONDecoder()
        decoder.userInfo[try .probedCache] = cache
        let stored = try await cache.load(Probe.self, with: decoder.decode) {
            await Task.yield()
            #expect(FlatCache.current === cache)
            return Data("{}".utf8)
        }
        #expect(stored.value?.isCurrent == true && FlatCache.current !== cache)
    }

    @Test("The response is stored in one commit with the origin of the server")
    func commit() async throws {
        let changes = Changes()
        let subscription = cache.observe([Remark.flatCacheKey(id: "1"), Writer.flatCacheKey(id: 7)], initial: false) {
            changes.append(($0.inserted.count, $0.origin == .server))
        }
        let stored = try await cache.load(Remark.self, with: decoder.decode) {
            Data(#"{"id": "1", "text": "T", "writer": {"id": 7, "name": "A"}}"#.utf8)
        }
        #expect(stored.value?.writerID == 7)
        #expect(changes.all.map { $0.0 } == [2] && changes.all.allSatisfy { $0.1 })
        subscription.cancel()
    }

    struct Page: Decodable, Sendable {
        // relationship: Writer
        let writers: [Writer]
        let next: String?
    }

    @Test("What isn't an entity, such as a cursor, is in the value; the root can be an optional or a dictionary")
    func roots() async throws {
        let page = try await cache.load(Page.self, with: decoder.decode) {
            Data(#"{"writers": [{"id": 1, "name": "A"}], "next": "2"}"#.utf8)
        }
        #expect(page.value?.next == "2" && page.ids(of: Writer.self) == [1] && name(1) == "A")
        let none = try await cache.load(Writer?.self, with: decoder.decode) { Data("null".utf8) }
        #expect(none.value == .some(nil))
        let all: StoredPayload<[String: Writer]> = try await cache.load(with: decoder.decode) {
            Data(#"{"a": {"id": 2, "name": "B"}}"#.utf8)
        }
        #expect(all.value?["a"]?.name == "B")
        let bytes = try await cache.load([Writer].self, with: { try decoder.decode($0, from: Data($1 as [UInt8])) }) {
            Array(Writer.response([3: "C"]))
        }
        #expect(bytes.value?.map(\.name) == ["C"])
    }
}

extension CodingUserInfoKey {
    fileprivate static var probedCache: CodingUserInfoKey {
        get throws { try #require(CodingUserInfoKey(rawValue: "cache")) }
    }
}
