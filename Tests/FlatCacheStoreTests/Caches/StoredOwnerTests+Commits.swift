import Dispatch
import FlatCache
import Testing

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
                if count == scanOfAll {
                    cache.removeAll(of: Shelf.self)
                } else {
                    cache.remove(Shelf.self, id: count)
                }
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
        let (removal, flush) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let isRemoved: Void = onThread {
            cache.transaction {
                cache.remove(Shelf.self, ids: [1, 2])
                removal.signal()
                flush.wait()
                // The transaction can run again.
                flush.signal()
            }
        }
        await onThread { removal.wait() }
        try await cache.flush()
        flush.signal()
        await isRemoved
        #expect(try await stored(after: cache) == Library())
    }
}

/// Runs a body that may wait on a thread that isn't one of the tasks.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { done in
        DispatchQueue.global().async {
            body()
            done.resume()
        }
    }
}
