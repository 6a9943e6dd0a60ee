import FlatCache
import Testing

@testable import FlatCacheStore

/// An entity that isn't stored, and refers to a memo.
private struct Review: Cachable, RelationshipOwner {
    let id: Int
    var memoID: Memo.ID

    struct Relationships: Sendable {
        var memo: FlatCache.Relationship<Review, FlatCache.ToOne<Memo>> {
            .init("Review.memoID", { $0.memoID }, set: { $0.memoID = $1 })
        }
    }
    static var relationships: Relationships { Relationships() }
    static var allRelationships: _All { [.init(\.memo)] }
}

/// What a process does with a memo that an earlier one has inserted.
private enum Use: CaseIterable {
    case change, concurrentChange, insertionOfOwner, changeOfOwner, identifier

    /// Begins it.
    ///
    /// - Parameter sent: A closure that receives the number of the memo that is sent.
    func begin(_ id: Memo.ID, in cache: FlatCache, _ sent: @escaping @Sendable (Int) -> Void) -> Task<Void, any Error> {
        switch self {
        case .change, .concurrentChange:
            let order = self == .change ? MutationOrder.byEntity : .concurrent
            let mutation = cache.mutate(Memo.self, id: id, order: order) {
                $0.text += "!"
            } send: {
                sent(FlatCache.current.currentID(of: Memo.self, id).number)
            }
            return Task { try await mutation.value }
        case .insertionOfOwner:
            let mutation = cache.mutate(inserting: Review(id: -1, memoID: id)) {
                sent($0.memoID.number)
                return Review(id: 1, memoID: $0.memoID)
            }
            return Task { _ = try await mutation.value }
        case .changeOfOwner:
            cache.set(Review(id: 2, memoID: Memo(9).id))
            let mutation = cache.mutate(Review.self, id: 2) {
                $0.memoID = id
            } send: {
                sent($0.memoID.number)
            }
            return Task { try await mutation.value }
        case .identifier:
            return Task { sent(try await cache.resolvedID(of: Memo.self, id).number) }
        }
    }
}

@Suite("Entities that a mutation of an earlier process has inserted", .timeLimit(.minutes(30)))
struct KeptInsertionTests {
    private let fixture = MutationFixture()
    private let sent = Protected<[Int]>([])

    private var server: MutationServer { fixture.server }

    /// Opens a store in which an earlier process has left an insertion.
    private func openWithKept() async throws -> FlatCache {
        let cache = try await fixture.open()
        fixture.begin(Creating(memo: Memo(1, "a")), in: cache)
        await server.received(1)
        return try await fixture.restart(cache)
    }

    private func begin(_ use: Use, in cache: FlatCache) -> Task<Void, any Error> {
        use.begin(Memo(1).id, in: cache) { [sent] number in sent.withLock { $0.append(number) } }
    }

    @Test("What names the entity is sent after the insertion is begun again and has ended", arguments: Use.allCases)
    fileprivate func begun(use: Use) async throws {
        let cache = try await openWithKept()
        let task = begin(use, in: cache)
        #expect(cache.pendingMutations.allSatisfy { if case .waiting = $0.state { true } else { false } })
        fixture.register(Creating.self, in: cache)
        await server.received(2)
        #expect(sent.withLock { $0 } == [])
        server.answer("create")
        try await task.value
        #expect(sent.withLock { $0 } == [101])
        #expect(cache.keptMutations.isEmpty && cache.pendingMutations.isEmpty)
    }

    @Test("What names the entity fails if the insertion is discarded", arguments: Use.allCases)
    fileprivate func discarded(use: Use) async throws {
        let cache = try await openWithKept()
        let task = begin(use, in: cache)
        let kept = try #require(cache.keptMutations.first)
        #expect(cache.discard(kept))
        // Later it is an identifier like any other.
        if use != .identifier { await #expect(throws: MutationError.self) { try await task.value } }
        #expect(use == .identifier || sent.withLock { $0 } == [])
        #expect(cache.pendingMutations.isEmpty)
    }

    @Test("A mutation that is kept, too, waits for the insertion after each restart")
    func kept() async throws {
        var cache = try await openWithKept()
        fixture.begin(Appending(1, "b"), in: cache)
        for _ in 0..<2 {
            cache = try await fixture.restart(cache)
            fixture.register(Appending.self, in: cache)
            #expect(cache.pendingMutations.count == 1 && server.texts == ["create"])
        }
        fixture.register(Creating.self, in: cache)
        #expect(cache.text(1) == "ab")
        await server.received(2)
        server.answer("create")
        await server.received(3)
        #expect(server.texts == ["b", "create", "create"] && cache.text(101) == "ab")
    }

    @Test("What names other entities is sent at once")
    func others() async throws {
        let cache = try await openWithKept()
        cache.set(Memo(2, "b"))
        let mutation = cache.mutate(Memo.self, id: Memo(2).id, { $0.text += "!" }, send: {})
        try await mutation.value
        #expect(cache.confirmedText(2) == "b!" && cache.keptMutations.count == 1)
        #expect(try await cache.resolvedID(of: Memo.self, Memo(2).id) == Memo(2).id)
    }
}
