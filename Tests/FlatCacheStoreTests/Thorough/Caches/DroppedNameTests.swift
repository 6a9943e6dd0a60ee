import FlatCache
import Testing

@testable import FlatCacheStore

@Suite("Names that drop removed entities, and identifiers under which the store has nothing")
struct DroppedNameTests {
    /// What happens before an identifier is removed.
    enum Past: CaseIterable {
        case nothing, removal, removalOfAll, removalOfType, writtenRemoval, erasing
    }

    private let folder = TemporaryFolder()

    @Test("A type of which entities may only be on disk loses the identifiers at once", arguments: Past.allCases)
    func onDemand(past: Past) async throws {
        let cache = try await openCache(FileStore(at: folder.url), for: [Author.self], onDemand: [Memo.self])
        let (list, reference) = names(in: cache)
        cache.set(contentsOf: (1...3).map { Memo($0) })
        switch past {
        case .nothing: break
        case .removal: cache.remove(Memo.self, id: Memo(9).id)
        case .removalOfAll: cache.removeAll()
        case .removalOfType: cache.removeAll(of: Memo.self)
        case .writtenRemoval:
            cache.removeAll()
            try await cache.flush()
        case .erasing: try await cache.store?.erase()
        }
        #expect(!cache.isComplete(Memo.self))
        fill(list, reference)
        cache.remove(Memo.self, id: Memo(9).id)
        #expect(list.ids.map(\.number) == [1] && reference.id == nil)
        fill(list, reference)
        cache.remove(Memo.self, ids: [Memo(9).id])
        #expect(list.ids.map(\.number) == [1] && reference.id == nil)
        fill(list, reference)
        cache.transaction { _ = cache.remove(Memo.self, id: Memo(9).id) }
        #expect(list.ids.map(\.number) == [1] && reference.id == nil)
        try await cache.store?.close()
    }

    @Test("A type that is all in memory loses them, too")
    func inMemory() async throws {
        let cache = try await openCache(FileStore(at: folder.url))
        let (list, reference) = names(in: cache)
        fill(list, reference)
        cache.remove(Memo.self, id: Memo(9).id)
        #expect(cache.isComplete(Memo.self))
        #expect(list.ids.map(\.number) == [1] && reference.id == nil)
        fill(list, reference)
        cache.set(Memo(9))
        cache.remove(Memo.self, id: Memo(9).id)
        #expect(list.ids.map(\.number) == [1] && reference.id == nil)
        try await cache.store?.close()
    }

    private func names(in cache: FlatCache) -> (list: CachedList<Memo>, reference: CachedReference<Memo>) {
        (
            cache.list("drops", of: Memo.self, dropsRemoved: true),
            cache.reference("drops", of: Memo.self, dropsRemoved: true)
        )
    }

    private func fill(_ list: CachedList<Memo>, _ reference: CachedReference<Memo>) {
        list.replace(withIDs: [Memo(1).id, Memo(9).id])
        reference.id = Memo(9).id
    }
}
