import Foundation
import TestThreads
import Testing

@testable import FlatCache
@testable import FlatCacheStore

@Suite("Entities that are removed while a store loads them", .mayBlock)
struct RemovedWhileLoadingTests {
    private let folder = TemporaryFolder()

    private func open() async throws -> FlatCache {
        try await openCache(FileStore(at: folder.url), for: [], onDemand: [Memo.self])
    }

    enum Removal: CaseIterable {
        case byID, byIDs, byHandle, inTransaction, ofType, everything

        func callAsFunction(_ id: Memo.ID, in cache: FlatCache) {
            switch self {
            case .byID: cache.remove(Memo.self, id: id)
            case .byIDs: cache.remove(Memo.self, ids: [id])
            case .byHandle: Cached(Memo.self, id: id, in: cache).remove()
            case .inTransaction: cache.transaction { _ = cache.remove(Memo.self, id: id) }
            case .ofType: cache.removeAll(of: Memo.self)
            case .everything: cache.removeAll()
            }
        }
    }

    @Test(
        "A removal of an entity that is only on disk isn't undone by a load that has begun before",
        arguments: Removal.allCases,
        [false, true]
    )
    func removed(removal: Removal, isIndexed: Bool) async throws {
        var cache = try await open()
        let memo = Memo(1, "stored")
        cache.set(memo)
        try await cache.store?.close()
        cache = try await open()
        if isIndexed { cache.buildIndex(FlatCache.Index(\Memo.text)) }
        let revision = cache.lastRevision
        _ = cache.commitLoaded { [cache] commit in
            commit.insert(RestoredEntity(memo, ordinal: 1, stamp: 0), unlessChangedAfter: revision)
            RunningThread { removal(memo.id, in: cache) }.finish()
        }
        #expect(cache.get(Memo.self, id: memo.id) == nil)
        await #expect(throws: FlatCache.FetchError.self) { try await cache.fetch(Memo.self, id: memo.id, .cacheOnly) }
        try await cache.store?.close()
        cache = try await open()
        await #expect(throws: FlatCache.FetchError.self) { try await cache.fetch(Memo.self, id: memo.id, .cacheOnly) }
    }
}
