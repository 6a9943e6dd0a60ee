import Foundation
import Testing

@testable import FlatCache
@testable import FlatCacheStore

@Suite("Mutations of an earlier process that aren't begun again", .timeLimit(.minutes(30)))
struct KeptMutationTests {
    private let fixture = MutationFixture()

    private var server: MutationServer { fixture.server }

    @Test("A mutation whose type isn't registered is kept over restarts, with its key")
    func unregistered() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b"), in: cache)
        fixture.begin(Writing(Memo(2, "c")), in: cache)
        cache = try await fixture.restart(cache)
        let keys = cache.keptMutations.map(\.idempotencyKey)
        for round in 2..<5 {
            cache.set(Memo(1, "a\(round)"))
            cache = try await fixture.restart(cache)
            #expect(cache.keptMutations.map(\.name) == ["append", "write"])
            #expect(cache.keptMutations.map(\.idempotencyKey) == keys)
            #expect(cache.keptMutations.allSatisfy { $0.error == nil } && cache.pendingMutations.isEmpty)
        }
        fixture.register(Appending.self, in: cache)
        #expect(cache.text(1) == "a4b" && cache.keptMutations.map(\.name) == ["write"])
        #expect(await cache.store?.otherTypes == [:] && fixture.errors.texts.isEmpty)
    }

    @Test("A mutation whose arguments can't be decoded is reported once, and kept until a type decodes it")
    func undecodable() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b"), in: cache)
        cache = try await fixture.restart(cache)
        fixture.register(OtherAppending.self, in: cache)
        fixture.begin(OtherAppending(newArgument: "new"), in: cache)
        try await cache.flush()
        let kept = try #require(cache.keptMutations.first)
        #expect(cache.keptMutations.count == 1 && kept.error is DecodingError)
        #expect(fixture.errors.all.count == 1)
        let text = try #require(fixture.errors.texts.first)
        #expect(
            text.hasPrefix("The arguments of the pending mutation 'append' \(kept.idempotencyKey) can't be decoded: ")
        )
        #expect(text.hasSuffix("Let 'init(from:)' of its type decode them, or remove it by 'discard'"))
        cache = try await fixture.restart(cache)
        fixture.register(Appending.self, in: cache)
        #expect(cache.text(1) == "ab")
        // The one of the other type.
        #expect(cache.keptMutations.map { $0.error != nil } == [true])
    }

    @Test("A kept mutation that is discarded is gone from the store", arguments: [true, false])
    func discarded(isRegistered: Bool) async throws {
        var cache = try await fixture.open()
        fixture.begin(Appending(1, "b"), in: cache)
        cache = try await fixture.restart(cache)
        if isRegistered { fixture.register(OtherAppending.self, in: cache) }
        let kept = try #require(cache.keptMutations.first)
        #expect(cache.discard(kept))
        #expect(!cache.discard(kept) && cache.keptMutations.isEmpty)
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.isEmpty && fixture.storedCount == 0)
    }

    @Test("A mutation that is begun again isn't discarded")
    func discardingBegun() async throws {
        var cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.begin(Appending(1, "b"), in: cache)
        cache = try await fixture.restart(cache)
        let kept = try #require(cache.keptMutations.first)
        fixture.register(Appending.self, in: cache)
        #expect(!cache.discard(kept) && cache.text(1) == "ab")
    }

    @Test("The removal of everything removes kept mutations", arguments: [true, false])
    func removal(isErased: Bool) async throws {
        var cache = try await fixture.open()
        fixture.begin(Appending(1, "b"), in: cache)
        cache = try await fixture.restart(cache)
        if isErased { try await cache.store?.erase() } else { cache.removeAll() }
        #expect(cache.keptMutations.isEmpty)
        cache = try await fixture.restart(cache)
        #expect(cache.keptMutations.isEmpty && fixture.storedCount == 0)
    }

    /// A mutation that can't be encoded.
    private struct Unencodable: StorableMutation {
        static let storedName = "unencodable"

        init() {}

        init(from decoder: any Decoder) throws {}

        func encode(to encoder: any Encoder) throws { throw RefusedError() }

        func change(_ change: inout MutationChanges) { change.update(Memo.self, id: Memo(1).id) { $0.text += "b" } }

        func send(_ context: MutationContext) async throws {
            try await MutationServer.current.receive("unencodable", context)
        }
    }

    @Test("A mutation that can't be encoded is sent and not kept, and a flush throws the error")
    func unencodable() async throws {
        let cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        let mutation = fixture.begin(Unencodable(), in: cache)
        let error = await #expect(throws: StoreError.self) { try await cache.flush() }
        #expect(error.map { "\($0)".hasPrefix("The pending mutation ") } == true)
        #expect(fixture.storedCount == 0)
        await server.received(1)
        server.answer("unencodable")
        try await mutation.value
        try await cache.flush()
        #expect(try await fixture.crash().text(1) == "ab")
    }

    @Test("Of two types with one name, the first one is stored, and the second one is reported once")
    func duplicateNames() async throws {
        let cache = try await fixture.open()
        fixture.register(Appending.self, OtherAppending.self, OtherAppending.self, in: cache)
        fixture.begin(OtherAppending(newArgument: "new"), in: cache)
        fixture.begin(Appending(1, "b"), in: cache)
        try await cache.flush()
        #expect(fixture.storedCount == 1)
        let expected = """
            'Appending' and 'OtherAppending' have the same stored name 'append'. Each type of mutations needs a name of its \
            own. Mutations of 'OtherAppending' aren't stored
            """
        #expect(fixture.errors.texts == [expected])
    }

    @Test("A type of entities can't have the name under which mutations are stored")
    func reservedName() async throws {
        struct Reserved: Storable, Codable {
            static let storedName = StoredMutation.storedName

            let id: String
        }
        await #expect(throws: StoreError.self) {
            try await openCache(MemoryStore(in: MemoryPlace()), for: [Reserved.self])
        }
    }

    // MARK: - Two processes that write

    @Test("A mutation that another process has ended meanwhile is dropped", arguments: [true, false])
    func endedElsewhere(isSent: Bool) async throws {
        let cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        if !isSent { fixture.begin(Writing(Memo(2, "first"), order: .serial("k")), in: cache) }
        let mutation = fixture.begin(Appending(1, "b", order: .serial("k")), in: cache)
        await server.received(1)
        try await cache.store?.suspend()
        let other = try await fixture.open()
        let otherServer = MutationServer()
        MutationServer.$current.withValue(otherServer) { other.registerMutations(Appending.self) }
        if !isSent {
            let kept = try #require(other.keptMutations.first)
            MutationServer.$current.withValue(otherServer) { #expect(other.discard(kept)) }
        }
        await otherServer.received(1)
        #expect(otherServer.requests.first?.isReplay == true)
        let replayed = try #require(other.pendingMutations.first as? Mutation<Void>)
        otherServer.answer("b")
        try await replayed.value
        try await other.store?.close()
        try await cache.store?.resume()
        #expect(cache.confirmedText(1) == "ab" && cache.text(1) == "ab" && cache.pendingMutations.isEmpty)
        guard case .dropped(.endedElsewhere) = mutation.state else {
            Issue.record("\(mutation.state)")
            return
        }
        server.answer("b")
        fixture.begin(Appending(1, "c", order: .serial("k")), in: cache)
        await server.received(2)
        #expect(server.requests.last?.text == "c" && cache.text(1) == "abc" && cache.confirmedText(1) == "ab")
    }

    @Test("A mutation that another process has begun meanwhile is begun again, if its type is registered")
    func begunElsewhere() async throws {
        let cache = try await fixture.open()
        cache.set(Memo(1, "a"))
        fixture.register(Appending.self, in: cache)
        let own = fixture.begin(Appending(1, "b"), in: cache)
        try await cache.store?.suspend()
        let other = try await fixture.open()
        fixture.begin(Writing(Memo(2, "c")), in: other)
        try await other.store?.close()
        let third = try await fixture.open()
        #expect(third.keptMutations.map(\.name) == ["append", "write"])
        fixture.begin(ClearingAll(), in: third)
        try await third.store?.close()
        fixture.register(Writing.self, in: cache)
        try await MutationServer.$current.withValue(server) { try await cache.store?.resume() }
        #expect(own.isPending && cache.keptMutations.map(\.name) == ["clear"])
        #expect(cache.pendingMutations.count == 2 && cache.text(2) == "c" && cache.text(1) == "ab")
    }
}
