import Testing

@testable import FlatCacheStore

@Suite struct SealingTests {
    private let folder = TemporaryFolder()

    private func contains(_ text: String) throws -> Bool {
        try folder.files.values.contains { file in
            let text = Array(text.utf8)
            return file.indices.contains { file[$0...].starts(with: text) }
        }
    }

    @Test("Sealed records are read with their key, and neither keys, values nor names are in the files")
    func sealing() throws {
        let large = (0..<100).map { RecordChange(key: bytes("key \($0)"), value: bytes("value \($0)")) }
        try withStore(FileStore(folder.url, sealing: .toy(key: 1))) { store in
            try store.set("secret key", "secret value")
            try store.write(StoreBatch.Part(authors, changes: large))
        }
        for text in ["secret", "Post", "value", "Author"] { #expect(try !contains(text)) }
        try withStore(FileStore(folder.url, sealing: .toy(key: 1))) { store throws in
            #expect(try store.records[posts] == ["secret key": "secret value"])
            #expect(try store.groups()[authors] == 100)
            try store.compact()
            #expect(try store.read(authors, keys: [bytes("key 7")]).map { text($0.value) } == ["value 7"])
        }
        for text in ["secret", "Post", "value", "Author"] { #expect(try !contains(text)) }
    }

    @Test("D2: A wrong key, or none, is an error that changes nothing")
    func wrongKey() throws {
        try withStore(FileStore(folder.url, sealing: .toy(key: 1))) { try $0.set("1", "one") }
        let files = try folder.files
        let wrong = #expect(throws: FileStoreError.self) {
            try FileStore(folder.url, sealing: .toy(key: 2)).open(.readWrite)
        }
        #expect(wrong?.description.contains("can't be unsealed: WrongKey()") == true)
        let none = #expect(throws: FileStoreError.self) { try FileStore(folder.url).open(.readWrite) }
        #expect(none?.description.contains("are sealed. Create the store with the 'sealing'") == true)
        #expect(throws: FileStoreError.self) { try FileStore(folder.url, sealing: .toy(key: 2)).salvage() }
        #expect(try folder.files == files)
        try FileStore(folder.url, sealing: .toy(key: 2)).erase()
        try expectRecords([:], in: folder.url)
    }

    @Test("A store that was not sealed is read with a key, and sealed by compaction")
    func sealingLater() throws {
        try withStore(FileStore(folder.url)) { try $0.set("1", "secret") }
        try withStore(FileStore(folder.url, sealing: .toy(key: 1))) { store throws in
            #expect(try store.records == [posts: ["1": "secret"]])
            try store.compact()
        }
        #expect(try !contains("secret"))
    }

    @Test("D3: A batch that can't be sealed is not written, and a later one is")
    func failure() throws {
        struct NoKey: Error {}
        let key = Box(UInt8?.none)
        let sealing = FileStore.Sealing { bytes in
            guard let key = key.value else { throw NoKey() }
            return try FileStore.Sealing.toy(key: key).seal(bytes)
        } open: { bytes in
            try FileStore.Sealing.toy(key: 1).open(bytes)
        }
        try withStore(FileStore(folder.url, sealing: sealing)) { store throws in
            let error = #expect(throws: FileStoreError.self) { try store.set("1", "one") }
            #expect(error?.description.contains("can't be sealed: NoKey()") == true)
            #expect(try store.records == [:])
            key.value = 1
            try store.set("1", "two")
            #expect(try store.records == [posts: ["1": "two"]])
        }
    }
}
