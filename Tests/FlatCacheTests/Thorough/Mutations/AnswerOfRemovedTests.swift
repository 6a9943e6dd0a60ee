import Testing

@testable import FlatCache

/// Answers whose entities others have removed, listed or unlisted since the mutation was sent.
@Suite("Answers to insertions whose entities others have removed")
struct AnswerOfRemovedTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Void>()

    /// A mutation that inserts an entity at the beginning of a list, and is being sent.
    private func insert(into list: CachedList<Toot>) async -> Mutation<Toot> {
        list.replace(withIDs: ["1"])
        let insertion = cache.mutate {
            $0.insert(temporary: Toot(id: "draft"))
            $0.prepend("draft", to: list)
        } send: { [answer] in
            try await answer()
            return Toot(id: "7")
        }
        await answer.hasBegun()
        return insertion
    }

    @Test(
        "What others have unlisted or removed before the answer isn't listed by it",
        arguments: [true, false],
        [true, false]
    )
    func unlisted(isListed: Bool, isRemoved: Bool) async throws {
        let list = cache.list("list", of: Toot.self, dropsRemoved: true)
        let insertion = await insert(into: list)
        cache.set(Toot(id: "7"))
        if isListed {
            list.replace(withIDs: ["7", "1"])
            list.replace(withIDs: ["1"])
        }
        if isRemoved { cache.remove(Toot.self, id: "7") }
        answer.succeed()
        _ = try await insertion.value
        #expect(Array(list.ids) == (isListed || isRemoved ? ["1"] : ["7", "1"]))
        #expect(cache.allValues(of: Toot.self).map(\.id) == (isRemoved ? [] : ["7"]))
    }

    @Test("What the app has listed under the temporary identifier is listed once, under the new one")
    func listedByApp() async throws {
        let list = cache.list("list", of: Toot.self)
        let insertion = await insert(into: list)
        list.append(ids: ["draft"])
        answer.succeed()
        _ = try await insertion.value
        #expect(Array(list.ids) == ["1", "7"])
    }

    @Test(
        "A changed entity that refers to one that others have removed follows its delete rule",
        arguments: [true, false],
        [true, false]
    )
    func movedToRemoved(answersWithEntity: Bool, isNullified: Bool) async throws {
        cache.set(Folder(id: 1))
        cache.set(Person(id: 1))
        cache.set(Document(id: 2, folderID: 2))
        let change: @Sendable (inout Document) -> Void = {
            if isNullified { $0.authorID = 1 } else { $0.folderID = 1 }
        }
        let mutation: PendingMutation =
            if answersWithEntity {
                cache.mutate(Document.self, id: 2, change) { [answer] in
                    try await answer()
                    return $0
                }
            } else {
                cache.mutate(Document.self, id: 2, change) { [answer] in try await answer() }
            }
        await answer.hasBegun()
        if isNullified { cache.remove(Person.self, id: 1) } else { cache.remove(Folder.self, id: 1) }
        answer.succeed()
        try await mutation.waitForEnd()
        #expect(cache.get(Document.self, id: 2) == (isNullified ? Document(id: 2, folderID: 2) : nil))
    }

    @Test(
        "An entity that another mutation stores takes the place of the inserted one with its key",
        arguments: [true, false]
    )
    func matchedByMutation(isStored: Bool) async throws {
        let list = cache.list("list", of: Toot.self)
        let insertion = cache.mutate { [list] in
            $0.insert(temporary: Toot(id: "draft", text: "key"), matching: \.text)
            $0.prepend("draft", to: list)
        } send: { [answer] in
            try await answer()
        }
        await answer.hasBegun()
        if isStored {
            cache.set(Toot(id: "7"))
            try await cache.mutate(Toot.self, id: "7") {
                $0.text = "key"
            } send: {
            }.value
        } else {
            try await cache.mutate {
                $0.set(Toot(id: "7", text: "key"))
            } send: {
            }.value
        }
        #expect(Array(list.ids) == ["7"])
        #expect(cache.allValues(of: Toot.self).map(\.id) == ["7"])
        answer.succeed()
        try await insertion.waitForEnd()
    }
}
