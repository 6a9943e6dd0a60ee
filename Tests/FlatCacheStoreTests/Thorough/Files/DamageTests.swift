import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite struct DamageTests {
    private let system = SimulatedFileSystem()

    /// Writes a store of several batches, some in a log that a compaction has written.
    ///
    /// - Returns: The records after each batch since the compaction.
    private func writeStore(closing: Bool) throws -> [Records] {
        let store = FileStore(system)
        try store.open(.readWrite)
        var states: [Records] = [[:]]
        func write(_ parts: StoreBatch.Part...) throws {
            try store.write(StoreBatch(parts))
            states.append(try store.records)
        }
        try write(StoreBatch.Part(posts, ["1": "one", "2": "two"]))
        try store.flush()
        try write(StoreBatch.Part(posts, ["1": String(repeating: "1", count: 400), "3": "three"]))
        try store.compact()
        try write(StoreBatch.Part(authors, ["1": "Ann"]))
        try write(StoreBatch.Part(posts, ["3": nil]), StoreBatch.Part(feeds, ["home": "1"]))
        try store.flush()
        try write(StoreBatch.Part(authors, ["1": "ANN"]))
        if closing { store.close() }
        return Array(states.dropFirst(2))
    }

    /// Opens the store of some files, and expects a state of `states` or an error with a file.
    private func expectStateOrDamage(_ states: [Records], _ files: [String: [UInt8]], _ what: String) throws {
        let copy = SimulatedFileSystem(files)
        do {
            let found = try withStore(FileStore(copy)) { try $0.records }
            #expect(states.contains(found), "\(what): \(found.summary)")
        } catch FileStoreError.damaged(let file, let offset, _) {
            #expect(file.hasPrefix("/store/") && offset >= 0, "\(what): \(file)")
            _ = try FileStore(copy).salvage()
            _ = try withStore(FileStore(copy)) { try $0.records }
        } catch FileStoreError.newerFormat {
            Issue.record("\(what): damage was taken for a newer format")
        }
    }

    @Test("D2: With any byte changed, opening gives a prefix of the batches or an error with file and offset")
    func everyByte() throws {
        let states = try writeStore(closing: true)
        let files = system.files
        for (name, original) in files where name != "lock" {
            for offset in stride(from: 0, to: original.count, by: Extent.count(3, full: 1)) {
                for mask in Extent.isFull ? [1, 0x80, 0xFF] : [0x41] as [UInt8] {
                    var damaged = files
                    damaged[name]?[offset] ^= mask
                    try expectStateOrDamage(states, damaged, "byte \(offset) of \(name)")
                }
            }
        }
    }

    @Test(
        "D2: With any number of bytes missing, opening gives a prefix of the batches or an error with file and offset"
    )
    func everyLength() throws {
        let states = try writeStore(closing: true)
        let files = system.files
        for (name, original) in files where name != "lock" {
            for length in stride(from: 0, to: original.count, by: Extent.count(3, full: 1)) {
                var damaged = files
                damaged[name]?.removeSubrange(length...)
                try expectStateOrDamage(states, damaged, "\(length) bytes of \(name)")
            }
            var damaged = files
            damaged[name] = nil
            try expectStateOrDamage(states, damaged, "no \(name)")
        }
    }

    @Test("D2: A change of a batch that was flushed before another one is damage, not a torn tail")
    func damageIsNoTail() throws {
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        let first = try store.size().bytes
        try store.flush()
        try store.set("2", "two")
        var files = system.files
        let log = try #require(system.lastLog).name
        files[log]?[first - 1] ^= 1
        let copy = SimulatedFileSystem(files)
        let error = #expect(throws: FileStoreError.self) { try FileStore(copy).open(.readWrite) }
        let path = "/store/\(log)"
        #expect(
            error?.description == """
                A batch of the store is damaged, in '\(path)' at offset 24. Nothing was changed. Call 'salvage()' on a store \
                that isn't open to keep what is before the damage, or 'erase()' to begin again
                """
        )
        #expect(copy.files[log] == files[log])
    }

    @Test(
        "D2: A change of a store that is open is damage when its records are read again, or first after they are written",
        arguments: [false, true]
    )
    func damageWhileOpen(isWrittenBefore: Bool) throws {
        // A batch of several frames.
        let text = String(repeating: "x", count: 100)
        let values = (0..<20).map { RecordChange(key: bytes("\($0)"), value: bytes(text)) }
        // The simulated files are read as they were when they were opened.
        let folder = TemporaryFolder()
        let batch = StoreBatch([StoreBatch.Part(posts, changes: values)])
        if isWrittenBefore { try withStore(FileStore(folder.url)) { try $0.write(batch) } }
        try withStore(FileStore(folder.url)) { store in
            if isWrittenBefore {
                #expect(try store.records[posts]?.count == 20)
            } else {
                try store.write(batch)
            }
            let log = try #require(folder.files.keys.first { $0.hasPrefix("log-") })
            let original = try #require(folder.files[log])
            for offset in [LogHeader.size + FrameHeader.size + 20, original.count / 2] {
                var damaged = original
                damaged[offset] ^= 1
                try folder.write(damaged, to: log)
                #expect(throws: FileStoreError.self) { _ = try store.records }
            }
            try folder.write(original, to: log)
            #expect(try store.records[posts]?.count == 20)
        }
    }

    @Test("D2: A change of the last batch is damage if the store was closed after it")
    func damageOfLastBatch() throws {
        try withStore(FileStore(system)) { try $0.set("1", "one") }
        let (log, bytes) = try #require(system.lastLog)
        var damaged = bytes
        damaged[60] ^= 1
        system.files[log] = damaged
        #expect(throws: FileStoreError.self) { try FileStore(system).open(.readWrite) }
    }

    @Test("D2: A batch that was not synced and is lost is a torn tail, even if later ones are there")
    func lostBatch() throws {
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        try store.flush()
        let first = try store.size().bytes
        try store.set("2", "two")
        let second = try store.size().bytes
        try store.set("3", "three")
        let (log, bytes) = try #require(system.lastLog)
        let copy = SimulatedFileSystem(system.files)
        var torn = bytes
        torn.replaceSubrange(first..<second, with: repeatElement(0, count: second - first))
        copy.files[log] = torn
        try withStore(FileStore(copy)) { store throws in
            #expect(try store.records == [posts: ["1": "one"]])
            let file = "/store/\(log)"
            let cut = FileStore.OpeningReport.Cut(file: file, offset: first, bytes: bytes.count - first)
            #expect(store.openingReport?.cuts == [cut])
            #expect(store.openingReport?.cutBytes == bytes.count - first)
        }
        #expect(copy.files[log]?.count ?? 0 < bytes.count)
    }

    @Test("D2: A change of a log that a compaction has written is damage, also if nothing was written after it")
    func damageOfCopy() throws {
        let store = FileStore(system)
        try store.open(.readWrite)
        for key in ["1", "2", "3"] { try store.set(key, String(repeating: key, count: 200)) }
        try store.compact()
        let name = try #require(system.files.keys.filter { $0.hasPrefix("log-") }.min())
        let bytes = try #require(system.files[name])
        // A byte of the last frame, and all of it.
        for damaged in [bytes.dropLast() + [0], bytes.dropLast((bytes.count - LogHeader.size) / 3)] {
            let copy = SimulatedFileSystem(system.files.merging([name: Array(damaged)]) { $1 })
            #expect(throws: FileStoreError.self) { try FileStore(copy).open(.readWrite) }
        }
    }

    @Test("D2: A change of a log is damage if a batch in a later log proves that it was synced")
    func damageBeforeLastLog() throws {
        let store = FileStore(system)
        try store.open(.readWrite)
        // A compaction that fails after it has begun a new log.
        while try store.withState({ $0.contents.logs.count }) == 1 {
            try store.set("1", "one")
            system.fault = .failure(atCall: system.calls + 12, EIO)
            #expect(throws: FileStoreError.self) { try store.compact() }
        }
        try store.flush()
        try store.set("2", "two")
        let name = try #require(system.files.keys.filter { $0.hasPrefix("log-") }.min())
        var files = system.files
        let end = try #require(files[name]).count
        files[name]?[end - 1] ^= 1
        #expect(throws: FileStoreError.self) { try FileStore(SimulatedFileSystem(files)).open(.readWrite) }
    }

    @Test("D2: Random bytes as files are errors, and reserve no memory")
    func hostileFiles() throws {
        var random = SeededGenerator(seed: 1)
        _ = try writeStore(closing: true)
        let files = system.files
        for _ in 0..<Extent.count(200, full: 5000) {
            let copy = SimulatedFileSystem()
            for (name, bytes) in files {
                var bytes = random.below(2) == 0 ? bytes : (0..<random.below(300)).map { _ in UInt8(random.below(256)) }
                if !bytes.isEmpty, random.below(2) == 0 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
                copy.files[name] = bytes
            }
            for access in [StoreAccess.readOnly, .readWrite] {
                do {
                    _ = try withStore(FileStore(copy), access) { try $0.records }
                } catch is FileStoreError {}
            }
            _ = try? FileStore.inspect(StoreFolder(FileStore(copy).url, system: copy))
            _ = try? FileStore(copy).salvage()
        }
    }

    @Test("D2: Lengths and numbers that overflow, with valid checksums, are errors")
    func hostileNumbers() throws {
        let payloads: [[UInt8]] = [
            [],
            [1, 0, 0xFF, 0xFF, 1, 0, 0, 0],
            [1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
            [1, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
            [1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF],
            [9, 0, 0, 0, 0, 0, 0, 0],
            [1, 2, 0, 0, 0, 0, 0, 0],
            [1, 0, 1, 0, 0, 0, 0, 0, 0xFF],
        ]
        for payload in payloads {
            for length in [payload.count, Int(UInt32.max), 1 << 30] {
                for sequence in [0, 1, UInt64.max] {
                    let copy = SimulatedFileSystem.withStore(payload, length: length, sequence: sequence)
                    let isValid = payload.isEmpty && length == 0 && sequence == 1
                    do {
                        let records = try withStore(FileStore(copy)) { try $0.records }
                        #expect(records.isEmpty)
                        #expect(isValid || length != payload.count || sequence != 1)
                    } catch FileStoreError.damaged(_, let offset, .records) {
                        #expect(offset == 24 && length == payload.count && sequence == 1)
                    }
                }
            }
        }
    }

    @Test("A newer format is an error, and nothing is changed")
    func newerFormat() throws {
        try withStore(FileStore(system)) { try $0.set("1", "one") }
        let files = system.files
        for (name, bytes) in files where name != "lock" {
            var newer = bytes
            newer[8] = 2
            let end = name == "manifest" ? bytes.count - 4 : 20
            newer.set(newer[..<end].withUnsafeBytes { CRC32C.checksum($0) }, at: end)
            system.files[name] = newer
            for access in [StoreAccess.readOnly, .readWrite] {
                let error = #expect(throws: FileStoreError.self) { try FileStore(system).open(access) }
                #expect(
                    error?.description.contains("has format 2, and this version of FlatCache reads formats up to 1")
                        == true
                )
            }
            #expect(throws: FileStoreError.self) { try FileStore(system).salvage() }
            var expected = files
            expected[name] = newer
            #expect(system.files == expected)
            system.files[name] = bytes
        }
    }
}

extension SimulatedFileSystem {
    /// Creates the files of a store with one frame, whose checksums are right.
    fileprivate static func withStore(_ payload: [UInt8], length: Int, sequence: UInt64) -> SimulatedFileSystem {
        let log = LogHeader(number: 1, salt: 7)
        let header = FrameHeader(
            previous: log.checksum,
            length: length,
            sequence: sequence,
            syncedSequence: 0,
            flags: .endsBatch,
            payloadChecksum: payload.withUnsafeBytes { CRC32C.checksum($0) }
        )
        var frame = [UInt8](repeating: 0, count: FrameHeader.size)
        _ = frame.withUnsafeMutableBytes { header.write(to: $0, salt: log.salt) }
        let manifest = Manifest(ofEmptyLog: 1, after: 0)
        return SimulatedFileSystem(["log-1": log.bytes + frame + payload, "manifest": manifest.bytes])
    }
}
