import FlatCache
import Testing

@Suite("Failures of fetching")
struct FetchFailureTests {
    let clock = ManualClock()
    let cache: FlatCache
    let server = FakeServer<Counter>()

    init() {
        cache = FlatCache(clock: clock)
    }

    private func key(_ id: Int) -> FlatCacheKey { Counter.flatCacheKey(id: id) }

    @Test("F2: A failure reaches every waiter, and is not remembered")
    func failure() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let waiters = (0..<3).map { number in Task { try await cache.fetch(Counter.self, ids: [1, 2 + number]) } }
        await until { cache.waiterCount(of: Counter.self) == 6 && clock.sleeperCount == 1 }
        let handle = Cached(Counter.self, id: 1, in: cache)
        #expect(handle.status.isLoading)
        clock.advance(by: .seconds(1))
        await server.call(0).fail(ServerError(number: 7))
        for (number, waiter) in waiters.enumerated() {
            let error = await #expect(throws: FetchError.self) { try await waiter.value }
            #expect(error?.underlying as? ServerError == ServerError(number: 7))
            #expect(error?.keys == [key(1), key(2 + number)])
        }
        #expect(!handle.status.isLoading)
        #expect(handle.status.error?.keys == [key(1)])
        cache.setFetcher(of: Counter.self, server.load)
        async let again = cache.fetch(Counter.self, id: 1)
        let call = await server.call(1)
        #expect(handle.status.isLoading)
        #expect(handle.status.error != nil)
        call.answer([Counter(id: 1, count: 1)])
        #expect(try await again.count == 1)
        #expect(handle.status.error == nil)
        #expect(handle.value?.count == 1)
    }

    @Test("F3: Of a hundred entities of which three are missing, exactly these are named", arguments: [1_000, 7])
    func omitted(limit: Int) async throws {
        let missing: Set<Int> = [13, 50, 99]
        cache.setFetcher(of: Counter.self, batchLimit: limit) { ids in
            ids.subtracting(missing).map { Counter(id: $0) }
        }
        // An error is remembered for those who can ask.
        let handle = Cached(Counter.self, id: 13, in: cache)
        let error = await #expect(throws: FetchError.self) {
            try await cache.fetch(Counter.self, ids: (0..<100).reversed())
        }
        #expect(error?.kind == .notFound)
        #expect(error?.keys == [key(99), key(50), key(13)])
        #expect(cache.count(of: Counter.self) == 97)
        #expect(cache.statusCount(of: Counter.self) == 3)
        #expect(handle.status.error?.keys == [key(13)])
        #expect(cache.isIdle(Counter.self))
    }

    @Test("F3: An entity that the server omits fails only those who wait for it")
    func omittedForSome() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        async let first = cache.fetch(Counter.self, id: 1)
        let call = await server.call(0)
        let both = Task { try await cache.fetch(Counter.self, ids: [1, 2]) }
        let other = await server.call(1)
        #expect(other.ids == [2])
        other.answer([])
        await until { cache.waiterCount(of: Counter.self, id: 2) == 0 }
        call.answer([Counter(id: 1)])
        _ = try await first
        let error = await #expect(throws: FetchError.self) { try await both.value }
        #expect(error?.keys == [key(2)])
    }

    @Test("F3: That the server omits a stored entity is an error, and the entity stays")
    func omittedButStored() async throws {
        cache.set(Counter(id: 1, count: 1))
        cache.setFetcher(of: Counter.self) { _ in [] }
        let error = await #expect(throws: FetchError.self) {
            try await cache.fetch(Counter.self, id: 1, .networkOnly)
        }
        #expect(error?.kind == .notFound)
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
    }

    @Test("An entity that somebody stores while it is fetched satisfies those who wait, also if the server omits it")
    func storedMeanwhile() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        async let fetched = cache.fetch(Counter.self, id: 1)
        let call = await server.call(0)
        cache.set(Counter(id: 1, count: 4))
        call.answer([])
        #expect(try await fetched.count == 4)
        #expect(await eventually { cache.statusSlotCount(of: Counter.self) == 0 })
    }

    @Test("One failing call of several ends a wait at once, and the calls that only it has wanted")
    func failsFast() async throws {
        cache.setFetcher(of: Counter.self, batchLimit: 1, server.load)
        let handles = [1, 2].map { Cached(Counter.self, id: $0, in: cache) }
        let waiter = Task { try await cache.fetch(Counter.self, ids: [1, 2]) }
        let calls = [await server.call(0), await server.call(1)]
        calls[0].fail(ServerError())
        let error = await #expect(throws: FetchError.self) { try await waiter.value }
        #expect(error?.keys == calls[0].ids.map { key($0) })
        await calls[1].cancelled()
        await until { cache.isIdle(Counter.self) }
        #expect(handles.map { $0.status.error?.keys } == [1, 2].map { calls[0].ids.contains($0) ? [key($0)] : nil })
    }

    @Test("A missing fetcher is an error that says how to set one")
    func noFetcher() async {
        let error = await #expect(throws: FetchError.self) { try await cache.fetch(Counter.self, id: 1) }
        #expect(
            error?.description == """
                FlatCacheTests.Counter(1) can't be fetched: there is no fetcher for the type. Set one before, with \
                'cache.setFetcher(of: Counter.self) { ids in … }', where the closure returns the entities
                """
        )
        cache.set(Counter(id: 1))
        for policy in [FetchPolicy.networkOnly, .cacheAndNetwork] {
            let error = await #expect(throws: FetchError.self) {
                try await cache.fetch(Counter.self, id: 1, policy)
            }
            #expect(error?.kind == .noFetcher)
        }
    }

    @Test("The cache alone is an error for what it hasn't, and names that")
    func cacheOnly() async {
        cache.setFetcher(of: Counter.self, server.load)
        cache.set(Counter(id: 2))
        let error = await #expect(throws: FetchError.self) {
            try await cache.fetch(Counter.self, ids: [1, 2, 3, 1], .cacheOnly)
        }
        #expect(error?.kind == .notCached)
        #expect(error?.keys == [key(1), key(3)])
        #expect(server.callCount == 0)
    }

    @Test("A handle whose cache is gone says so")
    func cacheGone() async {
        var cache: FlatCache? = FlatCache()
        let handle = cache.map { Cached(Counter.self, id: 1, in: $0) }
        #expect(handle?.status.isLoading == false)
        cache = nil
        #expect(handle?.status.isLoading == false)
        #expect(handle?.status.error == nil)
        #expect(handle?.value == nil)
        let error = await #expect(throws: FetchError.self) { try await handle?.fetch() }
        #expect(error?.kind == .cacheGone)
    }

    @Test("Every message names the entities and the remedy, for one entity and for several", arguments: [1, 7])
    func messages(count: Int) {
        let keys = (1...count).map { key($0) }
        let names =
            count == 1
            ? "FlatCacheTests.Counter(1)"
            : (1...5).map { "FlatCacheTests.Counter(\($0))" }.joined(separator: ", ") + " and 2 more"
        let them = count == 1 ? "it" : "them"
        let errors: [(FetchError, remedy: String)] = [
            (.noFetcher(keys), "setFetcher(of: Counter.self)"), (.notCached(keys), "fetch \(them) by 'cacheFirst'"),
            (.notFound(keys), "return \(them)"), (.removed(keys), "Fetch \(them) again"),
            (.cyclic(keys), "'cacheOnly'"), (.failed(keys, ServerError(number: 3)), "ServerError(number: 3)"),
            (.cancelled(keys), "Fetch \(them) again"),
        ]
        for (error, remedy) in errors {
            #expect(error.description.contains(names))
            #expect(error.description.contains(remedy))
        }
        #expect(FetchError.cacheGone(key(1)).description.contains("FlatCacheTests.Counter(1)"))
    }
}
