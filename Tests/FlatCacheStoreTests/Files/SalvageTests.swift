import Testing

@testable import FlatCacheStore

@Suite struct SalvageTests {
    private let system = SimulatedFileSystem()

    @Test("Salvaging keeps the batches before the damage and copies the rest")
    func salvage() throws {
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        let first = try store.size().bytes
        try store.set("2", "two")
        store.close()
        let (log, bytes) = try #require(system.lastLog)
        var damaged = bytes
        damaged[first + 40] ^= 1
        system.files[log] = damaged
        #expect(throws: FileStoreError.self) { try store.open(.readWrite) }
        let report = try store.salvage()
        let copy = try #require(report.copies.first)
        #expect(report.copies.count == 1 && copy.offset == first && copy.bytes == bytes.count - first)
        #expect(copy.source.hasSuffix("/\(log)"))
        #expect(system.files[String(copy.file.dropFirst("/store/".count))] == Array(damaged[first...]))
        try withStore(store) { store throws in
            #expect(try store.records == [posts: ["1": "one"]])
            try store.set("3", "three")
            try store.compact()
        }
        try expectRecords([posts: ["1": "one", "3": "three"]], in: system)
        #expect(system.files[String(copy.file.dropFirst("/store/".count))] != nil)
        #expect(try store.salvage().damage == nil)
    }

    @Test("Salvaging finds the logs of a damaged manifest, and not those that were erased or compacted")
    func salvageManifest() throws {
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        try store.removeAll()
        try store.set("2", "two")
        try store.compact()
        try store.set("3", "three")
        store.close()
        for damage in [[], [1, 2, 3], nil] as [[UInt8]?] {
            system.files["manifest"] = damage
            #expect(throws: FileStoreError.self) { try store.open(.readWrite) }
            #expect(try store.salvage().damage != nil)
            try expectRecords([posts: ["2": "two", "3": "three"]], in: system)
        }
    }

    @Test("Salvaging a damaged manifest doesn't bring back what was erased, even if its log is still there")
    func salvageAfterErasing() throws {
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        let erased = try #require(system.lastLog)
        try store.removeAll()
        try store.set("2", "two")
        store.close()
        system.files[erased.name] = erased.bytes
        system.files["manifest"] = nil
        let report = try store.salvage()
        #expect(report.copies.map(\.source) == ["/store/\(erased.name)"])
        try expectRecords([posts: ["2": "two"]], in: system)
    }

    /// Writes a store whose first records are in a log of a compaction, or are erased, and goes on in another log.
    ///
    /// - Returns: The names of the logs.
    private func writeLogs(_ history: History) throws -> [String] {
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        try store.set("2", "two")
        switch history {
        case .compaction: try store.compact()
        case .erasing: try store.removeAll()
        case .salvaging, .salvagingOfNothing:
            store.close()
            let (log, bytes) = try #require(system.lastLog)
            var damaged = bytes
            damaged[history == .salvaging ? bytes.count - FrameHeader.size * 2 : LogHeader.size] ^= 1
            system.files[log] = damaged
            #expect(try store.salvage().damage != nil)
            try store.open(.readWrite)
        }
        try store.set("3", "three")
        try store.flush()
        try store.set("4", "four")
        store.close()
        return system.files.keys.filter { FileFormat.logNumber($0) != nil }.sorted()
    }

    private enum History: CaseIterable {
        case compaction, erasing, salvaging, salvagingOfNothing
    }

    @Test("D2: Salvaging without a manifest keeps logs that continue no other", arguments: History.allCases)
    private func wholeLogs(history: History) throws {
        _ = try writeLogs(history)
        let expected = try withStore(FileStore(SimulatedFileSystem(system.files))) { try $0.records }
        system.files["manifest"] = nil
        let report = try FileStore(system).salvage()
        #expect(report.damage != nil && report.copies.isEmpty)
        try expectRecords(expected, in: system)
    }

    @Test(
        "D2: Salvaging without a manifest keeps no log after one that is damaged or missing, and copies it",
        arguments: [History.compaction, .salvaging],
        [[] as [UInt8], [1, 2, 3], nil]
    )
    private func logAfterDamage(history: History, manifest: [UInt8]?) throws {
        let logs = try writeLogs(history)
        #expect(logs.count == 2)
        let whole = system.files
        let first = try #require(whole[logs[0]])
        let last = try #require(whole[logs[1]])
        var header = first
        header[2] ^= 1
        var frame = first
        frame[LogHeader.size + 2] ^= 1
        for damaged in [nil, header, frame, whole["manifest"]] as [[UInt8]?] {
            system.files = whole
            system.files["manifest"] = manifest
            system.files[logs[0]] = damaged
            let report = try FileStore(system).salvage()
            #expect(report.damage != nil)
            let copies = report.copies.filter { $0.source == "/store/\(logs[1])" }
            #expect(copies.map(\.offset) == [0] && copies.map(\.bytes) == [last.count])
            let copy = try #require(copies.first)
            #expect(system.files[String(copy.file.dropFirst("/store/".count))] == last)
            try expectRecords([:], in: system)
        }
    }
}
