import Testing

@testable import FlatCache
@testable import FlatCacheStore

/// Appends to the text of a memo, and sends the server the identifier of the memo.
private struct Editing: StorableMutation {
    static let storedName = "edit"

    var number: Int

    func change(_ change: inout MutationChanges) { change.update(Memo.self, id: Memo(number).id) { $0.text += "!" } }

    func send(_ context: MutationContext) async throws {
        let id = try await FlatCache.current.resolvedID(of: Memo.self, Memo(number).id)
        try await MutationServer.current.receive("edit \(id.number)", context)
    }
}

@Suite("Replaced identifiers over restarts", .timeLimit(.minutes(30)))
struct ReplacedIdentifierTests {
    private let fixture = MutationFixture()

    private var server: MutationServer { fixture.server }

    /// Opens a store in which an earlier process has left an insertion, and a mutation of what it inserts.
    private func openWithKept() async throws -> FlatCache {
        let cache = try await fixture.open()
        fixture.begin(Creating(memo: Memo(1, "a")), in: cache)
        fixture.begin(Editing(number: 1), in: cache)
        await server.received(1)
        return try await fixture.restart(cache)
    }

    @Test("Reads under a replaced identifier follow the replacements of an earlier process", arguments: [false, true])
    func reads(crashes: Bool) async throws {
        var cache = try await fixture.open()
        cache.set(contentsOf: [Memo(1, "a"), Memo(2, "b")])
        cache.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(101, "A"))
        cache.replaceIdentifier(of: Memo.self, Memo(101).id, with: Memo(201, "AA"))
        cache.replaceIdentifier(of: Memo.self, Memo(2).id, with: Memo(102, "B"))
        cache.replaceIdentifier(of: Memo.self, Memo(102).id, with: Memo(2, "BB"))
        for _ in 0..<2 {
            try await cache.flush()
            cache = crashes ? try await fixture.crash() : try await fixture.restart(cache)
            #expect(cache.text(1) == "AA" && cache.text(102) == "BB" && cache.count(of: Memo.self) == 2)
            #expect(cache.currentID(of: Memo.self, Memo(1).id) == Memo(201).id)
            #expect(cache.currentID(of: Memo.self, Memo(2).id) == Memo(2).id)
        }
        cache.removeAll()
        cache = try await fixture.restart(cache)
        #expect(cache.currentID(of: Memo.self, Memo(1).id) == Memo(1).id)
        #expect(fixture.errors.texts.isEmpty)
    }

    @Test("A mutation that names a replaced identifier has its effect after a restart, and is sent with the new one")
    func mutation() async throws {
        var cache = try await fixture.open()
        let creating = fixture.begin(Creating(memo: Memo(1, "a")), in: cache)
        await server.received(1)
        fixture.begin(Editing(number: 1), in: cache)
        server.answer("create")
        _ = try await creating.value
        await server.received(2)
        cache = try await fixture.restart(cache)
        #expect(cache.text(1) == "a")
        fixture.register(Editing.self, in: cache)
        #expect(cache.text(101) == "a!" && cache.text(1) == "a!" && cache.confirmedText(101) == "a")
        await server.received(3)
        #expect(server.texts == ["create", "edit 101", "edit 101"])
        server.answer("edit 101")
        for mutation in cache.pendingMutations { try await mutation.waitForEnd() }
        #expect(cache.confirmedText(101) == "a!" && cache.count(of: Memo.self) == 1)
    }

    @Test("A mutation of an earlier process waits for the insertion that isn't begun again", arguments: [true, false])
    func keptInsertion(isBegun: Bool) async throws {
        let cache = try await openWithKept()
        fixture.register(Editing.self, in: cache)
        let editing = try #require(cache.pendingMutations.first)
        let kept = try #require(cache.keptMutations.first)
        #expect(editing.storedName == "edit" && editing.idempotencyKey?.count == 32)
        #expect(editing.idempotencyKey != kept.idempotencyKey)
        #expect(cache.text(1) == nil && server.texts == ["create"])
        guard isBegun else {
            #expect(cache.discard(kept))
            await #expect { try await editing.waitForEnd() } throws: {
                if case MutationError.insertionFailed = $0 { true } else { false }
            }
            #expect(server.texts == ["create"] && cache.pendingMutations.isEmpty)
            return
        }
        fixture.register(Creating.self, in: cache)
        #expect(cache.text(1) == "a!")
        await server.received(2)
        server.answer("create")
        await server.received(3)
        #expect(server.texts == ["create", "create", "edit 101"])
        server.answer("edit 101")
        try await editing.waitForEnd()
        #expect(cache.confirmedText(101) == "a!" && cache.text(1) == "a!" && cache.count(of: Memo.self) == 1)
    }

    @Test("An insertion whose identifier was replaced before the restart inserts no second entity")
    func replacedInsertion() async throws {
        var cache = try await fixture.open()
        fixture.begin(Creating(memo: Memo(1, "a")), in: cache)
        fixture.begin(Editing(number: 1), in: cache)
        await server.received(1)
        cache.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(5, "fetched"))
        #expect(cache.text(5) == "fetched!" && cache.count(of: Memo.self) == 1)
        cache = try await fixture.restart(cache)
        fixture.register(Creating.self, Editing.self, in: cache)
        #expect(cache.text(5) == "fetched!" && cache.text(1) == "fetched!" && cache.count(of: Memo.self) == 1)
        let pending = cache.pendingMutations
        await server.received(2)
        server.answer("create")
        await server.received(3)
        server.answer("edit 101")
        for mutation in pending { try await mutation.waitForEnd() }
        #expect(cache.confirmedText(101) == "a!" && cache.count(of: Memo.self) == 1)
        #expect(cache.currentID(of: Memo.self, Memo(5).id) == Memo(101).id)
    }

    @Test(
        "A mutation of an earlier process is gone if its insertion is discarded or fails before it is begun again",
        arguments: [true, false]
    )
    func keptFollower(isDiscarded: Bool) async throws {
        var cache = try await openWithKept()
        #expect(cache.keptMutations.map(\.name) == ["create", "edit"])
        if isDiscarded {
            #expect(cache.discard(cache.keptMutations[0]))
        } else {
            fixture.register(Creating.self, in: cache)
            let creating = try #require(cache.pendingMutations.first)
            await server.received(2)
            server.answer("create", with: RefusedError())
            await #expect(throws: RefusedError.self) { try await creating.waitForEnd() }
        }
        #expect(cache.keptMutations.isEmpty && cache.pendingMutations.isEmpty)
        cache = try await fixture.restart(cache)
        fixture.register(Editing.self, in: cache)
        #expect(cache.pendingMutations.isEmpty && fixture.storedCount == 0)
    }

    @Test(
        "The store loses an insertion that fails, is cancelled or is discarded together with what waits for it",
        arguments: 0..<3
    )
    func endOfFollowers(way: Int) async throws {
        var cache = try await fixture.open()
        if way == 1 { fixture.begin(Appending(9, "first", order: .serial("all")), in: cache) }
        let creating = fixture.begin(
            Creating(memo: Memo(1, "a"), order: way == 1 ? .serial("all") : .concurrent),
            in: cache
        )
        await server.received(1)
        for _ in 0..<3 { fixture.begin(Editing(number: 1), in: cache) }
        fixture.begin(Appending(2, "other"), in: cache)
        if way == 2 { cache = try await fixture.restart(cache) }
        let counts = Protected<[Int]>([])
        let subscription = cache.observe(all: StoredMutation.self) { change in
            counts.withLock { $0.append(change.removed.count) }
        }
        switch way {
        case 0:
            server.answer("create", with: RefusedError())
            await #expect(throws: RefusedError.self) { try await creating.value }
        case 1: #expect(creating.cancel())
        default: #expect(cache.discard(cache.keptMutations[0]))
        }
        #expect(counts.withLock { $0 } == [4])
        #expect(cache.storedMutations.count == (way == 1 ? 2 : 1))
        subscription.cancel()
    }

    @Test("A reader learns of replaced identifiers, and a process that goes on learns what another one has replaced")
    func sharing() async throws {
        let cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        try await cache.flush()
        let reader = try await fixture.open(.readOnly)
        cache.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(101, "A"))
        try await cache.flush()
        try await reader.store?.refresh()
        #expect(reader.text(1) == "A" && reader.currentID(of: Memo.self, Memo(1).id) == Memo(101).id)
        cache.replaceIdentifier(of: Memo.self, Memo(101).id, with: Memo(1, "again"))
        try await cache.flush()
        try await reader.store?.refresh()
        #expect(reader.text(101) == "again" && reader.currentID(of: Memo.self, Memo(1).id) == Memo(1).id)
    }
}
