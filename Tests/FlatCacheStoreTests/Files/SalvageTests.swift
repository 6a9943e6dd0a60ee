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
}
