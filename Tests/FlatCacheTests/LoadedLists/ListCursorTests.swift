import Testing

@testable import FlatCache

/// The cursors that lists send.
@Suite("Cursors of lists that load")
struct ListCursorTests {
    private let cache = FlatCache()
    private let home: CachedList<Clip>
    private let server = PageServer()

    init() {
        home = cache.list("home", of: Clip.self, dropsRemoved: true)
        setLoader(makesCursors: true)
    }

    /// Sets a loader, whose cursors of entities are negative, and those of the server positive.
    private func setLoader(makesCursors: Bool) {
        if makesCursors {
            home.setLoader(cursorAfter: { -$0 }, cursorBefore: { -1_000 - $0 }) { [server] in
                try await server.page(for: $0)
            }
        } else {
            home.setLoader { [server] in try await server.page(for: $0) }
        }
    }

    /// Loads a page.
    private func load(
        _ ids: [Int],
        next: Int?,
        previous: Int? = nil,
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

    enum Departure: CaseIterable {
        case removal, removalOfEntity, update, removalWhileLoaded
    }

    @Test(
        "The cursor of an entity that was removed isn't sent if it can be made of another one",
        arguments: Departure.allCases,
        [false, true]
    )
    func removedEntity(departure: Departure, makesCursors: Bool) async throws {
        setLoader(makesCursors: makesCursors)
        try await load([9, 8, 7], next: 500, previous: 400) {
            if departure == .removalWhileLoaded {
                // The app has seen them before.
                home.append(ids: [7, 9])
                home.remove(ids: [7, 9])
            }
        } _: { [home] in
            try await home.refresh()
        }
        switch departure {
        case .removal: home.remove(ids: [7, 9])
        case .removalOfEntity: cache.remove(Clip.self, ids: [7, 9])
        case .update: home.update { $0.removeAll { $0 != 8 } }
        case .removalWhileLoaded: break
        }
        home.append(ids: [77])
        home.prepend(ids: [78])
        #expect(Array(home.ids) == [78, 8, 77])
        try await load([6], next: nil) { [home] in try await home.loadMore() }
        try await load([10], next: nil) { [home] in try await home.loadPrevious() }
        #expect(
            server.requests == ["first"] + (makesCursors ? ["after -8", "before -1008"] : ["after 500", "before 400"])
        )
    }

    @Test("The cursor of the server is sent while the last entity of its page is listed, also elsewhere")
    func listedEntity() async throws {
        try await load([9, 8, 7], next: 500, previous: 400) { [home] in try await home.refresh() }
        home.move(7, before: 9)
        home.append(ids: [77])
        home.prepend(ids: [78])
        try await load([6], next: nil) { [home] in try await home.loadMore() }
        try await load([10], next: nil) { [home] in try await home.loadPrevious() }
        #expect(server.requests == ["first", "after 500", "before 400"])
    }

    @Test("The cursor of a page without entities is sent")
    func emptyPage() async throws {
        try await load([9, 8], next: 500, previous: 400) { [home] in try await home.refresh() }
        try await load([], next: 600) { [home] in try await home.loadMore() }
        home.remove(8)
        try await load([7], next: nil) { [home] in try await home.loadMore() }
        #expect(server.requests == ["first", "after 500", "after 600"])
    }

    @Test("The cursor of a gap is made if the entity that it belongs to was removed", arguments: [false, true])
    func gap(makesCursors: Bool) async throws {
        setLoader(makesCursors: makesCursors)
        try await load([3, 2, 1], next: nil, previous: 400) { [home] in try await home.refresh() }
        try await load([9, 8], next: 500) { [home] in try await home.refresh(.insertAbove) }
        home.remove(ids: [8, 3])
        #expect(home.gaps == [9])
        try await load([7], next: 600) { [home] in try await home.loadMore(after: 9) }
        try await load([4], next: 1, previous: 700) { [home] in try await home.loadPrevious(before: 2) }
        #expect(Array(home.ids) == [9, 7, 4, 2, 1] && home.gaps == [7])
        #expect(
            server.requests == ["first", "first"]
                + (makesCursors ? ["after -9", "before -1002"] : ["after 500", "before 400"])
        )
    }

    @Test("If all entities of pages were removed, the first page is loaded, since no cursor can be made")
    func nothingListed() async throws {
        try await load([9, 8], next: 500) { [home] in try await home.refresh() }
        home.append(ids: [77])
        home.remove(ids: [9, 8])
        try await load([7], next: nil) { [home] in try await home.loadMore() }
        #expect(server.requests == ["first", "first"] && Array(home.ids) == [7])
    }
}
