import FlatCache

@testable import FlatCacheStore

/// A shelf, to which books refer.
struct Shelf: Storable, Codable, Equatable {
    static let storedName = "Shelf"

    let id: Int
}

/// A book, which is removed with its shelf, and loses its next one.
struct Book: Storable, Codable, Equatable, RelationshipOwner {
    static let storedName = "Book"

    let id: Int
    var shelfID: Int
    var nextID: Int?

    struct Relationships: Sendable {
        var shelf: FlatCache.Relationship<Book, FlatCache.ToOne<Shelf>> {
            .init("Book.shelfID", { $0.shelfID }, set: { $0.shelfID = $1 })
        }
        var next: FlatCache.Relationship<Book, FlatCache.ToOptional<Shelf>> {
            .init("Book.nextID", { $0.nextID }, set: { $0.nextID = $1 })
        }
    }
    static var relationships: Relationships { Relationships() }
    static var deleteRules: [FlatCache.DeleteRule<Book>] { [.init(\.shelf, .cascade), .init(\.next, .nullify)] }
}

/// A leaf, which is removed with its book.
struct Leaf: Storable, Codable, Equatable, RelationshipOwner {
    static let storedName = "Leaf"

    let id: Int
    var bookID: Int

    struct Relationships: Sendable {
        var book: FlatCache.Relationship<Leaf, FlatCache.ToOne<Book>> {
            .init("Leaf.bookID", { $0.bookID }, set: { $0.bookID = $1 })
        }
    }
    static var relationships: Relationships { Relationships() }
    static var deleteRules: [FlatCache.DeleteRule<Leaf>] { [.init(\.book, .cascade)] }
}

/// The entities of a library, with the delete rules of a cache that has all in memory.
struct Library: Equatable {
    var shelves: [Int: Shelf] = [:]
    var books: [Int: Book] = [:]
    var leaves: [Int: Leaf] = [:]

    mutating func removeShelf(_ id: Int) {
        shelves[id] = nil
        for book in books.values {
            if book.nextID == id { books[book.id]?.nextID = nil }
            if book.shelfID == id { removeBook(book.id) }
        }
    }

    mutating func removeBook(_ id: Int) {
        books[id] = nil
        leaves = leaves.filter { $0.value.bookID != id }
    }

    init() {}

    /// The entities of a cache.
    init(of cache: FlatCache) {
        shelves = Dictionary(uniqueKeysWithValues: cache.allValues(of: Shelf.self).map { ($0.id, $0) })
        books = Dictionary(uniqueKeysWithValues: cache.allValues(of: Book.self).map { ($0.id, $0) })
        leaves = Dictionary(uniqueKeysWithValues: cache.allValues(of: Leaf.self).map { ($0.id, $0) })
    }
}
