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
        #expect(Contents(of: app).notes.map(\.text) == ["widget", "app", "app", "widget"])
        let restarted = try await app.restarted(FileStore(at: folder.url))
        #expect(Set(Contents(of: restarted).notes.map(\.text)) == Set(Contents(of: app).notes.map(\.text)))
        #expect(Contents(of: restarted).notes.count == 4)
    }

    @Test("A cache that only reads isn't written, and needs a store")
    func readOnly() async throws {
        await #expect(throws: StoreError.self) { try await openCache(FileStore(at: folder.url), .readOnly) }
        try await openCache(FileStore(at: folder.url)).store?.close()
        let reader = try await openCache(FileStore(at: folder.url), .readOnly)
        reader.set(Memo(1))
        try await reader.flush()
        #expect(Contents(of: try await openCache(FileStore(at: folder.url))).notes == [])
    }
}
