import FlatCache
import Foundation
import Testing

/// Fetchers of two caches that fetch from each other at random, and so wait for each other in circles; asked by tasks that
/// are cancelled at random, and by actors of which some are busy all the time.
///
/// `FLATCACHE_SEED` replays one run's decisions; what the scheduler decides is its own.
@Suite("Random fetchers that wait for each other", .timeLimit(.minutes(5)))
struct RandomFetchGraphTests {
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["FLATCACHE_SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(1...12)
    private static let idCount = 12

    let clock = ManualClock()
    let caches: [FlatCache]
    /// What fetchers have started without waiting for it.
    let started = Recorder<Task<Void, Never>>()

    init() {
        caches = [FlatCache(clock: clock), FlatCache(clock: clock)]
    }

    @Test("F2, F3, F4: Every request ends, whoever waits for whom and whoever is busy", arguments: seeds)
    func everyRequestEnds(seed: UInt64) async throws {
        let random = Protected(SeededGenerator(seed: seed))
        for cache in caches { setFetchers(of: cache, random) }
        let observing = observe()
        let guests = (0..<6).map { _ in Guest() }
        var waiting: [(guest: Guest, task: Task<[Int], any Error>)] = []
        // These have asked, and their turns don't come until all others are served.
        for (number, guest) in guests.enumerated() {
            waiting.append((guest, await guest.begin(asking: number, caches[number % 2])))
        }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 { group.addTask { await work(worker, random) } }
        }
        for (number, (guest, task)) in waiting.enumerated() {
            if number % 3 == 0 { task.cancel() }
            _ = try? await guest.finish(task)
        }
        for task in started.elements { await task.value }
        await until { isIdle }
        for cache in caches {
            #expect(
                (0..<Self.idCount).allSatisfy { !Cached(Counter.self, id: $0, in: cache).isLoading },
                "seed \(seed)"
            )
            cache.removeAll()
        }
        for (subscription, consumer) in observing {
            subscription.cancel()
            consumer.cancel()
            await consumer.value
        }
        for cache in caches {
            #expect(cache.statusCount(of: Counter.self) + cache.statusCount(of: Author.self) == 0, "seed \(seed)")
        }
    }

    private var isIdle: Bool { caches.allSatisfy { $0.isIdle(Counter.self) && $0.isIdle(Author.self) } }

    /// Observers, and consumers of sequences that are slower than the writers.
    private func observe() -> [(CacheSubscription, Task<Void, Never>)] {
        caches.map { cache in
            let handle = Cached(Counter.self, id: 1, in: cache)
            let subscription = cache.observe {
                handle.state.value?.count
            } onChange: { _ in
            }
            let consumer = Task {
                for await _ in handle.states { for _ in 0..<20 { await Task.yield() } }
            }
            return (subscription, consumer)
        }
    }

    private func work(_ worker: Int, _ random: Protected<SeededGenerator>) async {
        for _ in 0..<30 {
            let cache = caches[Int.random(in: 0..<2, in: random)]
            let id = Int.random(in: 0..<Self.idCount, in: random)
            let policy: FetchPolicy = [.cacheFirst, .networkOnly, .cacheAndNetwork][Int.random(in: 0..<3, in: random)]
            let task = Task {
                if worker % 2 == 0 {
                    _ = try? await cache.fetch(Counter.self, ids: [id, (id + 1) % Self.idCount], policy: policy)
                } else {
                    _ = try? await cache.fetch(Author.self, id: "\(id)", policy: policy)
                }
            }
            switch Int.random(in: 0..<6, in: random) {
            case 0: task.cancel()
            case 1: cache.invalidate(Counter.self, id: id)
            case 2: cache.remove(Counter.self, id: id)
            case 3 where worker == 0: setFetchers(of: cache, random)
            case 4 where worker == 1: cache.removeAll()
            default: break
            }
            await task.value
        }
    }

    private func setFetchers(of cache: FlatCache, _ random: Protected<SeededGenerator>) {
        let limit = Int.random(in: 1...4, in: random)
        cache.setFetcher(for: Counter.self, batchLimit: limit) { ids in
            try await askOthers(random)
            return ids.filter { $0 != 7 }.map { Counter(id: $0, count: 1) }
        }
        cache.setFetcher(for: Author.self, batchLimit: limit) { ids, answer in
            try await askOthers(random)
            answer.insert(contentsOf: ids.map { Author(id: $0) })
            answer.insert(Counter(id: 3, count: 2))
        }
    }

    /// What a fetcher does before it answers: it fetches from either cache, and waits for that in some way or not at all.
    private func askOthers(_ random: Protected<SeededGenerator>) async throws {
        let cache = caches[Int.random(in: 0..<2, in: random)]
        let id = Int.random(in: 0..<Self.idCount, in: random)
        let fetch: @Sendable () async -> Void = {
            _ = try? await cache.fetch(Counter.self, ids: [id, id / 2], policy: .networkOnly)
        }
        switch Int.random(in: 0..<10, in: random) {
        case 0: await fetch()
        case 1: _ = try? await cache.fetch(Author.self, id: "\(id)")
        case 2:
            async let first: Void = fetch()
            async let second = cache.fetch(Author.self, id: "\(id)", policy: .networkOnly)
            _ = await first
            _ = try? await second
        case 3: if started.count < 200 { started.record(Task { await fetch() }) }
        case 4: throw ServerError()
        case 5: try Task.checkCancellation()
        default: for _ in 0..<Int.random(in: 0..<10, in: random) { await Task.yield() }
        }
    }
}

extension Guest {
    /// Begins to fetch, and lets the executor run until the request waits for its turn or has no need to.
    nonisolated fileprivate func begin(asking number: Int, _ cache: FlatCache) async -> Task<[Int], any Error> {
        let hasAsked = Protected(false)
        let task = Task { try await fetch([number, number + 1], from: cache) { hasAsked.withLock { $0 = true } } }
        await executor.run { hasAsked.withLock { $0 } }
        return task
    }

    private func fetch(_ ids: [Int], from cache: FlatCache, _ hasBegun: () -> Void) async throws -> [Int] {
        hasBegun()
        return try await cache.fetch(Counter.self, ids: ids, policy: .networkOnly).map(\.count)
    }
}

extension Int {
    fileprivate static func random(in range: Range<Int>, in random: Protected<SeededGenerator>) -> Int {
        random.withLock { Int.random(in: range, using: &$0) }
    }

    fileprivate static func random(in range: ClosedRange<Int>, in random: Protected<SeededGenerator>) -> Int {
        random.withLock { Int.random(in: range, using: &$0) }
    }
}
