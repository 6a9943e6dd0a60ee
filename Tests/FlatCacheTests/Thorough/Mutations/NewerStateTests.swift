import Foundation
import Testing

@testable import FlatCache

/// What others write while a mutation is under way, and answers that come in another order.
@Suite("Mutations beside newer states")
struct NewerStateTests {
    private let cache = FlatCache()

    /// The ways in which an entity disappears.
    enum Removal: CaseIterable {
        case remove, transaction, type, condition, mutation
    }

    @Test("What was removed since a mutation was sent stays removed", arguments: Removal.allCases, [true, false])
    func removedMeanwhile(removal: Removal, hasAnswer: Bool) async throws {
        cache.set(contentsOf: [Toot(id: "1"), Toot(id: "2")])
        let home = cache.list("home", of: Toot.self)
        home.append(ids: ["1", "2"])
        let answer = ManualAnswer<Void>()
        let change: @Sendable (inout Toot) -> Void = { $0.isFavourite = true }
        let favourite: PendingMutation
        let ended: () async throws -> Void
        if hasAnswer {
            let mutation = cache.mutate(Toot.self, id: "1", change) {
                try await answer()
                return Toot(id: "1", isFavourite: true)
            }
            (favourite, ended) = (mutation, { _ = try await mutation.value })
        } else {
            let mutation = cache.mutate(Toot.self, id: "1", change) { try await answer() }
            (favourite, ended) = (mutation, { try await mutation.value })
        }
        await answer.hasBegun()
        switch removal {
        case .remove: cache.remove(Toot.self, id: "1")
        case .transaction: cache.transaction { _ = cache.remove(Toot.self, id: "1") }
        case .type: cache.removeAll(of: Toot.self)
        case .condition: cache.remove(Toot.self) { $0.id == "1" }
        case .mutation:
            let removal = cache.mutate(order: .concurrent) {
                $0.remove(Toot.self, id: "1")
            } send: {
            }
            try await removal.value
        }
        #expect(cache.toot() == nil)
        answer.succeed()
        try await ended()
        #expect(cache.toot() == nil && cache.confirmedToot() == nil)
        #expect(!favourite.isPending)
        #expect(cache.registry.table(of: Toot.self).takeUnretainedValue().layeredKeyCount == 0)
        cache.set(Toot(id: "1", text: "again"))
        #expect(cache.toot() == Toot(id: "1", text: "again"))
    }

    @Test("Others in an answer that were removed or written since the mutation was sent stay as they are")
    func othersInAnswer() async throws {
        let data = try JSONEncoder().encode([
            Toot(id: "1", text: "answer"), Toot(id: "2"), Toot(id: "3", text: "answer"),
        ])
        cache.set(contentsOf: [Toot(id: "1"), Toot(id: "2"), Toot(id: "3")])
        let answer = ManualAnswer<Void>()
        let edit = cache.mutate(Toot.self, id: "1") {
            $0.text = "mine"
        } send: {
            try await answer()
            return try JSONDecoder().decode(Payload<[Toot]>.self, from: data)
        }
        await answer.hasBegun()
        cache.remove(Toot.self, id: "2")
        cache.set(Toot(id: "3", text: "pushed"))
        answer.succeed()
        _ = try await edit.value
        #expect(cache.toot("1")?.text == "answer")
        #expect(cache.toot("2") == nil)
        #expect(cache.toot("3")?.text == "pushed")
    }

    @Test("The members that others have written since a mutation was sent stay, and the answer has the others")
    func writtenMeanwhile() async throws {
        cache.set(Toot(id: "1", text: "old", likes: 10))
        let answer = ManualAnswer<Toot>()
        let favourite = cache.mutate(Toot.self, id: "1") {
            $0.isFavourite = true
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        cache.set(Toot(id: "1", text: "Bob's", likes: 10))
        #expect(cache.toot() == Toot(id: "1", text: "Bob's", likes: 10, isFavourite: true))
        answer.succeed(Toot(id: "1", text: "old", likes: 11, isFavourite: true))
        let expected = Toot(id: "1", text: "Bob's", likes: 11, isFavourite: true)
        #expect(try await favourite.value == expected)
        #expect(cache.toot() == expected && cache.confirmedToot() == expected)
    }

    @Test(
        "A response to a request from before a mutation was sent doesn't take its change away",
        arguments: [true, false]
    )
    func olderRequest(hasAnswer: Bool) async throws {
        cache.set(Toot(id: "1", text: "a", likes: 1))
        let payload = try JSONDecoder().decode(
            Payload<Toot>.self,
            from: JSONEncoder().encode(Toot(id: "1", text: "b", likes: 2))
        )
        let revision = cache.revision()
        let answer = ManualAnswer<Void>()
        let change: @Sendable (inout Toot) -> Void = { $0.text = "mine" }
        let ended: () async throws -> Void
        if hasAnswer {
            let mutation = cache.mutate(Toot.self, id: "1", change) {
                try await answer()
                return Toot(id: "1", text: "mine", likes: 3)
            }
            ended = { _ = try await mutation.value }
        } else {
            let mutation = cache.mutate(Toot.self, id: "1", change) { try await answer() }
            ended = { try await mutation.value }
        }
        await answer.hasBegun()
        cache.store(payload, since: revision)
        #expect(cache.toot() == Toot(id: "1", text: "mine", likes: 2))
        answer.succeed()
        try await ended()
        #expect(cache.toot() == Toot(id: "1", text: "mine", likes: hasAnswer ? 3 : 2))
    }

    @Test("What was written before a mutation was sent doesn't count as newer")
    func writtenBeforeSending() async throws {
        cache.set(Toot(id: "1", text: "old"))
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let waiting = cache.mutate(Toot.self, id: "2", order: .serial("toots")) { _ in
        } send: {
            try await first()
        }
        let edit = cache.mutate(Toot.self, id: "1", order: .serial("toots")) {
            $0.text = "mine"
        } send: {
            try await second()
        }
        cache.set(Toot(id: "1", text: "Bob's"))
        first.succeed()
        try await waiting.value
        await second.hasBegun()
        second.succeed()
        try await edit.value
        #expect(cache.toot()?.text == "mine")
    }

    @Test("A push that has a change already isn't changed again when the mutation is confirmed without an answer")
    func countedOnce() async throws {
        cache.set(Toot(id: "1", likes: 10))
        let answer = ManualAnswer<Void>()
        let like = cache.mutate(Toot.self, id: "1") {
            $0.likes += 1
            $0.isFavourite = true
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        // It has one of the two changes.
        cache.set(Toot(id: "1", text: "new", likes: 11))
        answer.succeed()
        try await like.value
        #expect(cache.toot() == Toot(id: "1", text: "new", likes: 11, isFavourite: true))
    }

    @Test("What others have stored where a mutation inserts an entity stays, also if an earlier change found none")
    func insertedAfterEdit() async throws {
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.update(Toot.self, id: "1") { $0.likes += 1 }
            change.set(Toot(id: "1", text: "mine", likes: 3))
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        cache.set(Toot(id: "1", text: "pushed", likes: 7))
        answer.succeed()
        try await mutation.value
        #expect(cache.toot() == Toot(id: "1", text: "pushed", likes: 7))
    }

    @Test("Without members that can be copied, what the server has written since counts as a whole if it has them all")
    func uncodable() async throws {
        let answers = [ManualAnswer<Void>(), ManualAnswer<Void>()]
        for (number, count) in [10, 11].enumerated() {
            cache.set(PlainToot(id: 1, likes: 10))
            let mutation = cache.mutate(PlainToot.self, id: 1) {
                $0.likes += 1
            } send: {
                try await answers[number]()
            }
            await answers[number].hasBegun()
            cache.set(PlainToot(id: 1, text: "new", likes: count))
            answers[number].succeed()
            try await mutation.value
            #expect(cache.get(PlainToot.self, id: 1) == PlainToot(id: 1, text: "new", likes: 11))
        }
    }

    @Test(
        "M1: Mutations have effect in the order in which they were begun, whatever the order of their answers",
        arguments: [true, false]
    )
    func answersInAnotherOrder(hasAnswer: Bool) async throws {
        cache.set(Toot(id: "1"))
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        func set(_ isFavourite: Bool, _ text: String?, _ answer: ManualAnswer<Void>) -> () async throws -> Void {
            let change: @Sendable (inout Toot) -> Void = {
                $0.isFavourite = isFavourite
                if let text { $0.text = text }
            }
            if !hasAnswer {
                let mutation = cache.mutate(Toot.self, id: "1", order: .concurrent, change) { try await answer() }
                return { try await mutation.value }
            }
            let mutation = cache.mutate(Toot.self, id: "1", order: .concurrent, change) {
                try await answer()
                return Toot(id: "1", text: text.map { $0 + " by the server" } ?? "", isFavourite: isFavourite)
            }
            return { _ = try await mutation.value }
        }
        let on = set(true, nil, first)
        let off = set(false, "text", second)
        await first.hasBegun()
        await second.hasBegun()
        second.succeed()
        try await off()
        let text = hasAnswer ? "text by the server" : "text"
        #expect(cache.toot() == Toot(id: "1", text: text, isFavourite: false))
        // The push of the second change comes before the answer to the first.
        cache.set(Toot(id: "1", text: text, isFavourite: false))
        #expect(cache.toot() == Toot(id: "1", text: text, isFavourite: false))
        first.succeed()
        try await on()
        #expect(cache.toot() == Toot(id: "1", text: text, isFavourite: false))
        #expect(cache.confirmedToot() == cache.toot())
        #expect(cache.registry.table(of: Toot.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("Two increments that are answered in another order are both counted", arguments: [true, false])
    func increments(isPushed: Bool) async throws {
        cache.set(Toot(id: "1", likes: 10))
        let answers = [ManualAnswer<Void>(), ManualAnswer<Void>()]
        let mutations = answers.map { answer in
            cache.mutate(Toot.self, id: "1", order: .concurrent) {
                $0.likes += 1
            } send: {
                try await answer()
            }
        }
        for answer in answers { await answer.hasBegun() }
        if isPushed { cache.set(Toot(id: "1", text: "new", likes: 10)) }
        for number in [1, 0] {
            answers[number].succeed()
            try await mutations[number].value
            #expect(cache.toot()?.likes == 12)
        }
        #expect(cache.confirmedToot() == Toot(id: "1", text: isPushed ? "new" : "", likes: 12))
    }

    @Test(
        "Without members that can be copied, a confirmed change that others know isn't made again",
        arguments: [true, false]
    )
    func uncodableIncrements(isConfirmed: Bool) async throws {
        cache.set(PlainToot(id: 1, likes: 10))
        let answers = [ManualAnswer<Void>(), ManualAnswer<Void>()]
        let mutations = answers.map { answer in
            cache.mutate(PlainToot.self, id: 1, order: .concurrent) {
                $0.likes += 1
            } send: {
                try await answer()
            }
        }
        for answer in answers { await answer.hasBegun() }
        answers[1].succeed()
        try await mutations[1].value
        cache.update(PlainToot.self, id: 1) { $0.text = "new" }
        #expect(cache.get(PlainToot.self, id: 1) == PlainToot(id: 1, text: "new", likes: 12))
        if isConfirmed { answers[0].succeed() } else { answers[0].fail() }
        await mutations[0].ended()
        let likes = isConfirmed ? 12 : 11
        #expect(cache.get(PlainToot.self, id: 1) == PlainToot(id: 1, text: "new", likes: likes))
        #expect(cache.confirmed { cache.get(PlainToot.self, id: 1) }?.likes == likes)
    }

    @Test("If the earlier mutation fails, what was confirmed above it remains")
    func earlierFails() async throws {
        cache.set(Toot(id: "1"))
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let older = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.isFavourite = true
            $0.text = "older"
        } send: {
            try await first()
        }
        let newer = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.text += "+"
        } send: {
            try await second()
        }
        second.succeed()
        try await newer.value
        #expect(cache.toot() == Toot(id: "1", text: "older+", isFavourite: true))
        first.fail()
        await older.ended()
        #expect(cache.toot() == Toot(id: "1", text: "+"))
        #expect(cache.confirmedToot() == cache.toot())
    }

    @Test("Changes of a list have effect in the order in which they were begun", arguments: [true, false])
    func lists(isConfirmed: Bool) async throws {
        let list = cache.list("home", of: Toot.self)
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let appending = cache.mutate {
            $0.append("1", to: list)
        } send: {
            try await first()
        }
        let removing = cache.mutate {
            $0.remove("1", from: list)
        } send: {
            try await second()
        }
        second.succeed()
        try await removing.value
        #expect(list.isEmpty)
        if isConfirmed { first.succeed() } else { first.fail() }
        await appending.ended()
        #expect(list.isEmpty && cache.confirmed { list.isEmpty })
    }

    @Test(
        "A removal that is confirmed before an earlier insertion of the entity keeps it removed",
        arguments: [true, false]
    )
    func insertionAndRemoval(isConfirmed: Bool) async throws {
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let storing = cache.mutate(order: .concurrent) {
            $0.set(Toot(id: "1"))
        } send: {
            try await first()
        }
        let removing = cache.mutate(order: .concurrent) {
            $0.remove(Toot.self, id: "1")
        } send: {
            try await second()
        }
        second.succeed()
        try await removing.value
        #expect(cache.toot() == nil)
        if isConfirmed { first.succeed() } else { first.fail() }
        await storing.ended()
        #expect(cache.toot() == nil && cache.confirmedToot() == nil)
        #expect(cache.registry.table(of: Toot.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test(
        "The removal of everything also drops confirmed changes that wait for earlier ones",
        arguments: [true, false]
    )
    func clearing(isOfType: Bool) async throws {
        cache.set(Toot(id: "1"))
        let (first, second) = (ManualAnswer<Void>(), ManualAnswer<Void>())
        let older = cache.mutate(Toot.self, id: "1", order: .concurrent) {
            $0.text = "a"
        } send: {
            try await first()
        }
        let newer = cache.mutate(order: .concurrent) {
            $0.set(Toot(id: "1", text: "b"))
        } send: {
            try await second()
        }
        second.succeed()
        try await newer.value
        #expect(cache.toot()?.text == "b")
        if isOfType { cache.removeAll(of: Toot.self) } else { cache.removeAll() }
        #expect(cache.toot() == nil)
        first.succeed()
        await older.ended()
        #expect(cache.toot() == nil)
        #expect(cache.registry.table(of: Toot.self).takeUnretainedValue().layeredKeyCount == 0)
    }
}
