import FlatCache
import Testing

@Suite("How long a fetch's error is remembered")
struct FetchErrorLifeTests {
    let cache = FlatCache(clock: ManualClock())

    /// Ways in which fetching fails.
    enum Failing: CaseIterable, Sendable {
        case missing, throwing

        func setFetcher(of cache: FlatCache) {
            switch self {
            case .missing: cache.setFetcher(of: Counter.self) { _ in [] }
            case .throwing: cache.setFetcher(of: Counter.self) { _ in throw ServerError() }
            }
        }
    }

    private func fail(_ ids: some Sequence<Int>, policy: FetchPolicy = .cacheFirst) async {
        await #expect(throws: FetchError.self) { try await cache.fetch(Counter.self, ids: ids, policy) }
    }

    /// Lets so many others fail that what nobody asks about is forgotten.
    private func failOthers() async { for id in 10_000..<10_200 { await fail([id]) } }

    /// Lets others fail until an error is forgotten.
    ///
    /// The task of a call holds handles for a moment after it has resumed those who wait, so more than once.
    ///
    /// - Returns: Whether it is forgotten after few times.
    private func failOthers(until isForgotten: () -> Bool) async -> Bool {
        for _ in 0..<50 {
            await failOthers()
            if isForgotten() { return true }
        }
        return false
    }

    /// Whether a new handle has no error of an entity.
    private func isForgotten() -> Bool { Cached(Counter.self, id: 1, in: cache).status.error == nil }

    @Test(
        "Of thousands of failures that nobody asks about few are remembered",
        arguments: Failing.allCases,
        [true, false]
    )
    func nobody(failing: Failing, isOneRequest: Bool) async {
        failing.setFetcher(of: cache)
        if isOneRequest { await fail(0..<2_000) } else { for id in 0..<2_000 { await fail([id]) } }
        let areForgotten = await failOthers {
            cache.statusCount(of: Counter.self) <= 70 && cache.statusSlotCount(of: Counter.self) <= 70
        }
        #expect(areForgotten)
        #expect(await eventually { cache.slotCount(of: Counter.self) == 0 })
    }

    @Test("A handle that is made after the failure knows the error", arguments: Failing.allCases)
    func later(failing: Failing) async {
        failing.setFetcher(of: cache)
        await fail([1, 2])
        #expect(Cached(Counter.self, id: 1, in: cache).status.error?.keys.contains(Counter.flatCacheKey(id: 1)) == true)
        #expect(await failOthers(until: isForgotten))
    }

    @Test(
        "A handle keeps an error, however many others come",
        arguments: Failing.allCases,
        [true, false]
    )
    func handle(failing: Failing, isStored: Bool) async {
        failing.setFetcher(of: cache)
        if isStored { cache.set(Counter(id: 1)) }
        var handles = (0..<3).map { _ in Cached(Counter.self, id: 1, in: cache) }
        await fail([1, 2], policy: .networkOnly)
        while let handle = handles.popLast() {
            await failOthers()
            #expect(handle.status.error?.keys.contains(Counter.flatCacheKey(id: 1)) == true)
        }
        #expect(await failOthers(until: isForgotten))
    }

    @Test("A handle that was invalidated, too", arguments: Failing.allCases)
    func invalidated(failing: Failing) async {
        failing.setFetcher(of: cache)
        var handle: Cached? = Cached(Counter.self, id: 1, in: cache)
        cache.invalidate(Counter.self, id: 1)
        await fail([1])
        #expect(handle?.status.error != nil)
        handle = nil
        #expect(await failOthers(until: isForgotten))
    }

    @Test("An error stays while the next attempt is made and the last handle is released in it")
    func releasedWhileFetching() async throws {
        let server = FakeServer<Counter>()
        cache.setFetcher(of: Counter.self, server.load)
        var handle: Cached? = Cached(Counter.self, id: 1, in: cache)
        async let first: Void = fail([1])
        await server.call(0).answer([])
        await first
        #expect(handle?.status.error != nil)
        async let second: Void = fail([1])
        let call = await server.call(1)
        #expect(handle?.status.isLoading == true)
        #expect(handle?.status.error != nil)
        handle = nil
        #expect(cache.statusCount(of: Counter.self) == 1)
        call.fail(ServerError())
        await second
        #expect(Cached(Counter.self, id: 1, in: cache).status.error?.underlying is ServerError)
    }

    @Test("An observer of the entity, or of what is computed from its error, keeps that", arguments: [true, false])
    func observer(isDerived: Bool) async {
        Failing.missing.setFetcher(of: cache)
        let subscription =
            isDerived
            ? cache.observe {
                Cached(Counter.self, id: 1, in: cache).status.error?.keys
            } onChange: { _ in
            }
            : cache.observe(Counter.self, id: 1) { _ in }
        await fail([1])
        await failOthers()
        #expect(Cached(Counter.self, id: 1, in: cache).status.error != nil)
        subscription.cancel()
        #expect(await failOthers(until: isForgotten))
    }

    @Test("So does a sequence of its values")
    func sequence() async {
        Failing.missing.setFetcher(of: cache)
        do {
            var values = cache.updates(of: Counter.self, id: 1).makeAsyncIterator()
            #expect(await values.next() == .some(nil))
            await fail([1])
            #expect(Cached(Counter.self, id: 1, in: cache).status.error != nil)
        }
        #expect(cache.observerCount(of: Counter.self) == 0)
    }

    @Test("The errors that observers have kept are forgotten some errors after the observers end")
    func manyObservers() async {
        Failing.missing.setFetcher(of: cache)
        for id in 0..<2_000 {
            let subscription = cache.observe(Counter.self, id: id) { _ in }
            await fail([id])
            subscription.cancel()
        }
        #expect(cache.statusCount(of: Counter.self) <= 70)
    }

    @Test("Handles that are made and released by several threads while fetching fails leave no slots")
    func threads() async {
        Failing.missing.setFetcher(of: cache)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for step in 0..<200 {
                        let id = (worker + step) % 5
                        let handle = step % 3 == 0 ? Cached(Counter.self, id: id, in: cache) : nil
                        await fail([id])
                        if let handle { #expect(handle.status.error != nil || handle.status.isLoading) }
                    }
                }
            }
        }
        #expect(cache.isIdle(Counter.self))
        #expect(cache.statusCount(of: Counter.self) <= 5)
        #expect(await eventually { cache.slotCount(of: Counter.self) == 0 })
    }
}
