import Testing

@testable import FlatCache

/// What `send` receives, and when it is called.
@Suite("Sent entities")
struct SentEntityTests {
    private let cache = FlatCache()

    @Test("`send` receives the entity with its change and those before it, and not with those after it")
    func ownChange() async throws {
        cache.set(Toot(id: "1", text: "old", likes: 10))
        let sent = Recorder<Toot>()
        let first = ManualAnswer<Void>()
        let likes = cache.mutate(Toot.self, id: "1") {
            $0.likes += 1
        } send: {
            sent.record($0)
            try await first()
        }
        let text = cache.mutate(Toot.self, id: "1") {
            $0.text = "new"
        } send: {
            sent.record($0)
        }
        await first.hasBegun()
        first.succeed()
        try await likes.value
        try await text.value
        #expect(sent.elements == [Toot(id: "1", text: "old", likes: 11), Toot(id: "1", text: "new", likes: 11)])
    }

    @Test("A mutation by a handle of a temporary identifier sends the current one", arguments: [true, false])
    func handle(isPending: Bool) async throws {
        let answer = ManualAnswer<Memo>()
        let insertion = cache.mutate(inserting: Memo(id: "t1", text: "draft")) { sent in
            #expect(sent == Memo(id: "t1", text: "draft"))
            return try await answer()
        }
        let handle = Cached(Memo.self, id: "t1", in: cache)
        let equal = Cached(Memo.self, id: "t1", in: cache)
        #expect(handle.id == "t1")
        if !isPending {
            answer.succeed(Memo(id: "9", text: "draft"))
            _ = try await insertion.value
        }
        let sent = Recorder<Memo>()
        let edit = handle.mutate {
            $0.text = "edited"
        } send: {
            sent.record($0)
        }
        answer.succeed(Memo(id: "9", text: "draft"))
        try await edit.value
        #expect(sent.elements == [Memo(id: "9", text: "edited")])
        #expect(handle.id == "9" && handle.key == FlatCacheKey(Memo.self, id: "9"))
        #expect(handle == equal && Set([handle]).contains(equal))
        #expect(handle.text == "edited")
    }

    /// The ways in which an entity refers to an inserted one.
    enum Reference: CaseIterable {
        case insertion, set, update, list, prepended, moved, reference
    }

    private func child(_ kind: Reference, _ sent: Recorder<String>) -> PendingMutation {
        let list = cache.list("home", of: Memo.self)
        let current = cache.reference("current", of: Memo.self)
        let send: @Sendable (MutationContext) async throws -> Void = { context in
            let folder = try? context.entity(MemoFolder.self, id: 1)
            sent.record(folder?.optionalID ?? context.currentID(of: Memo.self, "t1"))
        }
        return switch kind {
        case .insertion:
            cache.mutate(inserting: Memo(id: "t2", parentID: "t1")) {
                sent.record($0.parentID ?? "nothing")
                return Memo(id: "10", parentID: $0.parentID)
            }
        case .set: cache.mutate({ $0.set(MemoFolder(id: 1, optionalID: "t1")) }, send: send)
        case .update: cache.mutate({ $0.update(MemoFolder.self, id: 1) { $0.optionalID = "t1" } }, send: send)
        case .list: cache.mutate({ $0.append("t1", to: list) }, send: send)
        case .prepended: cache.mutate({ $0.prepend("t1", to: list) }, send: send)
        case .moved: cache.mutate({ $0.move("a", before: "t1", in: list) }, send: send)
        case .reference: cache.mutate({ $0.set("t1", of: current) }, send: send)
        }
    }

    @Test(
        "A mutation whose entity refers to a pending insertion waits for it, and sends its current identifier",
        arguments: Reference.allCases
    )
    func parentFirst(kind: Reference) async throws {
        cache.set(MemoFolder(id: 1))
        cache.list("home", of: Memo.self).append(ids: ["t1", "a"])
        let answer = ManualAnswer<Memo>()
        let parent = cache.mutate(inserting: Memo(id: "t1")) { _ in try await answer() }
        let sent = Recorder<String>()
        let child = child(kind, sent)
        await answer.hasBegun()
        guard case .waiting = child.state else {
            Issue.record("The child is \(child.state)")
            return
        }
        answer.succeed(Memo(id: "9"))
        _ = try await parent.value
        try await child.waitForEnd()
        #expect(sent.elements == ["9"])
    }

    @Test(
        "A mutation whose entity refers to an insertion that fails isn't sent",
        arguments: Reference.allCases
    )
    func parentFails(kind: Reference) async throws {
        cache.set(MemoFolder(id: 1))
        let answer = ManualAnswer<Memo>()
        let parent = cache.mutate(inserting: Memo(id: "t1")) { _ in try await answer() }
        let sent = Recorder<String>()
        let child = child(kind, sent)
        answer.fail()
        #expect(await !parent.ended())
        await #expect(throws: MutationError.self) { try await child.waitForEnd() }
        guard case .dropped(.insertionFailed(let key, let error)) = child.state else {
            Issue.record("The child is \(child.state)")
            return
        }
        #expect(key == FlatCacheKey(Memo.self, id: "t1") && error is RejectedError)
        #expect(sent.elements.isEmpty)
        #expect(cache.get(MemoFolder.self, id: 1) == MemoFolder(id: 1))
    }

    @Test("A mutation that is begun in the `send` of an insertion, which waits for it, doesn't wait for the insertion")
    func nested() async throws {
        let insertion = cache.mutate(inserting: Memo(id: "t1")) { [cache] draft in
            let inner = cache.mutate(inserting: Memo(id: "t2", parentID: draft.id)) {
                Memo(id: "8", parentID: $0.parentID)
            }
            _ = try await inner.value
            return Memo(id: "9")
        }
        #expect(try await insertion.value.id == "9")
        #expect(cache.get(Memo.self, id: "8")?.parentID == "9")
    }

    @Test("A waiting mutation whose entity comes to refer to an earlier insertion waits for that, too")
    func namedMeanwhile() async throws {
        cache.set(Memo(id: "x"))
        let (answer, blocker) = (ManualAnswer<Memo>(), ManualAnswer<Void>())
        let insertion = cache.mutate(inserting: Memo(id: "t1")) { _ in try await answer() }
        let first = cache.mutate(Memo.self, id: "x") {
            $0.text = "a"
        } send: {
            try await blocker()
        }
        let sent = Recorder<String?>()
        let second = cache.mutate(Memo.self, id: "x") {
            $0.text = "b"
        } send: {
            sent.record($0.parentID)
        }
        await blocker.hasBegun()
        cache.update(Memo.self, id: "x") { $0.parentID = "t1" }
        blocker.succeed()
        try await first.value
        guard case .waiting = second.state else {
            Issue.record("The mutation is \(second.state)")
            return
        }
        answer.succeed(Memo(id: "9"))
        _ = try await insertion.value
        try await second.value
        #expect(sent.elements == ["9"])
    }

    @Test("Without an entity to send, a mutation fails and nothing is sent")
    func missing() async throws {
        let edit = cache.mutate(Toot.self, id: "1") {
            $0.likes += 1
        } send: { _ in
            Issue.record("It was sent.")
        }
        await #expect { try await edit.value } throws: { error in
            if case MutationError.missing(FlatCacheKey(Toot.self, id: "1")) = error { true } else { false }
        }
        cache.set(Toot(id: "1"))
        let thrown = cache.mutate(Toot.self, id: "1") { _ in
            throw RejectedError()
        } send: { _ in
            Issue.record("It was sent.")
        }
        await #expect(throws: RejectedError.self) { try await thrown.value }
        #expect(cache.toot() == Toot(id: "1"))
    }

    @Test("The context has all entities of the mutation, others, and no removed ones")
    func context() async throws {
        cache.set(contentsOf: [Toot(id: "1"), Toot(id: "2", text: "other"), Toot(id: "3")])
        let keys = Recorder<String>()
        let mutation = cache.mutate { change in
            change.update(Toot.self, id: "1") { $0.likes += 1 }
            change.update(Toot.self, id: "1") { $0.likes += 1 }
            change.set(Toot(id: "4", text: "new"))
            change.remove(Toot.self, id: "3")
        } send: { context in
            let first = try context.entity(Toot.self, id: "1")
            let other: Toot = try context.entity(id: "2")
            let new = try context.entity(Toot.self, id: "4")
            #expect(first.likes == 2 && other.text == "other" && new.text == "new")
            #expect(throws: MutationError.self) { try context.entity(Toot.self, id: "3") }
            #expect(throws: MutationError.self) { try context.entity(Toot.self, id: "5") }
            #expect(!context.isReplay)
            keys.record(context.idempotencyKey)
        }
        try await mutation.value
        #expect(keys.elements.map(\.count) == [32])
        let test = MutationContext(idempotencyKey: "k", entities: [Toot(id: "1", text: "test")])
        #expect(try test.entity(Toot.self, id: "1").text == "test")
        #expect(test.currentID(of: Toot.self, "1") == "1")
        #expect(throws: MutationError.self) { try test.entity(Toot.self, id: "2") }
    }
}

/// Changes that come from the server before the answer, or after it.
@Suite("Contained changes")
struct ContainedChangeTests {
    private let cache = FlatCache()

    @Test("With `until`, readers see a push that contains the change as it is, and the end doesn't change it")
    func until() async throws {
        cache.set(Toot(id: "1", likes: 10))
        let answer = ManualAnswer<Void>()
        let like = cache.mutate(Toot.self, id: "1", until: { $0.isFavourite }) {
            $0.isFavourite = true
            $0.likes += 1
        } send: {
            try await answer()
        }
        await answer.hasBegun()
        cache.set(Toot(id: "1", likes: 12))
        #expect(cache.toot()?.likes == 13)
        cache.set(Toot(id: "1", likes: 13, isFavourite: true))
        #expect(cache.toot()?.likes == 13)
        answer.succeed()
        try await like.value
        #expect(cache.toot() == Toot(id: "1", likes: 13, isFavourite: true))
        #expect(cache.confirmedToot() == cache.toot())
    }

    @Test("A position of the server ends a mutation when an entity has reached it", arguments: [true, false])
    func position(isFirst: Bool) async throws {
        cache.set(Toot(id: "1", likes: 10))
        let answer = ManualAnswer<Int>()
        let handle = Cached(Toot.self, id: "1", in: cache)
        let like = handle.mutate(until: { Int($0.text) ?? 0 >= $1 }) {
            $0.likes += 1
        } send: {
            #expect($0.likes == 11)
            return try await answer()
        }
        await answer.hasBegun()
        if isFirst { cache.set(Toot(id: "1", text: "7", likes: 11)) }
        answer.succeed(7)
        #expect(try await like.value == 7)
        if !isFirst {
            #expect(cache.toot()?.likes == 11 && like.isPending)
            // It is older than the change.
            cache.set(Toot(id: "1", text: "6", likes: 20))
            #expect(cache.toot()?.likes == 21 && like.isPending)
            cache.set(Toot(id: "1", text: "8", likes: 22))
        }
        #expect(cache.toot()?.likes == (isFirst ? 11 : 22))
        try await like.waitForEnd()
        #expect(!like.isPending && !handle.mutations.isPending)
        #expect(cache.toot()?.likes == (isFirst ? 11 : 22))
        #expect(cache.confirmedToot() == cache.toot())
    }
}
