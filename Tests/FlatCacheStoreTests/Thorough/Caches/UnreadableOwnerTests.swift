import FlatCache
import Testing

@testable import FlatCacheStore

/// The same type as an earlier version of the app has stored it.
private enum Old {
    struct Book: Storable, Codable {
        static let storedName = "Book"

        let id: Int
        var shelfID: Int?
    }
}

@Suite("Delete rules and owners that can't be decoded")
struct UnreadableOwnerTests {
    private let folder = TemporaryFolder()

    @Test(
        "The handler of errors receives an owner on disk that a delete rule can't decode, once",
        arguments: [true, false]
    )
    func unreadable(isOnDemand: Bool) async throws {
        let old = try await openCache(FileStore(at: folder.url), for: [Shelf.self, Old.Book.self])
        old.set(contentsOf: (1...3).map { Shelf(id: $0) })
        old.set(contentsOf: [Old.Book(id: 1, shelfID: 1), Old.Book(id: 2)])
        try await old.store?.close()
        let errors = Errors()
        let cache = try await openCache(
            FileStore(at: folder.url),
            for: isOnDemand ? [Shelf.self] : [Shelf.self, Book.self],
            onDemand: isOnDemand ? [Book.self] : [],
            errors: errors
        )
        #expect(errors.all.count == (isOnDemand ? 0 : 1), "opening decodes what isn't on demand")
        for shelf in 1...3 {
            cache.remove(Shelf.self, id: shelf)
            try await cache.flush()
            #expect(errors.texts.map { $0.hasPrefix("The entity 'Book' 2 can't be read from the store: ") } == [true])
        }
        try await cache.store?.close()
        let restored = try await openCache(FileStore(at: folder.url), for: [Shelf.self, Old.Book.self])
        #expect(restored.allValues(of: Old.Book.self).map(\.id) == [2], "it stays in the store")
        try await restored.store?.close()
    }
}
