#if DEBUG
import SeededRandom
import Testing

@testable import FlatCache

/// Fetchers of two caches that fetch from each other at random, and so wait for each other in circles; asked by tasks that
/// are cancelled at random, and by actors of which some are busy all the time.
///
/// Some entities have identifiers that are objects and computed. Those, the entities, errors, fetchers and callbacks use both
/// caches whenever they are used or released.
///
/// The seed replays one run's decisions; what the scheduler decides is its own.
final class RandomFetchGraph: Sendable {
    /// Faults that random fetching must find.
    enum Fault: PlantedFault {
        /// A request that joins what an actor has asked for waits for that actor's turn.
        case foreignTurn
        /// An entity is released while the lock of a queue is held.
        case releaseUnderLock

        /// How the complaint begins that is made about it.
        var complaint: String {
            switch self {
            case .foreignTurn: "a request waits"
            case .releaseUnderLock: "user code"
            }
        }

        func isFound() async -> Bool {
            await RandomFetchGraph(seed: 1, self).complaints().contains { $0.hasPrefix(complaint) }
        }
    }

    private static let idCount = 12

    private let fault: Fault?
    private let random: Protected<SeededGenerator>
    private let hook = Hook()
    private let violations = Recorder<Hook.Event>()
    private let caches = [FlatCache(clock: ManualClock()), FlatCache(clock: ManualClock())]
    /// What fetchers have started without waiting for it.
    private let started = Recorder<Task<Void, Never>>()
    /// Those who ask first, and whose turns don't come until all others are served.
    private let busy = (0..<6).map { _ in Guest() }
    private let desk = Desk()
    private let stepsDone = Protected(0)

    init(seed: UInt64, _ fault: Fault? = nil) {
        random = Protected(SeededGenerator(seed: seed))
        self.fault = fault
        let events = Protected(0)
        hook.set { [violations, hook, caches = caches.map(WeakCache.init)] event in
            if ErasedFetchQueue.isLockedByThread { return violations.record(event) }
            // One event of eight, because there are thousands.
            let number = events.withLock { events in
                events += 1
                return events
            }
            guard number.isMultiple(of: 8) else { return }
            for cache in caches.compactMap(\.cache) {
                cache.set(HookedEntity(1, hook))
                _ = cache.get(HookedEntity.self, id: HookedEntity.Identifier(2, hook))
                cache.invalidate(HookedEntity.self, id: HookedEntity.Identifier(3, hook))
                _ = cache.count(of: HookedEntity.self)
            }
        }
    }

    private struct WeakCache: Sendable {
        weak let cache: FlatCache?
    }

    /// Runs it, and says what has gone wrong.
    func complaints() async -> [String] {
        var complaints: [String] = []
        for cache in caches { setFetchers(of: cache) }
        let observing = observe()
        var waiting: [Task<[Int], any Error>] = []
        for (number, guest) in busy.enumerated() {
            waiting.append(await guest.begin(asking: number, caches[number % 2]))
        }
        let workers = Task { [self] in
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<6 { group.addTask { await self.work(worker) } }
            }
            stepsDone.withLock { $0 = .max }
        }
        if await isStuck() { complaints.append("a request waits for the turn of an actor that is busy") }
        // From now on everybody's turn comes, that of what fetchers have started, too.
        let isOver = Protected(false)
        let turning = Task { [self] in
            await until {
                for guest in busy { guest.executor.step() }
                return isOver.withLock { $0 }
            }
        }
        for (number, task) in waiting.enumerated() {
            if number % 3 == 0 { task.cancel() }
            _ = try? await task.value
        }
        await workers.value
        for task in started.elements { await task.value }
        await until {
            caches.allSatisfy { $0.isIdle(Counter.self) && $0.isIdle(Author.self) && $0.isIdle(HookedEntity.self) }
        }
        isOver.withLock { $0 = true }
        await turning.value
        for (subscription, consumer) in observing {
            subscription.cancel()
            consumer.cancel()
            await consumer.value
        }
        let isLoading = caches.contains { cache in
            (0..<Self.idCount).contains { Cached(Counter.self, id: $0, in: cache).status.isLoading }
        }
        if isLoading { complaints.append("something is loading for ever") }
        for cache in caches {
            // Calls that were given up may still be running, and keep this.
            cache.removeFetcher(of: Counter.self)
            cache.removeFetcher(of: Author.self)
            cache.removeFetcher(of: HookedEntity.self)
            cache.removeAll()
        }
        for cache in caches {
            let count = cache.statusCount(of: Counter.self) + cache.statusCount(of: Author.self)
            if count + cache.statusCount(of: HookedEntity.self) > 0 { complaints.append("a status has remained") }
        }
        hook.set(nil)
        return complaints + violations.elements.map { "user code runs while a queue is locked: \($0)" }
    }

    /// Waits until the workers are done; with a planted fault, until they don't get on any more.
    private func isStuck() async -> Bool {
        var turns = 0
        var last = 0
        while last < .max {
            await Task.yield()
            let now = stepsDone.withLock { $0 }
            turns = now == last ? turns + 1 : 0
            last = now
            if fault != nil && turns > 2_000 { return true }
        }
        return false
    }
}

extension RandomFetchGraph {
    /// Observers whose callbacks hold what uses the caches, and consumers of sequences that are slower than the writers.
    private func observe() -> [(CacheSubscription, Task<Void, Never>)] {
        caches.map { cache in
            let handle = Cached(Counter.self, id: 1, in: cache)
            let token = Hooked(hook, .releaseCallback)
            let subscription = cache.observe {
                handle.value?.count
            } onChange: { _ in
                withExtendedLifetime(token) {}
            }
            let consumer = Task {
                for await _ in cache.updates({ handle.status }) { for _ in 0..<20 { await Task.yield() } }
            }
            return (subscription, consumer)
        }
    }

    private func number(_ range: Range<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    private func work(_ worker: Int) async {
        for _ in 0..<20 {
            let cache = caches[number(0..<2)]
            let id = number(0..<Self.idCount)
            let policy: FetchPolicy = [.cacheFirst, .networkOnly, .cacheAndNetwork][number(0..<3)]
            let task = Task { await fetch(worker % 3, id, policy, from: cache) }
            switch number(0..<6) {
            case 0: task.cancel()
            case 1: cache.invalidate(Counter.self, id: id)
            case 2: cache.remove(Counter.self, id: id)
            case 3 where worker == 0: setFetchers(of: cache)
            case 4 where worker == 1: cache.removeAll()
            default: break
            }
            await task.value
            stepsDone.withLock { $0 += 1 }
        }
    }

    /// Fetches an entity of one of the types.
    private func fetch(
        _ type: Int,
        _ id: Int,
        _ policy: FetchPolicy,
        from cache: FlatCache,
        isolation: isolated (any Actor)? = #isolation
    ) async {
        if fault == .foreignTurn, id < busy.count { await busy[id].takeTurn() }
        switch type {
        case 0: _ = try? await cache.fetch(Counter.self, ids: [id, (id + 1) % Self.idCount], policy)
        case 1: _ = try? await cache.fetch(Author.self, id: "\(id)", policy)
        default:
            let ids = [id, id + 1].map { HookedEntity.Identifier($0, hook) }
            let handle = Cached(HookedEntity.self, id: ids[0], in: cache)
            _ = try? await cache.fetch(HookedEntity.self, ids: ids, policy)
            _ = handle.status.error
            if fault == .releaseUnderLock {
                cache.existingFetchQueue(of: HookedEntity.self)?.look {
                    _ = $0.errorCount + HookedEntity(id, hook).count
                }
            }
        }
    }

    private func setFetchers(of cache: FlatCache) {
        // The last is never reached: batches wait for somebody's turn.
        let limit = [1, 3, .max][number(0..<3)]
        let token = Hooked(hook, .releaseFetcher)
        cache.setFetcher(of: Counter.self, batchLimit: limit) { [self] ids in
            try await askOthers()
            return ids.filter { $0 != 7 }.map { Counter(id: $0, count: 1) }
        }
        cache.setFetcher(of: Author.self, batchLimit: limit) { [self] ids, answer in
            try await desk.work { _ in try await askOthers() }
            answer.insert(contentsOf: ids.map { Author(id: $0) })
            answer.insert(Counter(id: 3, count: 2))
        }
        cache.setFetcher(of: HookedEntity.self, batchLimit: limit) { [self] ids in
            withExtendedLifetime(token) {}
            try await desk.work { _ in try await askOthers() }
            return ids.filter { $0.number != 7 }.map { HookedEntity($0.number, hook) }
        }
    }

    /// What a fetcher does before it answers: it fetches from either cache, and waits for that in some way or not at all.
    private func askOthers(isolation: isolated (any Actor)? = #isolation) async throws {
        let cache = caches[number(0..<2)]
        let id = number(0..<Self.idCount)
        let type = number(0..<3)
        let ask: @Sendable () async -> Void = { [self] in await fetch(type, id, .networkOnly, from: cache) }
        switch number(0..<10) {
        case 0: await fetch(type, id, .networkOnly, from: cache)
        case 1: await desk.work { _ in await fetch(type, id, .networkOnly, from: cache) }
        case 2:
            async let first: Void = ask()
            async let second = cache.fetch(Author.self, id: "\(id)", .networkOnly)
            _ = await first
            _ = try? await second
        case 3: if started.count < 200 { started.record(Task { await ask() }) }
        case 4: throw Hooked(hook, .releaseError)
        case 5: try Task.checkCancellation()
        default: for _ in 0..<number(0..<10) { await Task.yield() }
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
        return try await cache.fetch(Counter.self, ids: ids, .networkOnly).map(\.count)
    }
}
#endif
