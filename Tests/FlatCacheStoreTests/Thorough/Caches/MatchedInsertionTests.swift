import Testing

@testable import FlatCache
@testable import FlatCacheStore

/// Inserts a memo that is recognized by its text, and of which the server returns nothing.
private struct Posting: StorableMutation {
    static let storedName = "post"

    var memo: Memo

    func change(_ change: inout MutationChanges) {
        change.insert(temporary: memo, matching: \.text)
        change.prepend(memo.id, to: FlatCache.current.list("home", of: Memo.self))
    }

    func send(_ context: MutationContext) async throws {
        let sent = try context.entity(Memo.self, id: memo.id)
        try await MutationServer.current.receive("post \(sent.text)", context)
    }
}

/// Adds a memo to a list.
private struct Pinning: StorableMutation {
    static let storedName = "pin"

    var number: Int

    func change(_ change: inout MutationChanges) {
        change.append(Memo(number).id, to: FlatCache.current.list("pinned", of: Memo.self))
    }

    func send(_ context: MutationContext) async throws {
        let id = context.currentID(of: Memo.self, Memo(number).id)
        try await MutationServer.current.receive("pin \(id.number)", context)
    }
}

@Suite("Matching insertions over restarts", .timeLimit(.minutes(30)))
struct MatchedInsertionTests {
    private let fixture = MutationFixture()

    private var server: MutationServer { fixture.server }

    private func numbers(_ list: String, in cache: FlatCache) -> [Int] {
        cache.list(list, of: Memo.self).ids.map(\.number)
    }

    @Test(
        "An inserted entity is recognized after a restart, before and after the answer",
        arguments: [true, false],
        [true, false]
    )
    func restart(isAnswered: Bool, crashes: Bool) async throws {
        var cache = try await fixture.open()
        let first = fixture.begin(Posting(memo: Memo(1, "hello")), in: cache)
        await server.received(1)
        if isAnswered {
            server.answer("post hello")
            try await first.value
            #expect(first.isPending)
        }
        try await cache.flush()
        cache = crashes ? try await fixture.crash() : try await fixture.restart(cache)
        #expect(cache.count(of: Memo.self) == 0 && numbers("home", in: cache).isEmpty)
        fixture.register(Posting.self, in: cache)
        #expect(cache.text(1) == "hello" && cache.confirmedText(1) == nil && numbers("home", in: cache) == [1])
        await server.received(2)
        #expect(server.requests.last?.isReplay == true)
        #expect(server.requests.first?.key == server.requests.last?.key)
        cache.set(Memo(101, "hello"))
        #expect(cache.allValues(of: Memo.self).map(\.id.number) == [101] && numbers("home", in: cache) == [101])
        server.answer("post hello")
        for mutation in cache.pendingMutations { try await mutation.waitForEnd() }
        cache = try await fixture.restart(cache)
        #expect(fixture.storedCount == 0)
        #expect(cache.allValues(of: Memo.self) == [Memo(101, "hello")] && numbers("home", in: cache) == [101])
        #expect(cache.currentID(of: Memo.self, Memo(1).id) == Memo(101).id)
    }

    @Test(
        "What the server has sent before the end of a process is the inserted entity of the next one",
        arguments: [true, false]
    )
    func storedBefore(isMatched: Bool) async throws {
        var cache = try await fixture.open()
        if !isMatched { cache.set(Memo(101, "hello")) }
        fixture.begin(Posting(memo: Memo(1, "hello")), in: cache)
        await server.received(1)
        if isMatched { cache.set(Memo(101, "hello")) }
        try await cache.flush()
        cache = try await fixture.crash()
        #expect(cache.count(of: Memo.self) == 1)
        fixture.register(Posting.self, in: cache)
        #expect(cache.allValues(of: Memo.self).map(\.id.number) == [101] && numbers("home", in: cache) == [101])
        await server.received(2)
        server.answer("post hello")
        for mutation in cache.pendingMutations { try await mutation.waitForEnd() }
        #expect(cache.confirmed { cache.allValues(of: Memo.self).map(\.id.number) } == [101])
        #expect(cache.confirmed { numbers("home", in: cache) } == [101])
    }

    @Test("A mutation that adds an inserted entity to a list waits for it after a restart, too")
    func named() async throws {
        var cache = try await fixture.open()
        fixture.begin(Posting(memo: Memo(1, "hello")), in: cache)
        fixture.begin(Pinning(number: 1), in: cache)
        await server.received(1)
        try await cache.flush()
        cache = try await fixture.crash()
        fixture.register(Pinning.self, in: cache)
        #expect(server.texts == ["post hello"])
        fixture.register(Posting.self, in: cache)
        await server.received(2)
        #expect(server.texts == ["post hello", "post hello"])
        server.answer("post hello")
        // If the answer was first, this sends the other mutation.
        MutationServer.$current.withValue(server) { cache.set(Memo(101, "hello")) }
        await server.received(3)
        #expect(server.requests.last?.text == "pin 101")
        server.answer("pin 101")
        for mutation in cache.pendingMutations { try await mutation.waitForEnd() }
        #expect(cache.confirmed { numbers("pinned", in: cache) } == [101])
    }
}
