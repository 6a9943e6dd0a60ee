import FlatCache
import Testing

@Suite("How long a fetch's error is remembered")
struct FetchErrorLifeTests {
    // The task of a call holds handles for a moment after it has resumed those who wait.
    let cache = FlatCache(clock: ManualClock())

    /// Ways in which fetching fails.
    enum Failing: CaseIterable, Sendable {
        case missing, throwing

        func setFetcher(of cache: FlatCache) {
            switch self {
            case .missing: cache.setFetcher(for: Counter.self) { _ in [] }
            case .throwing: cache.setFetcher(for: Counter.self) { _ in throw ServerError() }
            }
        }
    }

    private func fail(_ ids: some Sequence<Int>, policy: FetchPolicy = .cacheFirst) async {
        await #expect(throws: FetchError.self) { try await cache.fetch(Counter.self, ids: ids, policy: policy) }
    }

    @Test("Thousands of failures that nobody can ask about leave nothing", arguments: Failing.allCases, [true, false])
    func nobody(failing: Failing, isOneRequest: Bool) async {
        failing.setFetcher(of: cache)
        if isOneRequest { await fail(0..<2_000) } else { for id in 0..<2_000 { await fail([id]) } }
        #expect(await eventually { cache.statusCount(of: Counter.self) == 0 })
        #expect(await eventually { cache.statusSlotCount(of: Counter.self) == 0 })
        #expect(await eventually { cache.slotCount(of: Counter.self) == 0 })
    }

    @Test(
        "A handle from before keeps an error, and the last one takes it along",
        arguments: Failing.allCases,
        [true, false]
    )
    func handle(failing: Failing, isStored: Bool) async {
        failing.setFetcher(of: cache)
        if isStored { cache.set(Counter(id: 1)) }
        var handles = (0..<3).map { _ in Cached(Counter.self, id: 1, in: cache) }
        await fail([1, 2], policy: .networkOnly)
        while let handle = handles.popLast() {
            #expect(handle.error?.keys == [Counter.flatCacheKey(id: 1)])
            #expect(cache.statusCount(of: Counter.self) == 1)
        }
        #expect(await eventually { cache.statusCount(of: Counter.self) == 0 })
        #expect(await eventually { cache.statusSlotCount(of: Counter.self) == 0 })
        #expect(await eventually { Cached(Counter.self, id: 1, in: cache).error == nil })
    }

    @Test("A handle that was invalidated, too", arguments: Failing.allCases)
    func invalidated(failing: Failing) async {
        failing.setFetcher(of: cache)
        var handle: Cached? = Cached(Counter.self, id: 1, in: cache)
        cache.invalidate(Counter.self, id: 1)
        await fail([1])
        #expect(handle?.error != nil)
        handle = nil
        #expect(await eventually { cache.statusCount(of: Counter.self) == 0 })
    }

    @Test("An error stays while the next attempt is made and the last handle is released in it, which then forgets it")
    func releasedWhileFetching() async throws {
        let server = FakeServer<Counter>()
        cache.setFetcher(for: Counter.self, server.load)
        var handle: Cached? = Cached(Counter.self, id: 1, in: cache)
        async let first: Void = fail([1])
        await server.call(0).answer([])
        await first
        #expect(handle?.error != nil)
        async let second: Void = fail([1])
        let call = await server.call(1)
        #expect(handle?.isLoading == true)
        #expect(handle?.error != nil)
        handle = nil
        #expect(cache.statusCount(of: Counter.self) == 1)
        call.fail(ServerError())
        await second
        #expect(await eventually { cache.statusCount(of: Counter.self) == 0 })
    }

    @Test("An observer of the entity, or of what is computed from its error, keeps that", arguments: [true, false])
    func observer(isDerived: Bool) async {
        Failing.missing.setFetcher(of: cache)
        let subscription =
            isDerived
            ? cache.observe {
                Cached(Counter.self, id: 1, in: cache).error?.keys
            } onChange: { _ in
            }
            : cache.observe(Counter.self, id: 1) { _ in }
        await fail([1])
        #expect(Cached(Counter.self, id: 1, in: cache).error != nil)
        #expect(Cached(Counter.self, id: 1, in: cache).error != nil)
        subscription.cancel()
        #expect(Cached(Counter.self, id: 1, in: cache).error != nil)
        #expect(await eventually { Cached(Counter.self, id: 1, in: cache).error == nil })
        #expect(await eventually { cache.statusCount(of: Counter.self) == 0 })
    }

    @Test("So does a sequence of its values")
    func sequence() async {
        Failing.missing.setFetcher(of: cache)
        do {
            var values = cache.values(of: Counter.self, id: 1).makeAsyncIterator()
            #expect(await values.next() == .some(nil))
            await fail([1])
            #expect(Cached(Counter.self, id: 1, in: cache).error != nil)
        }
        #expect(cache.observerCount(of: Counter.self) == 0)
    }

    @Test("What observers have kept is forgotten some errors after they have gone")
    func manyObservers() async {
        Failing.missing.setFetcher(of: cache)
        for id in 0..<2_000 {
            let subscription = cache.observe(Counter.self, id: id) { _ in }
            await fail([id])
            subscription.cancel()
        }
        #expect(cache.statusCount(of: Counter.self) <= 64)
    }

    @Test("Handles that are made and released by several threads while fetching fails leave nothing")
    func threads() async {
        Failing.missing.setFetcher(of: cache)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for step in 0..<200 {
                        let id = (worker + step) % 5
                        let handle = step % 3 == 0 ? Cached(Counter.self, id: id, in: cache) : nil
                        await fail([id])
                        if let handle { #expect(handle.error != nil || handle.isLoading) }
                    }
                }
            }
        }
        #expect(cache.isIdle(Counter.self))
        #expect(await eventually { cache.statusCount(of: Counter.self) == 0 })
        #expect(await eventually { cache.statusSlotCount(of: Counter.self) == 0 })
        #expect(await eventually { cache.slotCount(of: Counter.self) == 0 })
    }
}
