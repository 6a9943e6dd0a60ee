import Foundation
import SeededRandom
import Synchronization
import TestThreads
import Testing

@testable import FlatCacheStore

@Suite(.mayBlock) struct CompactionTests {
    /// A store that writes while it compacts: at one call of the compaction.
    private struct Scene {
        let system = SimulatedFileSystem()
        let store: FileStore
        private(set) var records: Records = [:]

        init() throws {
            store = FileStore(system)
            try store.open(.readWrite)
            for number in 0..<20 {
                try write(StoreBatch.Part(posts, ["\(number % 7)": "\(number)"]))
                try write(StoreBatch.Part(authors, ["\(number % 3)": String(repeating: "a", count: number * 10)]))
            }
        }

        mutating func write(_ parts: StoreBatch.Part...) throws {
            records.apply(parts)
            try store.write(StoreBatch(parts))
        }

        mutating func writeEverything() throws {
            try write(StoreBatch.Part(posts, ["1": nil, "2": "TWO", "new": "1"]))
            try write(StoreBatch.Part(authors, removesAll: true, ["2": "Ben"]), StoreBatch.Part(feeds, ["home": "1"]))
            try write(
                StoreBatch.Part(posts, ["3": nil]),
                StoreBatch.Part(posts, ["5": String(repeating: "5", count: 700)])
            )
            try write(StoreBatch.Part(posts, ["3": "again"]))
        }

        /// Compacts, and does something before a call of it.
        ///
        /// - Returns: Whether the compaction has so many calls.
        func compact(doing body: @escaping () throws -> Void, beforeCall call: Int) throws -> Bool {
            let first = system.calls
            let (isDone, failure) = (Box(false), Box((any Error)?.none))
            system.onCall = { number in
                guard number == first + call else { return }
                isDone.value = true
                do { try body() } catch { failure.value = error }
            }
            defer { system.onCall = nil }
            try store.compact()
            if let error = failure.value { throw error }
            return isDone.value
        }
    }

    @Test(
        "D1: Batches that are written during a compaction are kept, at whichever call of it",
        arguments: [false, true]
    )
    func writesDuringCompaction(flushing: Bool) throws {
        var random = SeededGenerator(seed: 1)
        var call = 0
        var isDone = true
        while isDone {
            let scene = Box(try Scene())
            isDone = try scene.value.compact(
                doing: {
                    try scene.value.writeEverything()
                    #expect(try scene.value.store.records == scene.value.records, "call \(call)")
                    if flushing { try scene.value.store.flush() }
                },
                beforeCall: call
            )
            let (store, system) = (scene.value.store, scene.value.system)
            #expect(try store.records == scene.value.records, "call \(call)")
            if flushing || !isDone { try expectRecords(scene.value.records, in: system.afterCrash(.nothing, &random)) }
            try expectRecords(scene.value.records, in: system.afterCrash(.everything, &random))
            #expect(try store.withState { $0.contents.copiedLogs.isEmpty }, "Nothing refers to the old logs")
            try store.compact()
            #expect(try store.records == scene.value.records, "call \(call)")
            call += 1
        }
        #expect(call > 20)
    }

    @Test("D3: A reader sees the records at every call of a compaction, with the old files and the new ones")
    func readersDuringCompaction() throws {
        var call = 0
        var isDone = true
        while isDone {
            let scene = Box(try Scene())
            let (system, expected) = (scene.value.system, scene.value.records)
            let early = FileStore(system)
            try early.open(.readOnly)
            isDone = try scene.value.compact(
                doing: {
                    let found = try withStore(FileStore(system), .readOnly) { try $0.records }
                    #expect(found == expected)
                    #expect(try early.records == expected)
                    guard case .none = try early.refresh() else {
                        Issue.record("A compaction is no news")
                        return
                    }
                    #expect(try early.records == expected)
                },
                beforeCall: call
            )
            #expect(try early.records == expected)
            _ = try early.refresh()
            #expect(try early.records == expected)
            call += 1
        }
    }

    @Test("D3: After a compaction that fails at any call, the store goes on, and the next one succeeds")
    func failingCompaction() throws {
        var call = 0
        var failures = 0
        while true {
            var scene = try Scene()
            let first = scene.system.calls
            scene.system.fault = .failure(atCall: first + call, EIO)
            do { try scene.store.compact() } catch is FileStoreError { failures += 1 }
            if scene.system.calls <= first + call { break }
            #expect(try scene.store.records == scene.records, "call \(call)")
            try scene.writeEverything()
            try scene.store.flush()
            var random = SeededGenerator(seed: 1)
            try expectRecords(scene.records, in: scene.system.afterCrash(.nothing, &random))
            try scene.store.compact()
            #expect(try scene.store.records == scene.records, "call \(call)")
            #expect(try scene.store.size().unusedBytes < scene.store.size().bytes)
            #expect(scene.system.files.keys.filter { $0.hasPrefix("log-") }.count == 2)
            call += 1
        }
        #expect(failures > 20)
    }

    @Test("Closing during a compaction cancels it, and nothing is lost")
    func closingDuringCompaction() throws {
        var scene = try Scene()
        try scene.writeEverything()
        let store = scene.store
        let closing = Mutex<RunningThread?>(nil)
        #expect(throws: CancellationError.self) {
            _ = try scene.compact(
                doing: {
                    closing.withLock { $0 = RunningThread { store.close() } }
                    // Closing has begun when it excludes compaction, and can't end before this one.
                    try spin { try store.withState { $0.compactionBlocks } > 0 }
                },
                beforeCall: 2
            )
        }
        closing.withLock { $0 }?.finish()
        #expect(throws: FileStoreError.self) { try store.groups() }
        try expectRecords(scene.records, in: scene.system)
    }

    @Test("A store compacts by itself when more than half of its bytes are unused")
    func background() throws {
        let folder = TemporaryFolder()
        let tuning = FileStore.Tuning(payloadLimit: 300, compactionMinimum: 4000)
        let store = FileStore(folder.url, tuning: tuning)
        try store.open(.readWrite)
        var random = SeededGenerator(seed: 1)
        var records: Records = [:]
        for number in 0..<Extent.count(3000, full: 100_000) {
            let part = StoreBatch.Part(
                random.pick(from: [posts, authors]),
                removesAll: random.below(500) == 0,
                ["\(random.below(20))": random.below(4) == 0 ? nil : "\(number)"]
            )
            records.apply([part])
            try store.write(StoreBatch.Part(part.group, removesAll: part.removesAll, changes: part.changes))
            if random.below(100) == 0 { #expect(try store.records == records) }
        }
        // What was started ends before this. The next write starts another compaction if that is necessary.
        store.waitForCompactions()
        try store.write(StoreBatch.Part(feeds, ["home": nil]))
        store.waitForCompactions()
        #expect(store.backgroundError == nil)
        #expect(try store.records == records)
        #expect(try store.size().bytes < 10_000)
        store.close()
        try expectRecords(records, in: folder.url)
    }

    @Test("A compaction that was scheduled before the store is suspended is no error")
    func scheduledBeforeSuspension() throws {
        let system = SimulatedFileSystem()
        let tuning = FileStore.Tuning(payloadLimit: 300, compactionMinimum: 200)
        let store = FileStore(URL(fileURLWithPath: "/store"), system: system, tuning: tuning)
        try store.open(.readWrite)
        try store.set("1", "first")
        let isFirst = Mutex(true)
        system.onSync = {
            let isSuspending = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if !isSuspending { return }
            store.compactionQueue.suspend()
            for number in 0..<30 { #expect(throws: Never.self) { try store.set("1", "\(number)") } }
        }
        try store.suspend()
        #expect(!isFirst.withLock { $0 })
        store.compactionQueue.resume()
        store.waitForCompactions()
        #expect(store.backgroundError == nil)
        _ = try store.resume()
        #expect(try store.records[posts] == ["1": "29"])
        store.close()
    }

    @Test("D3: A failure of a compaction in the background is reported, and doesn't fail a write")
    func backgroundFailure() throws {
        let system = SimulatedFileSystem()
        let tuning = FileStore.Tuning(payloadLimit: 300, compactionMinimum: 200)
        let store = FileStore(URL(fileURLWithPath: "/store"), system: system, tuning: tuning)
        try store.open(.readWrite)
        for number in 0..<3 { try store.set("1", "\(number)") }
        system.capacity = system.files.values.reduce(0) { $0 + $1.count } + 100
        try store.set("1", "last")
        store.waitForCompactions()
        guard case .failed(_, _, ENOSPC) = store.backgroundError as? FileStoreError else {
            Issue.record("\(String(describing: store.backgroundError))")
            return
        }
        #expect(try store.records == [posts: ["1": "last"]])
    }
}

extension FileStore {
    /// Waits until the compactions that were started have ended.
    fileprivate func waitForCompactions() {
        let end = Gate("compactions end")
        compactionQueue.async { end.open() }
        end.wait()
    }
}
