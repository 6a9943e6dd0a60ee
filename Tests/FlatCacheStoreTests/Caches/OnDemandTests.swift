import FlatCache
import Foundation
import TestThreads
import Testing

@testable import FlatCacheStore

@Suite("Entities that stay on disk until they are fetched", .mayBlock)
struct OnDemandTests {
    private let folder = TemporaryFolder()
    private let time = TestTime()

    private func open(errors: Errors = Errors()) async throws -> FlatCache {
        try await openCache(
            FileStore(at: folder.url),
            for: [Author.self],
            onDemand: [Memo.self],
            time: time,
            errors: errors
        )
    }

    /// Creates a cache with memos that are only on disk.
    private func stored(_ count: Int) async throws -> FlatCache {
        let cache = try await open()
        cache.set(contentsOf: (0..<count).map { Memo($0, "stored") })
        try await cache.store?.close()
        return try await open()
    }

    @Test("A fetch looks in memory, in the store, and then calls the fetcher")
    func fetch() async throws {
        let cache = try await stored(3)
        cache.setFetcher(of: Memo.self) { (ids: Set<Memo.ID>) in ids.map { Memo($0.number, "fetched") } }
        cache.set(Memo(0, "in memory"))
        #expect(cache.get(Memo.self, id: Memo(1).id) == nil && cache.count(of: Memo.self) == 1)
        let ids = [0, 1, 9].map { Memo($0).id }
        #expect(try await cache.fetch(Memo.self, ids: ids).map(\.text) == ["in memory", "stored", "fetched"])
        #expect(cache.get(Memo.self, id: Memo(1).id)?.text == "stored")
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id, .cacheOnly).text == "stored")
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id, .networkOnly).text == "fetched")
    }

    @Test("If the server has nothing newer, a fetch returns what is on disk")
    func unmodified() async throws {
        let cache = try await stored(1)
        cache.setFetcher(of: Memo.self) { (_: Set<Memo.ID>) in throw FlatCache.NotModified() }
        #expect(try await cache.fetch(Memo.self, id: Memo(0).id, .networkOnly).text == "stored")
    }

    @Test("Loading notifies with the origin of a restore, and isn't written again")
    func origin() async throws {
        let cache = try await stored(1)
        let origins = Protected<[FlatCache.Origin?]>([])
        let subscription = cache.observe(all: Memo.self) { changes in origins.withLock { $0.append(changes.origin) } }
        let size = try await cache.store?.size
        _ = try await cache.fetch(Memo.self, id: Memo(0).id, .cacheOnly)
        #expect(origins.withLock { $0 } == [.restore])
        try await cache.flush()
        #expect(try await cache.store?.size == size)
        subscription.cancel()
    }

    @Test("An entity that is removed while it is only on disk is removed there", arguments: 0..<4)
    func removal(way: Int) async throws {
        var cache = try await stored(3)
        switch way {
        case 0: cache.remove(Memo.self, id: Memo(1).id)
        case 1: cache.remove(Memo.self, ids: [Memo(1).id])
        case 2: cache.transaction { _ = cache.remove(Memo.self, id: Memo(1).id) }
        default:
            cache.set(Memo(1))
            cache.remove(Memo.self, id: Memo(1).id)
        }
        // It isn't written yet, and nevertheless not loaded.
        await #expect(throws: FlatCache.FetchError.self) {
            try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        }
        try await cache.store?.close()
        cache = try await open()
        await #expect(throws: FlatCache.FetchError.self) {
            try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        }
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id, .cacheOnly).text == "stored")
    }

    @Test("An entity that is removed while the store is suspended isn't loaded, and is removed when it resumes")
    func suspended() async throws {
        var cache = try await stored(3)
        try await cache.store?.suspend()
        cache.remove(Memo.self, id: Memo(1).id)
        await #expect(throws: FlatCache.FetchError.self) {
            try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        }
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id, .cacheOnly).text == "stored")
        cache.removeAll(of: Memo.self)
        await #expect(throws: FlatCache.FetchError.self) {
            try await cache.fetch(Memo.self, id: Memo(0).id, .cacheOnly)
        }
        try await cache.store?.resume()
        try await cache.store?.close()
        cache = try await open()
        await #expect(throws: FlatCache.FetchError.self) {
            try await cache.fetch(Memo.self, id: Memo(0).id, .cacheOnly)
        }
    }

    @Test("F2: A fetch that is cancelled while it waits for the store ends at once")
    func cancelled() async throws {
        try await stored(2).store?.close()
        let store = BlockedStore(FileStore(at: folder.url))
        let cache = try await openCache(store, for: [], onDemand: [Memo.self], time: time)
        store.block()
        cache.set(Memo(9))
        let flush = Task { try await cache.flush() }
        await store.untilBlocked()
        let fetch = Task { try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly) }
        fetch.cancel()
        await #expect(throws: FlatCache.FetchError.self) { try await fetch.value }
        store.unblock()
        try await flush.value
    }

    @Test("Entities on disk are loaded while the store fails to write")
    func failing() async throws {
        try await stored(2).store?.close()
        let store = FlakyStore(FileStore(at: folder.url))
        let cache = try await openCache(store, for: [], onDemand: [Memo.self], time: time)
        cache.set(Memo(9))
        store.fail(1)
        await #expect(throws: StoreError.self) { try await cache.flush() }
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly).text == "stored")
    }

    @Test("A transaction that throws removes nothing on disk")
    func undone() async throws {
        struct Failure: Error {}
        let cache = try await stored(1)
        #expect(throws: Failure.self) {
            try cache.transaction {
                cache.remove(Memo.self, id: Memo(0).id)
                throw Failure()
            }
        }
        #expect(try await cache.fetch(Memo.self, id: Memo(0).id, .cacheOnly).text == "stored")
    }

    @Test("After all were removed, none is on disk")
    func clearing() async throws {
        let cache = try await stored(3)
        cache.removeAll(of: Memo.self)
        await #expect(throws: FlatCache.FetchError.self) {
            try await cache.fetch(Memo.self, id: Memo(0).id, .cacheOnly)
        }
    }

    @Test("A loaded entity is as old as its last write")
    func age() async throws {
        var cache = try await stored(2)
        time.move(by: .seconds(100))
        try await cache.store?.close()
        cache = try await open()
        cache.setFetcher(of: Memo.self, maxAge: .seconds(60)) { (ids: Set<Memo.ID>) in
            ids.map { Memo($0.number, "fetched") }
        }
        #expect(try await cache.fetch(Memo.self, id: Memo(0).id, .cacheFirst(maxAge: .seconds(1_000))).text == "stored")
        #expect(try await cache.fetch(Memo.self, id: Memo(0).id).text == "fetched")
        #expect(try await cache.fetch(Memo.self, id: Memo(0).id).text == "fetched")
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id).text == "fetched")
    }

    @Test("Entities that are fetched at once are loaded, each with its last state, beside writers")
    func besideWriters() async throws {
        let cache = try await stored(200)
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask { _ = try? await cache.fetch(Memo.self, id: Memo(number).id, .cacheOnly) }
                if number % 2 == 0 { group.addTask { cache.set(Memo(number, "written")) } }
            }
        }
        for number in 0..<200 {
            #expect(cache.get(Memo.self, id: Memo(number).id)?.text == (number % 2 == 0 ? "written" : "stored"))
        }
    }
}
