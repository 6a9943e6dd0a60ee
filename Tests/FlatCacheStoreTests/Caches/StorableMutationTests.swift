import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

@Suite("Mutations that outlive the process", .timeLimit(.minutes(30)))
struct StorableMutationTests {
    private let fixture = MutationFixture()

    private var server: MutationServer { fixture.server }

    @Test("A mutation that was pending is shown again when its type is registered, and sent again with the same key")
    func replay() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b"), in: cache)
        await server.received(1)
        try await cache.flush()
        cache = try await fixture.crash()
        #expect(cache.text(1) == "a" && cache.pendingMutations.isEmpty)
        #expect(cache.keptMutations.map(\.name) == ["append"])
        fixture.register(Appending.self, in: cache)
        #expect(cache.text(1) == "ab" && cache.confirmedText(1) == "a")
        #expect(cache.keptMutations.isEmpty && cache.pendingMutations.map(\.keys.count) == [1])
        #expect(Cached(Memo.self, id: Memo(1).id, in: cache).mutations.isPending)
        await server.received(2)
        #expect(server.requests.map(\.isReplay) == [false, true])
        #expect(Set(server.requests.map(\.key)).count == 1)
        #expect(server.requests[0].key.count == 32 && server.requests[0].key.allSatisfy(\.isHexDigit))
        #expect(fixture.errors.texts.isEmpty)
    }

    @Test("A replayed mutation is confirmed with the server's answer, and isn't begun after the next restart")
    func confirmedReplay() async throws {
        var cache = try await fixture.open()
        fixture.begin(Writing(Memo(1, "a")), in: cache)
        await server.received(1)
        cache = try await fixture.restart(cache)
        #expect(cache.list("a", of: Memo.self).isEmpty)
        fixture.register(Writing.self, in: cache)
        #expect(Array(cache.list("a", of: Memo.self).ids) == [Memo(1).id])
        let mutation = try #require(cache.pendingMutations.first as? Mutation<Memo>)
        await server.received(2)
        server.answer("a")
        #expect(try await mutation.value == Memo(1, "a (server)"))
        cache = try await fixture.restart(cache)
        fixture.register(Writing.self, in: cache)
        #expect(cache.pendingMutations.isEmpty && fixture.storedCount == 0)
        #expect(cache.text(1) == "a (server)" && Array(cache.list("a", of: Memo.self).ids) == [Memo(1).id])
    }

    @Test("After a crash at any batch, a mutation is pending, or its end is stored", arguments: [true, false])
    func batches(isConfirmed: Bool) async throws {
        let cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        let mutation = fixture.begin(Appending(1, "b"), in: cache)
        await server.received(1)
        try await cache.flush()
        #expect(fixture.storedCount == 1)
        server.answer("b", with: isConfirmed ? nil : RefusedError())
        _ = try? await mutation.value
        #expect(fixture.storedCount == 1)
        let batches = fixture.place.batches.count
        try await cache.flush()
        #expect(fixture.place.batches.count == batches + 1 && fixture.storedCount == 0)
        let restarted = try await fixture.crash()
        fixture.register(Appending.self, in: restarted)
        #expect(restarted.text(1) == (isConfirmed ? "ab" : "a") && restarted.pendingMutations.isEmpty)
    }

    @Test("A crash after the answer and before its batch sends the mutation again")
    func unwrittenAnswer() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        let mutation = fixture.begin(Appending(1, "b"), in: cache)
        await server.received(1)
        try await cache.flush()
        server.answer("b")
        try await mutation.value
        #expect(cache.confirmedText(1) == "ab")
        cache = try await fixture.crash()
        fixture.register(Appending.self, in: cache)
        await server.received(2)
        #expect(cache.text(1) == "ab" && cache.confirmedText(1) == "a")
        #expect(server.requests[0].key == server.requests[1].key)
    }

    /// How a mutation ends without the server's answer.
    enum End: CaseIterable, Sendable { case cancelled, replaced, removed, erased }

    @Test("A mutation that was dropped isn't kept", arguments: End.allCases)
    func dropped(_ end: End) async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b", order: .latest("1")), in: cache)
        let waiting = fixture.begin(Appending(1, "c", order: .latest("1")), in: cache)
        try await cache.flush()
        #expect(fixture.storedCount == 2)
        switch end {
        case .cancelled: #expect(waiting.cancel())
        case .replaced: fixture.begin(Appending(1, "d", order: .latest("1")), in: cache)
        case .removed: cache.removeAll()
        case .erased: try await cache.store?.erase()
        }
        cache = try await fixture.restart(cache)
        fixture.register(Appending.self, in: cache)
        let texts: [End: String?] = [.cancelled: "ab", .replaced: "abd", .removed: nil, .erased: nil]
        #expect(cache.text(1) == texts[end] ?? nil)
        #expect(fixture.storedCount == cache.pendingMutations.count)
    }

    @Test("A mutation without arguments, and one with any text, are decoded as they were encoded")
    func arguments() async throws {
        var cache = try await fixture.open()
        cache.set(contentsOf: [Memo(1, "a"), Memo(2, "")])
        // Canonically equivalent texts aren't the same arguments.
        for text in ["e\u{301}", "\u{e9}", "", "\u{0}🙂"] { fixture.begin(Appending(2, text), in: cache) }
        fixture.begin(ClearingAll(), in: cache)
        cache = try await fixture.restart(cache)
        fixture.register(ClearingAll.self, Appending.self, in: cache)
        #expect(cache.text(1) == nil && cache.confirmedText(1) == "a")
        #expect(cache.text(2).map { Array($0.unicodeScalars) } == Array("e\u{301}\u{e9}\u{0}🙂".unicodeScalars))
    }

    @Test("A mutation begins when its transaction is committed, and isn't kept if the transaction fails")
    func transactions() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        cache.transaction { fixture.begin(Appending(1, "b"), in: cache) }
        #expect(throws: RefusedError.self) {
            try cache.transaction {
                fixture.begin(Appending(1, "c"), in: cache)
                throw RefusedError()
            }
        }
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.count == 1)
        try? cache.transaction {
            fixture.register(Appending.self, in: cache)
            #expect(cache.keptMutations.count == 1)
            throw RefusedError()
        }
        #expect(cache.text(1) == "ab")
    }

    @Test(
        "In a cache without a store, or whose store is closed, a mutation is an ordinary one",
        arguments: [true, false]
    )
    func withoutStore(hasStore: Bool) async throws {
        let cache = hasStore ? try await fixture.open() : FlatCache()
        try await cache.store?.close()
        cache.registerMutations(Writing.self)
        let mutation = fixture.begin(Writing(Memo(1, "a")), in: cache)
        #expect(cache.text(1) == "a")
        await server.received(1)
        #expect(server.requests.map(\.isReplay) == [false])
        server.answer("a")
        #expect(try await mutation.value == Memo(1, "a (server)"))
        #expect(cache.text(1) == "a (server)" && cache.pendingMutations.isEmpty && fixture.storedCount == 0)
    }

    @Test("A mutation doesn't wait for a store that fails, and is kept when the store writes again")
    func failingStore() async throws {
        let store = FlakyStore(MemoryStore(in: fixture.place))
        let cache = try await openCache(store, errors: fixture.errors)
        cache.set(Memo(1, "a"))
        store.fail(1)
        fixture.begin(Appending(1, "b"), in: cache)
        await server.received(1)
        await #expect(throws: StoreError.self) { try await cache.flush() }
        #expect(fixture.storedCount == 0)
        try await cache.flush()
        #expect(fixture.storedCount == 1)
        let restarted = try await fixture.crash()
        fixture.register(Appending.self, in: restarted)
        #expect(restarted.text(1) == "ab")
    }

    @Test("A cache that only reads the store doesn't begin its mutations")
    func readers() async throws {
        let cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b"), in: cache)
        try await cache.flush()
        let reader = try await fixture.open(.readOnly)
        fixture.register(Appending.self, in: reader)
        #expect(reader.text(1) == "a" && reader.pendingMutations.isEmpty && reader.keptMutations.isEmpty)
        fixture.begin(Writing(Memo(2, "own")), in: reader)
        #expect(reader.text(2) == "own" && cache.text(2) == nil)
        await server.received(2)
        server.answer("b")
        cache.set(Memo(3, "c"))
        try await cache.flush()
        try await reader.store?.refresh()
        #expect(reader.text(3) == "c" && server.texts == ["b", "own"])
    }

    @Test(
        "A mutation that is confirmed after a restart changes an entity that is only on disk",
        arguments: [true, false]
    )
    func onDemand(isConfirmed: Bool) async throws {
        func open() async throws -> FlatCache {
            try await openCache(MemoryStore(in: fixture.place), for: [Author.self], onDemand: [Memo.self])
        }
        var cache = try await open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b"), in: cache)
        try await cache.store?.close()
        cache = try await open()
        #expect(cache.text(1) == nil)
        fixture.register(Appending.self, in: cache)
        let mutation = try #require(cache.pendingMutations.first as? Mutation<Void>)
        await server.received(2)
        server.answer("b", with: isConfirmed ? nil : RefusedError())
        _ = try? await mutation.value
        try await cache.store?.close()
        cache = try await open()
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly).text == (isConfirmed ? "ab" : "a"))
    }
}
