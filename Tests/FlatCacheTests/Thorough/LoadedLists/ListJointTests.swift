import Testing

@testable import FlatCache

/// Where pages join what earlier pages have brought, and what they remove there.
@Suite("Joints of pages of lists that load")
struct ListJointTests {
    private let cache = FlatCache()
    private let home: CachedList<Clip>
    private let server = PageServer()

    init() {
        home = cache.list("home", of: Clip.self)
        home.setLoader { [server] in try await server.load($0) }
    }

    private func ids() -> [Int] { Array(home.ids) }

    private func refresh(_ ids: [Int], next: Int?, meanwhile: () -> Void = {}) async throws {
        try await server.deliver(ids, next: next, meanwhile: meanwhile) { [home] in try await home.refresh(.insertAbove)
        }
    }

    private func fill(after id: Int?, _ ids: [Int], next: Int?) async throws {
        try await server.deliver(ids, next: next) { [home] in try await home.loadMore(after: id) }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let list: [Int]
        let page: [Int]
        let result: [Int]
        var gaps: [Int] = []
        var own: [Int] = []

        var testDescription: String { "\(page) above \(list), of which the app has added \(own)" }
    }

    static let tenToOne = Array((1...10).reversed())

    @Test(
        "A page that moves an old entity up doesn't hide the gap after it",
        arguments: [
            // Pinned, or with a new date, at any place of the page.
            Case(list: tenToOne, page: [5, 20, 19], result: [5, 20, 19, 10, 9, 8, 7, 6, 4, 3, 2, 1], gaps: [19]),
            Case(list: tenToOne, page: [20, 5, 19], result: [20, 5, 19, 10, 9, 8, 7, 6, 4, 3, 2, 1], gaps: [19]),
            Case(list: tenToOne, page: [20, 19, 5], result: [20, 19, 5, 10, 9, 8, 7, 6, 4, 3, 2, 1], gaps: [5]),
            Case(list: tenToOne, page: [10, 20, 19], result: [10, 20, 19, 9, 8, 7, 6, 5, 4, 3, 2, 1], gaps: [19]),
            Case(list: tenToOne, page: [3, 20, 5], result: [3, 20, 5, 10, 9, 8, 7, 6, 4, 2, 1], gaps: [5]),
            Case(list: tenToOne, page: [20, 19, 10], result: [20, 19, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], gaps: [10]),
            Case(list: tenToOne, page: [10], result: tenToOne, gaps: [10]),
            Case(list: tenToOne, page: [20, 8, 9], result: [20, 8, 9, 10, 7, 6, 5, 4, 3, 2, 1], gaps: [9]),
            Case(list: tenToOne, page: [20, 5, 4], result: [20, 5, 4, 10, 9, 8, 7, 6, 3, 2, 1], gaps: [4]),
            // All that is listed.
            Case(list: [2, 1], page: [1, 20, 2, 19], result: [1, 20, 2, 19]),
            // The page reaches the list nevertheless.
            Case(list: tenToOne, page: [5, 11, 10, 9], result: [5, 11, 10, 9, 8, 7, 6, 4, 3, 2, 1]),
        ]
    )
    func movedUp(_ test: Case) async throws {
        try await refresh(test.list, next: nil)
        try await refresh(test.page, next: 100)
        #expect(ids() == test.result && home.gaps == test.gaps)
    }

    @Test("The gap after a page with an old entity is filled until the pages join")
    func filled() async throws {
        try await refresh(Self.tenToOne, next: nil)
        try await refresh([5, 20, 19], next: 19)
        try await fill(after: 19, [18, 17, 16, 15], next: 15)
        #expect(home.gaps == [15])
        try await fill(after: 15, [14, 13, 12, 11], next: 11)
        #expect(home.gaps == [11])
        try await fill(after: 11, [10, 9, 8, 7], next: 7)
        #expect(ids() == [5] + (6...20).reversed() + [4, 3, 2, 1])
        #expect(home.gaps.isEmpty && !home.hasMore)
    }

    @Test(
        "Inside the stretch that a page covers, the page decides, and what the app has added stays beside its neighbour",
        arguments: [
            Case(list: [10, 9, 8, 7, 6], page: [12, 11, 10, 8, 7], result: [12, 11, 10, 8, 7, 6]),
            Case(list: [10, 9, 8, 7, 6], page: [9, 8, 7], result: [9, 8, 7, 6]),
            Case(list: [10, 9, 8, 7, 6], page: [12, 10, 8, 7], result: [12, 10, 8, 7, 6]),
            Case(list: [10, 9, 8, 7, 6], page: [10, 9, 7], result: [10, 9, 7, 6]),
            Case(list: [10, 9, 8, 7, 6, 5], page: [8, 7, 6, 5], result: [8, 7, 6, 5]),
            Case(list: [10, 9, 8, 7, 6, 5], page: [10, 7, 6, 5], result: [10, 7, 6, 5]),
            Case(list: [10, 9, 8, 7, 6], page: [8, 10, 7, 6], result: [8, 10, 7, 6]),
            Case(list: [10, 9, 8, 7], page: [11, 10, 9], result: [11, 10, 77, 9, 8, 7], own: [77]),
            Case(list: [10, 9, 8, 7], page: [11, 9, 8, 7], result: [11, 77, 9, 8, 7], own: [77]),
            // It isn't known whether the others are gone, or what is repeated has moved up.
            Case(list: [10, 9, 8, 7, 6], page: [12, 10, 8], result: [12, 10, 8, 9, 7, 6], gaps: [8]),
            Case(list: [10, 9, 8, 7, 6], page: [12, 8, 7], result: [12, 8, 7, 10, 9, 6], gaps: [7]),
        ]
    )
    func removedElsewhere(_ test: Case) async throws {
        try await refresh(test.list, next: 1)
        for id in test.own { home.insert(ids: [id], before: 9) }
        try await refresh(test.page, next: test.page.last)
        #expect(ids() == test.result && home.gaps == test.gaps)
        #expect(home.hasMore)
    }

    @Test("A page that can't say whether entities are gone leaves a gap, whose page says it")
    func decidedByTheNextPage() async throws {
        try await refresh([10, 9, 8, 7, 6, 5, 4, 3, 2], next: nil)
        try await refresh([12, 8, 7], next: 7)
        #expect(ids() == [12, 8, 7, 10, 9, 6, 5, 4, 3, 2] && home.gaps == [7])
        try await fill(after: 7, [6, 5, 4, 3], next: 3)
        #expect(ids() == [12, 8, 7, 6, 5, 4, 3, 2] && home.gaps.isEmpty)
    }

    @Test("The first listed entity, which the server has moved up, doesn't hide what is between its places")
    func movedFirst() async throws {
        try await refresh([3, 2, 1], next: nil)
        // 5 and 4 came before 3 was moved.
        try await refresh([7, 6, 3], next: 3)
        #expect(ids() == [7, 6, 3, 2, 1] && home.gaps == [3])
        try await fill(after: 3, [5, 4, 2], next: 2)
        #expect(ids() == [7, 6, 3, 5, 4, 2, 1] && home.gaps == [2])
        try await fill(after: 2, [1], next: nil)
        #expect(ids() == [7, 6, 3, 5, 4, 2, 1] && home.gaps.isEmpty && !home.hasMore)
    }

    @Test("A page with entities of both sides of a gap doesn't close it")
    func acrossGap() async throws {
        try await refresh([3, 2, 1], next: nil)
        try await refresh([9, 8], next: 8)
        #expect(home.gaps == [8])
        // 3 was moved before 8 came, and what is between its old place and 8 isn't loaded.
        try await refresh([10, 9, 8, 3], next: 3)
        #expect(ids() == [10, 9, 8, 3, 2, 1] && home.gaps == [3])
        try await fill(after: 3, [5, 4, 2, 1], next: nil)
        #expect(ids() == [10, 9, 8, 3, 5, 4, 2, 1] && home.gaps.isEmpty)
    }

    @Test("A page that fills a gap decides about what it covers below and above the gap")
    func removedAtGap() async throws {
        try await refresh([4, 3, 2, 1], next: nil)
        try await refresh([21, 20, 19, 18], next: 18)
        home.insert(ids: [77], before: 2)
        // The pages are numbered, and so the last ones are repeated.
        try await fill(after: 18, [21, 20, 19, 6, 5], next: 5)
        #expect(ids() == [21, 20, 19, 6, 5, 4, 3, 77, 2, 1] && home.gaps == [5])
        try await fill(after: 5, [4, 2, 1], next: 1)
        #expect(ids() == [21, 20, 19, 6, 5, 4, 77, 2, 1] && home.gaps.isEmpty)
    }

    @Test("A page at the end that repeats the last entities decides about what is between them")
    func removedAtEnd() async throws {
        try await refresh([10, 9, 8, 7], next: 1)
        home.insert(ids: [77], before: 7)
        try await fill(after: nil, [10, 9, 8, 6], next: 2)
        #expect(ids() == [10, 9, 8, 77, 6])
        // It isn't known whether 77 and 6 follow, and so 8 keeps its place.
        try await fill(after: nil, [8, 5], next: nil)
        #expect(ids() == [10, 9, 8, 77, 6, 5] && !home.hasMore)
    }

    @Test("What the pages of a gap have brought keeps its place if the page at the end repeats it")
    func repeatedAtEnd() async throws {
        try await refresh([7, 6], next: 6)
        // 7 is gone, and so the gap is where the list would go on.
        try await refresh([9, 8, 6, 5, 4], next: 4)
        try await fill(after: 4, [3, 2, 1], next: 1)
        // 4 is gone meanwhile.
        try await fill(after: nil, [5, 3, 2], next: 2)
        #expect(server.cursors == [nil, nil, 4, 6])
        #expect(ids() == [9, 8, 6, 5, 4, 3, 2, 1, 7] && home.gaps == [1])
        try await fill(after: 1, [0], next: nil)
        #expect(ids() == [9, 8, 6, 5, 4, 3, 2, 1, 0] && home.gaps.isEmpty && !home.hasMore)
    }

    @Test("Nothing of earlier pages follows the last page")
    func lastPage() async throws {
        try await refresh([10, 9, 8, 7], next: 1)
        home.append(ids: [77])
        try await refresh([11, 10, 9], next: nil)
        #expect(ids() == [11, 10, 9, 77] && !home.hasMore)
        try await refresh([13, 12], next: 12)
        try await fill(after: 12, [11], next: nil)
        #expect(ids() == [13, 12, 11, 77] && home.gaps.isEmpty && !home.hasMore)
    }

    @Test(
        "What pages of later requests have brought stays, whatever an older page says",
        arguments: [[8, 7], [9, 7]]
    )
    func newerPages(newer: [Int]) async throws {
        try await refresh([10, 9], next: 8)
        let refreshing = Task { [home] in try await home.refresh(.insertAbove) }
        #expect(await server.hasCalls(2))
        try await fill(after: nil, newer, next: 6)
        await server.answer(1, [11, 10], next: nil)
        #expect(try await refreshing.value)
        #expect(ids() == [11, 10] + newer && home.gaps.isEmpty && home.hasMore)
    }

    @Test("A page of an earlier request doesn't list what the page of a later one has removed")
    func removedByNewerPage() async throws {
        try await refresh([10, 9, 8, 7], next: 6)
        let refreshing = Task { [home] in try await home.refresh(.insertAbove) }
        #expect(await server.hasCalls(2))
        // The page at the end is that of a later state, in which 8 isn't there any more.
        try await fill(after: nil, [10, 9, 7, 6], next: 5)
        #expect(ids() == [10, 9, 7, 6])
        await server.answer(1, [11, 10, 9, 8], next: 8)
        #expect(try await refreshing.value)
        #expect(ids() == [11, 10, 9, 7, 6] && home.gaps.isEmpty)
    }

    @Test("What the app puts at the beginning while a page is loaded stays above it")
    func addedMeanwhile() async throws {
        try await refresh([9, 8, 7], next: 6)
        home.prepend(ids: [70])
        try await refresh([10, 9, 8], next: 7) { home.prepend(ids: [71]) }
        #expect(ids() == [71, 10, 70, 9, 8, 7] && home.gaps.isEmpty)
    }

    @Test("A page doesn't list what was removed while it was loaded")
    func removedMeanwhile() async throws {
        try await refresh([10, 9, 8, 7], next: 6)
        try await refresh([11, 10, 8, 9, 7], next: 6) {
            home.remove(8)
            cache.remove(Clip.self, id: 9)
        }
        // The list has 9 nevertheless, because it doesn't drop what is removed.
        #expect(ids() == [11, 10, 9, 7] && home.missingIDs == [9] && home.gaps.isEmpty)
    }

    @Test(
        "A page doesn't list what was removed from the list while it was loaded, also if it wasn't listed",
        arguments: [true, false],
        0..<4
    )
    func unlistedMeanwhile(isListed: Bool, way: Int) async throws {
        try await refresh(isListed ? [10, 9] : [9], next: 8)
        let refresh = Task { [home] in try await home.refresh(.insertAbove) }
        #expect(await server.hasCalls(2))
        switch way {
        case 0: #expect(home.remove(10) == isListed)
        case 1: #expect(home.remove(ids: [10, 3]) == (isListed ? 1 : 0))
        case 2: cache.transaction { _ = home.remove(Clip(id: 10)) }
        default:
            try await cache.mutate { [home] in
                $0.remove(10, from: home)
            } send: {
            }.value
        }
        await server.answer(1, [11, 10, 9], next: 8)
        #expect(try await refresh.value)
        #expect(ids() == [11, 9] && cache.contains(Clip.self, id: 10))
        try await self.refresh([11, 10, 9], next: 8)
        #expect(ids() == [11, 10, 9])
    }
}
