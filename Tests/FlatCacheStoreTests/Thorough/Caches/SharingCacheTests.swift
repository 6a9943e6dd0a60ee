import FlatCache
import Foundation
import Testing

@testable import FlatCacheStore

@Suite("Caches of one folder in several processes")
struct SharingCacheTests {
    private let folder = TemporaryFolder()

    @Test("D3: A reader sees what the writer has written after a refresh, as one commit")
    func refresh() async throws {
        let writer = try await openCache(FileStore(at: folder.url))
        writer.set(contentsOf: [Memo(1), Memo(2)])
        try await writer.flush()
        let reader = try await openCache(FileStore(at: folder.url), .readOnly)
        #expect(Contents(of: reader) == Contents(of: writer))
        let changes = Protected<[String]>([])
        let subscription = reader.observe(all: Memo.self) { change in
            changes.withLock {
                $0.append("+\(change.inserted.map(\.id.number)) -\(change.removed.map(\.id.number)) \(change.origins)")
            }
        }
        writer.set(Memo(3))
        writer.remove(Memo.self, id: Memo(1).id)
        writer.list("a", of: Memo.self).append(ids: [Memo(3).id])
        writer.reference("b", of: Author.self).id = "7"
        try await writer.flush()
        #expect(Contents(of: reader).notes.count == 2)
        try await reader.store?.refresh()
        #expect(Contents(of: reader) == Contents(of: writer))
        #expect(changes.withLock { $0 } == ["+[3] -[1] [restore]"])
        writer.removeAll()
        try await writer.flush()
        try await reader.store?.refresh()
        #expect(Contents(of: reader) == Contents(of: writer))
        subscription.cancel()
    }

    @Test("A suspended store lets another cache write, and resumes with what that has written")
    func suspend() async throws {
        let app = try await openCache(FileStore(at: folder.url))
        app.set(contentsOf: [Memo(1, "app"), Memo(2, "app")])
        try await app.store?.suspend()
        let widget = try await openCache(FileStore(at: folder.url))
        #expect(Contents(of: widget) == Contents(of: app))
        widget.set(Memo(1, "widget"))
        widget.set(Memo(3, "widget"))
        // The app goes on in memory.
        app.set(Memo(4, "app"))
        let error = await #expect(throws: StoreError.self) { try await app.flush() }
        #expect(error.map { "\($0)".hasPrefix("The store is suspended") } == true)
        await #expect(throws: StoreError.self) { try await app.store?.resume() }
        try await widget.store?.close()
        try await app.store?.resume()
        #expect(Contents(of: app).notes.map(\.text).sorted() == ["app", "app", "widget", "widget"])
        let restarted = try await app.restarted(FileStore(at: folder.url))
        #expect(Set(Contents(of: restarted).notes.map(\.text)) == Set(Contents(of: app).notes.map(\.text)))
        #expect(Contents(of: restarted).notes.count == 4)
    }

    @Test("What two caches insert in turn has one order in both and on disk", arguments: [false, true])
    func order(isCompacted: Bool) async throws {
        let app = try await openCache(FileStore(at: folder.url))
        app.set(contentsOf: [Memo(1), Memo(2)])
        let reader = try await openCache(FileStore(at: folder.url), .readOnly)
        try await app.store?.suspend()
        let store = FileStore(at: folder.url)
        let widget = try await openCache(store)
        widget.set(contentsOf: [Memo(3), Memo(4), Memo(5)])
        widget.remove(Memo.self, id: Memo(4).id)
        try await widget.flush()
        if isCompacted { try store.compact() }
        try await widget.store?.close()
        try await app.store?.resume()
        // It has the place that the other cache has given it, also when this one writes it.
        app.set(Memo(5, "app"))
        app.set(Memo(6))
        try await app.flush()
        try await reader.store?.refresh()
        let restarted = try await app.restarted(FileStore(at: folder.url))
        for cache in [app, reader, restarted] {
            #expect(cache.allValues(of: Memo.self, inOrder: true).map(\.id.number) == [1, 2, 3, 5, 6])
        }
    }

    @Test("What is inserted after news follows entities of the news that aren't loaded", arguments: [false, true])
    func orderOnDemand(isCompacted: Bool) async throws {
        let store = FileStore(at: folder.url)
        let app = try await openCache(store)
        app.set(Memo(1))
        try await app.store?.suspend()
        let widget = try await openCache(FileStore(at: folder.url), for: [Author.self], onDemand: [Memo.self])
        widget.set(Memo(2))
        try await widget.store?.suspend()
        try await app.store?.resume()
        app.set(contentsOf: [Memo(3), Memo(4)])
        try await app.flush()
        if isCompacted { try store.compact() }
        try await app.store?.suspend()
        try await widget.store?.resume()
        widget.set(Memo(5))
        for number in [4, 3, 1] { _ = try await widget.fetch(Memo.self, id: Memo(number).id, .cacheOnly) }
        #expect(widget.allValues(of: Memo.self, inOrder: true).map(\.id.number) == [1, 2, 3, 4, 5])
        try await widget.store?.close()
        try await app.store?.resume()
        #expect(app.allValues(of: Memo.self, inOrder: true).map(\.id.number) == [1, 2, 3, 4, 5])
    }

    /// What another process does while the store is suspended.
    enum OtherWrites: CaseIterable {
        /// Batches that the app reads on.
        case batches
        /// All entities are removed, and others stored.
        case clearing
        /// So much, or a compaction, that the app reads everything again.
        case everything
    }

    private func write(_ writes: OtherWrites) async throws {
        let store = FileStore(at: folder.url)
        let other = try await openCache(store)
        if writes == .clearing { other.removeAll(of: Memo.self) }
        other.set(Memo(10, "other"))
        other.list("a", of: Memo.self).append(ids: [Memo(10).id])
        try await other.flush()
        if writes == .everything { try store.compact() }
        try await other.store?.close()
    }

    @Test(
        "D1: What another process has written is in memory and on disk after resuming",
        arguments: OtherWrites.allCases
    )
    func resumed(_ writes: OtherWrites) async throws {
        let app = try await openCache(FileStore(at: folder.url))
        app.set(contentsOf: [Memo(1), Memo(2)])
        app.list("b", of: Memo.self).append(ids: [Memo(1).id])
        try await app.store?.suspend()
        try await write(writes)
        try await app.store?.resume()
        let numbers = Set(writes == .clearing ? [10] : [1, 2, 10])
        #expect(Set(Contents(of: app).notes.map(\.id.number)) == numbers)
        let before = Contents(of: app)
        let restarted = try await app.restarted(FileStore(at: folder.url))
        #expect(Set(Contents(of: restarted).notes.map(\.id.number)) == numbers)
        #expect(Contents(of: restarted).lists == before.lists)
    }

    @Test("D3: What the app has changed while it was suspended remains", arguments: OtherWrites.allCases)
    func ownChanges(_ writes: OtherWrites) async throws {
        let app = try await openCache(FileStore(at: folder.url))
        app.set(contentsOf: [Memo(1), Memo(2), Memo(3)])
        try await app.store?.suspend()
        app.set(Memo(50, "app"))
        app.set(Memo(2, "app"))
        app.remove(Memo.self, id: Memo(3).id)
        app.list("b", of: Memo.self).append(ids: [Memo(50).id])
        try await write(writes)
        try await app.store?.resume()
        let numbers = Set(writes == .clearing ? [2, 50, 10] : [1, 2, 50, 10])
        #expect(Set(Contents(of: app).notes.map(\.id.number)) == numbers)
        let restarted = try await app.restarted(FileStore(at: folder.url))
        #expect(Set(Contents(of: restarted).notes.map(\.id.number)) == numbers)
        #expect(restarted.get(Memo.self, id: Memo(2).id)?.text == "app")
        #expect(Contents(of: restarted).lists == ["a": [Memo(10).id], "b": [Memo(50).id]])
    }

    @Test(
        "D3: After all were removed while suspended, those of the other process are there",
        arguments: OtherWrites.allCases,
        [false, true]
    )
    func ownClearing(_ writes: OtherWrites, isOnDemand: Bool) async throws {
        let app = try await open(isOnDemand: isOnDemand)
        app.set(contentsOf: [Memo(1), Memo(2)])
        try await app.store?.suspend()
        app.removeAll(of: Memo.self)
        app.set(Memo(50))
        try await write(writes)
        try await app.store?.resume()
        // If everything was read again, it isn't known which ones are new.
        let numbers = Set(writes == .everything ? [50] : [50, 10])
        #expect(Set(Contents(of: app).notes.map(\.id.number)) == numbers)
        let restarted = try await app.restarted(FileStore(at: folder.url))
        #expect(Set(Contents(of: restarted).notes.map(\.id.number)) == numbers)
    }

    private func open(isOnDemand: Bool) async throws -> FlatCache {
        try await openCache(
            FileStore(at: folder.url),
            for: isOnDemand ? [Author.self] : [Author.self, Memo.self],
            onDemand: isOnDemand ? [Memo.self] : []
        )
    }

    @Test("D3: What both have changed is that of the other process", arguments: 0..<4, [false, true])
    func changedByBoth(way: Int, isOnDemand: Bool) async throws {
        let app = try await open(isOnDemand: isOnDemand)
        app.set(contentsOf: [Memo(1), Memo(2)])
        try await app.store?.suspend()
        app.collect()
        switch way {
        case 0: app.remove(Memo.self, id: Memo(1).id)
        case 1: app.set(Memo(1, "app"))
        case 2:
            app.set(Memo(1, "app"))
            app.remove(Memo.self, id: Memo(1).id)
        default: app.removeAll(of: Memo.self)
        }
        let other = try await openCache(FileStore(at: folder.url))
        other.set(Memo(1, "other"))
        try await other.store?.close()
        try await app.store?.resume()
        let restarted = try await app.restarted(FileStore(at: folder.url))
        #expect(Set(Contents(of: restarted).notes.map(\.text)) == (way == 3 ? ["other"] : ["", "other"]))
    }

    @Test("Erasing a suspended store empties the cache at once, and the store when it resumes")
    func eraseSuspended() async throws {
        let app = try await openCache(FileStore(at: folder.url))
        app.set(Memo(1))
        try await app.store?.suspend()
        await #expect(throws: StoreError.self) { try await app.store?.erase() }
        #expect(app.count(of: Memo.self) == 0)
        try await write(.batches)
        try await app.store?.resume()
        app.set(Memo(2))
        let restarted = try await app.restarted(FileStore(at: folder.url))
        #expect(Contents(of: restarted).notes == [Memo(2)])
    }

    @Test("A refreshed entity is as old as its last write, and marks as stale arrive")
    func ages() async throws {
        let time = TestTime()
        let writer = try await openCache(FileStore(at: folder.url), time: time)
        writer.set(Memo(1))
        try await writer.flush()
        let reader = try await openCache(FileStore(at: folder.url), .readOnly, time: time)
        let fetched = Protected<[Int]>([])
        reader.setFetcher(of: Memo.self, maxAge: .seconds(60)) { (ids: Set<Memo.ID>) in
            fetched.withLock { $0 += ids.map(\.number).sorted() }
            return ids.map { Memo($0.number, "fetched") }
        }
        writer.set(Memo(2))
        writer.set(Memo(3))
        try await writer.flush()
        time.move(by: .seconds(70))
        writer.set(Memo(3, "new"))
        try await writer.flush()
        try await reader.store?.refresh()
        _ = try await reader.fetch(Memo.self, ids: [Memo(2).id, Memo(3).id])
        #expect(fetched.withLock { $0 } == [2])
        writer.invalidateAll(of: Memo.self)
        writer.set(Memo(4))
        try await writer.flush()
        try await reader.store?.refresh()
        _ = try await reader.fetch(Memo.self, ids: [Memo(3).id, Memo(4).id])
        #expect(fetched.withLock { $0 } == [2, 3])
    }

    @Test("A refresh doesn't load entities that stay on disk", arguments: [false, true])
    func onDemand(isCompacted: Bool) async throws {
        let store = FileStore(at: folder.url)
        let writer = try await openCache(store)
        writer.set(contentsOf: [Memo(1), Memo(2)])
        try await writer.flush()
        let reader = try await openCache(FileStore(at: folder.url), for: [], onDemand: [Memo.self], .readOnly)
        _ = try await reader.fetch(Memo.self, id: Memo(1).id, .cacheOnly)
        writer.set(contentsOf: [Memo(1, "new"), Memo(2, "new"), Memo(3, "new")])
        try await writer.flush()
        if isCompacted { try store.compact() }
        try await reader.store?.refresh()
        #expect(reader.allValues(of: Memo.self) == [Memo(1, "new")])
        #expect(try await reader.fetch(Memo.self, id: Memo(3).id, .cacheOnly).text == "new")
    }

    @Test("A cache that only reads isn't written, and needs a store")
    func readOnly() async throws {
        await #expect(throws: StoreError.self) { try await openCache(FileStore(at: folder.url), .readOnly) }
        try await openCache(FileStore(at: folder.url)).store?.close()
        let reader = try await openCache(FileStore(at: folder.url), .readOnly)
        reader.set(Memo(1))
        try await reader.flush()
        await #expect(throws: StoreError.self) { try await reader.store?.erase() }
        #expect(reader.count(of: Memo.self) == 1)
        #expect(Contents(of: try await openCache(FileStore(at: folder.url))).notes == [])
    }
}
