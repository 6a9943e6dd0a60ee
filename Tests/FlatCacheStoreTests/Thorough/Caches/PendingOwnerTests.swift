import FlatCache
import Testing

@testable import FlatCacheStore

/// Adds a book to a shelf, after mutations of the same order.
private struct Adding: StorableMutation {
    static let storedName = "add"

    var bookID: Int
    var shelfID: Int
    var order: MutationOrder { .serial("books") }

    func change(_ change: inout MutationChanges) {
        change.insert(temporary: Book(id: bookID, shelfID: shelfID))
    }

    func send(_ context: MutationContext) async throws -> Book {
        try await MutationServer.current.receive("\(bookID)", context)
        return Book(id: 100 - bookID, shelfID: shelfID)
    }
}

@Suite("Pending owners in a store", .timeLimit(.minutes(30)))
struct PendingOwnerTests {
    private let server = MutationServer()
    private let errors = Errors()

    private func open(_ place: MemoryPlace) async throws -> FlatCache {
        try await openCache(MemoryStore(in: place), for: [Shelf.self, Book.self], errors: errors)
    }

    /// A new process, which has the batches that the last one has written.
    private func crash(_ place: MemoryPlace) async throws -> FlatCache {
        let crashed = MemoryPlace()
        crashed.exists = true
        crashed.contents = place.contents
        let cache = try await open(crashed)
        MutationServer.$current.withValue(server) { cache.registerMutations(Adding.self) }
        return cache
    }

    @Test("After a restart, the mutation of a removed pending owner is neither shown nor sent")
    func restart() async throws {
        let place = MemoryPlace()
        let cache = try await open(place)
        cache.set(contentsOf: [Shelf(id: 1), Shelf(id: 2)])
        let mutations = MutationServer.$current.withValue(server) {
            [(-1, 1), (-2, 1), (-3, 2)].map { cache.mutate(Adding(bookID: $0, shelfID: $1)) }
        }
        await server.received(1)
        try await cache.flush()
        let before = try await crash(place)
        #expect(before.allValues(of: Book.self).map(\.id).sorted() == [-3, -2, -1])
        await server.received(2)
        #expect(server.texts == ["-1", "-1"])
        cache.remove(Shelf.self, id: 1)
        #expect(cache.allValues(of: Book.self).map(\.id) == [-3])
        guard case .dropped(.entityRemoved) = mutations[1].state else {
            Issue.record("\(mutations[1].state)")
            return
        }
        try await cache.flush()
        let after = try await crash(place)
        #expect(after.allValues(of: Book.self).map(\.id) == [-3])
        await server.received(3)
        #expect(server.texts == ["-1", "-1", "-3"])
        #expect(errors.texts.isEmpty)
    }

    @Test("The answer that comes after the removal isn't stored", arguments: [true, false])
    func answer(isFlushed: Bool) async throws {
        let place = MemoryPlace()
        let cache = try await open(place)
        cache.set(Shelf(id: 1))
        let mutation = MutationServer.$current.withValue(server) { cache.mutate(Adding(bookID: -1, shelfID: 1)) }
        await server.received(1)
        cache.remove(Shelf.self, id: 1)
        if isFlushed { try await cache.flush() }
        server.answer("-1")
        #expect(try await mutation.value == Book(id: 101, shelfID: 1))
        try await cache.flush()
        let after = try await crash(place)
        #expect(cache.count(of: Book.self) == 0 && after.count(of: Book.self) == 0)
        #expect(after.pendingMutations.isEmpty && errors.texts.isEmpty)
    }

    @Test("A removal of all shelves, which only the store has, removes pending owners that were begun before it")
    func onlyInStore() async throws {
        let place = MemoryPlace()
        let first = try await open(place)
        first.set(Shelf(id: 1))
        try await first.store?.close()
        let cache = try await openCache(
            MemoryStore(in: place),
            for: [Book.self],
            onDemand: [Shelf.self],
            errors: errors
        )
        let mutation = MutationServer.$current.withValue(server) { cache.mutate(Adding(bookID: -1, shelfID: 1)) }
        await server.received(1)
        cache.removeAll(of: Shelf.self)
        let later = MutationServer.$current.withValue(server) { cache.mutate(Adding(bookID: -2, shelfID: 1)) }
        try await cache.flush()
        #expect(cache.allValues(of: Book.self).map(\.id) == [-2])
        server.answer("-1")
        _ = try await mutation.value
        await server.received(2)
        server.answer("-2")
        _ = try await later.value
        #expect(cache.allValues(of: Book.self).map(\.id) == [102])
        #expect(errors.texts.isEmpty)
    }
}
