import Observation
import Testing

@testable import FlatCache

/// Lists that are opened in the middle, and load pages in both directions.
@Suite("Lists that load in both directions")
struct ListDirectionTests {
    private let cache = FlatCache()
    private let chat: CachedList<Clip>
    private let server = PageServer()

    init() {
        chat = cache.list("chat", of: Clip.self, dropsRemoved: true)
        chat.setLoader { [server] (request: ListPageRequest<Clip, Int>) in try await server.page(for: request) }
    }

    private func ids() -> [Int] { Array(chat.ids) }

    /// Loads a page.
    private func load(
        _ ids: [Int],
        previous: Int?,
        next: Int?,
        meanwhile: () -> Void = {},
        _ body: @escaping @Sendable () async throws -> Bool
    ) async throws {
        let call = server.cursors.count
        let loading = Task { try await body() }
        #expect(await server.hasCalls(call + 1))
        meanwhile()
        await server.answer(call, ids, next: next, previous: previous)
        #expect(try await loading.value)
    }

    private func open(_ ids: [Int], around id: Int, previous: Int?, next: Int?) async throws {
        try await load(ids, previous: previous, next: next) { [chat] in try await chat.refresh(around: id) }
    }

    private func loadPrevious(_ ids: [Int], previous: Int?, before id: Int? = nil) async throws {
        // What follows the page is known from the pages below.
        try await load(ids, previous: previous, next: 1_000) { [chat] in try await chat.loadPrevious(before: id) }
    }

    private func loadMore(_ ids: [Int], next: Int?, after id: Int? = nil) async throws {
        try await load(ids, previous: 2_000, next: next) { [chat] in try await chat.loadMore(after: id) }
    }

    /// Loads a list with a gap after 19, whose sides have the cursors 119 and 106.
    private func loadGap() async throws {
        try await open([6, 5], around: 5, previous: 106, next: 105)
        try await load([20, 19], previous: nil, next: 119) { [chat] in try await chat.refresh(.insertAbove) }
        #expect(ids() == [20, 19, 6, 5] && chat.gaps == [19] && !chat.hasPrevious && chat.hasMore)
    }

    @Test("A list that is opened in the middle is loaded in both directions, until it has all")
    func middle() async throws {
        #expect(chat.hasPrevious && chat.hasMore)
        try await open([6, 5], around: 5, previous: 106, next: 105)
        #expect(ids() == [6, 5] && chat.hasPrevious && chat.hasMore && chat.age != nil)
        try await loadPrevious([8, 7], previous: 108)
        #expect(ids() == [8, 7, 6, 5] && chat.hasPrevious)
        try await loadMore([4, 3], next: nil)
        #expect(ids() == [8, 7, 6, 5, 4, 3] && chat.hasPrevious && !chat.hasMore)
        try await loadPrevious([9], previous: nil)
        #expect(ids() == [9, 8, 7, 6, 5, 4, 3] && !chat.hasPrevious && !chat.hasMore && chat.gaps.isEmpty)
        #expect(try await chat.loadPrevious() == false)
        #expect(server.requests == ["around 5", "before 106", "after 105", "before 108"])
    }

    @Test("A page without a previous cursor is the first one")
    func firstPage() async throws {
        try await load([6, 5], previous: nil, next: 105) { [chat] in try await chat.refresh() }
        #expect(!chat.hasPrevious)
        #expect(try await chat.loadPrevious() == false)
        chat.setLoader { _ in ListPage([Clip(id: 7)], next: 6) }
        try await chat.refresh()
        #expect(!chat.hasPrevious && chat.hasMore && server.requests == ["first"])
    }

    @Test("A loader that takes only cursors loads in both directions if these say the direction")
    func cursorsOnly() async throws {
        enum Place: Equatable { case above(Int), below(Int) }
        let places = Recorder<Place?>()
        chat.setLoader(cursorAfter: Place.below, cursorBefore: Place.above) { place in
            places.record(place)
            return switch place {
            case nil: ListPage([Clip(id: 5)], next: .below(5), previous: .above(5))
            case .above(let id): ListPage([Clip(id: id + 1)], next: nil, previous: id < 6 ? .above(id + 1) : nil)
            case .below(let id): ListPage([Clip(id: id - 1)], next: id > 4 ? .below(id - 1) : nil, previous: nil)
            }
        }
        try await chat.refresh()
        try await chat.loadPrevious()
        try await chat.loadMore()
        chat.remove(6)
        try await chat.loadPrevious()
        #expect(ids() == [6, 5, 4] && chat.hasPrevious)
        #expect(places.elements == [nil, .above(5), .below(5), .above(5)])
        let error = await #expect(throws: ListError.cursorsOnly("chat")) { try await chat.refresh(around: 5) }
        #expect(
            error?.description
                == """
                The list 'chat' can't be opened around an entity, because its loader takes only cursors. Set a loader \
                that takes a 'ListPageRequest'
                """
        )
    }

    @Test("A gap is filled from below, a page at a time, until the pages join")
    func gapFromBelow() async throws {
        try await loadGap()
        #expect(try await chat.loadPrevious(before: 5) == false)
        try await loadPrevious([8, 7], previous: 108, before: 6)
        #expect(ids() == [20, 19, 8, 7, 6, 5] && chat.gaps == [19])
        // 19 may have been moved down.
        try await loadPrevious([19, 18, 9], previous: 119, before: 8)
        #expect(ids() == [20, 19, 18, 9, 8, 7, 6, 5] && chat.gaps == [20])
        try await loadPrevious([21, 20], previous: nil, before: 19)
        #expect(ids() == [21, 20, 19, 18, 9, 8, 7, 6, 5] && chat.gaps.isEmpty)
        #expect(server.requests == ["around 5", "first", "before 106", "before 108", "before 119"])
        #expect(try await chat.loadPrevious(before: 18) == false)
    }

    @Test("A gap is filled from both sides at the same time")
    func bothSides() async throws {
        try await loadGap()
        let above = Task { [chat] in try await chat.loadMore(after: 19) }
        #expect(await server.hasCalls(3))
        try await loadPrevious([8, 7], previous: 108, before: 6)
        await server.answer(2, [18, 17], next: 117, previous: 118)
        #expect(try await above.value)
        #expect(ids() == [20, 19, 18, 17, 8, 7, 6, 5] && chat.gaps == [17])
        let below = Task { [chat] in try await chat.loadPrevious(before: 8) }
        #expect(await server.hasCalls(5))
        try await loadMore([16, 9, 8, 7], next: 107, after: 17)
        // The gap is closed, and so the other page has no place.
        await server.answer(4, [16, 9], next: 109, previous: 116)
        #expect(try await below.value == false)
        #expect(ids() == [20, 19, 18, 17, 16, 9, 8, 7, 6, 5] && chat.gaps.isEmpty)
        #expect(server.requests == ["around 5", "first", "after 119", "before 106", "before 108", "after 117"])
    }

    @Test("A page from below with an old entity doesn't close the gap, and decides about what it covers")
    func jointsFromBelow() async throws {
        try await open([6, 5, 4, 3], around: 5, previous: 106, next: nil)
        try await load([20, 19, 18, 17, 16], previous: nil, next: 116) { [chat] in
            try await chat.refresh(.insertAbove)
        }
        chat.insert(Clip(id: 77), before: 18)
        // 20 was moved down. The page repeats the entities from 6 to 3, and 5 isn't there any more.
        try await loadPrevious([20, 9, 6, 4, 3], previous: 108, before: 6)
        #expect(ids() == [19, 77, 18, 17, 16, 20, 9, 6, 4, 3] && chat.gaps == [16])
        try await loadPrevious([19, 18, 17, 15], previous: 119, before: 20)
        #expect(ids() == [19, 77, 18, 17, 15, 20, 9, 6, 4, 3] && chat.gaps.isEmpty && chat.hasPrevious)
    }

    @Test("A gap is filled from above if the server may not have what is below it any more, and the other way round")
    func doubtfulGap() async throws {
        try await load([5, 4, 2, 1], previous: 205, next: nil) { [chat] in try await chat.refresh() }
        // It isn't known whether 5 and 4 are gone, or 2 has moved up.
        try await load([6, 2], previous: nil, next: 102) { [chat] in try await chat.refresh(.insertAbove) }
        #expect(ids() == [6, 2, 5, 4, 1] && chat.gaps == [2])
        try await load([1], previous: nil, next: nil) { [chat] in try await chat.loadPrevious(before: 5) }
        #expect(ids() == [6, 2, 1] && chat.gaps.isEmpty && server.requests.last == "after 102")

        try await open([3, 2], around: 2, previous: 203, next: nil)
        try await load([9, 8, 7], previous: nil, next: 107) { [chat] in try await chat.refresh(.insertAbove) }
        // It isn't known whether 8 is gone, or 9 has moved down.
        try await loadPrevious([9, 6, 5], previous: 209, before: 3)
        #expect(ids() == [8, 7, 9, 6, 5, 3, 2] && chat.gaps == [7])
        try await load([10], previous: nil, next: nil) { [chat] in try await chat.loadMore(after: 7) }
        #expect(ids() == [10, 9, 6, 5, 3, 2] && chat.gaps.isEmpty && server.requests.last == "before 209")
    }

    @Test("A gap has no cursor of an entity that a page has moved to its other side")
    func movedCursor() async throws {
        chat.setLoader(cursorBefore: { -$0 }) { [server] in try await server.page(for: $0) }
        try await open([3, 2], around: 2, previous: 203, next: 102)
        try await load([9, 8], previous: nil, next: 108) { [chat] in try await chat.refresh(.insertAbove) }
        try await load([10, 3, 9], previous: nil, next: 109) { [chat] in try await chat.refresh(.insertAbove) }
        #expect(ids() == [10, 3, 9, 8, 2] && chat.gaps == [9, 8])
        try await loadPrevious([4], previous: 104, before: 2)
        #expect(server.requests.last == "before -2")
    }

    @Test("A page at the beginning that repeats the first entities decides about what is between them")
    func repeatedAtBeginning() async throws {
        try await open([8, 7, 6, 5], around: 6, previous: 108, next: nil)
        chat.insert(Clip(id: 77), before: 7)
        try await loadPrevious([9, 7, 6, 5], previous: 109)
        #expect(ids() == [9, 77, 7, 6, 5] && chat.hasPrevious)
        // It isn't known whether 6 was moved up, and so it keeps its place.
        try await loadPrevious([10, 6], previous: nil)
        #expect(ids() == [10, 9, 77, 7, 6, 5] && !chat.hasPrevious)
    }

    @Test("All who ask for the page before the first entity join one call, which a refresh drops")
    func joiningAndFence() async throws {
        try await open([6, 5], around: 5, previous: 106, next: 105)
        let tasks = (0..<2).map { _ in Task { [chat] in try await chat.loadPrevious() } }
        #expect(await eventually { cache.listLoaders.loader(of: chat).waiterCounts.values.first == 2 })
        let more = Task { [chat] in try await chat.loadMore() }
        #expect(await server.hasCalls(3))
        let refreshing = Task { [chat] in try await chat.refresh(around: 9) }
        for task in tasks + [more] { #expect(try await task.value == false) }
        for call in 1...2 { await server.answer(call, [8, 7], next: 107, previous: 108) }
        await server.answer(3, [10, 9], next: 109, previous: 110)
        #expect(try await refreshing.value)
        #expect(ids() == [10, 9] && !chat.isLoading)
        #expect(server.requests.count == 4)
    }

    @Test("All who ask for the page around the same entity join one call, and another entity ends it")
    func joiningInTheMiddle() async throws {
        let tasks = (0..<3).map { _ in Task { [chat] in try await chat.refresh(around: 5) } }
        #expect(await eventually { cache.listLoaders.loader(of: chat).waiterCounts.values.first == 3 })
        #expect(await server.hasCalls(1))
        let other = Task { [chat] in try await chat.refresh(around: 9) }
        for task in tasks { #expect(try await task.value == false) }
        #expect(await server.hasCalls(2))
        let first = Task { [chat] in try await chat.refresh() }
        #expect(try await other.value == false)
        #expect(await server.hasCalls(3))
        let last = Task { [chat] in try await chat.refresh(around: 7) }
        #expect(try await first.value == false)
        #expect(await server.hasCalls(4))
        await server.answer(3, [8, 7], next: nil)
        #expect(try await last.value)
        #expect(ids() == [8, 7] && server.requests == ["around 5", "around 9", "first", "around 7"])
    }

    @Test("What the app adds and removes while a previous page is loaded stays so")
    func changedMeanwhile() async throws {
        try await open([6, 5], around: 5, previous: 106, next: nil)
        cache.set(Clip(id: 8))
        try await load([9, 8, 7], previous: nil, next: 107) {
            chat.prepend(ids: [70, 7])
            chat.remove(7)
            cache.remove(Clip.self, id: 8)
            chat.remove(6)
        } _: { [chat] in
            try await chat.loadPrevious()
        }
        #expect(ids() == [9, 70, 5] && cache.get(Clip.self, id: 8) == nil)
    }

    @Test("A gap at the beginning is filled from below, too, and then the pages before it are loaded")
    func gapAtTheBeginning() async throws {
        try await loadGap()
        chat.remove(ids: [20, 19])
        #expect(chat.gaps.isEmpty && chat.hasPrevious)
        try await loadPrevious([18, 17], previous: 118)
        #expect(ids() == [18, 17, 6, 5] && chat.gaps.isEmpty && chat.hasPrevious)
        try await loadPrevious([20, 19], previous: nil)
        #expect(ids() == [20, 19, 18, 17, 6, 5] && !chat.hasPrevious)
        #expect(server.requests.suffix(2) == ["before 106", "before 118"])
    }

    enum Change: CaseIterable {
        case update, removal, replacement, otherCursors, replacedIdentifier
    }

    @Test("What precedes the list is kept and forgotten as what follows it", arguments: Change.allCases)
    func kept(change: Change) async throws {
        try await open([6, 5], around: 5, previous: nil, next: nil)
        #expect(!chat.hasPrevious && !chat.hasMore)
        switch change {
        case .update: chat.update { $0.sort() }
        case .removal: chat.remove(6)
        case .replacement: chat.replace(withIDs: [6, 5])
        case .otherCursors: chat.setLoader { (_: String?) in ListPage([Clip(id: 1)], next: nil) }
        case .replacedIdentifier: cache.replaceIdentifier(of: Clip.self, 6, with: Clip(id: 66))
        }
        let isForgotten = change == .replacement || change == .otherCursors
        #expect(chat.hasPrevious == isForgotten && chat.hasMore == isForgotten)
    }

    @Test("Without a cursor, the previous page is that before the first entity, or the first page")
    func unknownCursor() async throws {
        chat.replace(withIDs: [6, 5])
        try await loadPrevious([9, 8], previous: nil)
        #expect(ids() == [9, 8])
        chat.setLoader(cursorBefore: { $0 }) { [server] in try await server.page(for: $0) }
        chat.replace(withIDs: [6, 5])
        chat.prepend(ids: [70])
        try await loadPrevious([8, 7], previous: nil)
        #expect(ids() == [8, 7, 70, 6, 5] && !chat.hasPrevious)
        #expect(server.requests == ["first", "before 6"])
    }

    @Test("Readers of whether pages precede are notified")
    func observation() async throws {
        try await open([6, 5], around: 5, previous: 106, next: nil)
        let notified = Recorder<Void>()
        withObservationTracking {
            #expect(chat.hasPrevious)
        } onChange: {
            notified.record(())
        }
        try await loadPrevious([7], previous: nil)
        #expect(notified.count == 1 && !chat.hasPrevious)
    }
}
