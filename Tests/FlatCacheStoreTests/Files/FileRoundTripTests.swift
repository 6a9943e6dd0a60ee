import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite struct FileRoundTripTests {
    let folder = TemporaryFolder()

    @Test("Records are found by key, and all of them by group, in the order in which they were written last")
    func records() throws {
        try withStore(FileStore(folder.url)) { store throws in
            try store.write(StoreBatch.Part(posts, ["1": "one", "2": "two", "3": "three"]))
            try store.write(StoreBatch.Part(posts, ["1": "ONE"]), StoreBatch.Part(authors, ["1": "Ann"]))
            #expect(try store.groups() == [posts: 3, authors: 1])
            #expect(try store.postsInOrder == ["2=two", "3=three", "1=ONE"])
            #expect(
                try store.read(posts, keys: ["3", "9", "1"].map(bytes)).map { text($0.value) } == ["three", "ONE"]
            )
            #expect(try store.read(feeds, keys: [bytes("1")]).isEmpty)
            #expect(try store.records == [posts: ["1": "ONE", "2": "two", "3": "three"], authors: ["1": "Ann"]])
        }
    }

    @Test("Records are the same after the store was opened again")
    func reopening() throws {
        try withStore(FileStore(folder.url)) { store throws in
            try store.write(StoreBatch.Part(posts, ["1": "one", "2": "two"]))
            try store.write(StoreBatch.Part(posts, ["1": nil, "3": "", "": "no key"]))
        }
        try withStore(FileStore(folder.url)) { store throws in
            #expect(try store.records == [posts: ["2": "two", "3": "", "": "no key"]])
            #expect(store.openingReport == FileStore.OpeningReport())
        }
    }

    @Test("A part can remove all records of its group before its changes")
    func removesAll() throws {
        try withStore(FileStore(folder.url)) { store throws in
            try store.write(StoreBatch.Part(posts, ["1": "one", "2": "two"]), StoreBatch.Part(authors, ["1": "Ann"]))
            try store.write(StoreBatch.Part(posts, removesAll: true, ["3": "three"]))
            try store.write(StoreBatch.Part(authors, removesAll: true, [:]))
            #expect(try store.groups() == [posts: 1])
        }
        try expectRecords([posts: ["3": "three"]], in: folder.url)
    }

    @Test("Groups of one type and other kinds, and of names that one begins with, are different")
    func groups() throws {
        let others = [
            RecordGroup(.schema, of: "Post"), RecordGroup(.entities, of: "Pos"), RecordGroup(.entities, of: ""),
        ]
        try withStore(FileStore(folder.url)) { store throws in
            for (number, group) in ([posts, feeds] + others).enumerated() {
                try store.write(StoreBatch.Part(group, ["key": "\(number)"]))
            }
        }
        try withStore(FileStore(folder.url)) { store throws in
            #expect(try store.groups().count == 5)
            #expect(try store.read(feeds, keys: [bytes("key")]).map { text($0.value) } == ["1"])
        }
    }

    @Test("Compaction keeps the records and their order, and frees what is unused")
    func compaction() throws {
        let tuning = FileStore.Tuning(compactionMinimum: nil)
        try withStore(FileStore(folder.url, tuning: tuning)) { store throws in
            for round in 0..<20 {
                for key in 0..<50 { try store.set("\(key)", "\(round) \(String(repeating: "x", count: 100))") }
            }
            try store.set("7", "last")
            let (order, size) = try (store.postsInOrder, store.size())
            #expect(size.unusedBytes > size.bytes * 9 / 10)
            try store.compact()
            #expect(try store.postsInOrder == order)
            #expect(try store.size().bytes < size.bytes / 10)
            #expect(try store.size().unusedBytes < 300)
            try store.set("8", "later")
            #expect(try store.postsInOrder == order.filter { !$0.hasPrefix("8=") } + ["8=later"])
            #expect(try folder.files.keys.filter { $0.hasPrefix("log-") }.count == 2)
        }
        try withStore(FileStore(folder.url)) { store throws in
            #expect(try store.postsInOrder.last == "8=later")
            #expect(try store.groups() == [posts: 50])
            try store.compact()
            try store.compact()
            #expect(try store.postsInOrder.suffix(2) == ["7=last", "8=later"])
        }
    }

    @Test("Erasing removes all records and files, and the store can be used again")
    func erasing() throws {
        try withStore(FileStore(folder.url)) { store throws in
            try store.set("1", "one")
            try folder.write([1], to: "damaged-log-1-0")
            try store.removeAll()
            #expect(try store.records == [:])
            #expect(try folder.files.keys.filter { $0.hasPrefix("damaged") }.isEmpty)
            try store.set("2", "two")
        }
        try expectRecords([posts: ["2": "two"]], in: folder.url)
        try FileStore(folder.url).erase()
        try expectRecords([:], in: folder.url)
    }

    @Test("Files that the store has not written are left alone, and those that it has left are removed")
    func foreignFiles() throws {
        try withStore(FileStore(folder.url)) { try $0.set("1", "one") }
        let own = ["manifest.new", "log-7", "log-9.new", "damaged-log-1-0.new"]
        let foreign = ["notes.new", "log-07", "log-x", "manifest.old", "damaged-log-1-0"]
        for name in own + foreign { try folder.write([1], to: name) }
        try expectRecords([posts: ["1": "one"]], in: folder.url)
        let names = Set(try folder.files.keys)
        #expect(names.isSuperset(of: foreign) && names.isDisjoint(with: own))
    }

    @Test("A batch that is larger than a frame is whole, and is read as it was written")
    func largeBatch() throws {
        let large = String(repeating: "y", count: 100_000)
        let changes = (0..<5000).map { RecordChange(key: bytes("\($0)"), value: bytes("value \($0)")) }
        try withStore(FileStore(folder.url)) { store throws in
            try store.write(
                StoreBatch.Part(posts, changes: changes),
                StoreBatch.Part(authors, ["1": large, "2": "small"]),
                StoreBatch.Part(posts, ["0": nil])
            )
            #expect(try store.groups() == [posts: 4999, authors: 2])
        }
        try withStore(FileStore(folder.url)) { store throws in
            #expect(try store.groups() == [posts: 4999, authors: 2])
            #expect(try store.read(authors, keys: [bytes("1")]).first.map { text($0.value) } == large)
            try store.compact()
            #expect(try store.read(authors, keys: [bytes("1")]).first.map { text($0.value) } == large)
            #expect(try store.read(posts, keys: [bytes("4999")]).first.map { text($0.value) } == "value 4999")
        }
    }

    @Test("A batch is written in pieces while its parts are taken, so it may be larger than memory")
    func streamedBatch() throws {
        let system = SimulatedFileSystem()
        let store = FileStore(system)
        try store.open(.readWrite)
        let empty = try #require(system.lastLog).bytes.count
        var number = 0
        var unwritten = 0
        try store.write(
            StoreBatch {
                let written = system.lastLog.map { $0.bytes.count - empty } ?? 0
                unwritten = max(unwritten, number * 100 - written)
                if number == 1000 { return nil }
                number += 1
                return StoreBatch.Part(posts, ["\(number)": String(repeating: "x", count: 100)])
            }
        )
        // The frames of these tests have 300 bytes.
        #expect(unwritten < 600)
        #expect(system.longestWrite < 600)
        #expect(try store.groups() == [posts: 1000])
        // One call for a batch with few records.
        let calls = system.calls
        try store.set("1", "one")
        #expect(system.calls == calls + 1)
    }

    @Test("Records of keys in any order are read with as few calls as in the order of the file")
    func shuffledKeys() throws {
        let system = SimulatedFileSystem()
        let store = FileStore(system)
        try store.open(.readWrite)
        func value(_ number: Int) -> String { String(repeating: "\(number) ", count: 2500) }
        let changes = (0..<200).map { RecordChange(key: bytes("\($0)"), value: bytes(value($0))) }
        try store.write(StoreBatch.Part(posts, changes: changes))
        var random = SeededGenerator(seed: 1)
        let calls = try [Array(0..<200), (0..<200).shuffled(using: &random)].map { numbers in
            let before = system.calls
            let records = try store.read(posts, keys: numbers.map { bytes("\($0)") })
            #expect(records.map { text($0.value) } == numbers.map(value))
            return system.calls - before
        }
        #expect(calls[0] > 2 && calls[1] == calls[0])
    }
}
