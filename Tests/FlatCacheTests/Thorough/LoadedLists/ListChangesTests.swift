import Observation
import TestThreads
import Testing

@testable import FlatCache

/// Lists that are changed by hand, and asked for by observers, while their pages are loaded.
@Suite("Lists that load and are changed", .mayBlock)
struct ListChangesTests {
    private let cache = FlatCache()
    private let home: CachedList<Clip>
    private let server = PageServer()

    init() {
        home = cache.list("home", of: Clip.self)
        home.setLoader { [server] in try await server.load($0) }
    }

    private func ids() -> [Int] { Array(home.ids) }

    private func refresh(
        _ ids: [Int],
        next: Int?,
        _ joining: ListJoining = .replace,
        meanwhile: () -> Void = {}
    ) async throws {
        try await server.deliver(ids, next: next, meanwhile: meanwhile) { [home] in try await home.refresh(joining) }
    }

    /// Ways to list an identifier again.
    enum Addition: CaseIterable, Sendable {
        case prepended, inserted, rearranged, mutated

        func add(_ id: Int, to list: CachedList<Clip>, in cache: FlatCache) async throws {
            switch self {
            case .prepended: list.prepend(ids: [id])
            case .inserted: _ = list.insert(ids: [id], before: list.ids.first)
            case .rearranged: list.update { $0.insert(id, at: 0) }
            case .mutated:
                try await cache.mutate {
                    $0.prepend(id, to: list)
                } send: {
                }.value
            }
        }
    }

    @Test("An identifier that the app has removed and adds again during a call stays", arguments: Addition.allCases)
    func addedAgainMeanwhile(_ addition: Addition) async throws {
        try await refresh([9, 8, 7], next: 6)
        home.remove(8)
        let refresh = Task { try await home.refresh() }
        #expect(await server.hasCalls(2))
        try await addition.add(8, to: home, in: cache)
        await server.answer(1, [10, 9, 7], next: 6)
        #expect(try await refresh.value)
        #expect(ids() == [8, 10, 9, 7])
    }

    @Test("A list that was emptied is loaded again, without the cursors of before")
    func emptied() async throws {
        try await refresh([9, 8], next: 7)
        home.removeAll()
        try await server.deliver([9], next: 5) { [home] in
            try await home.load()
            return true
        }
        #expect(ids() == [9])
        home.removeAll()
        home.replace(withIDs: [3])
        try await server.deliver([2, 1], next: nil) { [home] in try await home.loadMore() }
        #expect(server.cursors == [nil, nil, nil] && ids() == [2, 1])
    }

    @Test(
        "A refresh keeps what the app has added meanwhile, and leaves out what it has removed",
        arguments: [false, true]
    )
    func changedMeanwhile(isAbove: Bool) async throws {
        try await refresh([9, 8, 7], next: 6)
        try await refresh([10, 9, 8], next: 7, isAbove ? .insertAbove : .replace) {
            home.prepend(Clip(id: 30))
            home.remove(8)
            cache.remove(Clip.self, id: 7)
        }
        #expect(ids() == (isAbove ? [30, 10, 9, 7] : [30, 10, 9]))
    }

    @Test(
        "An identifier that the app adds and removes meanwhile isn't listed",
        arguments: [false, true],
        [false, true]
    )
    func addedAndRemoved(isAbove: Bool, isInTransaction: Bool) async throws {
        try await refresh([9], next: nil)
        try await refresh([77, 76, 9], next: 8, isAbove ? .insertAbove : .replace) {
            if isInTransaction {
                cache.transaction {
                    home.append(ids: [77, 76])
                    home.remove(77)
                    home.update { $0.removeAll { $0 == 76 } }
                }
            } else {
                home.append(ids: [77, 76])
                home.remove(77)
                home.update { $0.removeAll { $0 == 76 } }
            }
        }
        #expect(ids() == [9])
        // A page of a later call lists it.
        try await refresh([77, 76, 9], next: 8)
        #expect(ids() == [77, 76, 9])
    }

    @Test("An identifier that was removed before a call is listed by its page, also if another call runs since then")
    func removedBefore() async throws {
        try await refresh([9], next: 8)
        let refreshing = Task { try await home.refresh() }
        #expect(await server.hasCalls(2))
        home.append(ids: [7])
        home.remove(7)
        try await server.deliver([8, 7], next: nil) { [home] in try await home.loadMore() }
        #expect(ids() == [9, 8, 7])
        await server.answer(1, [9, 7], next: 7)
        #expect(try await refreshing.value)
        #expect(ids() == [9, 7])
    }

    @Test("An entity that was removed since the request isn't listed")
    func removedEntity() async throws {
        cache.set(Clip(id: 8))
        try await refresh([9, 8], next: nil) { cache.remove(Clip.self, id: 8) }
        #expect(ids() == [9] && cache.get(Clip.self, id: 8) == nil)
    }

    @Test("A listed identifier has the place that the page gives it, also if its entity is removed meanwhile")
    func removedListedEntity() async throws {
        try await refresh([9, 8, 7], next: nil)
        home.prepend(Clip(id: 10))
        try await refresh([11, 10, 9, 8], next: 8, .insertAbove) { cache.remove(Clip.self, id: 10) }
        #expect(ids() == [11, 10, 9, 8, 7] && home.missingIDs == [10] && home.gaps.isEmpty)
    }

    @Test("What another page has brought during a refresh isn't kept as what the app has added")
    func pageMeanwhile() async throws {
        try await refresh([9, 8], next: 7)
        let refreshing = Task { try await home.refresh() }
        #expect(await server.hasCalls(2))
        try await server.deliver([7, 6], next: 5) { [home] in try await home.loadMore() }
        await server.answer(1, [10, 9], next: 8)
        #expect(try await refreshing.value)
        #expect(ids() == [10, 9])
        try await server.deliver([8], next: nil) { [home] in try await home.loadMore() }
        #expect(server.cursors == [nil, nil, 7, 8])
    }

    @Test("An observer of a page can ask for the next one")
    func askingObserver() async throws {
        let next = Protected<Task<Bool, any Error>?>(nil)
        let subscription = home.observe(initial: false) { [home] state in
            if state.ids.count == 1 { next.withLock { $0 = Task { try await home.loadMore() } } }
        }
        try await refresh([9], next: 8)
        await server.answer(1, [8], next: nil)
        #expect(try await next.withLock { $0 }?.value == true)
        #expect(ids() == [9, 8])
        subscription.cancel()
    }

    @Test("An observer of a first page can ask for a newer one", arguments: [ListJoining.replace, .insertAbove])
    func refreshingObserver(joining: ListJoining) async throws {
        let next = Protected<Task<Bool, any Error>?>(nil)
        let subscription = home.observe(initial: false) { [home] state in
            if state.ids.count == 1 { next.withLock { $0 = Task { try await home.refresh(joining) } } }
        }
        try await refresh([9], next: 8, joining)
        await server.answer(1, [10, 9], next: nil)
        #expect(try await next.withLock { $0 }?.value == true)
        #expect(ids() == [10, 9] && server.cursors == [nil, nil])
        subscription.cancel()
    }

    #if DEBUG
    @Test("A request while a page joins is for this page", arguments: [ListPlace.first, .end])
    func duringJoining(place: ListPlace) async throws {
        try await refresh([9], next: 8)
        let (isAnswered, asked) = (Protected(false), Protected<(call: ListCall<Clip>, isNew: Bool)?>(nil))
        let handler: @Sendable (SyncPoint) -> Void = { [home] point in
            guard point == .ended, isAnswered.withLock({ $0 }) else { return }
            isAnswered.withLock { $0 = false }
            RunningThread {
                let begun = try? home.begin(place, .replace, .networkOnly)
                asked.withLock { $0 = begun.map { ($0.1, $0.isNew) } }
            }.finishInLibrary()
        }
        let loading = SyncPoint.$handler.withValue(handler) {
            Task { [home] in place == .first ? try await home.refresh() : try await home.loadMore() }
        }
        #expect(await server.hasCalls(2))
        isAnswered.withLock { $0 = true }
        await server.answer(1, [7], next: nil)
        #expect(try await loading.value)
        let (call, isNew) = try #require(asked.withLock { $0 })
        #expect(!isNew && server.cursors.count == 2)
        if !isNew { #expect(try await call.wait()) }
        #expect(ids() == (place == .first ? [7] : [9, 7]) && !home.isLoading)
    }

    @Test("A refresh while a page of the loader before joins has its page in the list after it")
    func otherLoaderDuringJoining() async throws {
        try await refresh([9], next: 8)
        let other = PageServer()
        let isAnswered = Protected(false)
        let asked = Protected<(loader: ListLoader<Clip>, call: ListCall<Clip>, isNew: Bool)?>(nil)
        let handler: @Sendable (SyncPoint) -> Void = { [home] point in
            guard point == .ended, isAnswered.withLock({ $0 }) else { return }
            isAnswered.withLock { $0 = false }
            RunningThread {
                home.setLoader { try await other.load($0) }
                let begun = try? home.begin(.first, .replace, .networkOnly)
                asked.withLock { $0 = begun }
            }.finishInLibrary()
        }
        let first = SyncPoint.$handler.withValue(handler) { Task { [home] in try await home.refresh() } }
        #expect(await server.hasCalls(2))
        isAnswered.withLock { $0 = true }
        await server.answer(1, [7], next: 6)
        #expect(try await first.value && ids() == [7])
        let (loader, call, isNew) = try #require(asked.withLock { $0 })
        #expect(isNew)
        call.start { [home, cache] in await home.perform(call, loader, cache) }
        await other.answer(0, [9, 5], next: 4)
        #expect(try await call.wait())
        #expect(ids() == [9, 5])
        #expect(!home.isLoading)
    }
    #endif

    @Test("A request after another loader was set calls this one, and the page of the other is dropped")
    func otherLoader() async throws {
        try await refresh([9], next: 8)
        let first = Task { try await home.loadMore() }
        #expect(await server.hasCalls(2))
        let other = PageServer()
        home.setLoader { try await other.load($0) }
        let second = Task { try await home.loadMore() }
        #expect(await other.hasCalls(1))
        #expect(try await first.value == false)
        #expect(await eventually { server.cancelledCount == 1 })
        await other.answer(0, [7], next: nil)
        #expect(try await second.value)
        #expect(ids() == [9, 7] && other.cursors == [8] && !home.isLoading)
    }

    @Test("A call of the loader before joins the list if nobody asks the new one")
    func otherLoaderUnused() async throws {
        try await refresh([9], next: 7) { home.setLoader { (_: Int?) in ListPage([], next: Int?.none) } }
        #expect(ids() == [9])
    }

    @Test("A request after the list was replaced calls the loader again")
    func outdatedCall() async throws {
        let first = Task { try await home.refresh() }
        #expect(await server.hasCalls(1))
        home.replace(withIDs: [1])
        try await refresh([9], next: nil)
        #expect(try await first.value == false)
        #expect(ids() == [9])
    }

    @Test("What is invalidated while the first page is loaded stays stale")
    func invalidatedMeanwhile() async throws {
        try await refresh([9], next: nil) { home.invalidate() }
        try await server.deliver([10], next: nil) { [home] in
            try await home.load()
            return true
        }
        try await home.load()
        #expect(server.cursors.count == 2 && ids() == [10])
    }

    @Test("N4: A mark as stale doesn't notify readers of the identifiers")
    func silentMark() async throws {
        try await refresh([9], next: nil)
        let notified = Recorder<Int>()
        let subscription = home.observe(initial: false) { _ in notified.record(1) }
        withObservationTracking {
            _ = home.ids
        } onChange: {
            notified.record(2)
        }
        home.invalidate()
        #expect(notified.elements.isEmpty)
        subscription.cancel()
    }

    @Test("Entities above a gap don't close it")
    func repeatedAboveGap() async throws {
        try await refresh([1], next: nil)
        try await refresh([7, 6, 5], next: 4, .insertAbove)
        try await server.deliver([6, 5, 4, 3], next: 2) { [home] in try await home.loadMore(after: 5) }
        #expect(ids() == [7, 6, 5, 4, 3, 1] && home.gaps == [3])
    }

    @Test("A cursor is made of an identifier that a page has brought")
    func ownEntities() async throws {
        home.setLoader(cursorAfter: { $0 }) { [server] in try await server.load($0) }
        home.replace(withIDs: [10, 9])
        home.append(ids: [-5, -6])
        try await server.deliver([8], next: nil) { [home] in try await home.loadMore() }
        #expect(server.cursors == [9] && ids() == [10, 9, -5, -6, 8])
    }

    @Test("The cursor of a gap is made of an identifier that a page has brought")
    func ownEntityBeforeGap() async throws {
        try await refresh([3], next: nil)
        try await refresh([9, 8], next: 8, .insertAbove)
        home.insert(ids: [-5], before: 8)
        home.remove(8)
        #expect(home.gaps == [-5])
        // Another type of cursors, so that the known one is forgotten.
        home.setLoader(cursorAfter: { "\($0)" }) { [server] (cursor: String?) in
            _ = try await server.load(cursor.flatMap { Int($0) })
            return ListPage([Clip(id: 7)], next: "7")
        }
        try await server.deliver([], next: nil) { [home] in try await home.loadMore(after: -5) }
        #expect(server.cursors == [nil, nil, 9] && ids() == [9, -5, 7, 3])
    }

    @Test("A cursor is made of a confirmed identifier")
    func temporaryIdentifier() async throws {
        home.setLoader(cursorAfter: { $0 }) { [server] in try await server.load($0) }
        home.append(ids: [9])
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.append(77, to: home)
        } send: {
            try await answer()
        }
        #expect(ids() == [9, 77])
        try await server.deliver([8], next: nil) { [home] in try await home.loadMore() }
        #expect(server.cursors == [9] && ids() == [9, 8, 77])
        answer.fail()
        await mutation.ended()
    }
}
