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

    @Test("The root of a payload takes the place of the inserted entity")
    func payload() async throws {
        let answer = ManualAnswer<String>()
        let mutation = cache.mutate(inserting: MemoSheet(id: "tmp", title: "draft")) {
            let json = #"{ "id": "\#(try await answer())", "title": "saved" }"#
            return try JSONDecoder().decode(Payload<MemoSheet>.self, from: Data(json.utf8))
        }
        #expect(cache.get(MemoSheet.self, id: "tmp")?.title == "draft")
        answer.succeed("7")
        #expect(try await mutation.value.value?.id == "7")
        #expect(cache.get(MemoSheet.self, id: "tmp") == MemoSheet(id: "7", title: "saved"))
        #expect(cache.count(of: MemoSheet.self) == 1)
    }

    @Test("The root of a payload takes the place of the entity that several changes insert")
    func payloadOfSeveralChanges() async throws {
        let answer = ManualAnswer<String>()
        let list = cache.list("home", of: MemoSheet.self)
        let mutation = cache.mutate { change in
            change.insert(temporary: Memo(id: "tmp"))
            change.insert(temporary: MemoSheet(id: "tmp", title: "draft"))
            change.prepend("tmp", to: list)
        } send: {
            let json = #"{ "id": "\#(try await answer())", "title": "saved" }"#
            return try JSONDecoder().decode(Payload<MemoSheet>.self, from: Data(json.utf8))
        }
        answer.succeed("7")
        #expect(try await mutation.value.value == MemoSheet(id: "7", title: "saved"))
        #expect(Array(list.ids) == ["7"])
        #expect(cache.currentID(of: MemoSheet.self, "tmp") == "7")
        #expect(cache.currentID(of: Memo.self, "tmp") == "tmp")
        #expect(cache.count(of: MemoSheet.self) == 1)
    }

    @Test("Pending mutations of the old key are those of the new key, and go on", arguments: [false, true])
    func layers(succeeds: Bool) async throws {
        cache.set(Memo(id: "tmp", text: "old"))
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        let later = ManualAnswer<Void>()
        let edit = cache.mutate(Memo.self, id: "tmp") {
            $0.text += "!"
        } send: {
            try await later()
        }
        cache.replaceMemo("tmp", by: "7")
        #expect(cache.text("7") == "new!")
        #expect(cache.confirmed { cache.text("7") } == "new")
        #expect(handle.mutations.pending.map(\.number) == [edit.number])
        #expect(edit.keys == [FlatCacheKey(Memo.self, id: "7")])
        cache.update(Memo.self, id: "tmp") { $0.text = "newer" }
        #expect(cache.text("tmp") == "newer!")
        let second = cache.mutate(Memo.self, id: "tmp") {
            $0.text += "?"
        } send: {
            throw RejectedError()
        }
        #expect(await !second.ended())
        #expect(cache.text("7") == "newer!")
        if succeeds { later.succeed() } else { later.fail() }
        #expect(await edit.ended() == succeeds)
        #expect(cache.confirmed { cache.text("7") } == (succeeds ? "newer!" : "newer"))
        #expect(cache.text("7") == (succeeds ? "newer!" : "newer"))
        #expect(!handle.mutations.isPending)
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("Layers of lists and owners that name the old identifier name the new one", arguments: [false, true])
    func namingLayers(succeeds: Bool) async {
        cache.set(contentsOf: [Memo(id: "tmp", text: "old"), Memo(id: "a")])
        cache.set(MemoFolder(id: 1))
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["a"])
        let later = ManualAnswer<Void>()
        let mutation = cache.mutate { change in
            change.append("tmp", to: list)
            change.update(MemoFolder.self, id: 1) { $0.setIDs.insert("tmp") }
        } send: {
            try await later()
        }
        cache.replaceMemo("tmp", by: "7")
        #expect(Array(list.ids) == ["a", "7"])
        #expect(cache.get(MemoFolder.self, id: 1)?.setIDs == ["7"])
        list.prepend(ids: ["b"])
        cache.update(MemoFolder.self, id: 1) { $0.title = "changed" }
        #expect(Array(list.ids) == ["b", "a", "7"])
        #expect(cache.get(MemoFolder.self, id: 1)?.setIDs == ["7"])
        if succeeds { later.succeed() } else { later.fail() }
        await mutation.ended()
        #expect(Array(list.ids) == (succeeds ? ["b", "a", "7"] : ["b", "a"]))
        #expect(cache.get(MemoFolder.self, id: 1)?.setIDs == (succeeds ? ["7"] : []))
        #expect(cache.confirmed { Array(list.ids) } == Array(list.ids))
    }

    @Test("Changes of lists that name the old identifier have their effect in the commit of the replacement")
    func namingRemovals() async {
        cache.set(contentsOf: ["tmp", "a", "b"].map { Memo(id: $0) })
        let (removed, moved) = (cache.list("removed", of: Memo.self), cache.list("moved", of: Memo.self))
        for list in [removed, moved] { list.append(ids: ["tmp", "a", "b"]) }
        let mutation = cache.mutate { change in
            change.remove("tmp", from: removed)
            change.move("a", before: "tmp", in: moved)
        } send: { [answer] in
            _ = try await answer()
        }
        let states = Recorder<[String]>()
        let subscription = removed.observe { states.record($0.ids.map { $0 }) }
        cache.replaceMemo("tmp", by: "7")
        #expect(Array(removed.ids) == ["a", "b"] && Array(moved.ids) == ["a", "7", "b"])
        #expect(cache.confirmed { Array(removed.ids) } == ["7", "a", "b"])
        cache.transaction {
            cache.replaceMemo("7", by: "8")
            cache.replaceMemo("8", by: "tmp")
        }
        #expect(Array(removed.ids) == ["a", "b"] && Array(moved.ids) == ["a", "tmp", "b"])
        #expect(states.elements == [["a", "b"]])
        answer.succeed(Memo(id: "x"))
        await mutation.ended()
        #expect(cache.confirmed { Array(removed.ids) } == ["a", "b"])
        #expect(cache.confirmed { Array(moved.ids) } == ["a", "tmp", "b"])
        subscription.cancel()
    }

    @Test("A pending change that stores an entity has its effect under the new identifier", arguments: [true, false])
    func storing(isCodable: Bool) async {
        let mutation = cache.mutate { change in
            if isCodable {
                change.set(MemoSheet(id: "a", title: "mine"))
            } else {
                change.set(Memo(id: "a", text: "mine"))
            }
        } send: { [answer] in
            _ = try await answer()
        }
        cache.replaceIdentifier(of: MemoSheet.self, "a", with: MemoSheet(id: "b", title: "new"))
        cache.replaceMemo("a", by: "b")
        #expect(cache.get(MemoSheet.self, id: "a") == MemoSheet(id: "b", title: isCodable ? "mine" : "new"))
        #expect(cache.get(Memo.self, id: "a") == Memo(id: "b", text: "new"))
        #expect(mutation.problems.isEmpty == isCodable)
        answer.succeed(Memo(id: "x"))
        await mutation.ended()
        #expect(cache.confirmed { cache.get(MemoSheet.self, id: "b")?.title } == (isCodable ? "mine" : "new"))
        #expect(cache.count(of: Memo.self) == 1 && cache.count(of: MemoSheet.self) == 1)
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

    @Test("Mutations of all identifiers that one transaction replaces by the same one go on", arguments: [false, true])
    func merged(isCircle: Bool) async {
        cache.set(contentsOf: [Memo(id: "a"), Memo(id: "b")])
        let mutations = ["a", "b"].map { id in
            cache.mutate(Memo.self, id: id) {
                $0.text += id
            } send: { [answer] in
                _ = try await answer()
            }
        }
        cache.transaction {
            try? cache.transaction {
                cache.replaceMemo("b", by: "x")
                throw RejectedError()
            }
            cache.replaceMemo("a", by: isCircle ? "b" : "c")
            cache.replaceMemo("b", by: isCircle ? "a" : "c")
        }
        let last = isCircle ? "a" : "c"
        #expect(cache.text(last) == "newab" && cache.count(of: Memo.self) == 1)
        #expect(Cached(Memo.self, id: "b", in: cache).mutations.pending.map(\.number) == mutations.map(\.number))
        #expect(mutations.allSatisfy { $0.keys == [FlatCacheKey(Memo.self, id: last)] && $0.problems.isEmpty })
        for mutation in mutations {
            answer.succeed(Memo(id: "y"))
            await mutation.ended()
        }
        #expect(cache.confirmed { cache.text(last)?.count } == 5)
    }

    @Test("A removal from a list by an identifier that is replaced by a listed one is shown at once")
    func removalOfListed() async {
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["x", "7"])
        let mutation = cache.mutate { change in
            change.remove("tmp", from: list)
        } send: { [answer] in
            _ = try await answer()
        }
        #expect(Array(list.ids) == ["x", "7"])
        cache.replaceMemo("tmp", by: "7")
        #expect(Array(list.ids) == ["x"])
        answer.succeed(Memo(id: "y"))
        await mutation.ended()
        #expect(Array(list.ids) == ["x"])
    }

    @Test("The resolver waits for an insertion whose identifier the app has replaced")
    func resolverAfterReplacement() async throws {
        let insertion = insert()
        cache.replaceMemo("tmp", by: "5")
        let resolving = Task { [cache] in try await cache.resolvedID(of: Memo.self, "tmp") }
        answer.succeed(Memo(id: "9"))
        _ = try await insertion.value
        #expect(try await resolving.value == "9")
    }

    @Test("A replacement keeps the order of the changes of a mutation")
    func orderOfChanges() async {
        cache.set(Memo(id: "tmp"))
        let mutation = cache.mutate { change in
            change.update(Memo.self, id: "tmp") { $0.text += "1" }
            change.set(Memo(id: "7", text: "2"))
            change.update(Memo.self, id: "tmp") { $0.text += "3" }
        } send: { [answer] in
            _ = try await answer()
        }
        cache.replaceMemo("tmp", by: "7")
        #expect(cache.text("7") == "23")
        answer.succeed(Memo(id: "x"))
        await mutation.ended()
        #expect(cache.confirmed { cache.text("7") } == "23")
    }

    @Test("A pending removal under an old identifier shows what delete rules change", arguments: [false, true])
    func removal(isReplacedBefore: Bool) async {
        cache.set(Memo(id: "tmp"))
        cache.set(contentsOf: [MemoNote(id: 1, memoID: "tmp"), MemoNote(id: 2, memoID: nil)])
        if isReplacedBefore { cache.replaceMemo("tmp", by: "7") }
        let mutation = cache.mutate { change in
            change.remove(Memo.self, id: "tmp")
        } send: { [answer] in
            _ = try await answer()
        }
        if !isReplacedBefore { cache.replaceMemo("tmp", by: "7") }
        #expect(cache.text("tmp") == nil && cache.get(MemoNote.self, id: 1) == MemoNote(id: 1, memoID: nil))
        #expect(cache.confirmed { cache.get(MemoNote.self, id: 1)?.memoID } == "7")
        answer.succeed(Memo(id: "x"))
        await mutation.ended()
        #expect(cache.confirmed { cache.get(MemoNote.self, id: 1) } == MemoNote(id: 1, memoID: nil))
        #expect(cache.text("7") == nil)
    }

    @Test("An entity is found under the first of very many identifiers")
    func longChain() {
        let count = 20_000
        cache.set(Memo(id: "0"))
        for step in 1...count { cache.replaceIdentifier(of: Memo.self, "\(step - 1)", with: Memo(id: "\(step)")) }
        #expect(cache.get(Memo.self, id: "0")?.id == "\(count)")
        #expect(Cached(Memo.self, id: "0", in: cache).value?.id == "\(count)")
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

/// An entity that payloads have.
struct MemoSheet: Cachable, Equatable, Codable {
    let id: String
    var title = ""
}
