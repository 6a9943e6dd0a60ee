import Foundation
import Testing

@testable import FlatCacheStore

@Suite struct InspectionTests {
    private let folder = TemporaryFolder()

    @Test("An inspection has logs, batches, groups and sizes, beside a store that writes")
    func inspecting() throws {
        let store = FileStore(folder.url)
        try store.open(.readWrite)
        try store.set("1", "one")
        try store.set("1", "ONE")
        try store.compact()
        try store.write(StoreBatch.Part(posts, ["2": "two"]), StoreBatch.Part(authors, ["1": "Ann", "2": nil]))
        let inspection = try FileStore.inspect(folder.url)
        #expect(inspection.formatVersion == 1)
        #expect(inspection.logs.map(\.batches) == [1, 1])
        #expect(inspection.logs.map(\.sequences) == [2...2, 3...3])
        #expect(inspection.logs.map(\.isCompacted) == [true, false])
        #expect(inspection.groups[posts] == FileStoreInspection.Group(records: 2, bytes: 24, changes: 2))
        #expect(inspection.groups[authors] == FileStoreInspection.Group(records: 1, bytes: 12, changes: 2))
        #expect(try inspection.size == store.size())
        #expect(inspection.damage == nil && inspection.tail == nil && !inspection.isSealed)
    }

    @Test("An inspection names a torn tail and damage, and changes nothing")
    func damage() throws {
        try withStore(FileStore(folder.url)) { try $0.set("1", "one") }
        let (log, bytes) = try #require(try folder.files.first { $0.key.hasPrefix("log") })
        try folder.write(bytes + [1, 2, 3], to: log)
        let tail = try #require(try FileStore.inspect(folder.url).tail)
        #expect(tail.offset == bytes.count && tail.bytes == 3 && tail.file.hasSuffix(log))
        var damaged = bytes
        damaged[70] ^= 1
        try folder.write(damaged, to: log)
        let files = try folder.files
        guard case .damaged(let file, 24, .batch) = try FileStore.inspect(folder.url).damage else {
            Issue.record("no damage")
            return
        }
        #expect(file.hasSuffix(log))
        #expect(try folder.files == files)
        #expect(throws: FileStoreError.self) { try FileStore.inspect(TemporaryFolder().url) }
    }

    @Test("An inspection has what is before a log that is missing, and takes a missing manifest for damage")
    func missingFiles() throws {
        try withStore(FileStore(folder.url)) { store in
            try store.set("1", "one")
            try store.compact()
            try store.set("2", "two")
        }
        let logs = try FileStore.inspect(folder.url).logs
        #expect(logs.count == 2)
        let last = try #require(logs.last)
        try FileManager.default.removeItem(atPath: last.file)
        let inspection = try FileStore.inspect(folder.url)
        guard case .damaged(last.file, 0, .missingLog) = inspection.damage else {
            Issue.record("\(String(describing: inspection.damage))")
            return
        }
        #expect(inspection.logs == logs.dropLast() && inspection.groups[posts]?.records == 1)
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("manifest"))
        guard case .damaged(_, 0, .missingManifest) = try FileStore.inspect(folder.url).damage else {
            Issue.record("no damage")
            return
        }
    }

    @Test("The records of an inspected store are those of one moment, also after a compaction")
    func records() throws {
        let store = FileStore(folder.url)
        try store.open(.readWrite)
        try store.set("1", "one")
        let inspected = try InspectedStore(folder.url)
        try store.set("1", "ONE")
        try store.compact()
        var records: [String] = []
        try inspected.read([posts]) { _, part in records += part.map { text($0.value) } }
        #expect(records == ["one"])
    }

    @Test("An inspection without the key of sealed records has the logs, but no groups")
    func sealed() throws {
        try withStore(FileStore(folder.url, sealing: .toy(key: 1))) { try $0.set("1", "one") }
        let inspection = try FileStore.inspect(folder.url)
        #expect(inspection.isSealed && inspection.groups.isEmpty && inspection.logs.map(\.batches) == [1])
        #expect(try FileStore.inspect(folder.url, sealing: .toy(key: 1)).groups[posts]?.records == 1)
    }
}
