#if DEBUG
import Testing

@testable import FlatCache

/// Identifiers, entities, errors and fetchers that use caches when they are hashed, compared or released.
@Suite("User code that fetching runs", .ends)
struct FetchUserCodeTests {
    typealias ID = HookedEntity.Identifier

    let clock = ManualClock()
    let hook = Hook()
    let violations = Recorder<Hook.Event>()

    /// Makes a cache, and lets the hook use that and another one from now on.
    private func makeCache() -> FlatCache {
        let cache = FlatCache(clock: clock)
        let other = FlatCache()
        other.setFetcher(of: Counter.self) { ids in ids.map { Counter(id: $0) } }
        setFetcher(of: cache)
        hook.set { [hook, violations, weak cache] event in
            if ErasedFetchQueue.isLockedByThread { violations.record(event) }
            other.set(HookedEntity(1, hook))
            other.invalidate(HookedEntity.self, id: ID(2, hook))
            _ = other.get(HookedEntity.self, id: ID(1, hook))
            other.remove(HookedEntity.self, id: ID(1, hook))
            guard let cache else { return }
            if violations.count > 0 { return }
            // Needs all shards of the type.
            _ = cache.count(of: HookedEntity.self)
            _ = cache.get(HookedEntity.self, id: ID(1, hook))
            cache.invalidateAll(of: Post.self)
            _ = cache.existingFetchQueue(of: HookedEntity.self)?.look { $0.batch == nil }
        }
        return cache
    }

    private func setFetcher(of cache: FlatCache, window: Duration? = nil) {
        let token = Hooked(hook, .releaseFetcher)
        cache.setFetcher(of: HookedEntity.self, batchLimit: 8, batchWindow: window) { [hook] ids, answer in
            withExtendedLifetime(token) {}
            await Task.yield()
            if ids.contains(where: { $0.number >= 900 }) { throw Hooked(hook, .releaseError) }
            answer.insert(contentsOf: ids.filter { $0.number < 800 }.map { HookedEntity($0.number, hook) })
            answer.insert(contentsOf: [HookedEntity(0, hook), HookedEntity(7, hook), HookedEntity(7, count: 1, hook)])
            answer.insert(Author(id: "a"))
        }
    }

    private func fetch(_ numbers: some Sequence<Int>, _ cache: FlatCache, _ policy: FetchPolicy = .cacheFirst) async {
        _ = try? await cache.fetch(HookedEntity.self, ids: numbers.map { ID($0, hook) }, policy)
    }

    /// Waits until a request waits, or until one has ended, which can be before this looks.
    private func untilWaiting(in cache: FlatCache, orAfter ended: Protected<Int>) async {
        await until { cache.waiterCount(of: HookedEntity.self) > 0 || ended.withLock { $0 } > 0 }
    }

    private func check(_ events: Hook.Event...) {
        #expect(violations.elements.isEmpty)
        #expect(hook.seen.isSuperset(of: events))
        hook.set(nil)
    }

    @Test("N1: It runs with no lock held when entities are fetched, joined, found, omitted and can't be fetched")
    func fetching() async {
        let cache = makeCache()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { await fetch([1, 2, 1, 3, 850], cache) } }
        }
        for policy in [FetchPolicy.cacheFirst, .cacheOnly, .networkOnly, .cacheAndNetwork] {
            await fetch([1, 2, 1, 4, 850], cache, policy)
            await fetch([1, 2], cache, policy)
            await fetch([950, 951], cache, policy)
        }
        await fetch(0..<100, cache, .networkOnly)
        _ = try? await cache.fetch(HookedEntity.self, id: ID(1, hook), .cacheFirst(maxAge: .seconds(1)))
        await until { cache.isIdle(HookedEntity.self) }
        cache.removeAll()
        check(.hash, .equality, .readID, .releaseID, .releaseValue, .releaseError)
    }

    @Test("N1: … when entities are declared stale, one by one in great number, all, and written anew")
    func invalidating() async {
        let cache = makeCache()
        await fetch(0..<20, cache)
        for number in 0..<300 { cache.invalidate(HookedEntity.self, id: ID(number % 150, hook)) }
        await fetch(0..<20, cache)
        let answered = Task { await fetch(0..<20, cache, .networkOnly) }
        await until { cache.existingFetchQueue(of: HookedEntity.self)?.look { !$0.calls.isEmpty } == true }
        for number in 0..<20 { cache.invalidate(HookedEntity.self, id: ID(number, hook)) }
        await answered.value
        cache.invalidate(HookedEntity(3, hook).flatCacheKey)
        cache.invalidateAll(of: HookedEntity.self)
        await fetch(0..<20, cache)
        check(.hash, .equality, .releaseID, .releaseValue)
    }

    @Test(
        "N1: … when requests are cancelled, in the open batch and while their call is running",
        arguments: [true, false]
    )
    func cancelling(hasWindow: Bool) async {
        let cache = makeCache()
        if hasWindow { setFetcher(of: cache, window: .seconds(1)) }
        for step in 0..<50 {
            let ended = Protected(0)
            let tasks = (0..<4).map { number in
                Task {
                    await fetch([step, step + 1, step + number], cache, .networkOnly)
                    ended.withLock { $0 += 1 }
                }
            }
            if step % 2 == 0 { await untilWaiting(in: cache, orAfter: ended) }
            for task in tasks { task.cancel() }
            for task in tasks { await task.value }
        }
        await until { cache.isIdle(HookedEntity.self) }
        check(.hash, .equality, .releaseID)
    }

    @Test("N1: … when fetchers are replaced and removed, with requests in the open batch and in calls")
    func replacing() async {
        let cache = makeCache()
        for step in 0..<20 {
            setFetcher(of: cache, window: .seconds(1))
            let first = Task { await fetch([step, 900], cache, .networkOnly) }
            await until { cache.waiterCount(of: HookedEntity.self) == 2 }
            setFetcher(of: cache)
            let ended = Protected(0)
            let second = Task {
                await fetch([step, step + 1], cache, .networkOnly)
                ended.withLock { $0 += 1 }
            }
            if step % 2 == 0 { await untilWaiting(in: cache, orAfter: ended) }
            cache.removeFetcher(of: HookedEntity.self)
            await first.value
            await second.value
        }
        check(.hash, .equality, .releaseID, .releaseFetcher)
    }

    @Test("N1: … when errors are remembered and forgotten, by handles and by observers")
    func forgetting() async {
        let cache = makeCache()
        for number in 880..<960 {
            let handle = number % 2 == 0 ? Cached(HookedEntity.self, id: ID(number, hook), in: cache) : nil
            let subscription = number % 3 == 0 ? cache.observe(HookedEntity.self, id: ID(number, hook)) { _ in } : nil
            await fetch([number], cache)
            #expect((handle?.status.error != nil) == (handle != nil))
            subscription?.cancel()
        }
        #expect(cache.statusCount(of: HookedEntity.self) <= 64)
        check(.hash, .equality, .releaseID, .releaseError)
    }

    @Test("N1: … and when a cache goes, with requests, with what was declared stale, and with its fetcher")
    func closing() async {
        do {
            let cache = makeCache()
            await fetch(0..<20, cache)
            for number in 0..<50 { cache.invalidate(HookedEntity.self, id: ID(number, hook)) }
            setFetcher(of: cache, window: .seconds(1))
            await fetch(0..<4, cache, .cacheAndNetwork)
        }
        // The last request can keep the cache for a moment.
        await until { clock.sleeperCount == 0 && hook.seen.contains(.releaseFetcher) }
        check(.hash, .equality, .releaseID, .releaseValue, .releaseFetcher)
    }
}
#endif
