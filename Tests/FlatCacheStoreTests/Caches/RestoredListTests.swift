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
            return ListPage(pages[last] ?? [], next: last == nil ? Memo(9).id : nil)
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

    @Test("A restored list has its gaps, also the one at its beginning", arguments: [false, true])
    func restoredGap(isAtBeginning: Bool) async throws {
        let cache = try await open()
        let list = cache.list("all", of: Memo.self, keeps: 3)
        list.setLoader { (cursor: Int?) in ListPage([Memo(2, "a"), Memo(1, "a")], next: nil) }
        try await list.refresh()
        try await cache.flush()
        list.setLoader { (cursor: Int?) in ListPage([Memo(9, "a"), Memo(8, "a")], next: 8) }
        try await list.refresh(.insertAbove)
        #expect(list.gaps == [Memo(8).id])
        if isAtBeginning { list.remove(ids: [Memo(9).id, Memo(8).id]) }
        try await cache.flush()
        try await cache.store?.close()

        let restored = try await open()
        let same = restored.list("all", of: Memo.self)
        #expect(same.gaps == (isAtBeginning ? [] : [Memo(8).id]) && same.hasMore)
        same.setLoader(cursorAfter: { $0 }) { (last: Memo.ID?) in
            let text = last.map { "after \($0.number)" } ?? "first"
            return ListPage([Memo(7, text), Memo(2, "b"), Memo(1, "b")], next: Memo(1).id)
        }
        #expect(try await same.loadMore(after: same.gaps.first))
        #expect(restored.get(Memo.self, id: Memo(7).id)?.text == (isAtBeginning ? "first" : "after 8"))
        #expect(Array(same.ids) == (isAtBeginning ? [7, 2, 1] : [9, 8, 7, 2, 1]).map { Memo($0).id })
        #expect(same.gaps.isEmpty)
        try await restored.store?.close()
    }

    @Test("A restored list that was opened in the middle goes on in both directions, and its gap is filled from below")
    func restoredMiddle() async throws {
        func setLoader(of list: CachedList<Memo>) {
            list.setLoader(cursorAfter: { $0.number }, cursorBefore: { $0.number }) {
                (request: ListPageRequest<Memo, Int>) in
                let numbers =
                    switch request {
                    case .first: [20, 19]
                    case .after(let number): [number - 1]
                    case .before(let number): [number + 2, number + 1]
                    case .around(let id): [id.number + 1, id.number]
                    }
                let memos = numbers.map { Memo($0, "page") }
                let previous = numbers.first.flatMap { $0 < 20 ? $0 : nil }
                return ListPage(memos, next: numbers.last.flatMap { $0 > 1 ? $0 : nil }, previous: previous)
            }
        }
        var cache = try await open()
        var list = cache.list("all", of: Memo.self)
        setLoader(of: list)
        try await list.refresh(around: Memo(10).id)
        try await list.refresh(.insertAbove)
        list.remove(Memo(20).id)
        #expect(list.gaps == [Memo(19).id] && !list.hasPrevious && list.hasMore)
        try await cache.flush()
        try await cache.store?.close()

        cache = try await open()
        list = cache.list("all", of: Memo.self)
        setLoader(of: list)
        // As the end, the beginning isn't known any more.
        #expect(list.gaps == [Memo(19).id] && list.hasPrevious && list.hasMore)
        #expect(try await list.loadPrevious(before: Memo(11).id))
        #expect(try await list.loadPrevious())
        #expect(try await list.loadMore())
        #expect(Array(list.ids) == [21, 20, 19, 13, 12, 11, 10, 9].map { Memo($0).id })
        #expect(list.gaps == [Memo(19).id] && !list.hasPrevious && list.hasMore)
        try await cache.store?.close()
    }

    @Test("An entity that the app has added ends no gap of a restored list", arguments: [false, true])
    func restoredOwn(isRestored: Bool) async throws {
        func setLoader(of list: CachedList<Memo>, first: Int) {
            list.setLoader(cursorAfter: { $0.number }) { (last: Int?) in
                let first = last.map { $0 - 1 } ?? first
                return ListPage([Memo(first, "page"), Memo(first - 1, "page")], next: first - 1)
            }
        }
        var cache = try await open()
        var list = cache.list("all", of: Memo.self)
        setLoader(of: list, first: 10)
        try await list.refresh()
        list.prepend(Memo(27, "own"))
        setLoader(of: list, first: 30)
        try await list.refresh(.insertAbove)
        list.append(ids: [Memo(3).id, Memo(2).id])
        if isRestored {
            try await cache.store?.close()
            cache = try await open()
            list = cache.list("all", of: Memo.self)
            setLoader(of: list, first: 30)
        }
        #expect(list.gaps == [Memo(29).id])
        #expect(try await list.loadMore(after: Memo(29).id))
        #expect(list.gaps == [Memo(27).id])
        #expect(Array(list.ids) == [30, 29, 28, 27, 10, 9, 3, 2].map { Memo($0).id })
        try await cache.store?.close()
    }

    @Test("A restored list is stale if it was invalidated since its first page was loaded", arguments: [false, true])
    func restoredMark(isLoadedAgain: Bool) async throws {
        let cache = try await open()
        let list = cache.list("all", of: Memo.self)
        list.setLoader { (_: Int?) in ListPage([Memo(9, "a")], next: nil) }
        try await list.refresh()
        try await cache.flush()
        list.invalidate()
        try await cache.flush()
        if isLoadedAgain { try await list.refresh() }
        try await cache.store?.close()

        let restored = try await open()
        let same = restored.list("all", of: Memo.self)
        same.setLoader { (_: Int?) in ListPage([Memo(10, "b")], next: nil) }
        try await same.load()
        #expect(Array(same.ids) == [isLoadedAgain ? Memo(9).id : Memo(10).id])
        // The mark is gone with the page.
        same.setLoader { (_: Int?) in ListPage([Memo(11, "c")], next: nil) }
        try await same.load()
        #expect(Array(same.ids) == [isLoadedAgain ? Memo(9).id : Memo(10).id])
        try await restored.store?.close()
    }
}
