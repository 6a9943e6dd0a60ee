import Testing

@testable import FlatCache

/// What others do to the order of a list while a mutation of it is pending.
@Suite("The order of lists below pending mutations")
struct MovedMeanwhileTests {
    private let cache = FlatCache()
    private let list: CachedList<Song>
    private let answer = ManualAnswer<Void>()

    init() {
        list = cache.list("list", of: Song.self)
        list.replace(withIDs: [1, 2, 3, 4, 5])
    }

    /// A mutation that moves an identifier to the begin of the list.
    private func move(_ id: Int) async -> Mutation<Void> {
        let mutation = cache.mutate { [list] in
            $0.move(id, before: 1, in: list)
        } send: { [answer] in
            try await answer()
        }
        await answer.hasBegun()
        return mutation
    }

    @Test("What others have moved stays where they have left it")
    func movedElsewhere() async throws {
        let moving = await move(3)
        list.move(3, before: 2)
        #expect(Array(list.ids) == [3, 1, 2, 4, 5])
        answer.succeed()
        try await moving.value
        #expect(Array(list.ids) == [1, 3, 2, 4, 5])
    }

    @Test("What others have moved and moved back stays there")
    func movedBack() async throws {
        let moving = await move(3)
        list.replace(withIDs: [3, 1, 2, 4, 5])
        list.replace(withIDs: [1, 2, 3, 4, 5])
        answer.succeed()
        try await moving.value
        #expect(Array(list.ids) == [1, 2, 3, 4, 5])
    }

    @Test("What others move has no effect on the places of other identifiers")
    func movedOthers() async throws {
        let moving = await move(3)
        list.move(2, before: nil)
        list.prepend(ids: [9])
        answer.succeed()
        try await moving.value
        #expect(Array(list.ids) == [9, 3, 1, 4, 5, 2])
    }

    @Test("What others add stands where they have added it", arguments: [true, false], [1, 2])
    func addedAbove(isWholeList: Bool, count: Int) async throws {
        let first = cache.mutate { [list] in
            $0.append(6, to: list)
        } send: { [answer] in
            try await answer()
        }
        await answer.hasBegun()
        var ids = [1, 2, 3, 4, 5]
        for id in [7, 8].prefix(count) {
            try await cache.mutate { [list] in
                $0.prepend(id, to: list)
            } send: {
            }.value
            ids.insert(id, at: 0)
        }
        if isWholeList { list.replace(withIDs: [9] + ids) } else { list.prepend(ids: [9]) }
        #expect(Array(list.ids) == [9] + ids + [6])
        answer.succeed()
        try await first.value
        #expect(Array(list.ids) == [9] + ids + [6])
    }

    @Test("A confirmed change above a pending one isn't made again to a list that has both")
    func pushedList() async throws {
        let first = cache.mutate { [list] in
            $0.prepend(7, to: list)
        } send: { [answer] in
            try await answer()
        }
        await answer.hasBegun()
        try await cache.mutate { [list] in
            $0.prepend(8, to: list)
        } send: {
        }.value
        #expect(Array(list.ids) == [8, 7, 1, 2, 3, 4, 5])
        list.replace(withIDs: [7, 8, 1, 2, 3, 4, 5])
        #expect(Array(list.ids) == [7, 8, 1, 2, 3, 4, 5])
        answer.succeed()
        try await first.value
        #expect(Array(list.ids) == [7, 8, 1, 2, 3, 4, 5])
    }
}
