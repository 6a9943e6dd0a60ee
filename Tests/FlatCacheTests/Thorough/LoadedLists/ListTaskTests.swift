import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCache

/// Lists that several tasks load, change and cancel at the same time.
@Suite("Lists that several tasks load", .mayBlock)
struct ListTaskTests {
    @Test(
        "Nothing is listed twice, no call is left, and the list can be loaded afterwards",
        arguments: 0..<8 as Range<UInt64>
    )
    func tasks(seed: UInt64) async throws {
        let cache = FlatCache()
        let list = cache.list("home", of: Clip.self)
        list.setLoader(cursorAfter: { $0 }) { (cursor: Int?) in
            for _ in 0..<(cursor ?? 3) % 5 { await Task.yield() }
            try Task.checkCancellation()
            if let cursor, cursor % 7 == 0 { throw RejectedError() }
            let first = (cursor ?? 60) - 1
            let ids = (max(first - 3, 0)...max(first, 0)).reversed()
            return ListPage(ids.map { Clip(id: $0) }, next: ids.last == 0 ? nil : ids.last)
        }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    var random = SeededGenerator(seed: seed * 10 + UInt64(worker))
                    for _ in 0..<40 {
                        let step = random.below(9)
                        let id = random.below(60)
                        let task = Task { await self.make(step, id, list, cache) }
                        if random.below(4) == 0 { task.cancel() }
                        await task.value
                    }
                }
            }
        }
        #expect(await eventually { !list.isLoading })
        #expect(Set(list.ids).count == list.count)
        #expect(cache.listLoaders.loader(of: list).waiterCounts.isEmpty)
        try await list.refresh()
        #expect(Array(list.ids) == [59, 58, 57, 56] && list.gaps.isEmpty && list.hasMore)
    }

    @Test("A request that is made while a page joins is made again, because its page would not fit")
    func joinedMeanwhile() async throws {
        let cache = FlatCache()
        let list = cache.list("home", of: Clip.self)
        let answer = ManualAnswer<Void>()
        list.setLoader { (_: Int?) in
            try await answer()
            return ListPage([Clip(id: 9)], next: nil)
        }
        async let first = list.refresh()
        await answer.hasBegun()
        let loader = cache.listLoaders.loader(of: list)
        let joins = Recorder<UInt64>()
        onThreads(1) { _ in
            SyncPoint.$handler.withValue({ point in
                guard point == .listed, loader.endedJoins == 0 else { return }
                answer.succeed()
                spin { loader.endedJoins > 0 }
            }) {
                guard let (_, call, isNew) = try? list.begin(.first, .replace, .networkOnly) else { return }
                if isNew { joins.record(call.request.endedJoins) }
                _ = loader.leave(call)
            }
        }
        #expect(try await first)
        #expect(joins.elements == [1])
    }

    private func make(_ step: Int, _ id: Int, _ list: CachedList<Clip>, _ cache: FlatCache) async {
        do {
            switch step {
            case 0: try await list.refresh()
            case 1: try await list.refresh(.insertAbove)
            case 2, 3: try await list.loadMore()
            case 4: if let gap = list.gaps.first { try await list.loadMore(after: gap) }
            case 5: try await list.load(.cacheAndNetwork)
            case 6: list.prepend(Clip(id: 100 + id))
            case 7: list.remove(id)
            default: if id == 0 { cache.removeAll() } else if id < 6 { list.replace(withIDs: [59, 58]) }
            }
        } catch {
            #expect(error is RejectedError || error is CancellationError, "\(error)")
        }
    }
}
