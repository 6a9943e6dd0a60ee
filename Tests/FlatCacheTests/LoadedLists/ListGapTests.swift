import Testing

@testable import FlatCache

/// Gaps of lists whose entities are removed, moved, renamed, or added by the app.
@Suite("Gaps of lists that load")
struct ListGapTests {
    private let cache = FlatCache()
    private let home: CachedList<Clip>
    private let server = PageServer()

    init() {
        home = cache.list("home", of: Clip.self, dropsRemoved: true)
        home.setLoader { [server] in try await server.load($0) }
    }

    private func ids() -> [Int] { Array(home.ids) }

    /// Loads a page.
    private func load(_ ids: [Int], next: Int?, _ body: @escaping @Sendable () async throws -> Bool) async throws {
        let call = server.cursors.count
        let loading = Task { try await body() }
        await server.answer(call, ids, next: next)
        #expect(try await loading.value)
    }

    private func refresh(_ ids: [Int], next: Int?) async throws {
        try await load(ids, next: next) { [home] in try await home.refresh(.insertAbove) }
    }

    private func fill(after id: Int?, _ ids: [Int], next: Int?) async throws {
        try await load(ids, next: next) { [home] in try await home.loadMore(after: id) }
    }

    /// Loads a list with a gap after 8.
    private func loadGap(end: Int? = nil) async throws {
        try await refresh([3, 2, 1], next: end)
        try await refresh([9, 8], next: 8)
        #expect(ids() == [9, 8, 3, 2, 1] && home.gaps == [8])
    }

    enum Departure: CaseIterable {
        case removal, removalOfSeveral, move, update, removalOfEntity, removalInTransaction
    }

    @Test("A gap stays at its place when the entity before it leaves", arguments: Departure.allCases)
    func departure(_ departure: Departure) async throws {
        try await loadGap()
        switch departure {
        case .removal: home.remove(8)
        case .removalOfSeveral:
            home.append(ids: [0])
            home.remove(ids: [8, 0])
        case .move: home.move(8, before: nil)
        case .update: home.update { $0.removeAll { $0 == 8 } }
        case .removalOfEntity: cache.remove(Clip.self, id: 8)
        case .removalInTransaction:
            cache.transaction {
                home.append(ids: [0])
                cache.remove(Clip.self, id: 8)
            }
        }
        #expect(home.gaps == [9])
        try await fill(after: 9, [7, 6], next: 6)
        #expect(ids().starts(with: [9, 7, 6, 3]) && home.gaps == [6])
        try await fill(after: 6, [5, 4, 3, 2], next: 2)
        #expect(ids().starts(with: [9, 7, 6, 5, 4, 3]) && home.gaps.isEmpty && !home.hasMore)
        #expect(server.cursors == [nil, nil, 8, 6])
    }

    @Test("A gap stays behind an entity that a confirmed mutation has added while an earlier one is pending")
    func addedEntity() async throws {
        try await refresh([3, 2, 1], next: nil)
        let answer = ManualAnswer<Void>()
        let pending = cache.mutate { [home] in
            $0.prepend(20, to: home)
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        try await cache.mutate { [home] in
            $0.prepend(8, to: home)
        } send: {
        }.value
        try await refresh([9, 8], next: 8)
        #expect(ids() == [20, 9, 8, 3, 2, 1] && home.gaps == [8])
        answer.succeed()
        try await pending.value
        try await fill(after: 8, [7, 6], next: 6)
        #expect(ids() == [20, 9, 8, 7, 6, 3, 2, 1] && home.gaps == [6])
    }

    @Test(
        "A page on its way lists what a mutation names that is confirmed meanwhile, unless that removes it",
        arguments: [true, false]
    )
    func namedByMutation(isRemoval: Bool) async throws {
        try await refresh([9, 8], next: 8)
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { [home] change in
            if isRemoval { change.remove(6, from: home) } else { change.move(6, before: 7, in: home) }
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        let call = server.cursors.count
        let loading = Task { [home] in try await home.loadMore() }
        await until { server.cursors.count != call }
        answer.succeed()
        try await mutation.value
        await server.answer(call, [7, 6], next: nil)
        #expect(try await loading.value)
        #expect(ids() == (isRemoval ? [9, 8, 7] : [9, 8, 7, 6]))
    }

    @Test("A gap with nothing before it is filled without being named")
    func gapAtTheBeginning() async throws {
        try await loadGap()
        home.remove(ids: [9, 8])
        #expect(home.gaps.isEmpty && home.hasMore)
        try await fill(after: nil, [7, 6], next: 6)
        #expect(ids() == [7, 6, 3, 2, 1] && home.gaps == [6] && !home.hasMore)
        home.remove(ids: [7, 6])
        try await refresh([10, 7], next: 7)
        #expect(ids() == [10, 7, 3, 2, 1] && home.gaps == [7] && !home.hasMore)
        home.remove(ids: [10, 7])
        try await refresh([10, 3, 2], next: 2)
        #expect(ids() == [10, 3, 2, 1] && home.gaps.isEmpty && !home.hasMore)
        #expect(server.cursors == [nil, nil, 8, nil, nil])
    }

    @Test("A list of which all entities were removed one by one is loaded from its gap on")
    func nothingListed() async throws {
        try await loadGap(end: 0)
        home.remove(ids: ids())
        try await fill(after: nil, [7, 6], next: 6)
        #expect(ids() == [7, 6] && home.gaps.isEmpty && home.hasMore)
        try await fill(after: nil, [5, 4], next: nil)
        #expect(ids() == [7, 6, 5, 4] && !home.hasMore)
        #expect(server.cursors == [nil, nil, 8, 6])
    }

    @Test("If all entities between two gaps leave, the pages of the first fill both")
    func twoGaps() async throws {
        try await loadGap()
        try await refresh([20, 19], next: 19)
        #expect(home.gaps == [19, 8])
        home.remove(ids: [9, 8])
        #expect(home.gaps == [19])
        try await fill(after: 19, [8, 7], next: 7)
        #expect(ids() == [20, 19, 8, 7, 3, 2, 1] && home.gaps == [7])
        #expect(server.cursors == [nil, nil, nil, 19])
    }

    @Test("A gap is filled while a pending mutation removes entities before it", arguments: [[8], [9, 8]])
    func pendingRemoval(removed: [Int]) async throws {
        try await loadGap()
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            for id in removed { change.remove(id, from: home) }
        } send: {
            try await answer()
        }
        #expect(home.gaps == (removed == [8] ? [9] : []) && home.hasMore == (removed == [9, 8]))
        try await fill(after: home.gaps.first, [7, 6], next: 6)
        #expect(ids() == [9, 7, 6, 3, 2, 1].filter { !removed.contains($0) } && home.gaps == [6])
        answer.fail()
        await mutation.ended()
        #expect(ids() == [9, 8, 7, 6, 3, 2, 1] && home.gaps == [6])
    }

    @Test("A gap is after the identifier that replaces the one before it", arguments: [88, 9])
    func replacedIdentifier(new: Int) async throws {
        try await loadGap()
        cache.replaceIdentifier(of: Clip.self, 8, with: Clip(id: new))
        #expect(ids() == (new == 88 ? [9, 88, 3, 2, 1] : [9, 3, 2, 1]) && home.gaps == [new])
        try await fill(after: new, [7], next: 7)
        #expect(home.gaps == [7] && server.cursors == [nil, nil, 8])
    }

    @Test("A page that reaches only what the app has added leaves a gap", arguments: [[79, 78], [77, 76], [79, 77]])
    func entityOfTheApp(page: [Int]) async throws {
        try await refresh([3, 2, 1], next: nil)
        home.prepend(Clip(id: 77))
        try await refresh(page, next: page.last)
        #expect(Set(ids()) == Set(page + [77, 3, 2, 1]) && ids().suffix(3) == [3, 2, 1])
        #expect(home.gaps == [page[1]])
        try await fill(after: page[1], (2..<page[1]).reversed(), next: 2)
        #expect(ids() == ids().sorted(by: >) && home.gaps.isEmpty)
        // Pages have brought the app's entity now.
        let top = [90] + ids().filter { $0 >= 76 }
        try await refresh(top, next: 76)
        #expect(ids().starts(with: top) && home.gaps.isEmpty)
    }

    @Test("What the app has added between a gap and the entity before doesn't hide the gap")
    func entityBeforeAGap() async throws {
        try await loadGap()
        home.insert(Clip(id: 77), before: 8)
        home.remove(8)
        #expect(home.gaps == [77])
        try await refresh([10, 77, 9], next: 9)
        #expect(ids() == [10, 77, 9, 3, 2, 1] && home.gaps == [9])
        #expect(home.hasMore == false)
    }

    @Test("What only the app has listed is at the end of a page")
    func onlyEntitiesOfTheApp() async throws {
        home.append(ids: [5, 4])
        try await refresh([7, 6], next: 6)
        #expect(ids() == [7, 6, 5, 4] && home.gaps.isEmpty)
        try await fill(after: nil, [5, 3], next: nil)
        #expect(ids() == [7, 6, 4, 5, 3] && server.cursors == [nil, 6])
    }

    @Test("An update keeps the cursor of the end and the gaps, unless it leaves none of the identifiers")
    func update() async throws {
        try await loadGap(end: 0)
        home.update { $0.sort() }
        #expect(ids() == [1, 2, 3, 8, 9] && home.gaps == [8] && home.age != nil)
        home.update { $0 = [9, 8, 4, 2] }
        #expect(home.gaps == [8])
        try await fill(after: nil, [0], next: -1)
        try await fill(after: 8, [7], next: 7)
        #expect(ids() == [9, 8, 7, 4, 2, 0] && home.gaps == [7])
        home.update { $0 = [50] }
        #expect(home.gaps.isEmpty && home.age == nil)
        try await fill(after: nil, [60], next: nil)
        #expect(ids() == [60] && server.cursors == [nil, nil, 0, 8, nil])
    }

    @Test("A gap doesn't go with an entity of the app that an update moves")
    func updateOfEntityOfTheApp() async throws {
        try await loadGap()
        home.insert(Clip(id: 77), before: 8)
        home.remove(8)
        #expect(ids() == [9, 77, 3, 2, 1] && home.gaps == [77])
        home.update { $0.sort(by: >) }
        #expect(ids() == [77, 9, 3, 2, 1] && home.gaps == [9])
    }

    @Test("An update during a call keeps the page")
    func updateMeanwhile() async throws {
        try await refresh([2, 3], next: 1)
        let call = server.cursors.count
        let loading = Task { try await home.loadMore() }
        #expect(await server.hasCalls(call + 1))
        home.update { $0.sort(by: >) }
        await server.answer(call, [1], next: nil)
        #expect(try await loading.value)
        #expect(ids() == [3, 2, 1])
    }

    @Test("With cursors of another type, a gap is filled by a cursor that is made, or by the first page")
    func unknownCursor() async throws {
        try await loadGap()
        home.setLoader(cursorAfter: { "\($0)" }) { [server] (cursor: String?) in
            _ = try await server.load(cursor.flatMap { Int($0) })
            return ListPage((0..<2).map { Clip(id: 7 - $0) }, next: "6")
        }
        #expect(home.gaps == [8])
        home.remove(8)
        try await fill(after: 9, [], next: nil)
        #expect(ids() == [9, 7, 6, 3, 2, 1] && home.gaps == [6] && server.cursors == [nil, nil, 9])
        home.setLoader { [server] in try await server.load($0) }
        try await fill(after: 6, [20], next: nil)
        #expect(ids() == [20] && home.gaps.isEmpty && server.cursors == [nil, nil, 9, nil])
    }
}
