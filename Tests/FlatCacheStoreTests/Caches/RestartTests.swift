import FlatCache
import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite("Caches that outlive the process")
struct RestartTests {
    @Test("D1: Entities, lists, references and the order of insertion are there after a restart")
    func everything() async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url))
        cache.set(contentsOf: [Memo(2, "é"), Memo(1, by: "7"), Memo(3)])
        cache.set(Author(id: "7", name: "Ada"))
        cache.remove(Memo.self, id: Memo(2).id)
        cache.set(Memo(2, "again"))
        cache.list("a", of: Memo.self).replace(withIDs: [Memo(3).id, Memo(9).id])
        cache.reference("b", of: Author.self).id = "7"
        let before = Contents(of: cache)
        let restarted = try await cache.restarted(FileStore(at: folder.url))
        #expect(Contents(of: restarted) == before)
        #expect(before.notes.map(\.id.number) == [1, 3, 2])
        restarted.set(Memo(4))
        #expect(Contents(of: restarted).notes.last == Memo(4), "new entities follow the restored ones")
    }

    @Test("D1: What a flush has acknowledged is there without closing the store")
    func flush() async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url))
        cache.set(Memo(1))
        try await cache.flush()
        cache.set(Memo(2))
        let reader = try await openCache(FileStore(at: folder.url), .readOnly)
        #expect(reader.allValues(of: Memo.self) == [Memo(1)])
        withExtendedLifetime(cache) {}
    }

    @Test("Changes are written some time after the commit, and when the cache is deallocated")
    func withoutFlush() async throws {
        let folder = TemporaryFolder()
        var cache: FlatCache? = try await openCache(FileStore(at: folder.url), after: .milliseconds(1))
        cache?.set(Memo(1))
        cache = nil
        // The store is free when the last change is written.
        var restarted: FlatCache?
        while restarted == nil { restarted = try? await openCache(FileStore(at: folder.url)) }
        #expect(restarted?.contains(Memo.self, id: Memo(1).id) == true)
    }

    @Test("Restored lists and references drop removed entities as before")
    func dropping() async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url))
        cache.set(Author(id: "7", name: ""))
        cache.list("a", of: Memo.self, dropsRemoved: true).append(contentsOf: [Memo(1), Memo(2)])
        cache.reference("b", of: Author.self, dropsRemoved: true).id = "7"
        let restarted = try await cache.restarted(FileStore(at: folder.url))
        restarted.remove(Memo.self, id: Memo(1).id)
        restarted.remove(Author.self, id: "7")
        #expect(Array(restarted.list("a", of: Memo.self).ids) == [Memo(2).id])
        #expect(restarted.reference("b", of: Author.self).id == nil)
    }

    @Test("Restored lists protect as many entities as before", arguments: [nil, 0, 3])
    func keeping(count: Int?) async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url))
        cache.list("a", of: Memo.self, keeps: count).append(contentsOf: (0..<8).map { Memo($0) })
        let restarted = try await cache.restarted(FileStore(at: folder.url))
        restarted.setLimit(2, for: Memo.self, keeps: 5)
        let kept = count ?? 5
        // Where the identifiers are by their hashes decides whether one less than the limit remains.
        #expect((max(kept, 1)...max(kept, 2)).contains(restarted.count(of: Memo.self)))
        #expect((0..<kept).allSatisfy { restarted.text($0) != nil })
    }

    @Test("After a restart in the millisecond of the last write, a transaction ends", .timeLimit(.minutes(30)))
    func sameMillisecond() async throws {
        let folder = TemporaryFolder()
        let time = TestTime()
        var cache = try await openCache(FileStore(at: folder.url), time: time)
        // From now on a revision is a time.
        cache.invalidateAll(of: Memo.self)
        for number in 0..<100 { cache.set(Memo(1, "\(number)")) }
        cache = try await cache.restarted(FileStore(at: folder.url), time: time)
        let text = cache.transaction { cache.get(Memo.self, id: Memo(1).id)?.text }
        #expect(text == "99")
        cache.transaction { _ = cache.update(Memo.self, id: Memo(1).id) { $0.text += "+" } }
        #expect(cache.get(Memo.self, id: Memo(1).id)?.text == "99+")
    }

    @Test("Two caches can't write one folder at the same time")
    func twoCaches() async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url))
        await #expect(throws: StoreError.self) { try await openCache(FileStore(at: folder.url)) }
        try await cache.store?.close()
        _ = try await openCache(FileStore(at: folder.url))
    }

    @Test("A closed store throws, and the cache goes on in memory")
    func closed() async throws {
        let folder = TemporaryFolder()
        let cache = try await openCache(FileStore(at: folder.url))
        try await cache.store?.close()
        cache.set(Memo(1))
        #expect(cache.contains(Memo.self, id: Memo(1).id))
        for operation in [CacheStore.flush, CacheStore.suspend, CacheStore.refresh, CacheStore.erase] {
            let store = try #require(cache.store)
            let error = await #expect(throws: StoreError.self) { try await operation(store)() }
            #expect(error.map { "\($0)".hasPrefix("The store was closed.") } == true)
        }
    }

    @Test("An erased store is empty, with types that nobody named, and later changes are kept")
    func erase() async throws {
        let folder = TemporaryFolder()
        var cache = try await openCache(FileStore(at: folder.url))
        cache.set(Author(id: "7", name: "Ada"))
        cache.set(Memo(1))
        try await cache.store?.close()
        cache = try await openCache(FileStore(at: folder.url), for: [Memo.self])
        #expect(await cache.store?.otherTypes == ["Author": 1])
        try await cache.store?.erase()
        #expect(cache.count(of: Memo.self) == 0)
        #expect(await cache.store?.otherTypes == [:])
        cache.set(Memo(2))
        let restarted = try await cache.restarted(FileStore(at: folder.url))
        #expect(Contents(of: restarted).notes == [Memo(2)] && Contents(of: restarted).authors == [])
    }

    @Test("D1: After random writes and restarts, everything is there", arguments: Seeds.first(10, full: 300))
    func random(_ seed: UInt64) async throws {
        let folder = TemporaryFolder()
        var generator = SeededGenerator(seed: seed)
        var cache = try await openCache(FileStore(at: folder.url))
        for _ in 0..<Extent.count(60, full: 300) {
            write(to: cache, &generator)
            switch generator.below(12) {
            case 0:
                let before = Contents(of: cache)
                cache = try await cache.restarted(FileStore(at: folder.url))
                #expect(Contents(of: cache) == before, "seed \(seed)")
            case 1: try await cache.flush()
            default: break
            }
        }
    }

    private func write(to cache: FlatCache, _ generator: inout SeededGenerator) {
        let note = Memo(generator.below(8), "\(generator.below(100))", by: generator.below(2) == 0 ? nil : "1")
        let author = Author(id: "\(generator.below(4))", name: "\(generator.below(100))")
        let list = cache.list(generator.pick(from: ["a", "b"]), of: Memo.self)
        switch generator.below(12) {
        case 0...3: cache.set(note)
        case 4: cache.set(author)
        case 5: cache.remove(Memo.self, id: note.id)
        case 6: cache.remove(Author.self, id: author.id)
        case 7: list.append(note)
        case 8: list.remove(note.id)
        case 9: cache.reference("a", of: Author.self).id = generator.below(3) == 0 ? nil : author.id
        case 10:
            if generator.below(4) == 0 {
                cache.removeAll(of: Memo.self)
            } else {
                cache.update(Memo.self, id: note.id) { $0.text += "+" }
            }
        default:
            cache.transaction {
                cache.remove(Memo.self, id: note.id)
                cache.set(author)
                cache.set(note)
            }
        }
    }
}

/// A memo of which the version with the newer stamp counts.
private struct StampedMemo: Cachable, Codable, Equatable, Storable {
    static let storedName = "StampedMemo"
    static let merge: Merge<StampedMemo> = .newest(by: \.stamp)

    let id: Int
    var text = ""
    var stamp = 0
}

@Suite("Entities that only this device has changed, after a restart")
struct UnconfirmedChangeTests {
    private let folder = TemporaryFolder()

    private func open() async throws -> FlatCache {
        try await openCache(FileStore(at: folder.url), for: [StampedMemo.self])
    }

    @Test(
        "What a mutation without an answer has invented doesn't keep out the server after a restart",
        arguments: 0..<4
    )
    func mergeBase(kind: Int) async throws {
        let cache = try await open()
        let isInserted = kind % 2 == 1
        if !isInserted { cache.set(StampedMemo(id: 1, text: "old", stamp: 100)) }
        try await cache.mutate { change in
            if isInserted {
                change.set(StampedMemo(id: 1, text: "mine", stamp: 1000))
            } else {
                change.update(StampedMemo.self, id: 1) { $0 = StampedMemo(id: 1, text: "mine", stamp: 1000) }
            }
        } send: {
        }.value
        // The next entity of the server ends it.
        if kind >= 2 { #expect(cache.set(StampedMemo(id: 1, text: "server's", stamp: 500))) }
        try await cache.flush()
        try await cache.store?.close()
        let restored = try await open()
        #expect(restored.get(StampedMemo.self, id: 1)?.text == (kind >= 2 ? "server's" : "mine"))
        if kind == 0 { #expect(!restored.set(StampedMemo(id: 1, text: "older", stamp: 99))) }
        #expect(restored.set(StampedMemo(id: 1, text: "Bob's", stamp: 600)))
        #expect(!restored.set(StampedMemo(id: 1, text: "older", stamp: 550)))
        try await restored.flush()
        try await restored.store?.close()
        #expect(try await open().get(StampedMemo.self, id: 1)?.text == "Bob's")
    }
}
