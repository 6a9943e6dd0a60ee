import FlatCache
import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

/// An entity that may not be encodable.
private struct Refusing: Storable, Codable {
    static let storedName = "Refusing"

    let id: Int
    var isRefused = false

    enum CodingKeys: CodingKey { case id, isRefused }

    struct Refusal: Error {}

    func encode(to encoder: any Encoder) throws {
        if isRefused { throw Refusal() }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(isRefused, forKey: .isRefused)
    }
}

@Suite("Entities that a limit leaves on disk")
struct EvictionTests {
    private let folder = TemporaryFolder()
    private let time = TestTime()

    private func open() async throws -> FlatCache { try await openCache(FileStore(at: folder.url), time: time) }

    @Test("D4: What isn't written yet isn't evicted, and what is evicted is in the store")
    func written() async throws {
        let cache = try await open()
        cache.setLimit(10, for: Memo.self)
        for number in 0..<40 { cache.set(Memo(number, "stored")) }
        #expect(cache.count(of: Memo.self) == 40 && cache.isComplete(Memo.self))
        try await cache.flush()
        cache.evictNow()
        #expect(cache.count(of: Memo.self) <= 10 && !cache.isComplete(Memo.self))
        // Nothing was removed from the disk.
        #expect(try await open(again: cache).count(of: Memo.self) == 40)
    }

    private func open(again cache: FlatCache) async throws -> FlatCache {
        try await cache.store?.close()
        return try await open()
    }

    @Test("An entity that can't be written isn't evicted, and is tried again when it changes")
    func unwritable() async throws {
        let errors = Errors()
        let cache = try await openCache(FileStore(at: folder.url), for: [Refusing.self], time: time, errors: errors)
        cache.setLimit(3, for: Refusing.self)
        cache.set(contentsOf: (1...3).map { Refusing(id: $0, isRefused: true) })
        await #expect(throws: StoreError.self) { try await cache.flush() }
        cache.set(contentsOf: (10..<40).map { Refusing(id: $0) })
        await #expect(throws: StoreError.self) { try await cache.flush() }
        cache.evictNow()
        cache.collect()
        #expect(cache.allValues(of: Refusing.self, inOrder: true).map(\.id) == [1, 2, 3])
        #expect(errors.all.count == 6)
        // One is written, one is removed, and one can't be written again.
        cache.update(Refusing.self, id: 1) { $0.isRefused = false }
        cache.remove(Refusing.self, id: 2)
        cache.update(Refusing.self, id: 3) { _ in }
        await #expect(throws: StoreError.self) { try await cache.flush() }
        cache.collect()
        #expect(cache.allValues(of: Refusing.self).map(\.id) == [3])
        #expect(try await cache.fetch(Refusing.self, id: 1, .cacheOnly).isRefused == false)
        cache.removeAll(of: Refusing.self)
        try await cache.flush()
        #expect(cache.count(of: Refusing.self) == 0 && errors.all.count == 7)
        try await cache.store?.close()
    }

    @Test(
        "A mutation of an evicted entity is sent, although an insertion of it has failed before",
        arguments: [false, true]
    )
    func failedInsertion(isCollected: Bool) async throws {
        let cache = try await open()
        cache.setLimit(isCollected ? 100 : 0, for: Memo.self)
        let id = Memo(1).id
        let insertion = cache.mutate { change in
            change.insert(temporary: Memo(1, "draft"))
        } send: {
            throw CancellationError()
        }
        await #expect(throws: CancellationError.self) { try await insertion.value }
        cache.set(contentsOf: (1..<40).map { Memo($0, "stored") })
        try await cache.flush()
        if isCollected { cache.collect() } else { cache.evictNow() }
        // The task of the insertion can be evicting it while it notes the failure.
        for _ in 0..<1_000_000 where cache.contains(Memo.self, id: id) { await Task.yield() }
        #expect(!cache.contains(Memo.self, id: id))
        try await cache.mutate(Memo.self, id: id) {
            $0.text += "!"
        } send: {
        }.value
        #expect(try await cache.fetch(Memo.self, id: id, .cacheOnly).text == "stored!")
        try await cache.store?.close()
    }

    @Test("D3: An entity that can't be written remains in the store as it was", arguments: 0..<3)
    func unwritableReplacement(way: Int) async throws {
        let types: [any Storable.Type] = [Refusing.self]
        var cache = try await openCache(FileStore(at: folder.url), for: types)
        cache.set(contentsOf: (1...3).map { Refusing(id: $0) })
        try await cache.flush()
        let new = [1, 4, 5].map { Refusing(id: $0, isRefused: $0 != 4) }
        switch way {
        case 0: cache.replaceAll(of: Refusing.self, with: new)
        case 1:
            cache.removeAll(of: Refusing.self)
            cache.set(contentsOf: new)
        default: cache.set(contentsOf: new)
        }
        await #expect(throws: StoreError.self) { try await cache.flush() }
        await #expect(throws: StoreError.self) { try await cache.store?.close() }
        cache = try await openCache(FileStore(at: folder.url), for: types)
        #expect(cache.allValues(of: Refusing.self).map(\.id).sorted() == (way == 2 ? [1, 2, 3, 4] : [1, 4]))
        #expect(cache.get(Refusing.self, id: 1)?.isRefused == false)
    }

    @Test("An entity keeps its place in the order of insertion when it is loaded and changed")
    func order() async throws {
        var cache = try await open()
        for number in [5, 3, 9, 1, 7] { cache.set(Memo(number)) }
        try await cache.flush()
        cache.collect()
        cache.set(Memo(2))
        let blank = cache.query(FlatCache.Query(Memo.self).filter(\.text, equals: ""))
        #expect(blank.ids.map(\.number) == [2])
        _ = try await cache.fetch(Memo.self, ids: [Memo(7).id, Memo(1).id, Memo(5).id])
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id.number) == [5, 1, 7, 2])
        #expect(blank.ids.map(\.number) == [5, 1, 7, 2])
        cache.update(Memo.self, id: Memo(7).id) { $0.text = "changed" }
        #expect(blank.ids.map(\.number) == [5, 1, 2])
        cache.update(Memo.self, id: Memo(7).id) { $0.text = "" }
        cache.remove(Memo.self, id: Memo(9).id)
        #expect(blank.ids.map(\.number) == [5, 1, 7, 2])
        cache = try await open(again: cache)
        #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id.number) == [5, 3, 1, 7, 2])
    }

    @Test("A fetch finds an evicted entity in the store before it calls the fetcher")
    func fetch() async throws {
        let cache = try await open()
        cache.setFetcher(of: Memo.self) { (ids: Set<Memo.ID>) in ids.map { Memo($0.number, "fetched") } }
        cache.set(contentsOf: (0..<40).map { Memo($0, "stored") })
        try await cache.flush()
        cache.setLimit(10, for: Memo.self)
        let evicted = (0..<40).filter { !cache.contains(Memo.self, id: Memo($0).id) }
        #expect(evicted.count >= 30)
        let found = try await cache.fetch(Memo.self, ids: evicted.map { Memo($0).id } + [Memo(99).id])
        #expect(found.map(\.text) == evicted.map { _ in "stored" } + ["fetched"])
        // What the store has given back needs not be written again, and so can be evicted at once.
        cache.evictNow()
        #expect(cache.count(of: Memo.self) <= 11 && cache.contains(Memo.self, id: Memo(99).id))
    }

    @Test("An evicted entity that is removed is removed from the disk", arguments: 0..<3)
    func removal(way: Int) async throws {
        var cache = try await open()
        cache.set(contentsOf: (0..<20).map { Memo($0) })
        try await cache.flush()
        cache.collect()
        #expect(cache.count(of: Memo.self) == 0)
        let id = Memo(1).id
        switch way {
        case 0: cache.remove(Memo.self, id: id)
        case 1: cache.remove(Memo.self, ids: [id])
        default: cache.transaction { _ = cache.remove(Memo.self, id: id) }
        }
        await #expect(throws: FlatCache.FetchError.self) { try await cache.fetch(Memo.self, id: id, .cacheOnly) }
        cache = try await open(again: cache)
        #expect(cache.count(of: Memo.self) == 19 && !cache.contains(Memo.self, id: id))
    }

    @Test("An evicted entity that is written again has the new content on disk")
    func rewritten() async throws {
        var cache = try await open()
        cache.set(contentsOf: (0..<20).map { Memo($0, "old") })
        try await cache.flush()
        cache.collect()
        cache.set(Memo(3, "new"))
        #expect(try await cache.fetch(Memo.self, id: Memo(3).id, .cacheOnly).text == "new")
        cache = try await open(again: cache)
        #expect(cache.count(of: Memo.self) == 20 && cache.get(Memo.self, id: Memo(3).id)?.text == "new")
    }

    @Test("Marks as stale and ages survive an eviction")
    func stale() async throws {
        let cache = try await open()
        cache.setFetcher(of: Memo.self, maxAge: .seconds(60)) { (ids: Set<Memo.ID>) in
            ids.map { Memo($0.number, "fetched") }
        }
        cache.set(contentsOf: (0..<3).map { Memo($0, "stored") })
        cache.invalidate(Memo.self, id: Memo(1).id)
        try await cache.flush()
        cache.collect()
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id).text == "fetched")
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id).text == "stored")
        try await cache.flush()
        cache.collect()
        time.move(by: .seconds(61))
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id).text == "fetched")
    }

    @Test("An evicted entity that is marked as stale stays on disk, and is fetched again", arguments: [false, true])
    func staleAfterEviction(all: Bool) async throws {
        let cache = try await open()
        cache.setFetcher(of: Memo.self) { (ids: Set<Memo.ID>) in ids.map { Memo($0.number, "fetched") } }
        cache.set(contentsOf: (0..<3).map { Memo($0, "stored") })
        try await cache.flush()
        cache.collect()
        if all { cache.invalidateAll(of: Memo.self) } else { cache.invalidate(Memo.self, id: Memo(1).id) }
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id, .cacheOnly).text == "stored")
        #expect(try await cache.fetch(Memo.self, id: Memo(1).id).text == "fetched")
        #expect(try await cache.fetch(Memo.self, id: Memo(2).id).text == (all ? "fetched" : "stored"))
        #expect(try await open(again: cache).count(of: Memo.self) == 3)
    }

    @Test("Random writes, evictions, flushes and restarts lose nothing", arguments: Seeds.first(20, full: 500))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var cache = try await open()
        var model: [Int: String] = [:]
        cache.setLimit(12, for: Memo.self)
        for step in 0..<200 {
            let number = random.below(40)
            switch random.below(10) {
            case 0: try await cache.flush()
            case 1: cache.collect()
            case 2:
                cache.remove(Memo.self, id: Memo(number).id)
                model[number] = nil
            case 3:
                let found = try? await cache.fetch(Memo.self, id: Memo(number).id, .cacheOnly)
                #expect(found?.text == model[number], "seed \(seed), step \(step)")
            case 4 where random.below(10) == 0:
                cache = try await open(again: cache)
                cache.setLimit(12, for: Memo.self)
            case 5 where random.below(20) == 0:
                cache.removeAll(of: Memo.self)
                model = [:]
            case 6:
                // A fetch first, because an update sees only what is in memory.
                guard (try? await cache.fetch(Memo.self, id: Memo(number).id, .cacheOnly)) != nil else { continue }
                let handle = Cached(Memo.self, id: Memo(number).id, in: cache)
                if handle.update({ $0.text += "+" }) { model[number]? += "+" }
            default:
                cache.set(Memo(number, "\(step)"))
                model[number] = "\(step)"
            }
        }
        cache.removeLimit(for: Memo.self)
        cache = try await open(again: cache)
        let stored = cache.allValues(of: Memo.self).map { ($0.id.number, $0.text) }
        #expect(Dictionary(uniqueKeysWithValues: stored) == model, "seed \(seed)")
    }
}
