import Observation
import Testing

@testable import FlatCache

/// Lists that load their pages.
@Suite("Lists that load")
struct LoadedListTests {
    private let clock = ManualClock()
    private let cache: FlatCache
    private let home: CachedList<Clip>
    private let server = PageServer()

    init() {
        cache = FlatCache(clock: clock)
        home = cache.list("home", of: Clip.self)
        home.setLoader { [server] in try await server.load($0) }
    }

    private func ids() -> [Int] { Array(home.ids) }

    /// Loads the first page.
    private func refresh(_ ids: [Int], next: Int?, _ joining: ListJoining = .replace) async throws {
        let call = server.cursors.count
        async let isJoined = home.refresh(joining)
        await server.answer(call, ids, next: next)
        #expect(try await isJoined)
    }

    @Test("A page is stored and listed in one commit, and the next one follows it, until there is no more")
    func pages() async throws {
        let counts = Recorder<[Int]>()
        let subscription = home.observe { counts.record($0.values.map(\.id)) }
        #expect(home.hasMore)
        try await refresh([9, 8], next: 7)
        #expect(cache.get(Clip.self, id: 9) != nil)
        #expect(home.hasMore && !home.isLoading && home.error == nil)
        async let isJoined = home.loadMore()
        await server.answer(1, [7, 6], next: nil)
        #expect(try await isJoined)
        #expect(ids() == [9, 8, 7, 6])
        #expect(server.cursors == [nil, 7])
        #expect(!home.hasMore)
        #expect(try await home.loadMore() == false)
        #expect(server.cursors.count == 2)
        #expect(counts.elements == [[], [9, 8], [9, 8, 7, 6]])
        subscription.cancel()
    }

    @Test("All who ask for a place join one call")
    func joining() async throws {
        async let first = home.refresh()
        #expect(await server.hasCalls(1))
        async let second = home.refresh(.insertAbove)
        async let third = home.refresh()
        // The others have joined when they are counted.
        #expect(await eventually { cache.listLoaders.loader(of: home).waiterCounts.values.first == 3 })
        #expect(home.isLoading)
        await server.answer(0, [1], next: nil)
        #expect(try await [first, second, third] == [true, true, true])
        #expect(server.cursors.count == 1)
        #expect(!home.isLoading)
    }

    @Test("A call goes on while anybody waits for it, and is cancelled with the last")
    func cancellation() async throws {
        let first = Task { try await home.refresh() }
        #expect(await server.hasCalls(1))
        let second = Task { try await home.refresh() }
        #expect(await eventually { cache.listLoaders.loader(of: home).waiterCounts.values.first == 2 })
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(server.cancelledCount == 0 && home.isLoading)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(await eventually { server.cancelledCount == 1 })
        #expect(!home.isLoading && home.error == nil)
        try await refresh([1], next: nil)
        #expect(ids() == [1])
    }

    @Test("A failure is thrown to all, shown until the next success, and changes nothing")
    func failure() async throws {
        try await refresh([9], next: 8)
        let first = Task { try await home.loadMore() }
        await server.fail(1)
        await #expect(throws: RejectedError()) { try await first.value }
        #expect(home.error as? RejectedError == RejectedError())
        #expect(ids() == [9] && home.hasMore && !home.isLoading)
        async let second = home.loadMore()
        await server.answer(2, [8], next: nil)
        #expect(try await second)
        #expect(server.cursors == [nil, 8, 8])
        #expect(home.error == nil && ids() == [9, 8])
    }

    @Test("A page that arrives after a refresh has begun is dropped", arguments: [false, true])
    func fence(isRefreshFirst: Bool) async throws {
        try await refresh([9, 8], next: 7)
        let more = Task { try await home.loadMore() }
        #expect(await server.hasCalls(2))
        let refreshing = Task { try await home.refresh() }
        #expect(try await more.value == false)
        if isRefreshFirst { await server.answer(2, [10, 9], next: 8) }
        await server.answer(1, [7, 6], next: 5)
        if !isRefreshFirst { await server.answer(2, [10, 9], next: 8) }
        #expect(try await refreshing.value)
        #expect(ids() == [10, 9])
        #expect(await eventually { !home.isLoading })
    }

    @Test("Identifiers that the app has replaced during a call are kept", arguments: [false, true])
    func replacedMeanwhile(isRefresh: Bool) async throws {
        try await refresh([9, 8], next: 7)
        let more = Task { isRefresh ? try await home.refresh() : try await home.loadMore() }
        #expect(await server.hasCalls(2))
        home.replace(withIDs: [3, 2])
        await server.answer(1, [7], next: nil)
        #expect(try await more.value == false)
        #expect(ids() == [3, 2])
        #expect(home.hasMore)
    }

    @Test("An identifier that the app has added during a call stays")
    func addedMeanwhile() async throws {
        try await refresh([9, 8], next: 7)
        let more = Task { try await home.loadMore() }
        #expect(await server.hasCalls(2))
        home.prepend(Clip(id: 20))
        home.remove(8)
        await server.answer(1, [7], next: nil)
        #expect(try await more.value)
        #expect(ids() == [20, 9, 7])
    }

    @Test("Without a cursor, the next page begins after the last entity, or with the first page")
    func unknownCursor() async throws {
        home.replace(withIDs: [9, 8])
        let first = Task { try await home.loadMore() }
        await server.answer(0, [10, 9], next: 8)
        #expect(try await first.value)
        #expect(ids() == [10, 9] && server.cursors == [nil])
        home.setLoader(cursorAfter: { $0 }) { [server] in try await server.load($0) }
        home.replace(withIDs: [9, 8])
        let second = Task { try await home.loadMore() }
        await server.answer(1, [7], next: nil)
        #expect(try await second.value)
        #expect(ids() == [9, 8, 7] && server.cursors == [nil, 8])
    }

    @Test("A gap is filled a page at a time")
    func gap() async throws {
        try await refresh([3, 2, 1], next: nil)
        try await refresh([9, 8], next: 8, .insertAbove)
        #expect(ids() == [9, 8, 3, 2, 1])
        #expect(home.gaps == [8])
        #expect(!home.hasMore)
        #expect(try await home.loadMore(after: 3) == false)
        let first = Task { try await home.loadMore(after: 8) }
        await server.answer(2, [7, 6], next: 6)
        #expect(try await first.value)
        #expect(ids() == [9, 8, 7, 6, 3, 2, 1] && home.gaps == [6])
        let second = Task { try await home.loadMore(after: 6) }
        await server.answer(3, [5, 4, 3, 2], next: 2)
        #expect(try await second.value)
        #expect(ids() == [9, 8, 7, 6, 5, 4, 3, 2, 1] && home.gaps.isEmpty)
        #expect(server.cursors == [nil, nil, 8, 6])
    }

    @Test("Policies choose as for entities")
    func policies() async throws {
        home.setLoader(maxAge: .seconds(60)) { [server] in try await server.load($0) }
        await #expect(throws: ListError.notLoaded("home")) { try await home.load(.cacheOnly) }
        func load(_ policy: FetchPolicy, callsLoader: Bool) async throws {
            let before = server.cursors.count
            let loading = Task { try await home.load(policy) }
            if callsLoader { await server.answer(before, [before], next: nil) }
            try await loading.value
            #expect(server.cursors.count == before + (callsLoader ? 1 : 0))
        }
        try await load(.cacheFirst, callsLoader: true)
        try await load(.cacheOnly, callsLoader: false)
        try await load(.cacheFirst, callsLoader: false)
        clock.advance(by: .seconds(30))
        try await load(.cacheFirst, callsLoader: false)
        try await load(.cacheFirst(maxAge: .seconds(20)), callsLoader: true)
        clock.advance(by: .seconds(61))
        try await load(.cacheFirst, callsLoader: true)
        home.invalidate()
        try await load(.cacheOnly, callsLoader: false)
        try await load(.cacheFirst, callsLoader: true)
        try await load(.cacheFirst, callsLoader: false)
        try await load(.networkOnly, callsLoader: true)
        let before = server.cursors.count
        try await home.load(.cacheAndNetwork)
        #expect(ids() == [before - 1])
        await server.answer(before, [77], next: nil)
        #expect(await eventually { ids() == [77] && !home.isLoading })
    }

    @Test("The age is the time since the first page was loaded, and isn't known without one")
    func age() async throws {
        #expect(home.age == nil)
        home.append(ids: [1])
        #expect(home.age == nil)
        try await refresh([9], next: 8)
        #expect(home.age == .zero)
        clock.advance(by: .seconds(30))
        async let isJoined = home.loadMore()
        await server.answer(1, [8], next: nil)
        #expect(try await isJoined)
        home.invalidate()
        #expect(home.age == .seconds(30))
        try await refresh([9], next: 8, .insertAbove)
        #expect(home.age == .zero)
        home.replace(withIDs: [1])
        #expect(home.age == nil)
        #expect(CachedList("home", of: Clip.self, in: FlatCache()).age == nil)
    }

    @Test(
        "The entities of a page replace newer writes if one of those who wait says so",
        arguments: [[false], [true], [false, true], [true, false]]
    )
    func replacedWrites(askers: [Bool]) async throws {
        cache.set(Clip(id: 9, title: "old"))
        var loads: [Task<Void, any Error>] = []
        for replaces in askers {
            let policy = replaces ? FetchPolicy.networkOnly.replacingNewerWrites() : .networkOnly
            loads.append(Task { try await home.load(policy) })
            #expect(
                await eventually { cache.listLoaders.loader(of: home).waiterCounts.values.first == loads.count }
            )
        }
        #expect(await server.hasCalls(1))
        cache.set(Clip(id: 9, title: "newer"))
        cache.set(Clip(id: 8, title: "removed"))
        cache.remove(Clip.self, id: 8)
        home.append(ids: [5])
        await server.answer(0, [9, 8, 7], next: nil, title: "page")
        for load in loads { try await load.value }
        #expect(cache.get(Clip.self, id: 9)?.title == (askers.contains(true) ? "page" : "newer"))
        #expect(cache.get(Clip.self, id: 8) == nil && ids() == [5, 9, 7])
    }

    @Test("Arguments are part of the name, and lists can be enumerated and removed")
    func names() async throws {
        let names = [["7"], ["7", "a&b"], ["50%?"]].map { cache.list("posts", of: Clip.self, arguments: $0).name }
        #expect(names == ["posts?7", "posts?7&a%26b", "posts?50%25%3F"])
        #expect(cache.list("posts", of: Clip.self, arguments: []).name == "posts")
        for name in names + ["posts", "postscript"] { cache.list(name, of: Clip.self).append(ids: [1]) }
        #expect(cache.lists(of: Clip.self).map(\.name) == names + ["posts", "postscript"])
        #expect(cache.lists(of: Clip.self, named: "posts").map(\.name) == names + ["posts"])
        #expect(cache.lists(of: Clip.self, named: "other").isEmpty)
        for list in cache.lists(of: Clip.self, named: "posts") { list.remove() }
        #expect(cache.lists(of: Clip.self).map(\.name) == ["postscript"])
    }

    @Test("A name with a question mark is another name")
    func escapedNames() {
        let other = cache.list("posts?", of: Clip.self, arguments: ["a"])
        let percent = cache.list("posts%3F", of: Clip.self, arguments: ["a"])
        let posts = cache.list("posts", of: Clip.self, arguments: ["a"])
        #expect([other, percent, posts].map(\.name) == ["posts%3F?a", "posts%253F?a", "posts?a"])
        for list in [other, percent, posts] { list.append(ids: [1]) }
        #expect(cache.lists(of: Clip.self, named: "posts?") == [other])
        #expect(cache.lists(of: Clip.self, named: "posts%3F") == [percent])
        #expect(cache.lists(of: Clip.self, named: "posts") == [posts])
        // The whole name finds a list.
        #expect(cache.list("posts%3F?a", of: Clip.self) == other)
    }

    @Test("Lists that were loaded and are empty, are being loaded, or have failed, are enumerated, too")
    func emptyNames() async throws {
        func names() -> [String] { cache.lists(of: Clip.self).map(\.name) }
        home.invalidate()
        #expect(names() == [])
        try await refresh([], next: nil)
        cache.list("written", of: Clip.self).append(ids: [1])
        let failing = cache.list("failing", of: Clip.self)
        failing.setLoader { (_: Int?) async throws -> ListPage<Clip, Int> in throw RejectedError() }
        await #expect(throws: RejectedError.self) { try await failing.refresh() }
        cache.list("last", of: Clip.self).append(ids: [1])
        #expect(names() == ["home", "written", "failing", "last"])
        home.removeAll()
        #expect(names() == ["home", "written", "failing", "last"])
        let loading = Task { try await home.refresh() }
        #expect(await server.hasCalls(2))
        for list in cache.lists(of: Clip.self) { list.remove() }
        #expect(try await loading.value == false)
        #expect(names() == [])
        for list in [home, failing] {
            await #expect(throws: ListError.noLoader(list.name)) { try await list.refresh() }
        }
    }

    @Test("A list of which only a call was cancelled isn't enumerated")
    func cancelledName() async throws {
        let loading = Task { try await home.refresh() }
        #expect(await server.hasCalls(1))
        #expect(cache.lists(of: Clip.self) == [home])
        loading.cancel()
        await #expect(throws: CancellationError.self) { try await loading.value }
        #expect(cache.lists(of: Clip.self).isEmpty)
    }

    @Test("A list or cache that is emptied during a call gets no page", arguments: [false, true])
    func removedMeanwhile(removesAll: Bool) async throws {
        try await refresh([9], next: 8)
        let more = Task { try await home.loadMore() }
        #expect(await server.hasCalls(2))
        if removesAll { cache.removeAll() } else { home.remove() }
        #expect(try await more.value == false)
        await server.answer(1, [8], next: nil)
        #expect(await eventually { server.cancelledCount == 1 })
        #expect(ids().isEmpty && cache.lists(of: Clip.self).isEmpty)
        #expect((cache.get(Clip.self, id: 9) == nil) == removesAll)
        if !removesAll { await #expect(throws: ListError.noLoader("home")) { try await home.refresh() } }
    }

    @Test("An entity that a pending mutation has added stays above a refresh, and isn't listed twice")
    func pendingEntity() async throws {
        try await refresh([2, 1], next: nil)
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.set(Clip(id: 3, title: "new"))
            change.prepend(3, to: home)
        } send: {
            try await answer()
        }
        #expect(ids() == [3, 2, 1])
        try await refresh([2], next: 1, .insertAbove)
        #expect(ids() == [3, 2, 1])
        try await refresh([3, 2], next: nil)
        #expect(ids() == [3, 2])
        answer.fail()
        await mutation.ended()
        #expect(ids() == [3, 2])
    }

    @Test("Views and closures are notified when a call begins and ends")
    func observation() async throws {
        let states = Recorder<Bool>()
        let tracked = Recorder<Void>()
        let subscription = cache.observe {
            home.isLoading
        } onChange: {
            states.record($0)
        }
        withObservationTracking {
            _ = (home.isLoading, home.hasMore, home.gaps)
        } onChange: {
            tracked.record(())
        }
        try await refresh([1], next: nil)
        #expect(await eventually { states.elements.last == false && tracked.count == 1 })
        #expect(states.elements == [false, true, false])
        subscription.cancel()
    }

    @Test("Errors say what to do")
    func errors() async throws {
        let other = cache.list("other", of: Clip.self)
        let error = await #expect(throws: ListError.noLoader("other")) { try await other.refresh() }
        #expect(error?.description == "The list 'other' has no loader. Call 'setLoader' before it is loaded")
        let gone = CachedList("home", of: Clip.self, in: FlatCache())
        await #expect(throws: ListError.cacheGone("home")) { try await gone.loadMore() }
        await #expect(throws: ListError.cacheGone("home")) { try await gone.load() }
        #expect(!gone.isLoading && gone.gaps.isEmpty && gone.error == nil)
    }
}
