import Testing

@testable import FlatCache

@Suite("Life times of fetching")
struct FetchMemoryTests {
    /// Something that a fetcher holds, of which it can be notified whether it is gone.
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
            cache.setFetcher(of: Counter.self) { [token] ids in
                withExtendedLifetime(token) {}
                return ids.map { Counter(id: $0) }
            }
            _ = try await cache.fetch(Counter.self, ids: 0..<10)
            _ = try? await cache.fetch(Counter.self, id: 11, .networkOnly)
        }
        // The task of the call may be on its last line.
        await until { weakCache == nil && weakToken == nil }
    }

    @Test("A cache lives as long as a fetcher of it runs, is the current one there, and stores the answer")
    func lastCall() async throws {
        let begun = Promise<Void>()
        let departure = Promise<Void>()
        let stored = Promise<Int?>()
        weak var weakCache: FlatCache?
        let handle: Cached<Counter>
        do {
            let cache = FlatCache()
            weakCache = cache
            handle = Cached(Counter.self, id: 1, in: cache)
            cache.setFetcher(of: Counter.self) { ids in
                begun.fulfil(())
                await departure.value
                FlatCache.current.set(Counter(id: 2, count: 2))
                stored.fulfil(FlatCache.current.get(Counter.self, id: 1)?.count)
                return ids.map { Counter(id: $0, count: 3) }
            }
            cache.set(Counter(id: 1, count: 1))
            _ = try await cache.fetch(Counter.self, id: 1, .cacheAndNetwork)
            await begun.value
        }
        #expect(weakCache != nil)
        #expect(handle.status.isLoading)
        let other = handle.cache.map { Cached(Counter.self, id: 2, in: $0) }
        departure.fulfil(())
        #expect(await stored.value == 1)
        await until { weakCache == nil }
        #expect(handle.cache == nil)
        // The weak reference is nil before another thread has released the entities.
        await until { handle.value == nil && other?.value == nil }
        #expect(!handle.status.isLoading)
    }

    @Test("So does one whose fetcher was cancelled and has not returned")
    func cancelledCall() async throws {
        let departure = Promise<Void>()
        let isCurrent = Promise<Bool>()
        let begun = Promise<Void>()
        weak var weakCache: FlatCache?
        do {
            let cache = FlatCache()
            weakCache = cache
            let identity = ObjectIdentifier(cache)
            cache.setFetcher(of: Counter.self) { _ in
                begun.fulfil(())
                await departure.value
                isCurrent.fulfil(ObjectIdentifier(FlatCache.current) == identity)
                return []
            }
            let task = Task { try await cache.fetch(Counter.self, id: 1) }
            await begun.value
            task.cancel()
            await #expect(throws: FetchError.self) { try await task.value }
        }
        departure.fulfil(())
        #expect(await isCurrent.value)
        await until { weakCache == nil }
    }

    @Test("A refresh that waits for its batch does not keep the cache, and is never called for then")
    func refreshInBatch() async throws {
        let clock = ManualClock()
        let calls = Protected(0)
        weak var weakCache: FlatCache?
        do {
            let cache = FlatCache(clock: clock)
            weakCache = cache
            cache.setFetcher(of: Counter.self, batchWindow: .seconds(1)) { ids in
                calls.withLock { $0 += 1 }
                return ids.map { Counter(id: $0) }
            }
            cache.set(Counter(id: 1))
            _ = try await cache.fetch(Counter.self, id: 1, .cacheAndNetwork)
        }
        await until { weakCache == nil && clock.sleeperCount == 0 }
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("Neither calls nor waiters stay behind, however they have ended")
    func nothingStays() async throws {
        weak var weakCall: FetchGraphNode?
        weak var weakHandle: Cached<Counter>?
        let cache = FlatCache()
        let server = FakeServer<Counter>()
        cache.setFetcher(of: Counter.self, server.load)
        for ending in 0..<4 {
            let task = Task { try await cache.fetch(Counter.self, ids: [1, 2]) }
            let call = await server.call(ending)
            cache.existingFetchQueue(of: Counter.self)?.look { state in
                weakCall = state.calls.values.first?.node
                weakHandle = state.fetches.values.first?.entity.handle(of: Counter.self)
            }
            #expect(weakCall != nil && weakHandle != nil)
            switch ending {
            case 0: call.answer([Counter(id: 1), Counter(id: 2)])
            case 1: call.fail(ServerError())
            case 2: call.answer([])
            default: task.cancel()
            }
            _ = await task.result
            if ending == 3 { call.fail(CancellationError()) }
            await until { weakCall == nil && weakHandle == nil }
            cache.removeAll()
            await until { cache.slotCount(of: Counter.self) == 0 && cache.statusSlotCount(of: Counter.self) == 0 }
        }
    }

    @Test("Entities that an answer brings go when they are removed")
    func entitiesGo() async throws {
        let alive = Protected(0)
        let cache = FlatCache()
        cache.setFetcher(of: Counted.self) { ids in ids.map { Counted($0, alive) } }
        _ = try await cache.fetch(Counted.self, ids: 0..<100)
        cache.removeAll()
        await until { alive.withLock { $0 } == 0 }
    }
}
