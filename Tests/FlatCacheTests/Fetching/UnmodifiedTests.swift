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

    @Test(
        "An entity that is removed meanwhile, or hidden by a layer, is removed and not unknown to the server",
        arguments: [false, true]
    )
    func removed(isPending: Bool) async throws {
        cache.set(Counter(id: 1, count: 1))
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let mutation = Protected<Mutation<Void>?>(nil)
        cache.setFetcher(of: Counter.self) { _ in
            if isPending {
                mutation.withLock {
                    $0 = FlatCache.current.mutate {
                        $0.remove(Counter.self, id: 1)
                    } send: {
                        for await _ in answers {}
                    }
                }
            } else {
                FlatCache.current.remove(Counter.self, id: 1)
            }
            throw FlatCache.NotModified()
        }
        let error = await #expect(throws: FetchError.self) { try await cache.fetch(Counter.self, id: 1, .networkOnly) }
        let isRemoved = if case .removed = error { true } else { false }
        #expect(isRemoved, "\(error.map { "\($0)" } ?? "no error")")
        answer.finish()
        try await mutation.withLock { $0 }?.waitForEnd()
    }

    @Test("An entity whose identifier is replaced meanwhile is returned under the new one", arguments: [false, true])
    func replacedIdentifier(isModified: Bool) async throws {
        cache.set(Counter(id: 1, count: 1))
        cache.setFetcher(of: Counter.self) { _ in
            FlatCache.current.replaceIdentifier(of: Counter.self, 1, with: Counter(id: 2, count: 2))
            if !isModified { throw FlatCache.NotModified() }
            return [Counter(id: 2, count: 3)]
        }
        let fetched = try await cache.fetch(Counter.self, id: 1, .networkOnly)
        #expect(fetched == cache.get(Counter.self, id: 2) && fetched.id == 2)
        #expect(status(2).error == nil)
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

    @Test("A loader can't say that a later page isn't modified, because the list doesn't have it")
    func laterPage() async throws {
        setLoader([1, 2])
        try await home.load()
        await #expect(throws: ListError.unmodified("home")) { try await home.loadMore() }
        #expect(home.ids.elementsEqual([1, 2]) && home.hasMore && !home.isLoading)
        #expect(home.error as? ListError == .unmodified("home"))
        #expect(try await home.refresh() && home.error == nil)
    }

    enum Unloaded: CaseIterable {
        case never, cleared, removedAll, replacedAll, replaced, openedAround
    }

    @Test(
        "A loader can't say that the first page isn't modified, if the list doesn't have it",
        arguments: Unloaded.allCases
    )
    func unloaded(_ unloaded: Unloaded) async throws {
        setLoader([1, 2])
        switch unloaded {
        case .never: calls.withLock { $0 = 1 }
        case .cleared:
            try await home.load()
            cache.removeAll()
        case .removedAll:
            try await home.load()
            cache.removeAll(of: Clip.self)
        case .replacedAll:
            try await home.load()
            cache.replaceAll(of: Clip.self, with: [Clip(id: 1)])
        case .replaced:
            try await home.load()
            home.replace(withIDs: [1])
        case .openedAround:
            home.setLoader { (request: ListPageRequest<Clip, Int>) in
                if case .first = request { throw FlatCache.NotModified() }
                return ListPage([Clip(id: 50)], next: 51, previous: 49)
            }
            try await home.refresh(around: 50)
        }
        let ids = home.ids.map { $0 }
        await #expect(throws: ListError.unmodified("home")) { try await home.refresh() }
        #expect(home.ids.elementsEqual(ids) && !home.isLoading)
        #expect((home.age == nil) == (unloaded != .openedAround))
    }

    @Test("A list whose entities were all removed is loaded again", arguments: [false, true])
    func loadedAgain(isReplaced: Bool) async throws {
        home.setLoader { [calls] (_: Int?) in
            calls.withLock { $0 += 1 }
            return ListPage([Clip(id: 1), Clip(id: 2)], next: nil)
        }
        try await home.load()
        if isReplaced { cache.replaceAll(of: Clip.self, with: [Clip(id: 2)]) } else { cache.removeAll(of: Clip.self) }
        #expect(home.age == nil)
        try await home.load()
        #expect(home.values.map(\.id) == [1, 2] && callCount == 2 && home.age == .zero)
        try await home.load()
        #expect(callCount == 2)
    }

    @Test(
        "A page, or an answer that it isn't modified, has no effect if all entities were removed meanwhile",
        arguments: [false, true]
    )
    func removedMeanwhile(isModified: Bool) async throws {
        setLoader([1, 2])
        try await home.load()
        home.setLoader { [cache] (_: Int?) in
            cache.removeAll(of: Clip.self)
            if !isModified { throw FlatCache.NotModified() }
            return ListPage([Clip(id: 2), Clip(id: 1)], next: nil)
        }
        #expect(try await !home.refresh())
        #expect(home.ids.elementsEqual([1, 2]) && home.values.isEmpty && home.age == nil)
        #expect(home.error == nil && !home.isLoading)
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
