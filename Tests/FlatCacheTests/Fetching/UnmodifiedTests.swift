import Testing

@testable import FlatCache

@Suite("Answers that nothing was modified")
struct UnmodifiedTests {
    private let clock = ManualClock()
    private let cache: FlatCache
    private let home: CachedList<Clip>
    /// How often a fetcher or loader was called.
    private let calls = Protected(0)

    init() {
        cache = FlatCache(clock: clock)
        home = cache.list("home", of: Clip.self)
        cache.setFetcher(of: Counter.self, maxAge: .seconds(10)) { [calls] _ in
            calls.withLock { $0 += 1 }
            throw FlatCache.NotModified(Clip.self, ids: [1])
        }
    }

    private func status(_ id: Int) -> EntityStatus { Cached(Counter.self, id: id, in: cache).status }

    private var callCount: Int { calls.withLock { $0 } }

    @Test("A fetcher makes the requested entities and the named ones fresh, and nobody is notified")
    func fetcher() async throws {
        cache.set(Counter(id: 1, count: 1))
        cache.set(Clip(id: 1))
        cache.setFetcher(of: Clip.self, maxAge: .seconds(10)) { _ in [] }
        let notified = Recorder<Int>()
        let subscription = cache.observe(all: Counter.self) { notified.record($0.updated.count) }
        clock.advance(by: .seconds(11))
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1)
        clock.advance(by: .seconds(9))
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1 && callCount == 1)
        #expect(try await cache.fetch(Clip.self, id: 1).id == 1)
        #expect(status(1).error == nil && !status(1).isLoading)
        #expect(notified.count == 0)
        subscription.cancel()
    }

    @Test("An entity that isn't stored can't be unmodified")
    func missing() async throws {
        cache.set(Counter(id: 1, count: 1))
        let error = await #expect(throws: FetchError.self) {
            try await cache.fetch(Counter.self, ids: [1, 2], .networkOnly)
        }
        let isMissing = if case .notFound = error { true } else { false }
        #expect(isMissing && error?.keys == [Counter.flatCacheKey(id: 2)])
        #expect(status(1).error == nil && status(2).error != nil)
    }

    @Test("A pending change isn't confirmed because nothing was modified")
    func pending() async throws {
        cache.set(Counter(id: 1, count: 1))
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let mutation = cache.mutate(Counter.self, id: 1) {
            $0.count += 1
        } send: {
            for await _ in answers {}
            throw CancellationError()
        }
        #expect(try await cache.fetch(Counter.self, id: 1, .networkOnly).count == 2)
        answer.finish()
        await #expect(throws: CancellationError.self) { try await mutation.value }
        #expect(cache.get(Counter.self, id: 1)?.count == 1)
    }

    @Test("An entity that was invalidated during the call stays stale")
    func invalidated() async throws {
        cache.set(Counter(id: 1, count: 1))
        cache.setFetcher(of: Counter.self) { [calls] _ in
            calls.withLock { $0 += 1 }
            FlatCache.current.invalidate(Counter.self, id: 1)
            throw FlatCache.NotModified()
        }
        #expect(try await cache.fetch(Counter.self, id: 1, .networkOnly).count == 1)
        #expect(try await cache.fetch(Counter.self, id: 1).count == 1 && callCount == 2)
    }

    /// Sets a loader that answers the first call with a page, and says then that nothing was modified.
    private func setLoader(_ firstPage: [Int]?) {
        home.setLoader(maxAge: .seconds(10)) { [calls] (cursor: Int?) in
            let count = calls.withLock { count in
                count += 1
                return count
            }
            guard let firstPage, count == 1 else { throw FlatCache.NotModified() }
            return ListPage(firstPage.map { Clip(id: $0) }, next: 100)
        }
    }

    @Test("A loader leaves the list as it is, whose age begins again")
    func loader() async throws {
        setLoader([1, 2])
        try await home.load()
        let notified = Recorder<[Int]>()
        let subscription = home.observe(initial: false) { notified.record($0.ids.map { $0 }) }
        clock.advance(by: .seconds(11))
        home.invalidate()
        try await home.load()
        #expect(callCount == 2 && home.age == .zero && home.ids.elementsEqual([1, 2]) && home.hasMore)
        clock.advance(by: .seconds(9))
        try await home.load()
        #expect(callCount == 2 && home.error == nil && !home.isLoading)
        #expect(notified.count == 0)
        subscription.cancel()
    }

    @Test("A later page that wasn't modified doesn't join, and isn't an error")
    func laterPage() async throws {
        setLoader([1, 2])
        try await home.load()
        #expect(try await !home.loadMore())
        #expect(home.ids.elementsEqual([1, 2]) && home.hasMore && home.error == nil && !home.isLoading)
    }

    @Test("A list that was never loaded is loaded and empty, if nothing was modified")
    func neverLoaded() async throws {
        setLoader(nil)
        #expect(try await home.refresh())
        try await home.load(.cacheOnly)
        #expect(home.isEmpty && home.age == .zero && callCount == 1)
    }

    @Test("An answer about a list that the app has replaced meanwhile has no effect")
    func replaced() async throws {
        home.setLoader(maxAge: .seconds(10)) { [home] (_: Int?) -> ListPage<Clip, Int> in
            home.replace(withIDs: [3])
            throw FlatCache.NotModified()
        }
        #expect(try await !home.refresh())
        #expect(home.ids.elementsEqual([3]) && home.age == nil && home.error == nil && !home.isLoading)
    }
}
