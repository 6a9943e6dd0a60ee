import FlatCache
import Testing

@Suite("Writes and removals while fetching")
struct FetchFencingTests {
    let clock = ManualClock()
    let cache: FlatCache
    let server = FakeServer<Counter>()

    init() {
        cache = FlatCache(clock: clock)
        cache.setFetcher(of: Counter.self, server.load)
    }

    /// Ways to remove the counter 1, with whatever else.
    enum Removal: CaseIterable, Sendable {
        case one, type, everything, oneInTransaction, typeInTransaction, everythingInTransaction

        var removesMissing: Bool { self != .one && self != .oneInTransaction }

        func remove(from cache: FlatCache) {
            switch self {
            case .one: cache.remove(Counter.self, id: 1)
            case .type: cache.removeAll(of: Counter.self)
            case .everything: cache.removeAll()
            case .oneInTransaction: cache.transaction { _ = cache.remove(Counter.self, id: 1) }
            case .typeInTransaction: cache.transaction { cache.removeAll(of: Counter.self) }
            case .everythingInTransaction: cache.transaction { cache.removeAll() }
            }
        }
    }

    private func expectRemoved(_ task: Task<Counter, any Error>) async {
        let error = await #expect(throws: FetchError.self) { try await task.value }
        #expect(error?.kind == .removed)
        #expect(error?.keys == [Counter.flatCacheKey(id: 1)])
    }

    @Test("F3: A late answer does not bring back what was removed", arguments: Removal.allCases)
    func removedWhileRefreshed(_ removal: Removal) async throws {
        cache.set(Counter(id: 1, count: 1))
        let task = Task { try await cache.fetch(Counter.self, id: 1, .networkOnly) }
        let call = await server.call(0)
        removal.remove(from: cache)
        call.answer([Counter(id: 1, count: 2)])
        await expectRemoved(task)
        #expect(cache.get(Counter.self, id: 1) == nil)
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
        // The task of the call releases what it has held after it has resumed those who wait.
        #expect(await eventually { cache.slotCount(of: Counter.self) == 0 })
    }

    @Test("F3: Clearing fences requests for what was missing", arguments: Removal.allCases.filter(\.removesMissing))
    func clearedWhileFetched(_ removal: Removal) async throws {
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        let call = await server.call(0)
        removal.remove(from: cache)
        // Who asks after that must not be given the old answer.
        let next = Task { try await cache.fetch(Counter.self, id: 1) }
        let nextCall = await server.call(1)
        call.answer([Counter(id: 1, count: 1), Counter(id: 5, count: 1)])
        await expectRemoved(task)
        #expect(cache.count(of: Counter.self) == 0)
        #expect(Cached(Counter.self, id: 1, in: cache).status.isLoading)
        nextCall.answer([Counter(id: 1, count: 2)])
        #expect(try await next.value.count == 2)
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("F3: Requests that wait for their batch are fenced as well, and make no call")
    func clearedInBatch() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        await until { clock.sleeperCount == 1 }
        cache.removeAll()
        #expect(!Cached(Counter.self, id: 1, in: cache).status.isLoading)
        clock.advance(by: .seconds(1))
        await expectRemoved(task)
        #expect(server.callCount == 0)
    }

    @Test("F3: A late answer does not replace what was stored after clearing, whatever the caller asks for")
    func storedAfterClearing() async throws {
        let task = Task { try await cache.fetch(Counter.self, id: 1, .cacheFirst.replacingNewerWrites()) }
        let call = await server.call(0)
        cache.removeAll()
        cache.set(Counter(id: 1, count: 5))
        call.answer([Counter(id: 1, count: 1)])
        await expectRemoved(task)
        #expect(cache.get(Counter.self, id: 1)?.count == 5)
    }

    @Test(
        "F3: A request of before everything was removed doesn't return what a later one has stored",
        arguments: [false, true]
    )
    func otherSession(inTransaction: Bool) async throws {
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        let call = await server.call(0)
        if inTransaction { cache.transaction { cache.removeAll() } } else { cache.removeAll() }
        let next = Task { try await cache.fetch(Counter.self, id: 1) }
        await server.call(1).answer([Counter(id: 1, count: 2)])
        #expect(try await next.value.count == 2)
        call.answer([Counter(id: 1, count: 1)])
        await expectRemoved(task)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
    }

    @Test("F3: Entities that an answer brings along do not come back either", arguments: [true, false])
    func extraRemoved(isObserved: Bool) async throws {
        cache.set(contentsOf: [Counter(id: 2, count: 1), Counter(id: 3, count: 1)])
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        let call = await server.call(0)
        cache.remove(Counter.self, id: 2)
        let handle = isObserved ? Cached(Counter.self, id: 2, in: cache) : nil
        cache.update(Counter.self, id: 3) { $0.count = 9 }
        call.answer((1...3).map { Counter(id: $0, count: 2) })
        #expect(try await task.value.count == 2)
        #expect(cache.get(Counter.self, id: 2) == nil)
        #expect(cache.get(Counter.self, id: 3)?.count == 9)
        withExtendedLifetime(handle) {}
    }

    @Test("A write after the request survives the answer", arguments: [true, false])
    func newerWrite(inTransaction: Bool) async throws {
        cache.set(Counter(id: 1, count: 1))
        let task = Task { try await cache.fetch(Counter.self, id: 1, .networkOnly) }
        let call = await server.call(0)
        if inTransaction {
            cache.transaction { cache.set(Counter(id: 1, count: 2)) }
        } else {
            cache.update(Counter.self, id: 1) { $0.count = 2 }
        }
        call.answer([Counter(id: 1, count: 100)])
        #expect(try await task.value.count == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("A caller may want newer writes replaced, but not what was removed to come back")
    func replacesNewerWrites() async throws {
        cache.set(Counter(id: 1, count: 1))
        var task = Task {
            try await cache.fetch(Counter.self, id: 1, .networkOnly.replacingNewerWrites())
        }
        var call = await server.call(0)
        cache.update(Counter.self, id: 1) { $0.count = 2 }
        call.answer([Counter(id: 1, count: 100)])
        #expect(try await task.value.count == 100)

        task = Task { try await cache.fetch(Counter.self, id: 1, .networkOnly.replacingNewerWrites()) }
        call = await server.call(1)
        cache.remove(Counter.self, id: 1)
        call.answer([Counter(id: 1, count: 200)])
        await expectRemoved(task)
        #expect(cache.get(Counter.self, id: 1) == nil)
    }

    @Test("A write before the request does not")
    func olderWrite() async throws {
        cache.set(Counter(id: 1, count: 1))
        let task = Task { try await cache.fetch(Counter.self, id: 1, .networkOnly) }
        await server.call(0).answer([Counter(id: 1, count: 100)])
        #expect(try await task.value.count == 100)
    }

    @Test("An entity that is stored while a request waits for its batch needs no call, unless the policy demands one")
    func arrivesInBatch() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let first = Task { try await cache.fetch(Counter.self, id: 1) }
        let second = Task { try await cache.fetch(Counter.self, id: 2, .networkOnly) }
        await until { cache.waiterCount(of: Counter.self) == 2 && clock.sleeperCount == 1 }
        cache.set(contentsOf: [Counter(id: 1, count: 1), Counter(id: 2, count: 1)])
        clock.advance(by: .seconds(1))
        #expect(try await first.value.count == 1)
        let call = await server.call(0)
        #expect(call.ids == [2])
        call.answer([Counter(id: 2, count: 2)])
        // The write was made after the request, and stays.
        #expect(try await second.value.count == 1)
    }

    @Test("F3: Two requests of one batch for an entity that was removed and stored in between end with one answer")
    func twiceInBatch() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let first = Task { try await cache.fetch(Counter.self, id: 1, .networkOnly) }
        await until { cache.waiterCount(of: Counter.self) == 1 && clock.sleeperCount == 1 }
        cache.set(Counter(id: 1, count: 1))
        cache.remove(Counter.self, id: 1)
        let second = Task { try await cache.fetch(Counter.self, id: 1, .networkOnly) }
        await until { cache.waiterCount(of: Counter.self) == 2 }
        cache.set(Counter(id: 1, count: 2))
        clock.advance(by: .seconds(1))
        await server.call(0).answer([Counter(id: 1, count: 3)])
        // The write was made after both requests.
        #expect(try await first.value.count == 2)
        #expect(try await second.value.count == 2)
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("An entity that another fetcher's answer brings satisfies who waits for it, and the call for it is cancelled")
    func broughtByOthers() async throws {
        cache.setFetcher(of: Post.self) { ids, answer in
            answer.insert(contentsOf: ids.map { Post(id: $0) })
            answer.insert(contentsOf: [Counter(id: 1, count: 3), Counter(id: 2, count: 3)])
        }
        let handle = Cached(Counter.self, id: 1, in: cache)
        let waiter = Task { try await cache.fetch(Counter.self, ids: [1, 2]) }
        let call = await server.call(0)
        #expect(handle.status.isLoading)
        _ = try await cache.fetch(Post.self, id: "a")
        #expect(try await waiter.value.map(\.count) == [3, 3])
        #expect(!handle.status.isLoading)
        await call.cancelled()
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusCount(of: Counter.self) == 0)
    }

    @Test("An answer with foreign entities stores them, and satisfies nobody who waits for others")
    func foreignIDs() async throws {
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        await server.call(0).answer([Counter(id: 7), Counter(id: 8)])
        let error = await #expect(throws: FetchError.self) { try await task.value }
        #expect(error?.kind == .notFound)
        #expect(cache.contains(Counter.self, id: 7) && cache.contains(Counter.self, id: 8))
    }
}
