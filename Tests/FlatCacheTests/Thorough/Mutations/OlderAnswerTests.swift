import Testing

@testable import FlatCache

/// Answers that know less or more than what was written since, or that come before those of earlier mutations.
@Suite("Answers beside newer and earlier changes")
struct OlderAnswerTests {
    private let cache = FlatCache()

    private func remove(_ answer: ManualAnswer<Void>) -> Mutation<Void> {
        cache.mutate {
            $0.remove(Toot.self, id: "1")
        } send: {
            try await answer()
        }
    }

    @Test("An answer that the merge calls newer than a push has all of its properties", arguments: [3, 4, 5])
    func stamped(pushed: Int) async throws {
        cache.set(StampedNote(id: 1, title: "a", updatedAt: 2))
        let answer = ManualAnswer<Void>()
        let edit = cache.mutate(StampedNote.self, id: 1) {
            $0.title = "mine"
        } send: {
            try await answer()
            return StampedNote(id: 1, title: "mine", updatedAt: 4, tags: ["answer"])
        }
        await answer.hasBegun()
        cache.set(StampedNote(id: 1, title: "a", updatedAt: pushed, tags: ["push"]))
        answer.succeed()
        _ = try await edit.value
        let isNewer = pushed < 4
        let stored = StampedNote(id: 1, title: "mine", updatedAt: max(4, pushed), tags: [isNewer ? "answer" : "push"])
        #expect(cache.note() == stored)
        // An older push that comes again.
        cache.set(StampedNote(id: 1, title: "a", updatedAt: 3))
        #expect(cache.note() == stored)
    }

    @Test("A pending removal hides what the answer to a later mutation stores", arguments: [true, false])
    func removedBefore(isConfirmed: Bool) async throws {
        cache.set(Toot(id: "1", text: "a"))
        let (removed, edited) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let removal = remove(removed)
        let edit = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.likes = 3
        } send: {
            try await edited()
            return Toot(id: "1", text: "a", likes: 3)
        }
        edited.succeed()
        _ = try await edit.value
        #expect(cache.toot() == nil)
        if isConfirmed { removed.succeed() } else { removed.fail() }
        #expect(await removal.ended() == isConfirmed)
        #expect(cache.toot() == (isConfirmed ? nil : Toot(id: "1", text: "a", likes: 3)))
    }

    @Test("An insertion that is answered before a pending removal is shown", arguments: [true, false])
    func insertedAfterRemoval(isConfirmed: Bool) async throws {
        cache.set(Toot(id: "1", text: "a"))
        let (removed, inserted) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let removal = remove(removed)
        let insertion = cache.mutate(order: .concurrent) {
            $0.set(Toot(id: "1", text: "new"))
        } send: {
            try await inserted()
            return Toot(id: "1", text: "new", likes: 1)
        }
        inserted.succeed()
        _ = try await insertion.value
        #expect(cache.toot() == Toot(id: "1", text: "new", likes: 1))
        if isConfirmed { removed.succeed() } else { removed.fail() }
        await removal.ended()
        #expect(cache.toot() == Toot(id: "1", text: "new", likes: 1))
    }

    /// How a mutation is answered before an earlier one.
    enum Later: CaseIterable {
        case nothing, entity
    }

    @Test(
        "A push over a later change that was confirmed doesn't undo an earlier change sent after it",
        arguments: Later.allCases
    )
    func pushedOverLater(later: Later) async throws {
        cache.set(Toot(id: "1", text: "a", likes: 1))
        let first = ManualAnswer<Void>()
        let blocking = cache.mutate(Toot.self, id: "1") {
            $0.isFavourite = true
        } send: {
            try await first()
        }
        // It is sent after the first one.
        let earlier = cache.mutate(Toot.self, id: "1") {
            $0.likes = 34
        } send: {
        }
        let answer = ManualAnswer<Void>()
        let change: @Sendable (inout Toot) -> Void = { $0.likes = 39 }
        let ended: () async throws -> Void
        switch later {
        case .nothing:
            let mutation = cache.mutate(Toot.self, id: "1", order: .concurrent, change) { try await answer() }
            ended = { try await mutation.value }
        case .entity:
            let mutation = cache.mutate(Toot.self, id: "1", order: .concurrent, change) {
                try await answer()
                return Toot(id: "1", text: "a", likes: 39)
            }
            ended = { _ = try await mutation.value }
        }
        await answer.hasBegun()
        cache.set(Toot(id: "1", text: "a", likes: 10))
        answer.succeed()
        try await ended()
        first.succeed()
        try await blocking.value
        try await earlier.value
        #expect(cache.toot() == Toot(id: "1", text: "a", likes: 34, isFavourite: true))
    }
}
