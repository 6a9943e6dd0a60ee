import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

@Suite("The order of mutations that outlive the process", .timeLimit(.minutes(30)))
struct StorableMutationOrderTests {
    private let fixture = MutationFixture()

    private var server: MutationServer { fixture.server }

    @Test("Changes are shown in the order in which they were begun, in whatever order the types are registered")
    func layers() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b"), in: cache)
        fixture.begin(Writing(Memo(1, "c")), in: cache)
        fixture.begin(Appending(1, "d"), in: cache)
        #expect(cache.text(1) == "cd")
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.map(\.name) == ["append", "write", "append"])
        fixture.begin(ClearingAll(), in: cache)
        #expect(cache.text(1) == nil)
        fixture.register(Appending.self, in: cache)
        #expect(cache.text(1) == nil && cache.keptMutations.map(\.name) == ["write"])
        fixture.register(Writing.self, in: cache)
        let handle = Cached(Memo.self, id: Memo(1).id, in: cache)
        let pending = cache.pendingMutations
        #expect(pending.count == 4 && handle.mutations.pending.elementsEqual(pending, by: ===))
        await server.received(7)
        server.answer("clear", with: RefusedError())
        let clearing = try #require(pending.last as? Mutation<Void>)
        await #expect(throws: RefusedError.self) { try await clearing.value }
        #expect(cache.text(1) == "cd")
    }

    @Test("A change that is confirmed before an earlier one is there after a restart", arguments: [true, false])
    func confirmedBefore(crashes: Bool) async throws {
        var cache = try await fixture.open()
        cache.set(Memo(2, "a"))
        fixture.begin(Appending(2, "b"), in: cache)
        fixture.begin(Writing(Memo(1, "x")), in: cache)
        let later = (fixture.begin(Appending(2, "c"), in: cache), fixture.begin(Writing(Memo(3, "y")), in: cache))
        await server.received(4)
        server.answer("c")
        server.answer("y")
        try await later.0.value
        _ = try await later.1.value
        #expect(cache.text(2) == "abc" && cache.confirmedText(2) == "ac")
        #expect(cache.list("a", of: Memo.self).ids.map(\.number) == [3, 1])
        try await cache.flush()
        cache = try await crashes ? fixture.crash() : fixture.restart(cache)
        #expect(cache.text(2) == "ac" && cache.list("a", of: Memo.self).ids.map(\.number) == [3])
        fixture.register(Appending.self, Writing.self, in: cache)
        #expect(cache.text(2) == "acb" && Set(cache.list("a", of: Memo.self).ids.map(\.number)) == [1, 3])
    }

    @Test("A mutation waits for an earlier one with its key whose type isn't registered, until that is registered")
    func serialAcrossNames() async throws {
        var cache = try await fixture.open()
        cache.set(contentsOf: [Memo(2, "2"), Memo(3, "3")])
        fixture.begin(Writing(Memo(1, "a"), order: .serial("k")), in: cache)
        fixture.begin(Appending(2, "b", order: .serial("k")), in: cache)
        fixture.begin(Appending(2, "c"), in: cache)
        await server.received(2)
        #expect(server.texts == ["a", "c"])
        cache = try await fixture.restart(cache)
        fixture.register(Appending.self, in: cache)
        fixture.begin(Appending(3, "d", order: .serial("k")), in: cache)
        // Its changes are shown, and it is not sent.
        #expect(cache.text(2) == "2bc" && cache.text(3) == "3d")
        await server.received(3)
        #expect(server.texts == ["a", "c", "c"])
        fixture.register(Writing.self, in: cache)
        await server.received(4)
        #expect(server.requests.last?.text == "a")
        server.answer("a")
        await server.received(5)
        #expect(server.requests.last?.text == "b")
        server.answer("b", with: RefusedError())
        await server.received(6)
        #expect(server.requests.last?.text == "d" && server.requests.last?.isReplay == false)
    }

    @Test("Mutations that wait for one of an earlier process are sent when that is discarded")
    func discarding() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(2, "2"))
        fixture.begin(Writing(Memo(1, "a"), order: .serial("k")), in: cache)
        fixture.begin(Writing(Memo(1, "b"), order: .serial("k")), in: cache)
        cache = try await fixture.restart(cache)
        let waiting = fixture.begin(Appending(2, "c", order: .serial("k")), in: cache)
        let kept = cache.keptMutations
        try #require(kept.count == 2)
        #expect(fixture.discard(kept[1], in: cache))
        #expect(!fixture.discard(kept[1], in: cache))
        #expect(waiting.isPending)
        #expect(fixture.discard(kept[0], in: cache))
        await server.received(2)
        #expect(server.requests.last?.text == "c")
        server.answer("c")
        try await waiting.value
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.isEmpty && fixture.storedCount == 0)
    }

    @Test("A mutation with 'latest' replaces those of an earlier process that aren't begun again")
    func latest() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "1"))
        fixture.begin(Writing(Memo(1, "a"), order: .latest("k")), in: cache)
        fixture.begin(Writing(Memo(1, "b"), order: .latest("k")), in: cache)
        await server.received(1)
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.count == 2)
        fixture.begin(Appending(1, "c", order: .latest("k")), in: cache)
        await server.received(2)
        #expect(server.requests.last?.text == "c" && cache.keptMutations.isEmpty)
        #expect(cache.text(1) == "1c")
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.map(\.name) == ["append"])
    }

    @Test("The first mutation of a type begins those of an earlier process before itself")
    func implicitRegistration() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b", order: .serial("k")), in: cache)
        cache = try await fixture.restart(cache)
        fixture.begin(Appending(1, "c", order: .serial("k")), in: cache)
        #expect(cache.text(1) == "abc")
        await server.received(2)
        #expect(server.texts == ["b", "b"])
        server.answer("b")
        await server.received(3)
        #expect(server.requests.last?.text == "c")
    }

    @Test("A mutation that waits after a restart can be cancelled")
    func cancelling() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        for text in ["b", "c"] { fixture.begin(Appending(1, text, order: .serial("k")), in: cache) }
        cache = try await fixture.restart(cache)
        fixture.register(Appending.self, in: cache)
        #expect(cache.pendingMutations.map { $0.cancel() } == [false, true])
        #expect(cache.text(1) == "ab")
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.count == 1)
    }
}
