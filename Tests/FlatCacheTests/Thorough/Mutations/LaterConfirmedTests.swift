import Foundation
import TestThreads
import Testing

@testable import FlatCache

/// Mutations that are confirmed while an earlier one of the entity is pending.
@Suite("Mutations that are confirmed before earlier ones", .mayBlock)
struct LaterConfirmedTests {
    private let cache = FlatCache()
    private let first = ManualAnswer<Toot?>()
    private let second = ManualAnswer<Int>()

    init() { cache.set(Toot(id: "1", likes: 10)) }

    /// A mutation that counts a like, whose answer is awaited.
    private func like() async -> Mutation<Toot> {
        let liking = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.likes += 1
        } send: { [first] in
            try await first() ?? Toot(id: "1")
        }
        await first.hasBegun()
        return liking
    }

    /// A mutation that counts a like and is confirmed at once.
    private func likeAgain() async throws {
        try await cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.likes += 1
        } send: {
        }.value
    }

    /// A mutation of the text, whose answer is awaited.
    private func name() async -> Mutation<Toot> {
        let naming = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.text = "new"
        } send: { [first] in
            try await first() ?? Toot(id: "1")
        }
        await first.hasBegun()
        return naming
    }

    @Test(
        "The answer doesn't decide about what a later mutation has changed, whether the server knew that or not",
        arguments: [10, 11]
    )
    func earlierAnswer(likes: Int) async throws {
        let naming = await name()
        try await likeAgain()
        first.succeed(Toot(id: "1", text: "New", likes: likes, isBookmarked: true))
        let expected = Toot(id: "1", text: "New", likes: 11, isBookmarked: true)
        #expect(try await naming.value == expected)
        #expect(cache.toot() == expected && cache.confirmedToot() == expected)
    }

    @Test(
        "Both changes count where a later mutation changes the same, whether the server knew that or not",
        arguments: [11, 12]
    )
    func sameProperty(likes: Int) async throws {
        let liking = await like()
        try await likeAgain()
        first.succeed(Toot(id: "1", text: "New", likes: likes))
        #expect(try await liking.value == Toot(id: "1", text: "New", likes: 12))
        #expect(cache.toot() == Toot(id: "1", text: "New", likes: 12))
    }

    @Test("What a push has counted isn't counted again by the answer", arguments: [true, false])
    func countedByPush(isPushedAgain: Bool) async throws {
        let liking = await like()
        cache.set(Toot(id: "1", likes: 11))
        try await likeAgain()
        if isPushedAgain { cache.set(Toot(id: "1", likes: 12)) }
        first.succeed(Toot(id: "1", likes: 11))
        #expect(try await liking.value.likes == 12)
        #expect(cache.toot()?.likes == 12)
    }

    @Test(
        "All changes count if the last of three is confirmed first, and the second one is answered",
        arguments: [true, false]
    )
    func reverseOrder(answersFirst: Bool) async throws {
        let answer = ManualAnswer<Toot>()
        let earliest = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.likes += 1
        } send: { [first] in
            try await first() ?? Toot(id: "1")
        }
        await first.hasBegun()
        let middle = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.likes += 1
            $0.isFavourite = true
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        try await likeAgain()
        answer.succeed(Toot(id: "1", text: "New", likes: 12, isFavourite: true))
        _ = try await middle.value
        #expect(cache.toot() == Toot(id: "1", text: "New", likes: 13, isFavourite: true))
        #expect(cache.confirmedToot()?.likes == 12)
        if answersFirst { first.succeed(Toot(id: "1", text: "New", likes: 11)) } else { first.fail() }
        await earliest.ended()
        #expect(cache.toot()?.likes == (answersFirst ? 13 : 12) && cache.toot()?.isFavourite == true)
    }

    @Test("The answer isn't stored above an earlier change if its members can't be copied")
    func plainEntity() async throws {
        cache.set(PlainToot(id: 1, likes: 10))
        let liking = cache.mutate(PlainToot.self, id: 1, order: .concurrent) {
            $0.likes += 1
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        let naming = cache.mutate(PlainToot.self, id: 1, order: .concurrent) {
            $0.likes += 1
            $0.text = "mine"
        } send: {
            PlainToot(id: 1, text: "server's", likes: 11)
        }
        #expect(try await naming.value == PlainToot(id: 1, text: "mine", likes: 11))
        #expect(cache.get(PlainToot.self, id: 1)?.likes == 12)
        first.succeed(nil)
        try await liking.value
        #expect(cache.get(PlainToot.self, id: 1) == PlainToot(id: 1, text: "mine", likes: 12))
    }

    @Test("A payload keeps all changes of an entity that it leaves out, also above an earlier one")
    func partialPayload() async throws {
        cache.set(StampedNote(id: 1, title: "old", updatedAt: 1))
        // The keys are known from a complete entity.
        _ = try JSONDecoder().decode(Payload<StampedNote>.self, from: try JSONEncoder().encode(StampedNote(id: 0)))
        let pending = cache.mutate(StampedNote.self, id: 1, order: .concurrent) {
            $0.updatedAt += 1
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        let edit = cache.mutate(order: .concurrent) {
            $0.update(StampedNote.self, id: 1) { $0.tags = ["mine"] }
            $0.update(StampedNote.self, id: 1) { $0.title = "mine" }
        } send: {
            let json = Data(#"{ "id": 1, "tags": ["server's"], "updatedAt": 1 }"#.utf8)
            return try JSONDecoder().decode(Payload<StampedNote>.self, from: json)
        }
        _ = try await edit.value
        #expect(cache.note() == StampedNote(id: 1, title: "mine", updatedAt: 2, tags: ["server's"]))
        first.succeed(nil)
        try await pending.value
        #expect(cache.note()?.title == "mine")
    }

    @Test("A push that ends a mutation by its position stays below an earlier one", arguments: [true, false])
    func position(isAnotherConfirmed: Bool) async throws {
        cache.set(StampedNote(id: 1, updatedAt: 1))
        let naming = cache.mutate(StampedNote.self, id: 1, order: .concurrent) {
            $0.title = "mine"
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        if isAnotherConfirmed {
            try await cache.mutate(StampedNote.self, id: 1, order: .concurrent) {
                $0.title = "other"
            } send: {
            }.value
        }
        let tagging = cache.mutate(StampedNote.self, id: 1, order: .concurrent) {
            $0.updatedAt >= $1
        } _: {
            $0.tags.append("mine")
        } send: { [second] _ in
            try await second()
        }
        await second.hasBegun()
        second.succeed(3)
        _ = try await tagging.value
        cache.set(StampedNote(id: 1, title: "mine", updatedAt: 3, tags: ["mine", "others'"]))
        await tagging.ended()
        let expected = StampedNote(id: 1, title: "mine", updatedAt: 3, tags: ["mine", "others'"])
        #expect(cache.note() == expected)
        #expect(!cache.set(StampedNote(id: 1, title: "old", updatedAt: 2)))
        first.succeed(nil)
        try await naming.value
        #expect(cache.note() == expected)
    }

    #if DEBUG
    @Test("A mutation whose position a push reaches doesn't end before that is committed")
    func positionReachedByOtherThread() async throws {
        cache.set(StampedNote(id: 1, updatedAt: 1))
        let naming = cache.mutate(StampedNote.self, id: 1, order: .concurrent) {
            $0.title = "mine"
        } send: { [first] in
            _ = try await first()
        }
        await first.hasBegun()
        let tagging = cache.mutate(StampedNote.self, id: 1, order: .concurrent) {
            $0.updatedAt >= $1
        } _: {
            $0.tags.append("mine")
        } send: { _ in
            3
        }
        _ = try await tagging.value
        let pushed = StampedNote(id: 1, title: "mine", updatedAt: 3, tags: ["mine", "others'"])
        let revision = cache.lastRevision
        let push = StoppedThread(at: .listed) { [cache] in cache.set(pushed) }
        // Another thread learns that the position is reached.
        await until { cache.lastRevision != revision }
        #expect(tagging.isPending)
        push.finish()
        await tagging.ended()
        #expect(cache.note() == pushed)
        #expect(!cache.set(StampedNote(id: 1, title: "old", updatedAt: 2)))
        first.succeed(nil)
        try await naming.value
        #expect(cache.note() == pushed)
    }
    #endif
}
