import Foundation
import Synchronization
import TestThreads
import Testing

@testable import FlatCacheStore

/// Closures of users that run while a batch is written.
@Suite("Turns of writes", .mayBlock)
struct WriteTurnTests {
    private let folder = TemporaryFolder()

    /// A batch of one record, made while it is written.
    private func batch(_ body: @escaping () -> Void) -> StoreBatch {
        var parts = [StoreBatch.Part(posts, ["2": "two"])][...]
        return StoreBatch {
            body()
            return parts.popFirst()
        }
    }

    @Test("N1: A closure that a write calls can read", arguments: [FileStore.SyncPolicy.onFlush, .eachBatch])
    func reads(_ sync: FileStore.SyncPolicy) throws {
        try withStore(FileStore(folder.url, sync: sync)) { store throws in
            try store.set("1", "one")
            try store.write(
                batch {
                    #expect((try? store.records[posts]) == ["1": "one"])
                    #expect((try? store.read(posts, keys: [bytes("1")]))?.count == 1)
                    #expect((try? store.groups()) == [posts: 1])
                    #expect((try? store.size()) != nil)
                    #expect(store.openingReport?.cuts == [] && store.backgroundError == nil)
                }
            )
            #expect(try store.records[posts] == ["1": "one", "2": "two"])
        }
    }

    @Test("N1: Threads have their turns in the order in which they come")
    func order() throws {
        let turn = WriteTurn()
        let folder = StoreFolder(folder.url, system: SimulatedFileSystem())
        let turns = Mutex<[Int]>([])
        let threads = try turn.take(in: folder) {
            (1...20).map { number in
                let thread = RunningThread { try? turn.take(in: folder) { turns.withLock { $0.append(number) } } }
                spin { turn.threadCount > number }
                return thread
            }
        }
        for thread in threads { thread.finish() }
        #expect(turns.withLock { $0 } == Array(1...20) && turn.threadCount == 0)
    }

    /// A method that writes.
    enum Writing: CaseIterable {
        case write, flush, compact, removeAll, suspend, resume
    }

    @Test(
        "N1: A closure that a write calls gets an error from what writes, and the batch is written",
        arguments: Writing.allCases,
        [FileStore.SyncPolicy.onFlush, .eachBatch]
    )
    func writes(_ writing: Writing, _ sync: FileStore.SyncPolicy) throws {
        try withStore(FileStore(folder.url, sync: sync)) { store throws in
            try store.write(
                batch {
                    let error = #expect(throws: FileStoreError.self) {
                        switch writing {
                        case .write: try store.set("3", "three")
                        case .flush: try store.flush()
                        case .compact: try store.compact()
                        case .removeAll: try store.removeAll()
                        case .suspend: try store.suspend()
                        case .resume: _ = try store.resume()
                        }
                    }
                    #expect(error?.description.contains("is writing on this thread") == true)
                }
            )
            #expect(try store.records[posts] == ["2": "two"])
            try store.set("3", "three")
        }
        try expectRecords([posts: ["2": "two", "3": "three"]], in: folder.url)
    }

    @Test("N1: A closure that seals can read, and can't close the store")
    func seals() throws {
        let current = Mutex<FileStore?>(nil)
        let sealing = FileStore.Sealing {
            let store = current.withLock { $0 }
            store?.close()
            #expect((try? store?.size()) != nil)
            return Array($0)
        } open: {
            Array($0)
        }
        try withStore(FileStore(folder.url, sealing: sealing)) { store throws in
            current.withLock { $0 = store }
            try store.set("1", "one")
            #expect(try store.records[posts] == ["1": "one"])
            current.withLock { $0 = nil }
        }
    }

    @Test(
        "N1: A closure that seals for a compaction can write, and gets an error from what waits for its end",
        arguments: Writing.allCases
    )
    func sealsForCompaction(_ writing: Writing) throws {
        let current = Mutex<FileStore?>(nil)
        let sealing = FileStore.Sealing {
            // Writes of the closure seal, too.
            if let store = current.withLock({ $0.take() }) {
                switch writing {
                case .write: #expect(throws: Never.self) { try store.set("3", "three") }
                case .flush: #expect(throws: Never.self) { try store.flush() }
                case .compact: #expect(throws: FileStoreError.self) { try store.compact() }
                case .removeAll: #expect(throws: FileStoreError.self) { try store.removeAll() }
                case .suspend: #expect(throws: FileStoreError.self) { try store.suspend() }
                case .resume: #expect(throws: FileStoreError.self) { _ = try store.resume() }
                }
                store.close()
                #expect((try? store.size()) != nil)
            }
            return Array($0)
        } open: {
            Array($0)
        }
        try withStore(FileStore(folder.url, sealing: sealing)) { store throws in
            try store.set("1", "one")
            current.withLock { $0 = store }
            try store.compact()
            #expect(try store.records[posts] == (writing == .write ? ["1": "one", "3": "three"] : ["1": "one"]))
        }
    }

    @Test("Another thread reads while a batch is written, and writes, compacts and closes after it")
    func otherThreads() throws {
        let store = FileStore(folder.url)
        try store.open(.readWrite)
        try store.set("1", "one")
        let isTaken = Gate("the turn is taken")
        let goesOn = Gate("the write may go on")
        let writing = RunningThread {
            let parts = Mutex([StoreBatch.Part(posts, ["2": "two"])][...])
            let batch = StoreBatch {
                isTaken.open()
                goesOn.wait()
                return parts.withLock { $0.popFirst() }
            }
            #expect(throws: Never.self) { try store.write(batch) }
        }
        isTaken.wait()
        #expect(try store.records[posts] == ["1": "one"])
        let others = RunningThread {
            #expect(throws: Never.self) {
                try store.set("3", "three")
                try store.compact()
                store.close()
            }
        }
        goesOn.open()
        writing.finish()
        others.finish()
        try expectRecords([posts: ["1": "one", "2": "two", "3": "three"]], in: folder.url)
    }
}
