import TestThreads
import Testing

@testable import FlatCache
@testable import FlatCacheStore

/// What happens while a removal is committed, and while the store is written.
extension StoredOwnerTests {
    @Test(
        "Owners of entities on disk that are removed during a write follow with the next batch",
        arguments: [false, true]
    )
    func lateRemovals(endWithAll: Bool) async throws {
        /// The number of reads of whole groups in the first flush, which a first run counts.
        var last = 0
        for isFirst in [true, false] {
            let store = FlakyStore(MemoryStore(in: MemoryPlace()))
            let cache = try await open([Shelf.self, Book.self, Leaf.self], store)
            let ids = 0..<100
            cache.set(contentsOf: ids.map { Shelf(id: $0) })
            cache.set(contentsOf: ids.map { Book(id: $0, shelfID: $0) })
            try await cache.flush()
            cache.collect()
            let scans = Protected(0)
            let scanOfAll = endWithAll && !isFirst ? last : -1
            store.beforeScans { [unowned cache] in
                let count = scans.withLock {
                    $0 += 1
                    return $0
                }
                if count == scanOfAll { cache.removeAll(of: Shelf.self) } else { cache.remove(Shelf.self, id: count) }
            }
            cache.remove(Shelf.self, id: 0)
            try await cache.flush()
            store.beforeScans(nil)
            last = scans.withLock { $0 }
            #expect(!cache.notedRemovals.isEmpty)
            for id in ids {
                let book = try? await cache.fetch(Book.self, id: id, .cacheOnly)
                #expect((book == nil) == (id <= last || scanOfAll >= 0), "book \(id), last scan \(last)")
            }
            try await cache.store?.close()
        }
    }

    @Test("A rule reaches an owner that another rule changes while the store is written")
    func writtenMeanwhile() async throws {
        let cache = try await library(onDemand: [Shelf.self])
        // The first book is on the shelf on disk, and its next one is the shelf in memory.
        _ = try await cache.fetch(Shelf.self, id: 2, .cacheOnly)
        let (removal, flush) = (Gate("a removal is made"), Gate("the store is written"))
        let removing = RunningThread {
            cache.transaction {
                cache.remove(Shelf.self, ids: [1, 2])
                removal.open()
                flush.wait()
            }
        }
        removal.wait()
        try await cache.flush()
        flush.open()
        removing.finish()
        #expect(try await stored(after: cache) == Library())
    }

    @Test(
        "A rule changes owners that are stored before the removal in its transaction, and no later ones",
        arguments: 0..<4
    )
    func storedBefore(way: Int) async throws {
        let cache = try await library(onDemand: [Shelf.self])
        cache.transaction {
            cache.set(contentsOf: [3, 4].map { Book(id: $0, shelfID: 1) } + [Book(id: 5, shelfID: 9, nextID: 1)])
            switch way {
            case 0: cache.remove(Shelf.self, id: 1)
            case 1: cache.remove(Shelf.self, ids: [1])
            case 2: cache.removeAll(of: Shelf.self)
            default: cache.replaceAll(of: Shelf.self, with: [])
            }
            cache.set(contentsOf: [4, 6].map { Book(id: $0, shelfID: 1) })
        }
        var library = expected
        if way > 1 { library.removeShelf(2) }
        for id in [4, 6] { library.books[id] = Book(id: id, shelfID: 1) }
        library.books[5] = Book(id: 5, shelfID: 9)
        #expect(try await stored(after: cache) == library)
    }

    @Test("A removal that is undone doesn't change what the transaction has stored before")
    func undoneInside() async throws {
        struct Failure: Error {}
        let cache = try await library(onDemand: [Shelf.self])
        cache.transaction {
            cache.set(contentsOf: [Book(id: 3, shelfID: 1), Book(id: 4, shelfID: 2)])
            _ = try? cache.transaction {
                cache.remove(Shelf.self, id: 1)
                throw Failure()
            }
            cache.remove(Shelf.self, id: 2)
        }
        #expect(try await stored(after: cache).books.keys.sorted() == [1, 3])
    }

    @Test("A rule changes an owner that another thread stores before the removal is committed")
    func storedMeanwhile() async throws {
        let cache = try await library(onDemand: [Shelf.self])
        let isFirst = Protected(true)
        let storing: @Sendable (SyncPoint) -> Void = { point in
            let isNow = isFirst.withLock { isFirst in
                defer { if point == .ended { isFirst = false } }
                return isFirst && point == .ended
            }
            if isNow { cache.set(Book(id: 3, shelfID: 1)) }
        }
        SyncPoint.$handler.withValue(storing) { _ = cache.remove(Shelf.self, id: 1) }
        #expect(try await stored(after: cache) == expected)
    }

    @Test("Owners that a collection leaves because a removal has read them are changed by its rules")
    func refusedEviction() async throws {
        var cache = try await open()
        cache.set(contentsOf: [1, 2].map { Shelf(id: $0) })
        cache.set(contentsOf: (0..<1000).map { Book(id: $0, shelfID: 1 + $0 % 2, nextID: 2 - $0 % 2) })
        try await cache.store?.close()
        cache = try await open([Shelf.self])
        let isRemoved = Protected(false)
        let subscription = cache.observe(all: Book.self) { [cache] changes in
            if changes.evicted.isEmpty || isRemoved.withLock({ $0 }) { return }
            isRemoved.withLock { $0 = true }
            cache.remove(Shelf.self, id: 1)
        }
        cache.collect()
        subscription.cancel()
        #expect(isRemoved.withLock { $0 })
        let books = try await stored(after: cache).books.values
        #expect(books.count == 500 && books.allSatisfy { $0.shelfID == 2 && $0.nextID == nil })
    }
}
