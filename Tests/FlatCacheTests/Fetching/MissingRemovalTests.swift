import Testing

@testable import FlatCache

@Suite("Removals of entities that aren't stored, while they are requested")
struct MissingRemovalTests {
    private let clock = ManualClock()
    private let cache: FlatCache
    private let server = FakeServer<Counter>()

    init() {
        cache = FlatCache(clock: clock)
        cache.setFetcher(of: Counter.self, server.load)
    }

    /// Ways to remove the counter 1, which isn't stored.
    enum Way: CaseIterable, Sendable {
        case id, value, ids, handle, transaction, nested, afterStoring, among, beforeThrowing

        @discardableResult
        func remove(from cache: FlatCache) -> Counter? {
            switch self {
            case .id: return cache.remove(Counter.self, id: 1)
            case .value: return cache.remove(Counter(id: 1, count: 9))
            case .ids: return cache.remove(Counter.self, ids: [1, 1, 8]).first
            case .handle: return Cached(Counter.self, id: 1, in: cache).remove()
            case .transaction: return cache.transaction { cache.remove(Counter.self, id: 1) }
            case .nested: return cache.transaction { cache.transaction { cache.remove(Counter.self, id: 1) } }
            case .afterStoring:
                cache.transaction {
                    cache.set(Counter(id: 1))
                    cache.remove(Counter.self, id: 1)
                }
                return nil
            case .among:
                return cache.transaction {
                    for id in 2..<2_000 { cache.set(Counter(id: id)) }
                    return cache.remove(Counter.self, id: 1)
                }
            case .beforeThrowing:
                return cache.transaction {
                    let removed = cache.remove(Counter.self, id: 1)
                    try? cache.transaction {
                        cache.set(Counter(id: 1))
                        throw ServerError()
                    }
                    return removed
                }
            }
        }
    }

    private func expectRemoved(_ task: Task<Counter, any Error>) async {
        let error = await #expect(throws: FetchError.self) { try await task.value }
        #expect(error?.kind == .removed)
        #expect(error?.keys == [Counter.flatCacheKey(id: 1)])
    }

    @Test(
        "F3: An answer to a request of before the removal isn't stored, and one to a request of after it is",
        arguments: Way.allCases
    )
    func requested(_ way: Way) async throws {
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        let call = await server.call(0)
        #expect(way.remove(from: cache) == nil)
        // Who asks after that must not be given the old answer.
        let next = Task { try await cache.fetch(Counter.self, id: 1) }
        let nextCall = await server.call(1)
        call.answer([Counter(id: 1, count: 1), Counter(id: 5_000, count: 1)])
        await expectRemoved(task)
        #expect(cache.get(Counter.self, id: 1) == nil && cache.contains(Counter.self, id: 5_000))
        nextCall.answer([Counter(id: 1, count: 2)])
        #expect(try await next.value.count == 2)
        #expect(cache.get(Counter.self, id: 1)?.count == 2)
        #expect(cache.isIdle(Counter.self) && cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test(
        "F3: What an answer brings along isn't stored if it was removed meanwhile, also if observers or handles refer to the key",
        arguments: Way.allCases,
        [false, true]
    )
    func broughtAlong(_ way: Way, isObserved: Bool) async throws {
        let task = Task { try await cache.fetch(Counter.self, id: 7_000) }
        let call = await server.call(0)
        let handle = isObserved ? Cached(Counter.self, id: 1, in: cache) : nil
        way.remove(from: cache)
        call.answer([Counter(id: 1, count: 1), Counter(id: 7_000, count: 1)])
        #expect(try await task.value.count == 1)
        #expect(cache.get(Counter.self, id: 1) == nil)
        cache.set(Counter(id: 1))
        #expect(cache.contains(Counter.self, id: 1))
        withExtendedLifetime(handle) {}
    }

    @Test("F3: A request that waits for its batch ends with the removal, and makes no call")
    func inBatch() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        await until { clock.sleeperCount == 1 }
        cache.remove(Counter.self, id: 1)
        clock.advance(by: .seconds(1))
        await expectRemoved(task)
        #expect(server.callCount == 0)
    }

    @Test("A removal that a transaction undoes is not remembered", arguments: [false, true])
    func undone(isNested: Bool) async throws {
        let task = Task { try await cache.fetch(Counter.self, id: 1) }
        let call = await server.call(0)
        if isNested {
            cache.transaction {
                try? cache.transaction {
                    cache.remove(Counter.self, id: 1)
                    throw ServerError()
                }
            }
        } else {
            try? cache.transaction {
                cache.remove(Counter.self, id: 1)
                throw ServerError()
            }
        }
        call.answer([Counter(id: 1, count: 1)])
        #expect(try await task.value.count == 1)
    }

    @Test("An identifier from which an update moves the entity away is removed")
    func moved() async throws {
        cache.set(Draft(id: 1, text: "new"))
        let server = FakeServer<Draft>()
        cache.setFetcher(of: Draft.self, server.load)
        let task = Task { try await cache.fetch(Draft.self, id: 9) }
        let call = await server.call(0)
        cache.update(Draft.self, id: 1) { $0.id = 2 }
        call.answer([Draft(id: 1, text: "old"), Draft(id: 2, text: "old"), Draft(id: 9)])
        _ = try await task.value
        #expect(cache.get(Draft.self, id: 1) == nil && cache.get(Draft.self, id: 2)?.text == "new")
    }

    @Test("An identifier with an '==' of its own is remembered, too", arguments: [false, true])
    func custom(isInTransaction: Bool) async throws {
        let server = FakeServer<Colliding>()
        cache.setFetcher(of: Colliding.self, server.load)
        let task = Task { try await cache.fetch(Colliding.self, id: CollidingID(number: 1)) }
        let call = await server.call(0)
        for number in [1, 2] {
            let id = CollidingID(number: number)
            if isInTransaction {
                cache.transaction { _ = cache.remove(Colliding.self, id: id) }
            } else {
                cache.remove(Colliding.self, id: id)
            }
        }
        call.answer([Colliding(1), Colliding(2)])
        let error = await #expect(throws: FetchError.self) { try await task.value }
        #expect(error?.kind == .removed && cache.count(of: Colliding.self) == 0)
    }

    @Test("A removal of an evicted entity is one, although its slot remains")
    func evicted() async throws {
        cache.set(Counter(id: 1, count: 1))
        // A mark keeps the slot, but not the entity.
        cache.invalidate(Counter.self, id: 1)
        let task = Task { try await cache.fetch(Counter.self, id: 7_000) }
        let call = await server.call(0)
        cache.collect()
        #expect(!cache.contains(Counter.self, id: 1))
        #expect(cache.remove(Counter.self, id: 1) == nil)
        call.answer([Counter(id: 1, count: 2), Counter(id: 7_000)])
        _ = try await task.value
        #expect(cache.get(Counter.self, id: 1) == nil)
    }
}
