import Testing

@testable import FlatCache

/// Answers of mutations that were being sent while others were confirmed, and what others have written and written back.
@Suite("Answers of mutations beside other mutations")
struct ConcurrentAnswerTests {
    private let cache = FlatCache()
    private let first = ManualAnswer<Song?>()
    private let second = ManualAnswer<Song?>()

    init() { cache.set(Song(id: 1, title: "old")) }

    private var song: Song? { cache.get(Song.self, id: 1) }

    @Test(
        "An answer from before an earlier mutation was confirmed doesn't undo that",
        arguments: [true, false],
        [true, false]
    )
    func earlier(isFirst: Bool, answersWithEntity: Bool) async throws {
        func like() -> PendingMutation {
            if answersWithEntity {
                cache.mutate(Song.self, id: 1, order: .concurrent) {
                    $0.isFavourite = true
                } send: { [first] in
                    try await first() ?? Song(id: 1)
                }
            } else {
                cache.mutate(Song.self, id: 1, order: .concurrent) {
                    $0.isFavourite = true
                } send: { [first] in
                    _ = try await first()
                }
            }
        }
        let earlier = isFirst ? like() : nil
        let naming = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.title = "new"
        } send: { [second] in
            try await second() ?? Song(id: 1)
        }
        let liking = earlier ?? like()
        await first.hasBegun()
        await second.hasBegun()
        first.succeed(Song(id: 1, title: "old", isFavourite: true))
        try await liking.waitForEnd()
        second.succeed(Song(id: 1, title: "New", plays: 3))
        // What the answer has of its own change, and of what nobody has changed, is the server's.
        let expected = Song(id: 1, title: "New", plays: 3, isFavourite: true)
        try await naming.waitForEnd()
        #expect(song == expected && cache.confirmed { song } == expected)
    }

    @Test("An answer doesn't undo an earlier mutation that was sent later")
    func sentLater() async throws {
        cache.mutate(Song.self, id: 1) {
            $0.plays = 1
        } send: { [first] in
            _ = try await first()
        }
        let waiting = cache.mutate(Song.self, id: 1) {
            $0.isFavourite = true
        } send: {
        }
        let naming = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.title = "new"
        } send: { [second] in
            try await second() ?? Song(id: 1)
        }
        await second.hasBegun()
        first.succeed(nil)
        try await waiting.value
        second.succeed(Song(id: 1, title: "New"))
        #expect(try await naming.value == Song(id: 1, title: "New", plays: 1, isFavourite: true))
    }

    @Test("The answer decides about all that several changes of one entity change")
    func severalChanges() async throws {
        cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.plays = 1
            $0.isFavourite = true
        } send: { [first] in
            _ = try await first()
        }
        let both = cache.mutate(order: .concurrent) {
            $0.update(Song.self, id: 1) { $0.title = "new" }
            $0.update(Song.self, id: 1) { $0.plays = 5 }
        } send: { [second] in
            try await second() ?? Song(id: 1)
        }
        await second.hasBegun()
        first.succeed(nil)
        await until { cache.confirmed { song }?.plays == 1 }
        second.succeed(Song(id: 1, title: "New", plays: 6))
        let expected = Song(id: 1, title: "New", plays: 6, isFavourite: true)
        #expect(try await both.value == expected)
        #expect(song == expected)
    }

    @Test("The answer decides about what both mutations change")
    func sameProperty() async throws {
        let naming = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.title = "first"
        } send: { [first] in
            _ = try await first()
        }
        let last = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.title = "second"
        } send: { [second] in
            try await second() ?? Song(id: 1)
        }
        await second.hasBegun()
        first.succeed(nil)
        try await naming.value
        second.succeed(Song(id: 1, title: "Second"))
        #expect(try await last.value.title == "Second")
    }

    @Test(
        "What a push has counted isn't counted again after an earlier mutation has counted",
        arguments: [true, false]
    )
    func counted(fails: Bool) async throws {
        cache.mutate(Song.self, id: 1) {
            $0.title = "new"
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        let waiting = cache.mutate(Song.self, id: 1) {
            $0.plays += 1
        } send: {
        }
        let counting = cache.mutate(Song.self, id: 1, order: .concurrent) {
            $0.plays += 1
        } send: { [second] in
            _ = try await second()
        }
        await second.hasBegun()
        cache.update(Song.self, id: 1) { $0.plays = 1 }
        if fails { first.fail() } else { first.succeed(nil) }
        try await waiting.value
        second.succeed(nil)
        try await counting.value
        #expect(song?.plays == 2)
    }

    @Test(
        "What others have added again to a list isn't removed by a mutation above a confirmed one",
        arguments: [0, 9]
    )
    func addedAgain(removed: Int) async throws {
        let list = cache.list("songs", of: Song.self)
        list.replace(withIDs: [0, 1, 3])
        let pending = cache.mutate {
            $0.remove(removed, from: list)
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        try await cache.mutate {
            $0.remove(3, from: list)
        } send: {
        }.value
        let last = cache.mutate {
            $0.remove(3, from: list)
        } send: { [second] in
            _ = try await second()
        }
        await second.hasBegun()
        list.append(ids: [3])
        second.succeed(nil)
        try await last.value
        #expect(cache.confirmed { Array(list.ids) } == [0, 1, 3])
        first.fail()
        await pending.ended()
        #expect(Array(list.ids) == [0, 1, 3])
    }

    @Test("A property that others have changed and changed back stays so", arguments: [true, false])
    func property(hasAnswer: Bool) async throws {
        let change: @Sendable (inout Song) -> Void = { $0.title = "mine" }
        let mutation: PendingMutation =
            if hasAnswer {
                cache.mutate(Song.self, id: 1, change) { [first] in try await first() ?? Song(id: 1) }
            } else {
                cache.mutate(Song.self, id: 1, change) { [first] in _ = try await first() }
            }
        await first.hasBegun()
        cache.update(Song.self, id: 1) { $0.title = "theirs" }
        cache.update(Song.self, id: 1) { $0.title = "old" }
        first.succeed(Song(id: 1, title: "mine", plays: 2))
        try await mutation.waitForEnd()
        #expect(song == Song(id: 1, title: "old", plays: hasAnswer ? 2 : 0))
    }

    @Test("A reference that others have set and set back stays so")
    func reference() async throws {
        let reference = cache.reference("song", of: Song.self)
        reference.id = 1
        let mutation = cache.mutate {
            $0.set(7, of: reference)
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        reference.id = 2
        reference.id = 1
        first.succeed(nil)
        try await mutation.value
        #expect(reference.id == 1)
    }

    @Test("A confirmed change of a list stays above an earlier one when others give the list another order")
    func orderBetween() async throws {
        let list = cache.list("songs", of: Song.self)
        list.replace(withIDs: [0, 1, 2])
        let pending = cache.mutate {
            $0.remove(1, from: list)
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        try await cache.mutate {
            $0.append(1, to: list)
        } send: {
        }.value
        list.move(2, before: 0)
        #expect(Array(list.ids) == [2, 0, 1])
        first.succeed(nil)
        try await pending.value
        #expect(Array(list.ids) == [2, 0, 1])
    }

    /// Ways to give a list another order.
    enum Ordering: CaseIterable, Sendable {
        case move, replacement, page

        func order(_ list: CachedList<Song>) async throws {
            switch self {
            case .move: list.move(7, before: 2)
            case .replacement: list.replace(withIDs: [7, 2, 0])
            case .page:
                list.setLoader { (_: Int?) in ListPage([7, 2, 0].map { Song(id: $0) }, next: nil) }
                try await list.refresh()
            }
        }
    }

    @Test(
        "The order that others give a list above a confirmed change is shown, and stays",
        arguments: Ordering.allCases,
        [true, false]
    )
    func order(_ ordering: Ordering, isConfirmed: Bool) async throws {
        let list = cache.list("songs", of: Song.self)
        list.replace(withIDs: [2, 0])
        let pending = cache.mutate {
            $0.append(6, to: list)
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        try await cache.mutate {
            $0.append(7, to: list)
        } send: {
        }.value
        try await ordering.order(list)
        #expect(Array(list.ids).filter { $0 != 6 } == [7, 2, 0])
        if isConfirmed { first.succeed(nil) } else { first.fail() }
        await pending.ended()
        #expect(Array(list.ids).filter { $0 != 6 } == [7, 2, 0])
        #expect(list.ids.contains(6) == isConfirmed)
    }

    @Test("What others have listed and removed again, or the other way round, stays so", arguments: [true, false])
    func list(adds: Bool) async throws {
        let list = cache.list("songs", of: Song.self)
        list.replace(withIDs: adds ? [0] : [0, 7])
        let mutation = cache.mutate {
            if adds { $0.append(7, to: list) } else { $0.remove(7, from: list) }
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        for isRemoval in [!adds, adds] { if isRemoval { list.remove(7) } else { list.append(ids: [7]) } }
        first.succeed(nil)
        try await mutation.value
        #expect(Array(list.ids) == (adds ? [0] : [0, 7]))
    }
}
