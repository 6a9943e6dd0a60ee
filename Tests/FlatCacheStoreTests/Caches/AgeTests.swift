import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

@Suite("Ages of restored entities")
struct AgeTests {
    private let time = TestTime()
    private let fetched = Protected<[Int]>([])

    private func setFetcher(in cache: FlatCache, maxAge: Duration?) {
        cache.setFetcher(of: Memo.self, maxAge: maxAge) { [fetched] (ids: Set<Memo.ID>) in
            fetched.withLock { $0 += ids.map(\.number).sorted() }
            return ids.map { Memo($0.number, "fetched") }
        }
    }

    /// Fetches memos, and returns the numbers of those that the fetcher was called for.
    private func fetch(
        _ numbers: [Int],
        from cache: FlatCache,
        _ policy: FlatCache.FetchPolicy = .cacheFirst
    )
        async throws -> [Int]
    {
        fetched.withLock { $0 = [] }
        _ = try await cache.fetch(Memo.self, ids: numbers.map { Memo($0).id }, policy)
        return fetched.withLock { $0.sorted() }
    }

    @Test(
        "A restored entity is as old as its last write says, whether a maximum age was in use or not",
        arguments: [false, true]
    )
    func maxAge(isAgeInUse: Bool) async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        if isAgeInUse { setFetcher(in: cache, maxAge: .seconds(60)) }
        cache.set(Memo(1))
        try await cache.flush()
        time.move(by: .seconds(50))
        cache.set(Memo(2))
        time.move(by: .seconds(20))
        cache = try await cache.restarted(FileStore(at: folder.url), time: time)
        setFetcher(in: cache, maxAge: .seconds(60))
        #expect(try await fetch([1, 2], from: cache) == [1])
        #expect(try await fetch([1, 2], from: cache) == [])
        #expect(try await fetch([1, 2], from: cache, .cacheFirst(maxAge: .seconds(10))) == [2])
    }

    @Test("An entity that was fetched anew without a change is fresh after a restart")
    func equalAnswer() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(Memo(1, "fetched"))
        try await cache.flush()
        time.move(by: .seconds(70))
        for expected in [[1], []] {
            cache = try await cache.restarted(FileStore(at: folder.url), time: time)
            setFetcher(in: cache, maxAge: .seconds(60))
            #expect(try await fetch([1], from: cache) == expected)
        }
    }

    @Test("If the clock has gone back, a restored entity is older than any age")
    func clockBack() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(Memo(1))
        try await cache.flush()
        time.move(by: .seconds(-100))
        cache = try await cache.restarted(FileStore(at: folder.url), time: time)
        cache.set(Memo(2))
        setFetcher(in: cache, maxAge: .seconds(1_000_000))
        #expect(try await fetch([1], from: cache) == [1])
        #expect(Contents(of: cache).notes.map(\.id.number) == [1, 2], "the order doesn't depend on the clock")
    }

    @Test("A mark as stale outlives the process, until the entity is written again")
    func invalidation() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(contentsOf: [Memo(1), Memo(2), Memo(3)])
        try await cache.flush()
        cache.invalidate(Memo.self, id: Memo(1).id)
        cache.invalidate(Memo.self, id: Memo(2).id)
        cache.set(Memo(2, "new"))
        cache = try await cache.restarted(FileStore(at: folder.url), time: time)
        setFetcher(in: cache, maxAge: nil)
        #expect(try await fetch([1, 2, 3], from: cache) == [1])
        cache = try await cache.restarted(FileStore(at: folder.url), time: time)
        setFetcher(in: cache, maxAge: nil)
        #expect(try await fetch([1, 2, 3], from: cache) == [])
    }

    @Test(
        "A mark during a request outlives the process, also if a pending change ends afterwards",
        arguments: [false, true]
    )
    func invalidationDuringRequest(isPending: Bool) async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(Memo(1))
        let request = Request()
        let mutation =
            isPending
            ? cache.mutate(Memo.self, id: Memo(1).id) {
                $0.text += "!"
            } send: {
                try await request.send()
            } : nil
        cache.setFetcher(of: Memo.self) { (ids: Set<Memo.ID>) in
            FlatCache.current.invalidate(Memo.self, id: Memo(1).id)
            return ids.map { Memo($0.number, "fetched") }
        }
        _ = try await cache.fetch(Memo.self, id: Memo(1).id, .networkOnly)
        time.move(by: .seconds(1))
        request.answer(RefusedError())
        _ = try? await mutation?.value
        cache = try await cache.restarted(FileStore(at: folder.url), time: time)
        #expect(cache.text(1) == "fetched")
        setFetcher(in: cache, maxAge: nil)
        #expect(try await fetch([1], from: cache) == [1])
    }

    @Test("A mark of all entities outlives the process, except for those written after it")
    func invalidationOfAll() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(contentsOf: [Memo(1), Memo(2)])
        cache.invalidateAll(of: Memo.self)
        cache.set(Memo(2, "new"))
        cache.set(Memo(3))
        for _ in 0..<2 {
            cache = try await cache.restarted(FileStore(at: folder.url), time: time)
            setFetcher(in: cache, maxAge: nil)
            #expect(try await fetch([2, 3], from: cache) == [])
            time.move(by: .seconds(5))
        }
        #expect(try await fetch([1, 2, 3], from: cache) == [1])
    }

    @Test(
        "Entities written after a mark of all entities are fresh after restarts, and those written before are stale",
        arguments: [0, 20],
        [false, true]
    )
    func writtenAfterMark(openingTakes milliseconds: Int, isAgeInUse: Bool) async throws {
        let folder = TemporaryFolder()
        func restarted(_ cache: FlatCache?) async throws -> FlatCache {
            try await cache?.store?.close()
            let store = FlakyStore(FileStore(at: folder.url))
            store.beforeScans { [time] in time.move(by: .milliseconds(milliseconds)) }
            let cache = try await openCache(store, time: time)
            store.beforeScans(nil)
            setFetcher(in: cache, maxAge: isAgeInUse ? .seconds(1_000) : nil)
            return cache
        }
        var cache = try await restarted(nil)
        cache.set(contentsOf: [Memo(1), Memo(2)])
        cache.invalidateAll(of: Memo.self)
        // The new process begins in the same millisecond, unless opening takes longer.
        cache = try await restarted(cache)
        cache.set(Memo(2, "after"))
        cache.set(Memo(3))
        for _ in 0..<2 {
            cache = try await restarted(cache)
            #expect(try await fetch([2, 3], from: cache) == [])
        }
        cache.set(Memo(4))
        try await cache.flush()
        cache.invalidateAll(of: Memo.self)
        cache = try await restarted(cache)
        #expect(try await fetch([1, 2, 3, 4], from: cache) == [1, 2, 3, 4])
        cache = try await restarted(cache)
        #expect(try await fetch([1, 2, 3, 4], from: cache) == [])
    }

    @Test("If the clock has gone back, a mark of all entities concerns those that were written before it, and no other")
    func clockBackBeforeMark() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(contentsOf: [Memo(1), Memo(2)])
        try await cache.flush()
        time.move(by: .seconds(100))
        // The time of this write is later than that of the mark.
        cache.update(Memo.self, id: Memo(1).id) { $0.text = "later" }
        try await cache.store?.close()
        time.move(by: .seconds(-200))
        cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.invalidateAll(of: Memo.self)
        cache.set(Memo(2, "after"))
        for _ in 0..<2 {
            cache = try await cache.restarted(FileStore(at: folder.url), time: time)
            setFetcher(in: cache, maxAge: nil)
            #expect(try await fetch([2], from: cache) == [])
        }
        #expect(try await fetch([1, 2], from: cache) == [1])
    }

    @Test("What another process has written after its mark of all entities is fresh after restarts")
    func markOfAnotherProcess() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(contentsOf: [Memo(1), Memo(2)])
        try await cache.store?.suspend()
        let other = try await openCache(FileStore(at: folder.url), time: time)
        other.invalidateAll(of: Memo.self)
        other.set(Memo(2, "after"))
        try await other.store?.close()
        time.move(by: .seconds(5))
        try await cache.store?.resume()
        cache.set(Memo(3))
        for _ in 0..<2 {
            cache = try await cache.restarted(FileStore(at: folder.url), time: time)
            setFetcher(in: cache, maxAge: nil)
            #expect(try await fetch([2, 3], from: cache) == [])
        }
        #expect(try await fetch([1, 2, 3], from: cache) == [1])
    }

    @Test("An entity written after a mark of all entities is fresh when it is loaded", arguments: [0, -100, 100])
    func loadedAfterMark(seconds: Int) async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(contentsOf: [Memo(1), Memo(2)])
        cache.invalidateAll(of: Memo.self)
        cache.set(Memo(2, "new"))
        try await cache.flush()
        time.move(by: .seconds(seconds))
        cache.collect()
        #expect(cache.count(of: Memo.self) == 0)
        setFetcher(in: cache, maxAge: nil)
        #expect(try await fetch([1, 2], from: cache) == [1])
    }

    /// Why an entity that is only on disk is stale.
    enum Staleness: CaseIterable {
        case mark, markOfAll, age
    }

    @Test(
        "A stale entity that is loaded below a pending change remains stale when that ends, or another one begins",
        arguments: Staleness.allCases,
        [false, true]
    )
    func loadedBelowChange(staleness: Staleness, hasEnded: Bool) async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url), time: time)
        setFetcher(in: cache, maxAge: staleness == .age ? .seconds(60) : nil)
        cache.set(Memo(1))
        try await cache.flush()
        cache.collect()
        let id = Memo(1).id
        switch staleness {
        case .mark: cache.invalidate(Memo.self, id: id)
        case .markOfAll: cache.invalidateAll(of: Memo.self)
        case .age: time.move(by: .seconds(70))
        }
        let end = AsyncStream<Void>.makeStream()
        let mutation = cache.mutate(order: .serial("all")) { change in
            change.set(Memo(1, "pending"))
        } send: {
            for await _ in end.stream {}
            throw CancellationError()
        }
        #expect(try await fetch([1], from: cache, .cacheOnly) == [])
        let other = cache.mutate(Memo.self, id: id, order: .serial("all")) {
            $0.text += "!"
        } send: {
        }
        if hasEnded {
            other.cancel()
            end.continuation.finish()
            await #expect(throws: CancellationError.self) { try await mutation.value }
        }
        #expect(try await fetch([1], from: cache) == [1])
        #expect(cache.confirmed { cache.get(Memo.self, id: id)?.text } == "fetched")
        end.continuation.finish()
        _ = try? await other.value
    }

    @Test("An entity that another process has written after its mark of all entities is fresh when it is loaded")
    func loadedAfterMarkOfAnotherProcess() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        cache.set(contentsOf: [Memo(1), Memo(2)])
        try await cache.store?.close()
        cache = try await openCache(FileStore(at: folder.url), for: [Author.self], onDemand: [Memo.self], time: time)
        try await cache.store?.suspend()
        let other = try await openCache(FileStore(at: folder.url), time: time)
        other.invalidateAll(of: Memo.self)
        other.set(Memo(1, "new"))
        try await other.store?.close()
        time.move(by: .seconds(1))
        try await cache.store?.resume()
        setFetcher(in: cache, maxAge: nil)
        #expect(try await fetch([1, 2], from: cache) == [2])
    }
}
