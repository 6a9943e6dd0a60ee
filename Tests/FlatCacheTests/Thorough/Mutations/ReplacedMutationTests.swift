import Testing

@testable import FlatCache

/// Pending mutations whose identifiers are replaced.
@Suite("Mutations of replaced identifiers")
struct ReplacedMutationTests {
    private let cache = FlatCache()
    private let answer = ManualAnswer<Memo>()
    private let turn = ManualAnswer<Void>()

    /// Lets the mutations with the order be sent only after ``turn``, so that what is written before isn't newer than they are.
    private func waiting() -> MutationOrder {
        cache.mutate(order: .serial("waiting")) { _ in
        } send: { [turn] in
            try await turn()
        }
        return .serial("waiting")
    }

    @Test("Pending mutations of the old key are those of the new key, and go on", arguments: [false, true])
    func layers(succeeds: Bool) async throws {
        cache.set(Memo(id: "tmp", text: "old"))
        let handle = Cached(Memo.self, id: "tmp", in: cache)
        let later = ManualAnswer<Void>()
        let edit = cache.mutate(Memo.self, id: "tmp", order: waiting()) {
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
        let second = cache.mutate(Memo.self, id: "tmp", order: .concurrent) {
            $0.text += "?"
        } send: {
            throw RejectedError()
        }
        #expect(await !second.ended())
        #expect(cache.text("7") == "newer!")
        turn.succeed()
        if succeeds { later.succeed() } else { later.fail() }
        #expect(await edit.ended() == succeeds)
        #expect(cache.confirmed { cache.text("7") } == (succeeds ? "newer!" : "newer"))
        #expect(cache.text("7") == (succeeds ? "newer!" : "newer"))
        #expect(!handle.mutations.isPending)
        #expect(cache.registry.table(of: Memo.self).takeUnretainedValue().layeredKeyCount == 0)
    }

    @Test("What others have written since a mutation was sent stays, also if its identifier is replaced then")
    func writtenAndReplaced() async throws {
        cache.set(MemoFolder(id: 1))
        let current = cache.reference("current", of: Memo.self)
        current.id = "a"
        let mutation = cache.mutate { change in
            change.set("b", of: current)
            change.update(MemoFolder.self, id: 1) { $0.title = "mine" }
        } send: { [answer] in
            _ = try await answer()
        }
        await answer.hasBegun()
        current.id = "tmp"
        cache.update(MemoFolder.self, id: 1) { $0.title = "theirs" }
        cache.replaceMemo("tmp", by: "7")
        answer.succeed(Memo(id: "x"))
        try await mutation.value
        #expect(current.id == "7")
        #expect(cache.get(MemoFolder.self, id: 1)?.title == "theirs")
    }

    @Test("A confirmed removal from a list that waits for an earlier change stays after a replacement")
    func waitingAndReplaced() async throws {
        let list = cache.list("home", of: Memo.self)
        list.append(ids: ["tmp"])
        let first = cache.mutate {
            $0.prepend("a", to: list)
        } send: { [turn] in
            try await turn()
        }
        let second = cache.mutate {
            $0.remove("tmp", from: list)
        } send: { [answer] in
            _ = try await answer()
        }
        answer.succeed(Memo(id: "x"))
        try await second.value
        cache.replaceMemo("tmp", by: "7")
        #expect(Array(list.ids) == ["a"])
        turn.fail()
        await first.ended()
        #expect(list.isEmpty)
        #expect(cache.confirmed { list.isEmpty })
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
        let mutation = cache.mutate(order: waiting()) { change in
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
        turn.succeed()
        answer.succeed(Memo(id: "x"))
        await mutation.ended()
        #expect(cache.confirmed { cache.get(MemoSheet.self, id: "b")?.title } == (isCodable ? "mine" : "new"))
        #expect(cache.count(of: Memo.self) == 1 && cache.count(of: MemoSheet.self) == 1)
    }

    @Test("Mutations of all identifiers that one transaction replaces by the same one go on", arguments: [false, true])
    func merged(isCircle: Bool) async {
        cache.set(contentsOf: [Memo(id: "a"), Memo(id: "b")])
        let order = waiting()
        let mutations = ["a", "b"].map { id in
            cache.mutate(Memo.self, id: id, order: order) {
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
        turn.succeed()
        for mutation in mutations {
            answer.succeed(Memo(id: "y"))
            await mutation.ended()
        }
        #expect(cache.confirmed { cache.text(last)?.count } == 5)
    }

    @Test("Two identifiers of a constant array that one replaces are there once", arguments: [true, false])
    func constantArray(isPending: Bool) async {
        let answer = ManualAnswer<Void>()
        cache.set(contentsOf: [Memo(id: "t1"), Memo(id: "t2")])
        let row = Row(id: 1, memoIDs: ["t1", "t2", "x"])
        if !isPending { cache.set(row) }
        let mutation = cache.mutate { change in
            if isPending { change.set(row) }
        } send: {
            try await answer()
        }
        cache.replaceMemo("t1", by: "7")
        cache.replaceMemo("t2", by: "7")
        #expect(cache.get(Row.self, id: 1)?.memoIDs == ["7", "x"])
        answer.succeed()
        await mutation.ended()
        #expect(cache.get(Row.self, id: 1)?.memoIDs == ["7", "x"])
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

    @Test("A replacement keeps the order of the changes of a mutation")
    func orderOfChanges() async {
        cache.set(Memo(id: "tmp"))
        let mutation = cache.mutate(order: waiting()) { change in
            change.update(Memo.self, id: "tmp") { $0.text += "1" }
            change.set(Memo(id: "7", text: "2"))
            change.update(Memo.self, id: "tmp") { $0.text += "3" }
        } send: { [answer] in
            _ = try await answer()
        }
        cache.replaceMemo("tmp", by: "7")
        #expect(cache.text("7") == "23")
        turn.succeed()
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
}
