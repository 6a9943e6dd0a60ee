import Foundation
import Testing

@testable import FlatCache

/// Mutations that insert entities under temporary identifiers.
@Suite("Temporary identifiers")
struct TemporaryIdentifierTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Memo>()

    private func insert(_ order: MutationOrder = .concurrent) -> Mutation<Memo> {
        cache.mutate(inserting: Memo(id: "tmp", text: "draft"), order: order) { [answer] in try await answer() }
    }

    @Test("An insertion is shown at once, and has the identifier of the server when the answer comes")
    func insertion() async throws {
        cache.set(Memo(id: "a"))
        let seen = Recorder<String>()
        let mutation = insert()
        let subscription = cache.observe(Memo.self, id: "tmp", initial: false) {
            seen.record("\($0.kind) \($0.value?.id ?? "-")")
        }
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        cache.set(Memo(id: "b"))
        #expect(cache.text("tmp") == "draft")
        #expect(cache.confirmed { cache.text("tmp") } == nil)
        #expect(mutation.keys == [FlatCacheKey(Memo.self, id: "tmp")])
        answer.succeed(Memo(id: "7", text: "saved"))
        #expect(try await mutation.value.id == "7")
        #expect(seen.elements == ["updated 7"])
        #expect(handle.text == "saved")
        #expect(!handle.mutations.isPending)
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id) == ["a", "7", "b"])
        #expect(cache.confirmed { cache.text("tmp") } == "saved")
        #expect(mutation.keys == [FlatCacheKey(Memo.self, id: "7")])
        subscription.cancel()
    }

    @Test("If the server keeps the identifier, the entity is stored under it")
    func kept() async throws {
        let mutation = insert()
        answer.succeed(Memo(id: "tmp", text: "saved"))
        _ = try await mutation.value
        #expect(cache.confirmed { cache.text("tmp") } == "saved")
        #expect(cache.currentID(of: Memo.self, "tmp") == "tmp")
    }

    @Test("A failure drops the insertion, and what other mutations have made of it")
    func failure() async {
        let list = cache.list("home", of: Memo.self)
        let confirmed = cache.list("confirmed", of: Memo.self)
        let mutation = cache.mutate { change in
            change.insert(temporary: Memo(id: "tmp", text: "draft"))
            change.prepend("tmp", to: list)
        } send: { [answer] in
            try await answer()
        }
        confirmed.append(ids: ["tmp"])
        #expect(list.values.map(\.text) == ["draft"])
        answer.fail()
        #expect(await !mutation.ended())
        #expect(cache.text("tmp") == nil)
        #expect(list.isEmpty)
        // It was written by itself, so it remains.
        #expect(Array(confirmed.ids) == ["tmp"])
        #expect(Cached(Memo.self, id: "tmp", in: cache).mutations.lastError is RejectedError)
    }

    @Test("Lists, references and owners in the same mutation have the new identifier when it is confirmed")
    func severalChanges() async throws {
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["a"])
        let reference = cache.reference("current", of: Memo.self)
        cache.set(MemoFolder(id: 1))
        let mutation = cache.mutate { change in
            change.insert(temporary: Memo(id: "tmp", text: "draft"))
            change.prepend("tmp", to: list)
            change.set("tmp", of: reference)
            change.update(MemoFolder.self, id: 1) { $0.arrayIDs.append("tmp") }
            change.set(Memo(id: "child", parentID: "tmp"))
        } send: { [answer] in
            try await answer()
        }
        #expect(Array(list.ids) == ["tmp", "a"])
        #expect(cache.get(MemoFolder.self, id: 1)?.arrayIDs == ["tmp"])
        answer.succeed(Memo(id: "7", text: "saved"))
        #expect(try await mutation.value.id == "7")
        for confirmed in [false, true] {
            cache.transaction {
                let read = { [cache] in
                    #expect(Array(list.ids) == ["7", "a"])
                    #expect(reference.id == "7")
                    #expect(cache.get(MemoFolder.self, id: 1)?.arrayIDs == ["7"])
                    #expect(cache.get(Memo.self, id: "child")?.parentID == "7")
                }
                if confirmed { read() } else { ReadContext.runOutside(of: cache.history.object, read) }
            }
        }
    }

    /// A payload of the server's entity, which may leave out the title.
    private func payload(_ id: String, hasTitle: Bool) throws -> Payload<MemoSheet> {
        // Without a table of keys, the key of the identifier is known from the first complete entity.
        let complete = Data(#"{ "id": "0", "title": "" }"#.utf8)
        _ = try JSONDecoder().decode(Payload<MemoSheet>.self, from: complete)
        let json = hasTitle ? #"{ "id": "\#(id)", "title": "saved" }"# : #"{ "id": "\#(id)" }"#
        return try JSONDecoder().decode(Payload<MemoSheet>.self, from: Data(json.utf8))
    }

    @Test(
        "The root of a payload takes the place of the inserted entity, and keeps what the payload leaves out",
        arguments: [true, false]
    )
    func payload(hasTitle: Bool) async throws {
        let answer = ManualAnswer<String>()
        let mutation = cache.mutate(inserting: MemoSheet(id: "tmp", title: "draft")) {
            try payload(try await answer(), hasTitle: hasTitle)
        }
        #expect(cache.get(MemoSheet.self, id: "tmp")?.title == "draft")
        answer.succeed("7")
        #expect(try await mutation.value.value?.id == "7")
        #expect(cache.get(MemoSheet.self, id: "tmp") == MemoSheet(id: "7", title: hasTitle ? "saved" : "draft"))
        #expect(cache.count(of: MemoSheet.self) == 1)
    }

    @Test("The root of a payload takes the place of the entity that several changes insert", arguments: [true, false])
    func payloadOfSeveralChanges(hasTitle: Bool) async throws {
        let answer = ManualAnswer<String>()
        let list = cache.list("home", of: MemoSheet.self)
        let mutation = cache.mutate { change in
            change.insert(temporary: Memo(id: "tmp"))
            change.insert(temporary: MemoSheet(id: "tmp", title: "draft"))
            change.prepend("tmp", to: list)
        } send: {
            try payload(try await answer(), hasTitle: hasTitle)
        }
        answer.succeed("7")
        #expect(try await mutation.value.value == MemoSheet(id: "7", title: hasTitle ? "saved" : "draft"))
        #expect(Array(list.ids) == ["7"])
        #expect(cache.currentID(of: MemoSheet.self, "tmp") == "7")
        #expect(cache.currentID(of: Memo.self, "tmp") == "tmp")
        #expect(cache.count(of: MemoSheet.self) == 1)
    }

    @Test("An inserted entity that is replaced and removed in one transaction is gone")
    func replacedAndRemoved() async {
        let mutation = insert()
        cache.transaction {
            cache.replaceMemo("tmp", by: "7")
            cache.remove(Memo.self, id: "7")
        }
        #expect(cache.text("7") == nil && cache.text("tmp") == nil && cache.count(of: Memo.self) == 0)
        answer.fail()
        await mutation.ended()
        #expect(cache.count(of: Memo.self) == 0)
    }

    @Test("The resolver waits for an insertion whose identifier the app has replaced")
    func resolverAfterReplacement() async throws {
        let insertion = insert()
        cache.replaceMemo("tmp", by: "5")
        let waiting = Task { [cache] in try await cache.resolvedID(of: Memo.self, "tmp") }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let resolving = Task { [cache] in try await cache.resolvedID(of: Memo.self, "tmp") }
        answer.succeed(Memo(id: "9"))
        _ = try await insertion.value
        #expect(try await resolving.value == "9")
    }

    @Test("The latest mutation replaces one that waits for an insertion")
    func latest() async throws {
        let insertion = insert()
        let sent = Recorder<Int>()
        let edits = (1...2).map { number in
            cache.mutate(Memo.self, id: "tmp", order: .latest("text")) {
                $0.text += "\(number)"
            } send: {
                sent.record(number)
            }
        }
        #expect(cache.text("tmp") == "draft2")
        await #expect { try await edits[0].value } throws: {
            if case MutationError.replaced = $0 { true } else { false }
        }
        answer.succeed(Memo(id: "7", text: "saved"))
        _ = try await insertion.value
        try await edits[1].value
        #expect(sent.elements == [2] && cache.text("7") == "saved2")
    }

    @Test("A mutation of an inserted entity is sent after the insertion has ended")
    func dependent() async throws {
        let insertion = insert()
        let sent = Recorder<String>()
        let edit = cache.mutate(Memo.self, id: "tmp") {
            $0.text = "edited"
        } send: {
            sent.record(try await FlatCache.current.resolvedID(of: Memo.self, "tmp"))
        }
        await answer.hasBegun()
        #expect(cache.text("tmp") == "edited")
        guard case .waiting = edit.state else { return #expect(Bool(false), "\(edit.state)") }
        #expect(sent.elements.isEmpty)
        answer.succeed(Memo(id: "7", text: "saved"))
        _ = try await insertion.value
        #expect(cache.text("7") == "edited")
        try await edit.value
        #expect(sent.elements == ["7"])
        #expect(cache.confirmed { cache.text("7") } == "edited")
    }

    @Test("If the insertion fails, a mutation of the entity fails without being sent, and so do those after it")
    func dependentFails() async {
        let insertion = insert()
        let sent = Recorder<Void>()
        let edit = cache.mutate(Memo.self, id: "tmp", order: .serial("edits")) {
            $0.text = "edited"
        } send: {
            sent.record(())
        }
        // It doesn't change the entity, so it is sent.
        let next = cache.mutate(MemoFolder.self, id: 1, order: .serial("edits")) {
            $0.title = "x"
        } send: {
            sent.record(())
        }
        answer.fail(RejectedError(code: 422))
        #expect(await !insertion.ended())
        do {
            try await edit.value
        } catch MutationError.insertionFailed(let key, let error) {
            #expect(key == FlatCacheKey(Memo.self, id: "tmp"))
            #expect(error as? RejectedError == RejectedError(code: 422))
        } catch {
            #expect(Bool(false), "\(error)")
        }
        #expect(await next.ended())
        #expect(sent.count == 1)
        #expect(cache.text("tmp") == nil)
        #expect(cache.pendingMutations.isEmpty)
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("A mutation of a stored entity is sent, although an insertion of it has failed", arguments: [false, true])
    func storedAfterFailure(isConfirmed: Bool) async throws {
        let insertion = insert()
        answer.fail(RejectedError())
        #expect(await !insertion.ended())
        let stored = ManualAnswer<Void>()
        if isConfirmed { cache.set(Memo(id: "tmp", text: "from the server")) }
        let storing = cache.mutate(order: .concurrent) {
            $0.set(Memo(id: "tmp", text: "stored"))
        } send: {
            try await stored()
        }
        let sent = Recorder<String>()
        let removed = ManualAnswer<Void>()
        let removal = cache.mutate(order: .concurrent) {
            $0.remove(Memo.self, id: "tmp")
        } send: { [cache] in
            sent.record("removal of " + (isConfirmed ? try await cache.resolvedID(of: Memo.self, "tmp") : "tmp"))
            try await removed()
        }
        // The removal hides the entity.
        let edit = cache.mutate(Memo.self, id: "tmp", order: .concurrent) {
            $0.text += "!"
        } send: {
            sent.record("edit")
        }
        #expect(await edit.ended() == isConfirmed)
        removed.succeed()
        try await removal.value
        #expect(sent.elements.sorted() == (isConfirmed ? ["edit", "removal of tmp"] : ["removal of tmp"]))
        stored.succeed()
        await storing.ended()
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("A mutation that waits for an insertion can be cancelled")
    func cancelled() async throws {
        let insertion = insert()
        let sent = Recorder<Void>()
        let edit = cache.mutate(Memo.self, id: "tmp") {
            $0.text = "edited"
        } send: {
            sent.record(())
        }
        #expect(edit.cancel())
        #expect(!edit.cancel())
        #expect(cache.text("tmp") == "draft")
        answer.succeed(Memo(id: "7", text: "saved"))
        _ = try await insertion.value
        #expect(await !edit.ended())
        #expect(sent.count == 0)
        #expect(!insertion.cancel())
    }

    @Test("The removal of all entities ends what waits for an insertion")
    func removal() async {
        let insertion = insert()
        let edit = cache.mutate(Memo.self, id: "tmp") {
            $0.text = "edited"
        } send: {
        }
        cache.removeAll()
        #expect(await !edit.ended())
        #expect(await !insertion.ended())
        answer.succeed(Memo(id: "7"))
        await answer.hasBegun()
        #expect(cache.pendingMutations.isEmpty)
        #expect(cache.text("tmp") == nil)
    }

    @Test("The resolver returns the identifier itself, waits for an insertion, and throws its error")
    func resolver() async throws {
        #expect(try await cache.resolvedID(of: Memo.self, "x") == "x")
        let insertion = insert()
        let waiting = Task { [cache] in try await cache.resolvedID(of: Memo.self, "tmp") }
        let cancelled = Task { [cache] in try await cache.resolvedID(of: Memo.self, "tmp") }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        answer.succeed(Memo(id: "7", text: "saved"))
        _ = try await insertion.value
        #expect(try await waiting.value == "7")
        #expect(try await cache.resolvedID(of: Memo.self, "tmp") == "7")
        let failing = cache.mutate(inserting: Memo(id: "other")) { [answer] in try await answer() }
        let resolving = Task { [cache] in try await cache.resolvedID(of: Memo.self, "other") }
        answer.fail(RejectedError(code: 409))
        await failing.ended()
        // The task may begin after the insertion has ended.
        do { #expect(try await resolving.value == "other") } catch {
            #expect(error as? RejectedError == RejectedError(code: 409))
        }
    }
}
