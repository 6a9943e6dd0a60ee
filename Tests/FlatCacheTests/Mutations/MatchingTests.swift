import Foundation
import Testing

@testable import FlatCache

/// Inserted entities that come from the server before the answer does, or without one.
@Suite("Matching insertions")
struct MatchingTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Letter>()
    private let draft = Letter(id: "tmp", clientKey: "k1", text: "hello")
    private let pushed = Letter(id: "9", clientKey: "k1", text: "hello")

    private var letters: [Letter] { cache.allValues(of: Letter.self, inOrder: true) }

    private func insert(into home: CachedList<Letter>) -> Mutation<Letter> {
        cache.mutate { change in
            change.insert(temporary: draft, matching: \.clientKey)
            change.prepend("tmp", to: home)
        } send: { [answer] in
            try await answer()
        }
    }

    /// The ways in which the entity can come.
    enum Arrival: CaseIterable {
        case set, batch, largeBatch, transaction, nested, list, payload, fetch, handle
    }

    private func arrive(_ arrival: Arrival, _ home: CachedList<Letter>) async throws {
        switch arrival {
        case .set: cache.set(pushed)
        case .batch: cache.set(contentsOf: [Letter(id: "8"), pushed])
        case .largeBatch: cache.set(contentsOf: (0..<3000).map { Letter(id: "\($0 + 100)") } + [pushed])
        case .transaction: cache.transaction { _ = cache.set(pushed) }
        case .nested: cache.transaction { cache.transaction { _ = cache.set(pushed) } }
        case .list: home.append(contentsOf: [pushed])
        case .payload:
            let data = try JSONEncoder().encode([pushed])
            cache.store(try JSONDecoder().decode(Payload<[Letter]>.self, from: data))
        case .fetch:
            cache.setFetcher(of: Letter.self) { [pushed] _ in [pushed] }
            _ = try await cache.fetch(Letter.self, id: "9")
        case .handle: try Cached(Letter.self, id: "9", in: cache).set(pushed)
        }
    }

    @Test("What comes with the matching key before the answer is the inserted entity", arguments: Arrival.allCases)
    func pushBeforeAnswer(arrival: Arrival) async throws {
        let home = cache.list("home", of: Letter.self)
        let handle = Cached(Letter.self, id: "tmp", in: cache)
        let mutation = insert(into: home)
        await answer.hasBegun()
        let counts = Recorder<Int>()
        let hellos = cache.query(FlatCache.Query(Letter.self).filter(\.text, equals: "hello"))
        let subscription = cache.observe {
            hellos.values.count
        } onChange: {
            counts.record($0)
        }
        try await arrive(arrival, home)
        #expect(letters.filter { $0.clientKey == "k1" }.map(\.id) == ["9"])
        #expect(Array(home.ids) == ["9"])
        #expect(hellos.values.map(\.id) == ["9"])
        #expect(handle.id == "9" && handle.value == pushed)
        #expect(mutation.isPending)
        var answered = pushed
        answered.updatedAt = 5
        answer.succeed(answered)
        #expect(try await mutation.value == answered)
        #expect(letters.filter { $0.clientKey == "k1" } == [answered])
        #expect(Array(home.ids) == ["9"])
        #expect(!counts.elements.isEmpty && counts.elements.allSatisfy { $0 == 1 })
        subscription.cancel()
        #expect(cache.registry.find(AwaitedInsertions<Letter>.self)?.takeUnretainedValue().count == 0)
    }

    @Test("An entity of a type with a merge is recognized, too")
    func merged() async throws {
        let key = UUID()
        let answer = ManualAnswer<StampedLetter>()
        let draft = StampedLetter(id: "tmp", clientKey: key, text: "mine", updatedAt: 1000)
        let mutation = cache.mutate(inserting: draft, matching: \.clientKey) { sent in
            #expect(sent == draft)
            return try await answer()
        }
        await answer.hasBegun()
        cache.set(contentsOf: [StampedLetter(id: "9", clientKey: key, text: "pushed", updatedAt: 10)])
        #expect(cache.allValues(of: StampedLetter.self).map(\.text) == ["pushed"])
        answer.succeed(StampedLetter(id: "9", clientKey: key, text: "answered", updatedAt: 11))
        // By its stamp, it is newer than what was pushed.
        #expect(try await mutation.value.text == "answered")
        #expect(cache.allValues(of: StampedLetter.self).map(\.id) == ["9"])
    }

    @Test(
        "An insertion without an answer ends when the entity comes, before or after `send` returns",
        arguments: [true, false]
    )
    func withoutAnswer(isFirst: Bool) async throws {
        let home = cache.list("home", of: Letter.self)
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.insert(temporary: draft, matching: \.clientKey)
            change.prepend("tmp", to: home)
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        if isFirst { cache.set(pushed) }
        answer.succeed()
        try await mutation.value
        if !isFirst {
            #expect(mutation.isPending && cache.pendingMutations.count == 1)
            #expect(letters == [draft] && Array(home.ids) == ["tmp"])
            #expect(cache.confirmed { letters.isEmpty && home.isEmpty })
            cache.set(pushed)
        }
        #expect(!mutation.isPending && cache.pendingMutations.isEmpty)
        #expect(letters == [pushed])
        #expect(cache.confirmed { Array(home.ids) } == ["9"])
        #expect(cache.registry.table(of: Letter.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("A mutation of an inserted entity that hasn't come is sent when it has")
    func followers() async throws {
        let mutation = cache.mutate(inserting: draft, matching: \.clientKey) { _ in }
        try await mutation.value
        let sent = Recorder<String>()
        let edit = cache.mutate(Letter.self, id: "tmp") {
            $0.text = "edited"
        } send: {
            sent.record("\($0.id) \($0.text)")
        }
        let resolved = Task { try await cache.resolvedID(of: Letter.self, "tmp") }
        #expect(letters.map(\.text) == ["edited"])
        #expect(sent.elements.isEmpty)
        cache.set(pushed)
        try await edit.value
        #expect(sent.elements == ["9 edited"])
        #expect(try await resolved.value == "9")
        #expect(letters.map(\.text) == ["edited"])
    }

    @Test("An inserted entity that doesn't come can be dropped by cancelling its mutation")
    func cancelled() async throws {
        let mutation = cache.mutate(inserting: draft, matching: \.clientKey) { _ in }
        try await mutation.value
        #expect(mutation.cancel())
        #expect(letters.isEmpty && cache.pendingMutations.isEmpty)
        #expect(!mutation.cancel())
        // The server has confirmed it.
        try await mutation.value
        cache.set(pushed)
        #expect(letters == [pushed])
    }

    @Test("A removal of all entities drops an inserted entity that hasn't come")
    func removedAll() async throws {
        let mutation = cache.mutate(inserting: draft, matching: \.clientKey) { _ in }
        try await mutation.value
        cache.removeAll()
        #expect(!mutation.isPending && letters.isEmpty)
        cache.set(pushed)
        #expect(letters == [pushed])
        #expect(cache.currentID(of: Letter.self, "tmp") == "tmp")
    }

    @Test("A failure after the entity has come keeps it as the server has sent it")
    func failed() async throws {
        let home = cache.list("home", of: Letter.self)
        let mutation = insert(into: home)
        await answer.hasBegun()
        cache.set(pushed)
        answer.fail()
        #expect(await !mutation.ended())
        #expect(letters == [pushed] && home.isEmpty)
    }

    @Test("Keys that are nil, of other insertions or of failed ones match nothing")
    func others() async throws {
        let unkeyed = cache.mutate(inserting: Letter(id: "tmp2", text: "x"), matching: \.clientKey) { [answer] _ in
            try await answer()
        }
        let failed = cache.mutate(inserting: Letter(id: "tmp3", clientKey: "k3"), matching: \.clientKey) {
            _ -> Letter in
            throw RejectedError()
        }
        #expect(await !failed.ended())
        cache.set(contentsOf: [Letter(id: "1"), Letter(id: "3", clientKey: "k3"), Letter(id: "4", clientKey: "k4")])
        #expect(Set(letters.map(\.id)) == ["tmp2", "1", "3", "4"])
        answer.succeed(Letter(id: "2", text: "x"))
        _ = try await unkeyed.value
        #expect(Set(letters.map(\.id)) == ["2", "1", "3", "4"])
    }

    @Test(
        "All insertions with an equal key are the entity that comes, and an answer with another identifier is another one"
    )
    func equalKeys() async throws {
        let other = ManualAnswer<Letter>()
        let first = cache.mutate(inserting: draft, matching: \.clientKey) { [answer] _ in try await answer() }
        let second = cache.mutate(inserting: Letter(id: "tmp2", clientKey: "k1"), matching: \.clientKey) { _ in
            try await other()
        }
        await answer.hasBegun()
        await other.hasBegun()
        cache.set(pushed)
        #expect(letters == [pushed])
        answer.succeed(pushed)
        _ = try await first.value
        other.succeed(Letter(id: "10", clientKey: "k1"))
        _ = try await second.value
        #expect(Set(letters.map(\.id)) == ["9", "10"])
    }

    @Test("A mutation with several insertions and no answer ends when all entities have come")
    func severalInsertions() async throws {
        let mutation = cache.mutate { change in
            change.insert(temporary: draft, matching: \.clientKey)
            change.insert(temporary: Letter(id: "tmp2", clientKey: "k2"), matching: \.clientKey)
        } send: {
        }
        try await mutation.value
        cache.read { _ = cache.set(pushed) }
        #expect(Set(letters.map(\.id)) == ["9", "tmp2"] && mutation.isPending)
        cache.set(Letter(id: "tmp2", clientKey: "k2", text: "pushed"))
        #expect(Set(letters.map(\.id)) == ["9", "tmp2"] && !mutation.isPending)
        #expect(cache.confirmed { cache.count(of: Letter.self) } == 2)
    }

    @Test("After an insertion has failed, the same one takes the place of what the server has sent meanwhile")
    func triedAgain() async throws {
        let failed = cache.mutate(inserting: draft, matching: \.clientKey) { _ -> Letter in throw RejectedError() }
        #expect(await !failed.ended())
        cache.set(pushed)
        let again = cache.mutate(inserting: draft, matching: \.clientKey) { [answer] _ in try await answer() }
        #expect(letters == [pushed])
        answer.succeed(pushed)
        _ = try await again.value
        #expect(letters == [pushed])
    }

    @Test("A child of an identified insertion is sent, and that of a sibling that isn't is dropped")
    func siblings() async throws {
        let parents = cache.mutate { change in
            change.insert(temporary: Letter(id: "t0"))
            change.insert(temporary: Letter(id: "t1"))
        } send: { [answer] in
            try await answer()
        }
        let good = cache.mutate(inserting: Letter(id: "c0", parentID: "t0")) { Letter(id: "70", parentID: $0.parentID) }
        let bad = cache.mutate(inserting: Letter(id: "c1", parentID: "t1")) { _ in Letter(id: "71") }
        await answer.hasBegun()
        answer.succeed(Letter(id: "7"))
        _ = try await parents.value
        #expect(try await good.value == Letter(id: "70", parentID: "7"))
        #expect(await !bad.ended())
        guard case .dropped(.insertionFailed(FlatCacheKey(Letter.self, id: "t1"), _)) = bad.state else {
            Issue.record("The mutation is \(bad.state)")
            return
        }
        #expect(Set(letters.map(\.id)) == ["7", "70"])
    }

    @Test("A mutation with the same order is sent after the answer, although the entity hasn't come")
    func sameOrder() async throws {
        let sent = Recorder<Int>()
        let first = cache.mutate(inserting: draft, matching: \.clientKey, order: .serial("letters")) { _ in
            sent.record(1)
        }
        let second = cache.mutate(inserting: Letter(id: "tmp2"), order: .serial("letters")) { letter in
            sent.record(2)
            return Letter(id: "10", text: letter.text)
        }
        try await first.value
        #expect(try await second.value.id == "10")
        #expect(sent.elements == [1, 2] && first.isPending)
        cache.set(pushed)
        #expect(!first.isPending && Set(letters.map(\.id)) == ["9", "10"])
    }

    @Test("Several pending insertions of one page are all recognized")
    func page() async throws {
        let drafts = (0..<20).map { Letter(id: "tmp\($0)", clientKey: "k\($0)") }
        let mutations = drafts.map { draft in
            cache.mutate(inserting: draft, matching: \.clientKey) { _ in }
        }
        for mutation in mutations { try await mutation.value }
        cache.set(contentsOf: drafts.map { Letter(id: "s" + $0.id, clientKey: $0.clientKey) })
        #expect(Set(letters.map(\.id)) == Set(drafts.map { "s" + $0.id }))
        #expect(mutations.allSatisfy { !$0.isPending })
    }

    @Test("An insertion whose answer doesn't tell the entity is dropped with a problem, and so is what needs it")
    func unidentified() async throws {
        let home = cache.list("home", of: Letter.self)
        home.append(ids: ["a"])
        let current = cache.reference("current", of: Letter.self)
        let answer = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.insert(temporary: draft)
            change.prepend("tmp", to: home)
            change.set("tmp", of: current)
        } send: {
            try await answer()
        }
        let edit = cache.mutate(Letter.self, id: "tmp") {
            $0.text = "edited"
        } send: { _ in
        }
        answer.succeed()
        try await mutation.value
        #expect(letters.isEmpty)
        #expect(Array(home.ids) == ["a"] && current.id == nil)
        guard
            case .unidentified(FlatCacheKey(Letter.self, id: "tmp"))? = mutation.problems.values.first as? MutationError
        else {
            Issue.record("The problem is \(mutation.problems)")
            return
        }
        await #expect(throws: MutationError.self) { try await edit.value }
        guard case .failed = edit.state else {
            guard case .dropped(.insertionFailed) = edit.state else {
                Issue.record("The mutation is \(edit.state)")
                return
            }
            return
        }
    }

    @Test("An entity that `send` stores itself is recognized when the mutation is confirmed")
    func storedBySend() async throws {
        let mutation = cache.mutate(inserting: draft, matching: \.clientKey) { [cache, pushed] _ in
            cache.set(pushed)
        }
        try await mutation.value
        #expect(letters == [pushed] && !mutation.isPending)
    }
}
