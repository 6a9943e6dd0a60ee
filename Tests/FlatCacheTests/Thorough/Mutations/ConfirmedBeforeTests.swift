import Testing

@testable import FlatCache

/// Changes that the server confirms while an earlier mutation of the same entity, list or reference is pending.
@Suite("Changes that are confirmed before earlier ones")
struct ConfirmedBeforeTests {
    private let cache = FlatCache()
    private let earlier = ManualAnswer<Void>()

    /// What becomes of the earlier mutation.
    enum End: CaseIterable { case confirmed, failed }

    private var home: CachedList<Toot> { cache.list("home", of: Toot.self) }

    private var confirmedHome: [String] { cache.confirmed { Array(home.ids) } }

    private func begin(_ change: @Sendable (inout MutationChanges) -> Void) async -> Mutation<Void> {
        let mutation = cache.mutate(order: .concurrent, change) { [earlier] in try await earlier() }
        await earlier.hasBegun()
        return mutation
    }

    private func confirm(_ change: @Sendable (inout MutationChanges) -> Void) async throws {
        try await cache.mutate(order: .concurrent, change) {}.value
    }

    private func end(_ mutation: Mutation<Void>, _ end: End) async {
        if end == .confirmed { earlier.succeed() } else { earlier.fail() }
        await mutation.ended()
        #expect(cache.registry.table(of: Toot.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("They are confirmed at once, and readers see them above the earlier ones", arguments: End.allCases)
    func confirmedAtOnce(how: End) async throws {
        let home = home
        home.append(ids: ["3"])
        let first = await begin { $0.prepend("1", to: home) }
        try await confirm { $0.prepend("2", to: home) }
        #expect(confirmedHome == ["2", "3"])
        #expect(Array(home.ids) == ["2", "1", "3"])
        await end(first, how)
        #expect(Array(home.ids) == (how == .confirmed ? ["2", "1", "3"] : ["2", "3"]))
        #expect(confirmedHome == Array(home.ids))
    }

    @Test("A list loses an identifier of theirs when it is removed", arguments: End.allCases)
    func removedFromList(how: End) async throws {
        let home = home
        let first = await begin { $0.prepend("1", to: home) }
        try await confirm { $0.prepend("2", to: home) }
        #expect(home.remove("2"))
        #expect(Array(home.ids) == ["1"])
        await end(first, how)
        #expect(Array(home.ids) == (how == .confirmed ? ["1"] : []))
    }

    @Test("A failure of the earlier mutation leaves the order that others have given to a list")
    func moved() async throws {
        let home = home
        home.append(ids: ["3"])
        let first = await begin { $0.prepend("1", to: home) }
        try await confirm { $0.prepend("2", to: home) }
        home.move("3", before: "2")
        #expect(confirmedHome == ["3", "2"])
        await end(first, .failed)
        #expect(Array(home.ids) == ["3", "2"])
    }

    @Test("A page without an identifier of theirs removes it", arguments: End.allCases)
    func refreshed(how: End) async throws {
        let home = home
        home.append(ids: ["3"])
        let first = await begin { $0.prepend("1", to: home) }
        try await confirm { $0.prepend("2", to: home) }
        home.setLoader { (_: Int?) in ListPage([Toot(id: "4"), Toot(id: "3")], next: Int?.none) }
        try await home.refresh()
        #expect(Array(home.ids) == ["1", "4", "3"])
        await end(first, how)
        #expect(Array(home.ids) == (how == .confirmed ? ["1", "4", "3"] : ["4", "3"]))
    }

    @Test("Readers see members that others write later", arguments: End.allCases)
    func pushed(how: End) async throws {
        cache.set(Toot(id: "1", text: "old", likes: 10))
        let first = await begin { $0.update(Toot.self, id: "1") { $0.likes += 1 } }
        try await confirm {
            $0.update(Toot.self, id: "1") {
                $0.text = "mine"
                $0.likes += 1
            }
        }
        #expect(cache.confirmedToot() == Toot(id: "1", text: "mine", likes: 11))
        cache.update(Toot.self, id: "1") { $0.text = "pushed" }
        #expect(cache.toot() == Toot(id: "1", text: "pushed", likes: 12))
        #expect(cache.confirmedToot() == Toot(id: "1", text: "pushed", likes: 11))
        await end(first, how)
        #expect(cache.toot() == Toot(id: "1", text: "pushed", likes: how == .confirmed ? 12 : 11))
    }

    @Test("What others write back to the old value stays written", arguments: End.allCases)
    func writtenBack(how: End) async throws {
        cache.set(Toot(id: "1", isBookmarked: false))
        let first = await begin { $0.update(Toot.self, id: "1") { $0.text = "mine" } }
        try await confirm { $0.update(Toot.self, id: "1") { $0.isBookmarked = true } }
        cache.update(Toot.self, id: "1") { $0.isBookmarked = false }
        #expect(cache.toot() == Toot(id: "1", text: "mine", isBookmarked: false))
        await end(first, how)
        #expect(cache.toot()?.isBookmarked == false)
    }

    @Test("What others store after a removal is there", arguments: End.allCases)
    func storedAgain(how: End) async throws {
        cache.set(Toot(id: "1"))
        let first = await begin { $0.update(Toot.self, id: "1") { $0.likes += 1 } }
        try await confirm { $0.remove(Toot.self, id: "1") }
        #expect(cache.toot() == nil && cache.confirmedToot() == nil)
        cache.set(Toot(id: "1", text: "again"))
        #expect(cache.toot()?.text == "again" && cache.confirmedToot() == Toot(id: "1", text: "again"))
        await end(first, how)
        #expect(cache.toot()?.text == "again")
    }

    @Test("A push that the merge compares with a stamp of theirs isn't refused")
    func invented() async throws {
        cache.set(StampedNote(id: 1, title: "old", updatedAt: 100))
        let first = await begin { $0.update(StampedNote.self, id: 1) { $0.title = "first" } }
        try await confirm {
            $0.update(StampedNote.self, id: 1) {
                $0.title = "second"
                $0.updatedAt = 1_000
            }
        }
        #expect(cache.set(StampedNote(id: 1, title: "Bob's", updatedAt: 500)))
        #expect(cache.note()?.title == "first" && cache.confirmed { cache.note()?.title } == "Bob's")
        await end(first, .confirmed)
        #expect(cache.note()?.title == "Bob's" && cache.note()?.updatedAt == 500)
    }
}

extension ConfirmedBeforeTests {
    @Test("A push isn't refused because of a stamp of theirs after the answer to an earlier mutation")
    func inventedAboveAnswer() async throws {
        cache.set(StampedNote(id: 1, title: "old", updatedAt: 100))
        let first = cache.mutate(StampedNote.self, id: 1, order: .concurrent) {
            $0.title = "first"
        } send: { [earlier] in
            try await earlier()
            return StampedNote(id: 1, title: "first", updatedAt: 200)
        }
        await earlier.hasBegun()
        try await confirm {
            $0.update(StampedNote.self, id: 1) {
                $0.title = "second"
                $0.updatedAt = 1_000
            }
        }
        earlier.succeed()
        _ = try await first.value
        #expect(cache.note()?.title == "second")
        #expect(cache.set(StampedNote(id: 1, title: "Bob's", updatedAt: 500)))
        #expect(cache.note()?.title == "Bob's")
    }
}

/// Lists and references that others change while a mutation is sent.
@Suite("Lists and references beside newer states")
struct NewerNameTests {
    private let cache = FlatCache()

    private func mutate(_ change: @Sendable (inout MutationChanges) -> Void, meanwhile: () -> Void) async throws {
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate(change) { try await answer() }
        await answer.hasBegun()
        meanwhile()
        answer.succeed()
        try await mutation.value
    }

    @Test("A reference that others have set or cleared since a mutation was sent stays", arguments: ["3", nil])
    func reference(other: String?) async throws {
        let current = cache.reference("current", of: Toot.self)
        current.id = "1"
        try await mutate {
            $0.set("2", of: current)
        } meanwhile: {
            current.id = other
        }
        #expect(current.id == other)
    }

    @Test("What others have removed from a list or added to it since a mutation was sent stays so")
    func list() async throws {
        let home = cache.list("home", of: Toot.self)
        home.append(ids: ["1", "2"])
        try await mutate {
            $0.append("1", to: home)
            $0.remove("3", from: home)
            $0.append("4", to: home)
        } meanwhile: {
            home.remove("1")
            home.prepend(ids: ["3"])
            #expect(Array(home.ids) == ["2", "1", "4"], "readers see the pending changes above")
        }
        #expect(Array(home.ids) == ["3", "2", "4"])
    }

    @Test("A list without identifiers that others fill keeps what a mutation adds", arguments: [true, false])
    func emptyList(isStored: Bool) async throws {
        let home = cache.list("home", of: Toot.self)
        if isStored { home.replace(withIDs: []) }
        try await mutate {
            $0.append("1", to: home)
        } meanwhile: {
            home.append(ids: ["2"])
        }
        #expect(Array(home.ids) == ["2", "1"])
    }
}
