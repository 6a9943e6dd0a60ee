import Testing

@testable import FlatCache

@Suite("Life times of fetching")
struct FetchMemoryTests {
    /// Something that a fetcher holds, of which it can be told whether it is gone.
    private final class Token: Sendable {}

    @Test("A cache that fetches goes when nobody has it, with its fetchers")
    func cacheGoes() async throws {
        weak var weakCache: FlatCache?
        weak var weakToken: Token?
        do {
            let cache = FlatCache()
            let token = Token()
            weakCache = cache
            weakToken = token
            cache.setFetcher(for: Counter.self) { [token] ids in
                withExtendedLifetime(token) {}
                return ids.map { Counter(id: $0) }
            }
            _ = try await cache.fetch(Counter.self, ids: 0..<10)
            _ = try? await cache.fetch(Counter.self, id: 11, policy: .networkOnly)
        }
        // The task of the call may be on its last line.
        await until { weakCache == nil && weakToken == nil }
    }

    @Test("A refresh that never ends does not keep the cache, and is cancelled when that goes")
    func endlessRefresh() async throws {
        let server = FakeServer<Counter>()
        weak var weakCache: FlatCache?
        let handle: Cached<Counter>
        do {
            let cache = FlatCache()
            weakCache = cache
            handle = Cached(Counter.self, id: 1, in: cache)
            cache.setFetcher(for: Counter.self) { ids in try await server.load(ids) }
            cache.set(Counter(id: 1))
            _ = try await cache.fetch(Counter.self, id: 1, policy: .cacheAndNetwork)
            #expect(handle.isLoading)
        }
        // The fetcher isn't called if the cache is gone before its turn.
        await until { weakCache == nil }
        if server.callCount > 0 { await server.call(0).cancelled() }
        #expect(!handle.isLoading)
        #expect(handle.value == nil)
    }

    @Test("Neither calls nor waiters stay behind, however they have ended")
    func nothingStays() async throws {
        weak var weakCall: FetchCall<Counter>?
        weak var weakTicket: FetchTicket<Counter>?
        let cache = FlatCache()
        let server = FakeServer<Counter>()
        cache.setFetcher(for: Counter.self, server.load)
        for ending in 0..<4 {
            let task = Task { try await cache.fetch(Counter.self, ids: [1, 2]) }
            let call = await server.call(ending)
            cache.existingFetchQueue(of: Counter.self)?.look { state in
                weakCall = state.calls.values.first
                weakTicket = state.outstanding[1]
            }
            #expect(weakCall != nil && weakTicket != nil)
            switch ending {
            case 0: call.answer([Counter(id: 1), Counter(id: 2)])
            case 1: call.fail(ServerError())
            case 2: call.answer([])
            default: task.cancel()
            }
            _ = await task.result
            if ending == 3 { call.fail(CancellationError()) }
            await until { weakCall == nil && weakTicket == nil }
            cache.removeAll()
            await until { cache.slotCount(of: Counter.self) == 0 && cache.statusSlotCount(of: Counter.self) == 0 }
        }
    }

    @Test("Entities that an answer brings go when they are removed")
    func entitiesGo() async throws {
        let alive = Protected(0)
        let cache = FlatCache()
        cache.setFetcher(for: Counted.self) { ids in ids.map { Counted($0, alive) } }
        _ = try await cache.fetch(Counted.self, ids: 0..<100)
        cache.removeAll()
        await until { alive.withLock { $0 } == 0 }
    }
}
