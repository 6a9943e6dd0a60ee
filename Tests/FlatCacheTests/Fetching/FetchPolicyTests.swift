import FlatCache
import Testing

@Suite("Policies and age")
struct FetchPolicyTests {
    let clock = ManualClock()
    let cache: FlatCache
    /// How often the fetcher was called.
    let calls = Protected(0)

    init() {
        cache = FlatCache(clock: clock)
    }

    /// A server that answers with the number of the call.
    private var load: @Sendable (Set<Int>) async throws -> [Counter] {
        { [calls] ids in
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            return ids.map { Counter(id: $0, count: number) }
        }
    }

    private func fetch(_ policy: FetchPolicy = .cacheFirst) async throws -> Int {
        try await cache.fetch(Counter.self, id: 1, policy).count
    }

    @Test("Policies choose between cache and fetcher")
    func policies() async throws {
        cache.setFetcher(of: Counter.self, load)
        #expect(try await fetch() == 1)
        #expect(try await fetch() == 1)
        #expect(try await fetch(.cacheOnly) == 1)
        #expect(try await fetch(.networkOnly) == 2)
        #expect(try await fetch(.cacheAndNetwork) == 2)
        await until { cache.get(Counter.self, id: 1)?.count == 3 && cache.isIdle(Counter.self) }
        cache.removeAll()
        #expect(try await fetch(.cacheAndNetwork) == 4)
        #expect(await eventually { cache.statusSlotCount(of: Counter.self) == 0 })
    }

    @Test("Refreshing behind returns what was stored when it was asked, also when the fetcher answers at once")
    func refreshAtOnce() async throws {
        // Called for without waiting for others, so that the answer is there as soon as can be.
        cache.setFetcher(of: Counter.self) { id in Counter(id: id, count: -1) }
        for count in 1...1_000 {
            cache.set(contentsOf: [Counter(id: 1, count: count), Counter(id: 2, count: count)])
            if count % 2 == 0 {
                #expect(try await fetch(.cacheAndNetwork) == count)
            } else {
                let counters = try await cache.fetch(Counter.self, ids: [2, 1, 2], .cacheAndNetwork)
                #expect(counters.map(\.count) == [count, count, count])
            }
            await until { cache.isIdle(Counter.self) }
            #expect(cache.get(Counter.self, id: 1)?.count == -1)
        }
    }

    @Test("A refresh behind returns one state, also beside writers and when some are missing")
    func refreshOneState() async throws {
        cache.setFetcher(of: Counter.self, load)
        let isDone = Protected(false)
        cache.set(contentsOf: [Counter(id: 1), Counter(id: 2)])
        let writing = Task.detached { [cache] in
            var count = 0
            while !isDone.withLock({ $0 }) {
                count -= 1
                cache.set(contentsOf: [Counter(id: 1, count: count), Counter(id: 2, count: count)])
                await Task.yield()
            }
        }
        for step in 0..<500 {
            if step % 5 == 0 { cache.remove(Counter.self, id: 3) }
            let counters = try await cache.fetch(Counter.self, ids: [1, 2, 3], .cacheAndNetwork)
            #expect(counters.map(\.id) == [1, 2, 3])
            #expect(counters[0].count == counters[1].count)
        }
        isDone.withLock { $0 = true }
        await writing.value
    }

    @Test("Refreshing behind does not end with the task, and its failure is that of the handle")
    func refreshFails() async throws {
        let server = FakeServer<Counter>()
        cache.setFetcher(of: Counter.self, server.load)
        cache.set(Counter(id: 1, count: 1))
        let handle = Cached(Counter.self, id: 1, in: cache)
        let task = Task { try await handle.fetch(.cacheAndNetwork).count }
        #expect(try await task.value == 1)
        task.cancel()
        let call = await server.call(0)
        #expect(handle.status.isLoading)
        // A refresh can be joined and left again.
        let waiter = Task { try await fetch(.networkOnly) }
        await until { cache.waiterCount(of: Counter.self) == 1 }
        waiter.cancel()
        await #expect(throws: FetchError.self) { try await waiter.value }
        call.fail(ServerError(number: 1))
        await until { !handle.status.isLoading }
        #expect(handle.status.error?.underlying as? ServerError == ServerError(number: 1))
        #expect(handle.value?.count == 1)
        #expect(server.callCount == 1)
    }

    @Test("An entity that is older than the type's maximal age is fetched again")
    func maxAgeOfType() async throws {
        cache.set(Counter(id: 1, count: 50))
        cache.setFetcher(of: Counter.self, maxAge: .seconds(60), load)
        // Written before anybody asked for ages.
        #expect(try await fetch() == 1)
        clock.advance(by: .seconds(59))
        #expect(try await fetch() == 1)
        clock.advance(by: .seconds(1))
        #expect(try await fetch(.cacheOnly) == 1)
        #expect(try await fetch() == 2)
        clock.advance(by: .seconds(40))
        // Every write makes it new.
        cache.update(Counter.self, id: 1) { $0.count = 70 }
        clock.advance(by: .seconds(40))
        #expect(try await fetch() == 70)
        clock.advance(by: .seconds(20))
        #expect(try await fetch(.cacheAndNetwork) == 70)
        await until { cache.get(Counter.self, id: 1)?.count == 3 && cache.isIdle(Counter.self) }
        #expect(try await cache.fetch(Counter.self, ids: [1]).map(\.count) == [3])
    }

    @Test("A call may have a maximal age of its own")
    func maxAgeOfCall() async throws {
        cache.setFetcher(of: Counter.self, maxAge: .seconds(60), load)
        #expect(try await fetch() == 1)
        clock.advance(by: .seconds(30))
        #expect(try await fetch(.cacheFirst(maxAge: .seconds(31))) == 1)
        #expect(try await fetch(.cacheFirst(maxAge: .seconds(30))) == 2)
        clock.advance(by: .seconds(70))
        #expect(try await fetch(.cacheFirst(maxAge: .seconds(80))) == 2)
        #expect(try await fetch() == 3)
        #expect(try await fetch(.cacheFirst(maxAge: .zero)) == 4)
    }

    @Test("The first call with a maximal age in a cache finds all entities stale, the next one those that are")
    func firstMaxAge() async throws {
        cache.setFetcher(of: Counter.self, load)
        #expect(try await fetch() == 1)
        #expect(try await fetch(.cacheFirst(maxAge: .seconds(100))) == 2)
        #expect(try await fetch(.cacheFirst(maxAge: .seconds(100))) == 2)
        clock.advance(by: .seconds(100))
        #expect(try await fetch(.cacheFirst(maxAge: .seconds(100))) == 3)
        #expect(try await fetch() == 3)
    }

    @Test("Every kind of write makes an entity new", arguments: 0..<5)
    func writes(kind: Int) async throws {
        cache.setFetcher(of: Counter.self, maxAge: .seconds(10), load)
        #expect(try await fetch() == 1)
        clock.advance(by: .seconds(9))
        let counter = Counter(id: 1, count: 50)
        switch kind {
        case 0: cache.set(counter)
        case 1: cache.set(contentsOf: [counter])
        case 2: cache.update(Counter.self, id: 1) { $0 = counter }
        case 3: cache.transaction { cache.set(counter) }
        default: Cached(Counter.self, id: 1, in: cache).update(storing: [Counter(id: 2)]) { $0 = counter }
        }
        clock.advance(by: .seconds(9))
        #expect(try await fetch() == 50)
        clock.advance(by: .seconds(1))
        #expect(try await fetch() == 2)
    }

    @Test("An invalidated entity is fetched once more", arguments: 0..<3)
    func invalidation(kind: Int) async throws {
        cache.setFetcher(of: Counter.self, load)
        cache.set(Counter(id: 2, count: 50))
        #expect(try await fetch() == 1)
        switch kind {
        case 0: cache.invalidate(Counter.self, id: 1)
        case 1: cache.invalidate(Counter.flatCacheKey(id: 1))
        default: cache.invalidateAll(of: Counter.self)
        }
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
        #expect(try await fetch(.cacheOnly) == 1)
        #expect(try await fetch() == 2)
        #expect(try await fetch() == 2)
        #expect(try await cache.fetch(Counter.self, id: 2).count == (kind == 2 ? 3 : 50))
    }

    @Test("A write ends an invalidation; many of them leave nothing behind")
    func manyInvalidations() async throws {
        cache.setFetcher(of: Counter.self, load)
        for id in 0..<1_000 {
            cache.set(Counter(id: id, count: 50))
            cache.invalidate(Counter.self, id: id)
            cache.set(Counter(id: id, count: 51))
        }
        #expect(try await cache.fetch(Counter.self, ids: 0..<1_000).allSatisfy { $0.count == 51 })
        #expect(calls.withLock { $0 } == 0)
    }

    @Test("The answer to a call from before an invalidation doesn't make an entity fresh, and nobody joins that call")
    func invalidatedWhileFetched() async throws {
        let server = FakeServer<Counter>()
        cache.setFetcher(of: Counter.self, server.load)
        let old = Task { try await fetch() }
        let oldCall = await server.call(0)
        cache.invalidate(Counter.self, id: 1)
        let new = Task { try await fetch() }
        let newCall = await server.call(1)
        oldCall.answer([Counter(id: 1, count: 1)])
        #expect(try await old.value == 1)
        #expect(cache.waiterCount(of: Counter.self) == 1)
        #expect(Cached(Counter.self, id: 1, in: cache).status.isLoading)
        newCall.answer([Counter(id: 1, count: 2)])
        #expect(try await new.value == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        #expect(try await fetch() == 2)
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("An old answer after an invalidation leaves the entity stale")
    func staleAnswer() async throws {
        let server = FakeServer<Counter>()
        cache.setFetcher(of: Counter.self, server.load)
        let old = Task { try await fetch() }
        let oldCall = await server.call(0)
        cache.invalidateAll(of: Counter.self)
        oldCall.answer([Counter(id: 1, count: 1)])
        #expect(try await old.value == 1)
        let new = Task { try await fetch() }
        await server.call(1).answer([Counter(id: 1, count: 2)])
        #expect(try await new.value == 2)
        #expect(try await fetch() == 2)
    }

    @Test("A policy is described as it is written")
    func description() {
        #expect(FetchPolicy.cacheAndNetwork.description == "cacheAndNetwork")
        #expect(FetchPolicy.cacheFirst(maxAge: .seconds(60)).description == "cacheFirst(maxAge: 60.0 seconds)")
        #expect(FetchPolicy.networkOnly.replacingNewerWrites().description == "networkOnly.replacingNewerWrites()")
        #expect(FetchPolicy.cacheFirst(maxAge: .zero) != .cacheFirst)
    }
}
