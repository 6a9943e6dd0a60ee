import Foundation
import Testing

@testable import FlatCacheStore

@Suite("Stores whose lock file is removed")
struct LostLockTests {
    private let folder = TemporaryFolder()

    private var lock: URL { folder.url.appendingPathComponent(FileFormat.lockName) }

    /// What a store does that would change the folder.
    enum Change: CaseIterable {
        case write, flush, compact, removeAll, suspend

        func make(in store: FileStore) throws {
            switch self {
            case .write: try store.set("3", "three")
            case .flush: try store.flush()
            case .compact: try store.compact()
            case .removeAll: try store.removeAll()
            case .suspend: try store.suspend()
            }
        }
    }

    @Test("D3: A store changes nothing after its lock file was removed or replaced", arguments: [false, true])
    func lostLock(isReplaced: Bool) throws {
        let store = FileStore(folder.url)
        try store.open(.readWrite)
        try store.set("1", "one")
        try store.flush()
        try store.set("2", "two")
        try FileManager.default.removeItem(at: lock)
        if isReplaced { try folder.write([], to: FileFormat.lockName) }
        let files = try folder.files
        for change in Change.allCases {
            let error = #expect(throws: FileStoreError.self) { try change.make(in: store) }
            #expect(
                error?.description == """
                    The file 'lock' of the store in '\(store.folder.path)' was removed or replaced, so another process may write \
                    there. Nothing was changed. Close the store and open it again, and leave the file as long as a store is open
                    """,
                "\(change)"
            )
            #expect(try folder.files == files, "\(change)")
        }
        #expect(try store.records == [posts: ["1": "one", "2": "two"]])
        store.close()
        #expect(try folder.files == files)
        try withStore(store) { store in
            try store.set("3", "three")
            try store.flush()
        }
        try expectRecords([posts: ["1": "one", "2": "two", "3": "three"]], in: folder.url)
    }

    @Test("D3: What a second store writes after the lock file was removed is whole, whatever the first one does")
    func secondWriter() throws {
        let first = FileStore(folder.url)
        try first.open(.readWrite)
        try first.set("1", "one")
        try first.flush()
        try FileManager.default.removeItem(at: lock)
        let second = FileStore(folder.url)
        try second.open(.readWrite)
        try second.set("2", "two")
        for change in Change.allCases {
            #expect(throws: FileStoreError.self, "\(change)") { try change.make(in: first) }
        }
        try second.compact()
        first.close()
        try second.set("3", "three")
        second.close()
        try expectRecords([posts: ["1": "one", "2": "two", "3": "three"]], in: folder.url)
    }
}
