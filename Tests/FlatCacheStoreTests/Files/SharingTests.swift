import Foundation
import SeededRandom
import TestThreads
import Testing

@testable import FlatCacheStore

@Suite(.mayBlock) struct SharingTests {
    private let folder = TemporaryFolder()

    private func isInUse(_ body: () throws -> Void) -> Bool {
        do {
            try body()
        } catch FileStoreError.inUse {
            return true
        } catch {}
        return false
    }

    @Test("D3: A second store that writes the folder gets an error at once, whatever the path")
    func secondWriter() throws {
        let first = FileStore(folder.url)
        try first.open(.readWrite)
        let other = TemporaryFolder()
        try FileManager.default.createSymbolicLink(at: other.url, withDestinationURL: folder.url)
        for url in [folder.url, other.url, folder.url.appendingPathComponent("../\(folder.url.lastPathComponent)")] {
            #expect(isInUse { try FileStore(url).open(.readWrite) })
            #expect(isInUse { try FileStore(url).erase() })
            #expect(isInUse { _ = try FileStore(url).salvage() })
        }
        first.close()
        try withStore(FileStore(other.url)) { try $0.set("1", "one") }
        try withStore(FileStore(folder.url)) { try $0.set("2", "two") }
    }

    @Test("D3: A store that is released without being closed releases the folder, and its batches are there")
    func releasedStore() throws {
        func write() throws {
            let store = FileStore(folder.url)
            try store.open(.readWrite)
            try store.set("1", "one")
        }
        try write()
        try expectRecords([posts: ["1": "one"]], in: folder.url)
    }

    @Test("D3: A reader sees what was written when it was opened or refreshed, and what is new")
    func refreshing() throws {
        let (writer, reader) = (FileStore(folder.url), FileStore(folder.url))
        try writer.open(.readWrite)
        try writer.set("1", "one")
        try reader.open(.readOnly)
        try writer.set("1", "ONE")
        try writer.write(StoreBatch.Part(authors, removesAll: true, ["1": "Ann"]), StoreBatch.Part(posts, ["2": "two"]))
        #expect(try reader.records == [posts: ["1": "one"]])
        #expect(
            try reader.news == [
                [StoreBatch.Part(posts, ["1": "ONE"])],
                [StoreBatch.Part(authors, removesAll: true, ["1": "Ann"]), StoreBatch.Part(posts, ["2": "two"])],
            ]
        )
        #expect(try reader.records == writer.records)
        #expect(try reader.news == [])
        #expect(try writer.news == [])
    }

    @Test("D3: A reader that missed a compaction gets the batches after it, or everything")
    func refreshingAfterCompaction() throws {
        let (writer, reader) = (FileStore(folder.url), FileStore(folder.url))
        try writer.open(.readWrite)
        try writer.set("1", "one")
        try reader.open(.readOnly)
        try writer.compact()
        try writer.set("2", "two")
        #expect(try reader.news == [[StoreBatch.Part(posts, ["2": "two"])]])
        #expect(try reader.records == writer.records)
        try writer.set("1", nil)
        try writer.compact()
        try writer.set("3", "three")
        #expect(try reader.records == [posts: ["1": "one", "2": "two"]])
        #expect(try reader.news == nil)
        #expect(try reader.records == [posts: ["2": "two", "3": "three"]])
        try writer.removeAll()
        #expect(try reader.news == nil)
        #expect(try reader.records == [:])
    }

    @Test("D3: A reader ignores a batch that isn't whole, and removes nothing")
    func tornTailForReaders() throws {
        let system = SimulatedFileSystem()
        let (writer, reader) = (FileStore(system), FileStore(system))
        try writer.open(.readWrite)
        try writer.set("1", "one")
        try reader.open(.readOnly)
        let size = try #require(system.lastLog).bytes.count
        try writer.write(StoreBatch.Part(posts, ["2": String(repeating: "2", count: 500), "3": "three"]))
        let (log, bytes) = try #require(system.lastLog)
        for length in size..<bytes.count {
            let files = system.files.merging([log: Array(bytes[..<length])]) { $1 }
            let copy = SimulatedFileSystem(files)
            try withStore(FileStore(copy), .readOnly) { store throws in
                #expect(try store.records == [posts: ["1": "one"]])
                #expect(try store.news == [])
            }
            #expect(copy.files == files)
        }
    }

    @Test("D3: A reader reads everything again if a batch that it has read was taken back")
    func takenBack() throws {
        let system = SimulatedFileSystem()
        let (writer, reader) = (FileStore(system, sync: .eachBatch), FileStore(system))
        try writer.open(.readWrite)
        try writer.set("1", "one")
        try reader.open(.readOnly)
        // The sync of the second batch fails after the reader has read it.
        system.fault = .failure(atCall: system.calls + 1, EIO)
        let hasRead = Box(false)
        system.onCall = { _ in
            _ = try? reader.refresh()
            if (try? reader.groups()) == [posts: 2] { hasRead.value = true }
        }
        #expect(throws: FileStoreError.self) { try writer.set("2", "two") }
        system.onCall = nil
        #expect(hasRead.value)
        try writer.set("3", "six")
        #expect(try reader.news == nil)
        #expect(try reader.records == [posts: ["1": "one", "3": "six"]])
    }

    @Test("D3: A suspended store gives the folder away, and reads what others have written when it resumes")
    func suspending() throws {
        let (first, second) = (FileStore(folder.url), FileStore(folder.url))
        try first.open(.readWrite)
        try first.set("1", "one")
        try first.suspend()
        try first.suspend()
        #expect(try first.records == [posts: ["1": "one"]])
        try second.open(.readWrite)
        #expect(isInUse { _ = try first.resume() })
        try second.set("2", "two")
        try second.suspend()
        #expect(parts(try first.resume()) == [[StoreBatch.Part(posts, ["2": "two"])]])
        #expect(parts(try first.resume()) == [])
        try first.set("3", "three")
        try first.compact()
        try first.set("4", "four")
        first.close()
        #expect(parts(try second.resume()) == nil)
        #expect(try second.records[posts] == ["1": "one", "2": "two", "3": "three", "4": "four"])
        try second.set("5", "five")
        second.close()
        #expect(try withStore(FileStore(folder.url)) { try $0.groups() } == [posts: 5])
    }

    @Test("A reader of large news reads everything again")
    func largeNews() throws {
        let (writer, reader) = (FileStore(folder.url), FileStore(folder.url))
        try writer.open(.readWrite)
        try reader.open(.readOnly)
        let value = [UInt8](repeating: 1, count: 3 << 20)[...]
        for key in ["1", "2", "3"] {
            try writer.write(StoreBatch.Part(posts, changes: [RecordChange(key: bytes(key), value: value)]))
        }
        #expect(try reader.news == nil)
        #expect(try reader.groups() == [posts: 3])
    }

    @Test("D3: Readers that refresh beside a writer and its compactions see whole prefixes")
    func readersBesideWriter() throws {
        let count = Extent.count(400, full: 10_000)
        let writer = FileStore(folder.url, tuning: FileStore.Tuning(payloadLimit: 300, compactionMinimum: 2000))
        try writer.open(.readWrite)
        // Each batch sets both to the same number, so a reader that sees them differ sees no prefix.
        @Sendable func write(_ number: Int) throws {
            let filler = String(repeating: "x", count: 400)
            try writer.write(
                StoreBatch.Part(posts, ["1": "\(number)", "filler": filler]),
                StoreBatch.Part(authors, ["1": "\(number)"])
            )
        }
        try write(0)
        let failure = Box((any Error)?.none)
        let reader = FileStore(folder.url)
        try reader.open(.readOnly)
        let thread = RunningThread {
            do { for number in 1...count { try write(number) } } catch { failure.value = error }
        }
        var last = 0
        while last < count {
            _ = try reader.refresh()
            let records = try reader.records
            let number = records[posts]?["1"].flatMap { Int($0) } ?? -1
            try #require(records[authors]?["1"] == records[posts]?["1"] && number >= last)
            last = number
            if let error = failure.value { throw error }
        }
        thread.finish()
        writer.close()
    }
}

private func parts(_ news: StoreNews) -> [[StoreBatch.Part]]? {
    switch news {
    case .none: []
    case .batches(let batches): batches
    case .everything: nil
    }
}

extension FileStore {
    /// The batches that are new, or `nil` for everything.
    fileprivate var news: [[StoreBatch.Part]]? {
        get throws { parts(try refresh()) }
    }
}
