import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

@Suite("Lists that load, in a store")
struct RestoredListTests {
    private let folder = TemporaryFolder()
    private let time = TestTime()

    private func open() async throws -> FlatCache { try await openCache(FileStore(at: folder.url), time: time) }

    @Test("A restored list goes on after its last entity if cursors are identifiers, or with its first page")
    func restored() async throws {
        let cache = try await open()
        let list = cache.list("all", of: Memo.self)
        list.setLoader { (cursor: Int?) in ListPage([Memo(9, "a"), Memo(8, "a")], next: cursor.map { $0 + 1 } ?? 1) }
        try await list.refresh()
        try await cache.flush()
        try await cache.store?.close()

        let restored = try await open()
        let same = restored.list("all", of: Memo.self)
        #expect(Array(same.ids) == [Memo(9).id, Memo(8).id])
        #expect(same.hasMore && same.error == nil && !same.isLoading && same.gaps.isEmpty)
        same.setLoader(maxAge: .seconds(60), cursorAfter: { $0 }) { (last: Memo.ID?) in
            let pages: [Memo.ID?: [Memo]] = [nil: [Memo(10, "b"), Memo(9, "b")], Memo(8).id: [Memo(7, "b")]]
            return ListPage(pages[last] ?? [], next: nil)
        }
        #expect(try await same.loadMore())
        #expect(Array(same.ids) == [9, 8, 7].map { Memo($0).id })
        #expect(!same.hasMore)
        // Its age isn't known.
        try await same.load(.cacheFirst, .insertAbove)
        #expect(Array(same.ids) == [10, 9, 8, 7].map { Memo($0).id })
        #expect(same.values.map(\.text) == ["b", "b", "a", "b"])
        try await restored.store?.close()
    }
}
