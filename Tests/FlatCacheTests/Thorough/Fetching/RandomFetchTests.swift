import FlatCache
import SeededRandom
import Testing

/// Many tasks that fetch, cancel, write and clear at random against a server that answers, fails and omits at random.
///
/// `FLATCACHE_SEED` replays one run's decisions; what the scheduler decides is its own.
@Suite("Random fetching")
struct RandomFetchTests {
    @Test("Every waiter ends, no write is lost, and nothing is loading at the end", arguments: Seeds.first(12))
    func random(seed: UInt64) async throws {
        let clock = ManualClock()
        let cache = FlatCache(clock: clock)
        let writes = Protected<[Int: Int]>([:])
        let isDone = Protected(false)
        let ticking = Task {
            while !isDone.withLock({ $0 }) {
                clock.advance(by: .milliseconds(7))
                await Task.yield()
            }
        }
        setFetcher(seed, cache, seed)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                let random = SeededGenerator(seed: seed, stream: worker)
                group.addTask { await work(random, worker, cache, writes) }
            }
        }
        await until { cache.isIdle(Counter.self) && cache.isIdle(Author.self) }
        isDone.withLock { $0 = true }
        await ticking.value
        for (id, count) in writes.withLock({ $0 }) {
            #expect(cache.get(Counter.self, id: id)?.count == count, "FLATCACHE_SEED=\(seed), entity \(id)")
        }
        let handles = (0..<30).map { Cached(Counter.self, id: $0, in: cache) }
        #expect(handles.allSatisfy { !$0.status.isLoading }, "FLATCACHE_SEED=\(seed)")
        cache.removeAll()
        await until { cache.statusCount(of: Counter.self) == 0 }
    }

    /// What one task does.
    ///
    /// Each has an entity of its own, 1,000 and up, which only this task fetches and writes.
    private func work(
        _ generator: SeededGenerator,
        _ worker: Int,
        _ cache: FlatCache,
        _ writes: Protected<[Int: Int]>
    ) async {
        var random = generator
        let own = 1_000 + worker
        for step in 1...60 {
            let id = Int.random(in: 0..<30, using: &random)
            switch Int.random(in: 0..<14, using: &random) {
            case 0: cache.set(Counter(id: id, count: -1))
            case 1: cache.remove(Counter.self, id: id)
            case 2: cache.transaction { cache.update(Counter.self, id: id) { $0.count -= 1 } }
            case 3: cache.invalidate(Counter.self, id: id)
            case 4 where step % 10 == 0: cache.invalidateAll(of: Counter.self)
            case 5 where step % 5 == 0: setFetcher(UInt64(step), cache, random.next())
            case 6 where step % 9 == 0: cache.removeAll(of: Author.self)
            case 7:
                let task = Task { try? await cache.fetch(Counter.self, ids: id..<id + 5, .networkOnly) }
                if Bool.random(using: &random) { await Task.yield() }
                task.cancel()
                _ = await task.value
            case 8: _ = try? await cache.fetch(Counter.self, id: id, .cacheAndNetwork)
            case 9: _ = try? await cache.fetch(Counter.self, id: id, .cacheFirst(maxAge: .milliseconds(50)))
            case 10: _ = try? await cache.fetch(Author.self, id: "\(id)")
            case 11: await writeWhileFetching(own, step, cache, writes)
            default: _ = try? await cache.fetch(Counter.self, ids: (id..<id + 4).map { $0 % 30 })
            }
        }
    }

    /// Writes an entity after it was asked for: the answer must not replace that.
    private func writeWhileFetching(
        _ id: Int,
        _ step: Int,
        _ cache: FlatCache,
        _ writes: Protected<[Int: Int]>
    ) async {
        cache.remove(Counter.self, id: id)
        let hasEnded = Protected(false)
        let task = Task {
            _ = try? await cache.fetch(Counter.self, id: id)
            hasEnded.withLock { $0 = true }
        }
        await until { cache.waiterCount(of: Counter.self, id: id) > 0 || hasEnded.withLock { $0 } }
        cache.set(Counter(id: id, count: 1 + step))
        writes.withLock { $0[id] = 1 + step }
        await task.value
        #expect(cache.get(Counter.self, id: id)?.count == 1 + step)
    }

    private func setFetcher(_ number: UInt64, _ cache: FlatCache, _ seed: UInt64) {
        let random = Protected(SeededGenerator(seed: seed))
        cache.setFetcher(
            of: Counter.self,
            maxAge: number % 3 == 0 ? .milliseconds(40) : nil,
            batchLimit: number % 4 == 0 ? 3 : .max,
            batchWindow: number % 2 == 0 ? .milliseconds(10) : nil
        ) { ids, answer in
            let (fate, turns) = random.withLock { random in
                (Int.random(in: 0..<10, using: &random), Int.random(in: 0..<20, using: &random))
            }
            for _ in 0..<turns { await Task.yield() }
            switch fate {
            case 0: throw ServerError()
            case 1: try Task.checkCancellation()
            case 2: _ = try? await FlatCache.current.fetch(Author.self, id: "\(ids.min() ?? 0)")
            default: break
            }
            answer.insert(contentsOf: ids.filter { $0 % 10 != fate }.map { Counter(id: $0, count: 1) })
            answer.insert(Counter(id: 5, count: 1))
            answer.insert(Author(id: "5"))
        }
        cache.setFetcher(of: Author.self) { ids, answer in
            if ids.contains("13") { _ = try? await FlatCache.current.fetch(Counter.self, id: 7) }
            answer.insert(contentsOf: ids.map { Author(id: $0) })
            answer.insert(Counter(id: 6, count: 1))
        }
    }
}
