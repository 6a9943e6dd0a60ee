import Testing

@testable import FlatCache

@Suite("Answers that are merged")
struct FetchMergingTests {
    let cache = FlatCache()
    let server = FakeServer<Versioned>()

    init() {
        cache.setFetcher(of: Versioned.self, server.load)
    }

    /// Fetches a stored entity again, and writes while the call runs.
    private func refresh(
        _ policy: FetchPolicy = .networkOnly,
        with answer: [Versioned],
        while write: () -> Void = {}
    ) async throws -> Versioned {
        let calls = server.callCount
        let task = Task { [cache] in try await cache.fetch(Versioned.self, id: 1, policy) }
        let call = await server.call(calls)
        write()
        call.answer(answer)
        return try await task.value
    }

    @Test("F2, P3: An answer is merged, and the request returns the stored entity")
    func merged() async throws {
        cache.set(Versioned(id: 1, version: 2, text: "stored"))
        #expect(try await refresh(with: [Versioned(id: 1, version: 1)]).text == "stored")
        #expect(try await refresh(with: [Versioned(id: 1, version: 3, text: "newer")]).text == "newer")
        #expect(cache.get(Versioned.self, id: 1)?.version == 3)
        #expect(cache.isIdle(Versioned.self) && cache.statusSlotCount(of: Versioned.self) == 0)
    }

    @Test("F3, P3: An answer doesn't replace a write after the request, even if the answer is newer")
    func fenced() async throws {
        cache.set(Versioned(id: 1, version: 1))
        let answer = [Versioned(id: 1, version: 9)]
        let result = try await refresh(with: answer) { cache.set(Versioned(id: 1, version: 2)) }
        #expect(result.version == 2)
        #expect(cache.get(Versioned.self, id: 1)?.version == 2)
    }

    @Test("F3, P3: A policy that replaces newer writes merges with them")
    func replacing() async throws {
        cache.set(Versioned(id: 1, version: 1))
        let policy = FetchPolicy.networkOnly.replacingNewerWrites()
        let older = try await refresh(policy, with: [Versioned(id: 1, version: 1)]) {
            cache.set(Versioned(id: 1, version: 2))
        }
        #expect(older.version == 2)
        let newer = try await refresh(policy, with: [Versioned(id: 1, version: 9)]) {
            cache.set(Versioned(id: 1, version: 3))
        }
        #expect(newer.version == 9)
    }

    @Test("F3, P3: An answer doesn't bring back a removed entity, merged or not")
    func removed() async throws {
        cache.set(Versioned(id: 1, version: 1))
        await #expect(throws: FetchError.self) {
            _ = try await refresh(with: [Versioned(id: 1, version: 2)]) { cache.remove(Versioned.self, id: 1) }
        }
        #expect(!cache.contains(Versioned.self, id: 1))
    }

    @Test("P3: An answer with an entity twice is merged in order")
    func duplicates() async throws {
        let newest = try await refresh(
            .cacheFirst,
            with: [Versioned(id: 1, version: 2), Versioned(id: 2, version: 1), Versioned(id: 1, version: 1)]
        )
        #expect(newest.version == 2)
        #expect(cache.count(of: Versioned.self) == 2)
    }

    @Test("P3: Entities of other types in an answer are merged, too")
    func otherTypes() async throws {
        cache.setFetcher(of: Counter.self) { _, answer in
            answer.insert(Counter(id: 1))
            answer.insert(contentsOf: [Discussion([2]), Discussion([3])])
        }
        cache.set(Discussion([1]))
        _ = try await cache.fetch(Counter.self, id: 1)
        #expect(cache.get(Discussion.self, id: Discussion().id)?.commentIDs == [1, 2, 3])
    }

    @Test("P3: An entity that the merge keeps remains stale, and the answer that is stored makes it fresh")
    func stale() async throws {
        cache.set(Versioned(id: 1, version: 2))
        cache.invalidate(Versioned.self, id: 1)
        #expect(try await refresh(.cacheFirst, with: [Versioned(id: 1, version: 1)]).version == 2)
        #expect(try await refresh(.cacheFirst, with: [Versioned(id: 1, version: 2, text: "fresh")]).text == "fresh")
        #expect(try await cache.fetch(Versioned.self, id: 1).text == "fresh")
        #expect(server.callCount == 2)
    }
}
