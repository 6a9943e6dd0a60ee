import FlatCache
import Testing

@Suite("Fetching")
struct FetchingTests {
    let clock = ManualClock()
    let cache: FlatCache
    let server = FakeServer<Counter>()

    init() {
        cache = FlatCache(clock: clock)
    }

    @Test("A missing entity is fetched, stored and returned")
    func missing() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        async let fetched = cache.fetch(Counter.self, id: 1)
        let call = await server.call(0)
        #expect(call.ids == [1])
        #expect(call.cache === cache)
        call.answer([Counter(id: 1, count: 7)])
        #expect(try await fetched == Counter(id: 1, count: 7))
        #expect(cache.get(Counter.self, id: 1)?.count == 7)
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusCount(of: Counter.self) == 0)
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("A stored entity needs no fetcher")
    func stored() async throws {
        cache.set(Counter(id: 1, count: 3))
        #expect(try await cache.fetch(Counter.self, id: 1).count == 3)
        #expect(try await cache.fetch(Counter.self, ids: [1, 1]).map(\.count) == [3, 3])
        #expect(try await cache.fetch(Counter.self, ids: []).isEmpty)
        #expect(try await cache.fetch(Counter.self, ids: [], .networkOnly).isEmpty)
        #expect(try await cache.fetch(Counter.self, id: 1, .cacheOnly).count == 3)
    }

    @Test("Several are returned in the order of their identifiers, and asked for once")
    func several() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        cache.set(Counter(id: 2, count: 20))
        async let fetched = cache.fetch(Counter.self, ids: [3, 2, 1, 3])
        let call = await server.call(0)
        #expect(call.ids == [1, 3])
        call.answer([Counter(id: 1, count: 10), Counter(id: 3, count: 30)])
        #expect(try await fetched.map(\.count) == [30, 20, 10, 30])
        #expect(server.callCount == 1)
    }

    @Test("F1: A thousand concurrent requests for a hundred entities make one call")
    func joined() async throws {
        cache.setFetcher(of: Counter.self, batchWindow: .seconds(1), server.load)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<1_000 {
                group.addTask { try await cache.fetch(Counter.self, id: number % 100).count }
            }
            await until { cache.waiterCount(of: Counter.self) == 1_000 && clock.sleeperCount == 1 }
            clock.advance(by: .seconds(1))
            let call = await server.call(0)
            #expect(call.ids == Set(0..<100))
            call.answer((0..<100).map { Counter(id: $0, count: 5) })
            for try await count in group { #expect(count == 5) }
        }
        #expect(server.callCount == 1)
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("F1: The requests of an actor before its next turn are one call")
    @MainActor func sameTurn() async throws {
        cache.setFetcher(of: Counter.self) { ids in
            #expect(ids == Set(0..<50))
            return ids.map { Counter(id: $0, count: 1) }
        }
        let tasks = (0..<100).map { number in
            Task { @MainActor in try await cache.fetch(Counter.self, id: number % 50).count }
        }
        for task in tasks { #expect(try await task.value == 1) }
    }

    @Test("F1: Ten thousand identifiers with at most fifty in a call make two hundred calls", arguments: [true, false])
    func batchLimit(isOneRequest: Bool) async throws {
        let calls = Recorder<Int>()
        cache.setFetcher(of: Counter.self, batchLimit: 50, batchWindow: .seconds(1)) { ids in
            calls.record(ids.count)
            return ids.map { Counter(id: $0, count: 1) }
        }
        if isOneRequest {
            #expect(try await cache.fetch(Counter.self, ids: 0..<10_000).map(\.id) == Array(0..<10_000))
        } else {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for id in 0..<10_000 { group.addTask { try await cache.fetch(Counter.self, id: id).id } }
                var sum = 0
                for try await id in group { sum += id }
                #expect(sum == 49_995_000)
            }
        }
        #expect(calls.elements == Array(repeating: 50, count: 200))
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusSlotCount(of: Counter.self) == 0)
    }

    @Test("Without a window ten thousand identifiers in one turn make two hundred calls of fifty, too")
    @MainActor func batchLimitOfTurn() async throws {
        let calls = Recorder<Int>()
        cache.setFetcher(of: Counter.self, batchLimit: 50) { ids in
            calls.record(ids.count)
            return ids.map { Counter(id: $0, count: 1) }
        }
        let tasks = (0..<10_000).map { id in
            Task { @MainActor in _ = try await cache.fetch(Counter.self, id: id) }
        }
        for task in tasks { try await task.value }
        #expect(calls.elements == Array(repeating: 50, count: 200))
    }

    @Test("A batch waits for its window, and no longer when it is full")
    func window() async throws {
        cache.setFetcher(of: Counter.self, batchLimit: 2, batchWindow: .seconds(10), server.load)
        async let first = cache.fetch(Counter.self, id: 1)
        await until { clock.sleeperCount == 1 }
        clock.advance(by: .seconds(9))
        #expect(server.callCount == 0)
        async let second = cache.fetch(Counter.self, id: 2)
        let call = await server.call(0)
        #expect(call.ids == [1, 2])
        await until { clock.sleeperCount == 0 }
        call.answer([Counter(id: 1), Counter(id: 2)])
        _ = try await (first, second)
    }

    @Test("A batch limit below one is one")
    func smallestLimit() async throws {
        let calls = Recorder<Set<Int>>()
        cache.setFetcher(of: Counter.self, batchLimit: 0) { ids in
            calls.record(ids)
            return ids.map { Counter(id: $0) }
        }
        _ = try await cache.fetch(Counter.self, ids: [1, 2])
        #expect(Set(calls.elements) == [[1], [2]])
    }

    @Test("The entities of an answer, of all types, are stored in one commit, which observers hear of once")
    func oneCommit() async throws {
        let changes = Recorder<ChangeSet>()
        let keys = (0..<3).map { Counter.flatCacheKey(id: $0) } + [Author.flatCacheKey(id: "a")]
        let subscription = cache.observe(keys, initial: false) { changes.record($0) }
        cache.setFetcher(of: Counter.self) { ids, answer in
            answer.insert(Author(id: "a"))
            answer.insert(contentsOf: ids.map { Counter(id: $0, count: 1) })
            answer.insert(Counter(id: 2, count: 9))
        }
        _ = try await cache.fetch(Counter.self, ids: [0, 1])
        #expect(changes.elements.map(\.inserted) == [Set(keys)])
        #expect(cache.get(Counter.self, id: 2)?.count == 9)
        subscription.cancel()
    }

    @Test("Of two entities with one identifier in an answer the later is stored")
    func duplicates() async throws {
        cache.setFetcher(of: Counter.self) { _ in (1...5).map { Counter(id: 1, count: $0) } }
        #expect(try await cache.fetch(Counter.self, id: 1).count == 5)
    }

    @Test("The compiler distinguishes closures of all three kinds, with one statement or several")
    func closures() async throws {
        let api = API()
        cache.setFetcher(of: Counter.self) { ids in try await api.counters(ids) }
        cache.setFetcher(of: Counter.self) { try await api.counters($0) }
        cache.setFetcher(of: Counter.self, maxAge: .seconds(60)) { id in try await api.counter(id) }
        cache.setFetcher(of: Counter.self) { try await api.counter($0) }
        cache.setFetcher(of: Counter.self) { id in Counter(id: id) }
        cache.setFetcher(of: Counter.self) { _ in nil }
        cache.setFetcher(of: Counter.self) { _ in [] }
        cache.setFetcher(of: Counter.self) { _ in throw ServerError() }
        cache.setFetcher(of: Counter.self, api.counters)
        cache.setFetcher(of: Counter.self, api.counter)
        cache.setFetcher(of: Counter.self) { ids in
            let counters = try await api.counters(ids)
            return counters.filter { $0.count >= 0 }
        }
        cache.setFetcher(of: Counter.self) { id in
            guard id > 0 else { return nil }
            let counter = try await api.counter(id)
            return counter
        }
        cache.setFetcher(of: Counter.self) { id in
            let counter = Counter(id: id)
            return counter
        }
        cache.setFetcher(of: Counter.self) { ids in
            var all: [Counter] = []
            for id in ids { all.append(Counter(id: id)) }
            return all
        }
        cache.setFetcher(of: Counter.self) { ids, answer in answer.insert(contentsOf: try await api.counters(ids)) }
        cache.setFetcher(of: Counter.self) { ids, answer in
            for id in ids {
                answer.insert(Author(id: "\(id)"))
                answer.insert(Counter(id: id, count: 42))
            }
        }
        let counter: Counter = try await cache.fetch(id: 1)
        #expect(counter.count == 42)
        let counters: [Counter] = try await cache.fetch(ids: [1])
        #expect(counters == [counter])
    }

    private struct API: Sendable {
        @Sendable func counters(_ ids: Set<Int>) async throws -> [Counter] { ids.map { Counter(id: $0) } }
        @Sendable func counter(_ id: Int) async throws -> Counter? { Counter(id: id) }
    }

    @Test("A fetcher of single entities is called for each")
    func single() async throws {
        let calls = Recorder<Int>()
        cache.setFetcher(of: Counter.self) { id in
            calls.record(id)
            return id < 3 ? Counter(id: id) : nil
        }
        #expect(try await cache.fetch(Counter.self, ids: [1, 2]).map(\.id) == [1, 2])
        await #expect(throws: FetchError.self) { try await cache.fetch(Counter.self, id: 3) }
        #expect(Set(calls.elements) == [1, 2, 3])
    }

    @Test("The library's own entities aren't counted")
    func counting() async throws {
        cache.setFetcher(of: Counter.self, server.load)
        async let fetched = cache.fetch(Counter.self, id: 1)
        let call = await server.call(0)
        #expect(cache.count == 0)
        #expect(cache.statusCount(of: Counter.self) == 1)
        call.answer([Counter(id: 1)])
        _ = try await fetched
        #expect(cache.count == 1)
    }
}
