import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache
@testable import FlatCacheStore

@Suite("Delete rules for owners that only the store has", .mayBlock)
struct StoredOwnerTests {
    private let folder = TemporaryFolder()
    private let time = TestTime()

    func open(_ onDemand: [any Storable.Type] = [], _ store: (any EntityStore)? = nil) async throws -> FlatCache {
        let types: [any Storable.Type] = [Shelf.self, Book.self, Leaf.self]
        return try await openCache(
            store ?? FileStore(at: folder.url),
            for: types.filter { type in !onDemand.contains { $0 == type } },
            onDemand: onDemand,
            time: time
        )
    }

    /// Opens a cache with two shelves, a book on each, and a page of each book.
    func library(
        onDemand: [any Storable.Type] = [Book.self, Leaf.self],
        _ store: (any EntityStore)? = nil
    ) async throws -> FlatCache {
        let cache = try await open()
        cache.set(contentsOf: [1, 2].map { Shelf(id: $0) })
        cache.set(contentsOf: [1, 2].map { Book(id: $0, shelfID: $0, nextID: 3 - $0) })
        cache.set(contentsOf: [1, 2].map { Leaf(id: $0, bookID: $0) })
        try await cache.store?.close()
        return try await open(onDemand, store)
    }

    /// What the folder has.
    func stored(after cache: FlatCache) async throws -> Library {
        try await cache.store?.close()
        let restored = try await open()
        defer { withExtendedLifetime(restored) {} }
        let library = Library(of: restored)
        try await restored.store?.close()
        return library
    }

    var expected: Library {
        var library = Library()
        for id in [1, 2] {
            library.shelves[id] = Shelf(id: id)
            library.books[id] = Book(id: id, shelfID: id, nextID: 3 - id)
            library.leaves[id] = Leaf(id: id, bookID: id)
        }
        library.removeShelf(1)
        return library
    }

    @Test("A removal reaches owners on disk, and the owners of these", arguments: 0..<5)
    func removal(way: Int) async throws {
        let all: [any Storable.Type] = way < 3 ? [Book.self, Leaf.self] : [Shelf.self, Book.self, Leaf.self]
        let cache = try await library(onDemand: way == 2 ? [] : all)
        if way == 2 { cache.collect(keeping: [Shelf.flatCacheKey(id: 1), Shelf.flatCacheKey(id: 2)]) }
        switch way {
        case 0: cache.transaction { _ = cache.remove(Shelf.self, id: 1) }
        case 3: cache.remove(Shelf.self, ids: [1, 7])
        default: cache.remove(Shelf.self, id: 1)
        }
        #expect(try await stored(after: cache) == expected)
    }

    @Test("An owner that is loaded after the removal has the change, before the store is written")
    func loading() async throws {
        let cache = try await library()
        cache.remove(Shelf.self, id: 1)
        #expect(try await cache.fetch(Book.self, id: 2, .cacheOnly).nextID == nil)
        await #expect(throws: FlatCache.FetchError.self) { try await cache.fetch(Book.self, id: 1, .cacheOnly) }
        await #expect(throws: FlatCache.FetchError.self) { try await cache.fetch(Leaf.self, id: 1, .cacheOnly) }
        #expect(try await cache.fetch(Leaf.self, id: 2, .cacheOnly).bookID == 2)
    }

    @Test("A removed target that is stored again doesn't save its old owner, and a new owner remains")
    func storedAgain() async throws {
        let cache = try await library()
        cache.remove(Shelf.self, id: 1)
        cache.set(Shelf(id: 1))
        cache.set(Book(id: 3, shelfID: 1))
        cache.set(Book(id: 2, shelfID: 2, nextID: 1))
        var library = expected
        library.shelves[1] = Shelf(id: 1)
        library.books[3] = Book(id: 3, shelfID: 1)
        library.books[2]?.nextID = 1
        #expect(try await stored(after: cache) == library)
    }

    @Test(
        "The removal of all reaches the owners, also those of targets on disk",
        arguments: [false, true],
        [false, true]
    )
    func all(isTargetOnDemand: Bool, areKept: Bool) async throws {
        let cache = try await library(onDemand: isTargetOnDemand ? [Shelf.self, Book.self] : [Book.self, Leaf.self])
        if areKept { cache.replaceAll(of: Shelf.self, with: [Shelf(id: 2)]) } else { cache.removeAll(of: Shelf.self) }
        var library = expected
        if !areKept { library.removeShelf(2) }
        #expect(try await stored(after: cache) == library)
    }

    @Test("A change of the identifier, an eviction and the removal of everything apply no rule")
    func noRule() async throws {
        var cache = try await library()
        cache.update(Shelf.self, id: 1) { $0 = Shelf(id: 9) }
        cache.collect()
        try await cache.flush()
        #expect(try await cache.fetch(Book.self, id: 1, .cacheOnly).shelfID == 1)
        #expect(try await stored(after: cache).books.count == 2)
        cache = try await open([Book.self])
        cache.removeAll()
        #expect(try await stored(after: cache) == Library())
    }

    @Test("The removal of an identifier that nothing was stored under reaches owners, too", arguments: [true, false])
    func unknown(isOnDemand: Bool) async throws {
        let cache = try await open()
        cache.set(contentsOf: [Book(id: 1, shelfID: 7), Book(id: 2, shelfID: 8)])
        cache.set(Shelf(id: 8))
        cache.set(contentsOf: (1...2).map { Leaf(id: $0, bookID: $0) })
        try await cache.store?.close()
        let restored = try await open(isOnDemand ? [Shelf.self, Book.self] : [Book.self])
        restored.remove(Shelf.self, id: 7)
        #expect(try await stored(after: restored).books.keys.sorted() == [2])
    }

    @Test("D1: A batch that fails has neither the removal nor what follows from it, and the next one has both")
    func failing() async throws {
        let store = FlakyStore(FileStore(at: folder.url))
        let cache = try await library(store)
        cache.remove(Shelf.self, id: 1)
        for calls in 0..<5 {
            store.fail(1, after: calls)
            do { try await cache.flush() } catch { continue }
            break
        }
        #expect(try await stored(after: cache) == expected)
    }

    @Test("A transaction that throws reaches nothing")
    func undone() async throws {
        struct Failure: Error {}
        let cache = try await library()
        #expect(throws: Failure.self) {
            try cache.transaction {
                cache.remove(Shelf.self, id: 1)
                throw Failure()
            }
        }
        #expect(try await stored(after: cache).books.count == 2)
    }

    @Test("The memory of a removal ends when the owners are reached")
    func notes() async throws {
        let cache = try await library()
        cache.remove(Shelf.self, id: 1)
        #expect(cache.notedRemovals.count == 1)
        try await cache.flush()
        #expect(cache.notedRemovals.isEmpty)
    }

    @Test("A flush and a load end while the app goes on to remove entities")
    func endless() async throws {
        let store = FlakyStore(FileStore(at: folder.url))
        let cache = try await library(store)
        cache.set(contentsOf: (10..<400).map { Shelf(id: $0) })
        try await cache.flush()
        let scans = Protected(0)
        store.beforeScans { [unowned cache] in
            let count = scans.withLock {
                $0 += 1
                return $0
            }
            cache.remove(Shelf.self, id: 9 + count)
        }
        cache.remove(Shelf.self, id: 1)
        try await cache.flush()
        let last = scans.withLock { $0 }
        #expect(last > 0 && last < 30)
        #expect(!cache.notedRemovals.isEmpty)
        #expect(try await cache.fetch(Book.self, id: 2, .cacheOnly).nextID == nil)
        #expect(scans.withLock { $0 } - last < 4)
        store.beforeScans(nil)
        let library = try await stored(after: cache)
        #expect(library.books == expected.books && library.leaves == expected.leaves)
    }

    @Test("An owner that is written after a removal remains, whatever is removed later", arguments: [2, 99])
    func laterRemoval(of other: Int) async throws {
        let cache = try await library(onDemand: [Shelf.self])
        cache.remove(Shelf.self, id: 1)
        cache.set(Book(id: 1, shelfID: 1))
        cache.remove(Shelf.self, id: other)
        let library = try await stored(after: cache)
        #expect(library.books[1] == Book(id: 1, shelfID: 1))
        #expect((library.books[2] == nil) == (other == 2))
    }

    @Test("The removal of all concerns no owner of what was removed before", arguments: [false, true], [false, true])
    func laterClear(wasInMemory: Bool, areKept: Bool) async throws {
        let cache = try await library(onDemand: [Shelf.self])
        if wasInMemory { _ = try await cache.fetch(Shelf.self, id: 1, .cacheOnly) }
        cache.remove(Shelf.self, id: 1)
        cache.set(Book(id: 3, shelfID: 1))
        if areKept { cache.replaceAll(of: Shelf.self, with: [Shelf(id: 1)]) } else { cache.removeAll(of: Shelf.self) }
        cache.removeAll(of: Shelf.self)
        #expect(try await stored(after: cache).books == (areKept ? [:] : [3: Book(id: 3, shelfID: 1)]))
    }

    @Test("A rule reaches an owner in memory that another rule has changed", arguments: 0..<6)
    func changedByRule(way: Int) async throws {
        let cache = try await library(onDemand: [Shelf.self])
        // The first book is on the shelf on disk, and its next one is the shelf in memory.
        _ = try await cache.fetch(Shelf.self, id: 2, .cacheOnly)
        switch way {
        case 0: cache.remove(Shelf.self, ids: [1, 2])
        case 1: cache.remove(Shelf.self, ids: [2, 1])
        case 2:
            cache.transaction {
                cache.remove(Shelf.self, id: 1)
                cache.remove(Shelf.self, id: 2)
            }
        case 3:
            cache.transaction {
                cache.remove(Shelf.self, id: 2)
                cache.remove(Shelf.self, id: 1)
            }
        case 4:
            cache.remove(Shelf.self, id: 1)
            cache.remove(Shelf.self, id: 2)
            #expect(cache.get(Book.self, id: 1) == nil)
        default: cache.removeAll(of: Shelf.self)
        }
        #expect(try await stored(after: cache) == Library())
    }

    @Test("An owner that the app writes in the commit in which a rule changes it remains", arguments: 0..<4)
    func writtenWithRule(way: Int) async throws {
        let cache = try await library(onDemand: [Shelf.self])
        _ = try await cache.fetch(Shelf.self, id: 2, .cacheOnly)
        let book = Book(id: 1, shelfID: 1, nextID: 2)
        cache.remove(Shelf.self, id: 1)
        cache.transaction {
            if way != 1 { cache.set(book) }
            cache.remove(Shelf.self, id: 2)
            if way != 0 { cache.set(book) }
        }
        if way == 3 {
            struct Failure: Error {}
            _ = try? cache.transaction {
                cache.set(Shelf(id: 2))
                try cache.transaction {
                    cache.remove(Shelf.self, id: 2)
                    throw Failure()
                }
            }
        }
        let library = try await stored(after: cache)
        #expect(library.books == [1: Book(id: 1, shelfID: 1, nextID: way == 0 ? nil : 2)])
    }

    @Test("What rules have written is forgotten when all owners are reached")
    func ruleWrites() async throws {
        let cache = try await library(onDemand: [Shelf.self])
        _ = try await cache.fetch(Shelf.self, id: 2, .cacheOnly)
        cache.remove(Shelf.self, id: 2)
        #expect(cache.hasRuleWrites)
        try await cache.flush()
        #expect(!cache.hasRuleWrites)
        #expect(cache.get(Book.self, id: 1) == Book(id: 1, shelfID: 1))
    }

    @Test("A list and a reference drop an entity that is removed while it is only on disk", arguments: 0..<5)
    func names(way: Int) async throws {
        func open(isOnDemand: Bool) async throws -> FlatCache {
            let types: [any Storable.Type] = [Memo.self]
            return try await openCache(
                FileStore(at: folder.url),
                for: isOnDemand ? [] : types,
                onDemand: isOnDemand ? types : [],
                time: time
            )
        }
        var cache = try await open(isOnDemand: false)
        let ids = (0..<3).map { Memo($0).id }
        cache.set(contentsOf: (0..<3).map { Memo($0) })
        cache.list("drops", of: Memo.self, dropsRemoved: true).replace(withIDs: ids)
        cache.list("keeps", of: Memo.self).replace(withIDs: ids)
        cache.reference("drops", of: Memo.self, dropsRemoved: true).id = ids[1]
        try await cache.store?.close()
        cache = try await open(isOnDemand: true)
        switch way {
        case 0: cache.remove(Memo.self, id: ids[1])
        case 1: cache.remove(Memo.self, ids: [ids[1]])
        case 2: cache.transaction { _ = cache.remove(Memo.self, id: ids[1]) }
        case 3: cache.replaceAll(of: Memo.self, with: [Memo(0), Memo(2)])
        default: cache.removeAll(of: Memo.self)
        }
        for _ in 0..<2 {
            #expect(Array(cache.list("drops", of: Memo.self).ids) == (way == 4 ? [] : [ids[0], ids[2]]))
            #expect(Array(cache.list("keeps", of: Memo.self).ids) == ids)
            #expect(cache.reference("drops", of: Memo.self).id == nil)
            try await cache.store?.close()
            cache = try await open(isOnDemand: false)
        }
        #expect(cache.count(of: Memo.self) == (way == 4 ? 0 : 2))
    }

    /// Lets the store be written, or read, which applies the rules to owners that only the store has.
    private func reach(in cache: FlatCache, byWriting isWriting: Bool) async throws {
        if isWriting { return try await cache.flush() }
        _ = try? await cache.fetch(Shelf.self, id: 99, .cacheOnly)
        _ = try? await cache.fetch(Book.self, id: 99, .cacheOnly)
        _ = try? await cache.fetch(Leaf.self, id: 99, .cacheOnly)
    }

    @Test("Random removals, writes, evictions and restarts are as in memory", arguments: Seeds.first(20, full: 500))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let choices: [[any Storable.Type]] = [
            [], [Book.self], [Leaf.self], [Book.self, Leaf.self], [Shelf.self, Book.self, Leaf.self],
        ]
        var cache = try await open(random.pick(from: choices))
        var library = Library()
        for step in 0..<150 {
            let id = random.below(12)
            var last = "\(id)"
            switch random.below(14) {
            case 0: try await cache.flush()
            case 1: cache.collect()
            case 2 where random.below(3) == 0:
                try await cache.store?.close()
                cache = try await open(random.pick(from: choices))
            case 3, 4:
                last = "removal of shelf \(id)"
                cache.remove(Shelf.self, id: id)
                library.removeShelf(id)
                try await reach(in: cache, byWriting: random.below(2) == 0)
            case 5:
                last = "removal of book \(id)"
                cache.remove(Book.self, ids: [id])
                library.removeBook(id)
                try await reach(in: cache, byWriting: random.below(2) == 0)
            case 6 where random.below(8) == 0:
                last = "removal of all shelves but \(id)"
                cache.replaceAll(of: Shelf.self, with: [Shelf(id: id)])
                for other in library.shelves.keys where other != id { library.removeShelf(other) }
                library.shelves[id] = Shelf(id: id)
                // No fetch of a shelf reads the store after all were removed.
                try await cache.flush()
            case 7, 8:
                cache.set(Shelf(id: id))
                library.shelves[id] = Shelf(id: id)
            case 9, 10:
                let book = Book(
                    id: id,
                    shelfID: random.below(12),
                    nextID: random.below(2) == 0 ? nil : random.below(12)
                )
                last = "\(book)"
                cache.set(book)
                library.books[id] = book
            case 11:
                let page = Leaf(id: id, bookID: random.below(12))
                cache.set(page)
                library.leaves[id] = page
            case 12:
                let book = try? await cache.fetch(Book.self, id: id, .cacheOnly)
                #expect(book == library.books[id], "seed \(seed), step \(step)")
            default:
                let page = try? await cache.fetch(Leaf.self, id: id, .cacheOnly)
                #expect(page == library.leaves[id], "seed \(seed), step \(step)")
            }
            if random.below(8) > 0 { continue }
            let (book, page) = (random.below(12), random.below(12))
            let found = try? await cache.fetch(Book.self, id: book, .cacheOnly)
            if found != library.books[book] {
                Issue.record("seed \(seed), step \(step), \(last): \(found as Any), not \(library.books[book] as Any)")
                return
            }
            let leaf = try? await cache.fetch(Leaf.self, id: page, .cacheOnly)
            if leaf != library.leaves[page] {
                Issue.record("seed \(seed), step \(step), \(last): \(leaf as Any), not \(library.leaves[page] as Any)")
                return
            }
        }
        #expect(try await stored(after: cache) == library, "seed \(seed)")
    }
}
