import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

@Suite("Mutations that have not ended, in a store")
struct PendingMutationTests {
    private let folder = TemporaryFolder()
    private let time = TestTime()

    private func open() async throws -> FlatCache { try await openCache(FileStore(at: folder.url), time: time) }

    /// Opens a cache whose memos remain on disk.
    private func openOnDemand() async throws -> FlatCache {
        try await openCache(FileStore(at: folder.url), for: [Author.self], onDemand: [Memo.self], time: time)
    }

    /// Opens a cache for which a memo is only on disk.
    private func openWithMemo() async throws -> FlatCache {
        let cache = try await openOnDemand()
        cache.set(Memo(1, "a"))
        try await cache.store?.close()
        return try await openOnDemand()
    }

    @Test("A store keeps what is confirmed: entities, removed entities and lists without their layers")
    func confirmedState() async throws {
        let cache = try await open()
        let list = cache.list("all", of: Memo.self)
        list.append(contentsOf: [Memo(1, "confirmed"), Memo(2, "confirmed")])
        let mutation = cache.mutate { change in
            change.update(Memo.self, id: Memo(1).id) { $0.text = "pending" }
            change.remove(Memo.self, id: Memo(2).id)
            change.set(Memo(3, "pending"))
            change.append(Memo(3).id, to: list)
        } send: {
            // The answer never comes.
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        cache.update(Memo.self, id: Memo(2).id) { $0.text = "changed below" }
        #expect(cache.count(of: Memo.self) == 2)
        try await cache.flush()
        try await cache.store?.close()
        let restored = try await open()
        #expect(
            restored.allValues(of: Memo.self, inOrder: true) == [Memo(1, "confirmed"), Memo(2, "changed below")]
        )
        #expect(Array(restored.list("all", of: Memo.self).ids) == [Memo(1).id, Memo(2).id])
        withExtendedLifetime(mutation) {}
    }

    @Test("A store has the entity, the lists and the references with the identifier that has replaced another one")
    func replacedIdentifier() async throws {
        let cache = try await open()
        let list = cache.list("all", of: Author.self)
        list.append(contentsOf: [Author(id: "a", name: ""), Author(id: "tmp", name: ""), Author(id: "b", name: "")])
        cache.reference("current", of: Author.self).id = "tmp"
        try await cache.flush()
        cache.replaceIdentifier(of: Author.self, "tmp", with: Author(id: "7", name: "Ada"))
        try await cache.flush()
        try await cache.store?.close()
        let restored = try await open()
        #expect(restored.allValues(of: Author.self, inOrder: true).map(\.id) == ["a", "7", "b"])
        #expect(Array(restored.list("all", of: Author.self).ids) == ["a", "7", "b"])
        #expect(restored.reference("current", of: Author.self).value?.name == "Ada")
        // A store keeps the replacement.
        #expect(restored.get(Author.self, id: "tmp") == Author(id: "7", name: "Ada"))
    }

    @Test("Changes under a replaced identifier are made to an entity that is only on disk", arguments: [true, false])
    func replacedOnDemand(isMutation: Bool) async throws {
        var cache = try await openOnDemand()
        cache.set(Memo(1, "a"))
        cache.replaceIdentifier(of: Memo.self, Memo(1).id, with: Memo(2, "b"))
        try await cache.store?.close()
        cache = try await openOnDemand()
        if isMutation {
            try await cache.mutate(Memo.self, id: Memo(1).id) {
                $0.text += "!"
            } send: {
            }.value
        } else {
            let isChanged = await cache.withLoaded(Memo.self, ids: [Memo(1).id]) {
                cache.update(Memo.self, id: Memo(1).id) { $0.text += "!" }
            }
            #expect(isChanged)
        }
        #expect(cache.get(Memo.self, id: Memo(2).id)?.text == "b!")
        try await cache.store?.close()
        cache = try await openOnDemand()
        let text = await cache.withLoaded(Memo.self, ids: [Memo(2).id]) { cache.get(Memo.self, id: Memo(2).id)?.text }
        #expect(text == "b!")
    }

    @Test("A layer over an entity that is only on disk leaves it there", arguments: [true, false], [true, false])
    func onDemand(isShown: Bool, isConfirmed: Bool) async throws {
        var cache = try await openWithMemo()
        let answer = AsyncStream<Void>.makeStream()
        let mutation = cache.mutate { change in
            if isShown { change.set(Memo(1, "b")) } else { change.update(Memo.self, id: Memo(1).id) { $0.text = "b" } }
        } send: {
            for await _ in answer.stream { return }
            if !isConfirmed { throw CancellationError() }
        }
        try await cache.flush()
        answer.continuation.finish()
        try? await mutation.value
        try await cache.store?.close()
        cache = try await openOnDemand()
        let memo = try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        #expect(memo.text == (isConfirmed ? "b" : "a"))
    }

    @Test(
        "A write and a request find an entity that is only on disk while a pending change shows another one",
        arguments: [false, true],
        [FetchPolicy?.none, .cacheOnly, .cacheFirst, .cacheFirst(maxAge: .seconds(60))]
    )
    func below(isInsertion: Bool, policy: FetchPolicy?) async throws {
        let id = Memo(1).id
        var cache = try await openWithMemo()
        let answer = AsyncStream<Void>.makeStream()
        let mutation = cache.mutate { change in
            if isInsertion { change.insert(temporary: Memo(1, "b")) } else { change.set(Memo(1, "b")) }
        } send: {
            for await _ in answer.stream {}
            throw CancellationError()
        }
        // An entity that is loaded meanwhile is shown before an inserted one.
        let shown = cache.get(Memo.self, id: id)?.text
        #expect(shown == "b" || isInsertion && shown == "a")
        if let policy {
            #expect(try await cache.fetch(Memo.self, id: id, policy).text == (isInsertion ? "a" : "b"))
            cache.update(Memo.self, id: id) { $0.text += "!" }
        } else {
            let isChanged = await cache.withLoaded(Memo.self, ids: [id]) {
                cache.update(Memo.self, id: id) { $0.text += "!" }
            }
            #expect(isChanged)
        }
        #expect(cache.get(Memo.self, id: id)?.text == (isInsertion ? "a!" : "b"))
        answer.continuation.finish()
        try? await mutation.value
        #expect(cache.get(Memo.self, id: id)?.text == "a!")
        try await cache.store?.close()
        cache = try await openOnDemand()
        let memo = try await cache.fetch(Memo.self, id: id, .cacheOnly)
        #expect(memo.text == "a!")
    }

    @Test("An entity that is only on disk remains there if it is marked as stale", arguments: [false, true])
    func invalidated(isInsertion: Bool) async throws {
        var cache = try await openWithMemo()
        let id = Memo(1).id
        let mutation = cache.mutate { change in
            if isInsertion { change.insert(temporary: Memo(1, "b")) } else { change.set(Memo(1, "b")) }
        } send: {
            throw CancellationError()
        }
        cache.invalidate(Memo.self, id: id)
        await #expect(throws: CancellationError.self) { try await mutation.value }
        try await cache.store?.close()
        cache = try await openOnDemand()
        #expect(try await cache.fetch(Memo.self, id: id, .cacheOnly).text == "a")
    }

    @Test(
        "A mutation of an entity that is only on disk is sent, also after an insertion of it has failed",
        arguments: [true, false]
    )
    func failedInsertion(isSent: Bool) async throws {
        let cache = try await openWithMemo()
        let id = Memo(1).id
        let (turns, turn) = AsyncStream<Void>.makeStream()
        let first = cache.mutate(order: .serial("memos")) { _ in
        } send: {
            for await _ in turns {}
        }
        let insertion = cache.mutate(order: .serial("memos")) { change in
            change.insert(temporary: Memo(1, "b"))
        } send: {
            throw CancellationError()
        }
        if !isSent { #expect(insertion.cancel()) }
        turn.finish()
        let error = await #expect(throws: (any Error).self) { try await insertion.value }
        #expect(isSent ? error is CancellationError : error is MutationError)
        try await first.value
        try await cache.mutate(Memo.self, id: id) {
            $0.text += "!"
        } send: {
        }.value
        #expect(!isSent || cache.get(Memo.self, id: id)?.text == "a!")
        #expect(try await cache.fetch(Memo.self, id: id, .cacheOnly).text == "a!")
        try await cache.store?.close()
    }
}
