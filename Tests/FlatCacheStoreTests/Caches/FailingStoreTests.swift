import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

@Suite("Stores that fail")
struct FailingStoreTests {
    @Test("D3: A store that fails at its n-th call loses nothing, and catches up", arguments: 0..<24)
    func nthCall(_ place: Int) async throws {
        let folder = TemporaryFolder()
        let errors = Errors()
        let store = FlakyStore(FileStore(at: folder.url), failing: place..<place + 1)
        var cache = try? await openCache(store, errors: errors)
        if cache == nil { cache = try await openCache(store, errors: errors) }
        guard let cache else { return }
        var failures = 0
        for step in 0..<6 {
            cache.set(Memo(step, "\(step)"))
            cache.set(Author(id: "\(step % 2)", name: "\(step)"))
            if step == 3 { cache.removeAll(of: Author.self) }
            if step == 4 { do { try await cache.store?.erase() } catch { failures += 1 } }
            do { try await cache.flush() } catch { failures += 1 }
        }
        cache.set(Memo(9))
        let before = Contents(of: cache)
        do { try await cache.flush() } catch {
            failures += 1
            try await cache.flush()
        }
        // Closing doesn't depend on the last flush.
        do { try await cache.store?.close() } catch { failures += 1 }
        let restarted = try await openCache(FileStore(at: folder.url), errors: errors)
        #expect(Contents(of: restarted) == before)
        #expect(failures <= 1 && errors.texts == [])
    }

    @Test("The app learns of a failure, reads go on, and a later success catches up")
    func handler() async throws {
        let folder = TemporaryFolder()
        let errors = Errors()
        let store = FlakyStore(FileStore(at: folder.url))
        let cache = try await openCache(store, after: .milliseconds(1), errors: errors)
        store.fail(1)
        cache.set(Memo(1))
        while errors.all.isEmpty { await Task.yield() }
        #expect(
            errors.texts == [
                """
                The store has failed to write. The changes remain in memory and are written again later: the disk is full
                """
            ]
        )
        #expect(cache.contains(Memo.self, id: Memo(1).id))
        try await cache.flush()
        let reader = try await openCache(FileStore(at: folder.url), .readOnly)
        #expect(reader.allValues(of: Memo.self) == [Memo(1)])
    }

    @Test("D3: News that can't be read is read by the next call")
    func news() async throws {
        let folder = TemporaryFolder()
        let store = FlakyStore(FileStore(at: folder.url))
        let app = try await openCache(store)
        app.set(Memo(1, "app"))
        try await app.store?.suspend()
        let other = try await openCache(FileStore(at: folder.url))
        other.set(Memo(1, "other"))
        try await other.store?.close()
        // Resuming is one call, and the next one reads.
        store.fail(1, after: 1)
        await #expect(throws: StoreError.self) { try await app.store?.resume() }
        // Another process can write meanwhile.
        let third = try await openCache(FileStore(at: folder.url))
        third.set(Memo(2, "third"))
        try await third.store?.close()
        try await app.store?.resume()
        #expect(app.get(Memo.self, id: Memo(1).id)?.text == "other")
        #expect(app.get(Memo.self, id: Memo(2).id)?.text == "third")
    }

    @Test("A store that fails to resume, and to suspend again, is suspended by the next call")
    func suspendedAgain() async throws {
        let folder = TemporaryFolder()
        let store = FlakyStore(FileStore(at: folder.url))
        let app = try await openCache(store)
        try await app.store?.suspend()
        // Resuming is one call, and the next ones read and suspend.
        let other = try await openCache(FileStore(at: folder.url))
        other.set(Memo(1, "other"))
        try await other.store?.close()
        store.fail(2, after: 1)
        await #expect(throws: StoreError.self) { try await app.store?.resume() }
        await #expect(throws: StoreError.self) { try await openCache(FileStore(at: folder.url)) }
        try await app.store?.suspend()
        let third = try await openCache(FileStore(at: folder.url))
        third.set(Memo(2, "third"))
        try await third.store?.close()
        try await app.store?.resume()
        #expect(app.count(of: Memo.self) == 2)
    }

    @Test("A store that can't be opened or read leaves it closed", arguments: 0..<4)
    func opening(_ place: Int) async throws {
        let folder = TemporaryFolder()
        let store = FlakyStore(FileStore(at: folder.url), failing: place..<place + 1)
        let error = await #expect(throws: StoreError.self) { try await openCache(store) }
        #expect(error.map { "\($0)".contains("the disk is full") } == true)
        _ = try await openCache(FileStore(at: folder.url))
    }

    @Test("A cache that is deallocated while its store fails isn't kept alive")
    func deallocated() async throws {
        let folder = TemporaryFolder()
        let errors = Errors()
        let store = FlakyStore(FileStore(at: folder.url))
        var cache: FlatCache? = try await openCache(store, after: .milliseconds(1), errors: errors)
        store.fail(1_000)
        cache?.set(Memo(1))
        while errors.all.isEmpty { await Task.yield() }
        weak let weakCache = cache
        cache = nil
        while weakCache != nil { await Task.yield() }
    }
}
