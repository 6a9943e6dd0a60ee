import Foundation
import SeededRandom
import Testing

@testable import FlatCacheStore

@Suite struct FailureTests {
    /// Runs the steps of the sweep, and repeats a step that fails.
    ///
    /// - Returns: Whether a call failed.
    private func runSweep(failingAtCall call: Int, _ code: Int32, _ sync: FileStore.SyncPolicy) throws -> Bool {
        var history = StoreHistory(sync: sync)
        history.system.fault = .failure(atCall: call, code)
        var random = SeededGenerator(seed: UInt64(call))
        for step in Step.sweep {
            do {
                try history.run(step)
            } catch {
                #expect(error is FileStoreError, "\(step): \(error)")
                try history.expectUnchanged(after: step, error)
                try history.run(step)
            }
            if case .open = step { continue }
            if case .close = step { continue }
            #expect(try history.found == history.current, "\(history.log)")
        }
        do { try history.run(.flush) } catch is FileStoreError { try history.run(.flush) }
        let calls = history.system.calls
        try history.crash(.nothing, &random)
        return calls > call
    }

    @Test(
        "D3: After a failure of any call, nothing has changed, and the next attempt catches up",
        arguments: [FileStore.SyncPolicy.onFlush, .eachBatch],
        [ENOSPC, EIO]
    )
    func everyCall(sync: FileStore.SyncPolicy, code: Int32) throws {
        var call = 0
        while try runSweep(failingAtCall: call, code, sync) { call += 1 }
        #expect(call > 100)
    }

    @Test("D1: After a sync that failed, a flush succeeds only when the batches are written again and synced")
    func failedSync() throws {
        let system = SimulatedFileSystem()
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        system.fault = .failure(atCall: system.calls, EIO)
        #expect(throws: FileStoreError.self) { try store.flush() }
        try store.flush()
        try store.set("2", "two")
        try store.flush()
        var random = SeededGenerator(seed: 1)
        try expectRecords([posts: ["1": "one", "2": "two"]], in: system.afterCrash(.nothing, &random))
    }

    @Test("D1: What is flushed after erasing has failed survives, with all that was there before or nothing of it")
    func failingErasure() throws {
        var failures = 0
        for call in 0..<30 {
            let system = SimulatedFileSystem()
            let store = FileStore(system)
            try store.open(.readWrite)
            try store.write(StoreBatch.Part(posts, ["1": "one", "2": "two"]))
            try store.flush()
            system.fault = .failure(atCall: system.calls + call, EIO)
            do { try store.removeAll() } catch is FileStoreError { failures += 1 }
            system.fault = nil
            try store.set("3", "three")
            try store.flush()
            var random = SeededGenerator(seed: 1)
            let found = try withStore(FileStore(system.afterCrash(.nothing, &random))) { try $0.records }
            #expect(try found == store.records)
            #expect(found[posts] == ["3": "three"] || found[posts]?.count == 3, "call \(call)")
        }
        #expect(failures > 5)
    }

    @Test("D3: On a full disk writes fail, reads go on, and writes succeed when there is space again")
    func fullDisk() throws {
        let system = SimulatedFileSystem()
        let store = FileStore(system)
        try store.open(.readWrite)
        try store.set("1", "one")
        let size = try store.size().bytes
        system.capacity = system.files.values.reduce(0) { $0 + $1.count } + 600
        let text = String(repeating: "x", count: 200)
        let large = (0..<10).map { RecordChange(key: bytes("\($0)"), value: bytes(text)) }
        let error = #expect(throws: FileStoreError.self) { try store.write(StoreBatch.Part(posts, changes: large)) }
        #expect(
            error?.description == "Can't write '/store/log-1': No space left on device. Free space, and write again"
        )
        #expect(try store.records == [posts: ["1": "one"]])
        #expect(try store.size().bytes == size)
        #expect(system.lastLog?.bytes.count == size)
        try store.set("2", "two")
        system.capacity = .max
        try store.write(StoreBatch.Part(posts, changes: large))
        #expect(try store.groups() == [posts: 10])
        store.close()
        #expect(try withStore(FileStore(system)) { try $0.groups() } == [posts: 10])
    }

    @Test("D3: A folder that can't be written gives an error with the path and the system's text")
    func missingRights() throws {
        let folder = TemporaryFolder()
        try folder.write([], to: "file")
        let path = folder.url.appendingPathComponent("file").path
        let error = #expect(throws: FileStoreError.self) {
            try FileStore(folder.url.appendingPathComponent("file/store")).open(.readWrite)
        }
        #expect(error?.description.hasPrefix("Can't create the folder '\(path)/store': Not a directory.") == true)
    }

    @Test("A folder in place of a file, and a limit of the system, give a remedy", arguments: [EISDIR, EFBIG])
    func systemErrors(code: Int32) {
        let error = FileStoreError.failed(operation: "open", file: "/store/log-1", code: code)
        let remedy =
            code == EISDIR
            ? "Move this folder away, or use another one for the store"
            : "Raise the limit on the size of files, and write again"
        #expect(error.description.hasSuffix(". \(remedy)"))
    }

    @Test("A pipe in place of a file gives a remedy, and nothing waits for another process")
    func pipes() throws {
        let folder = TemporaryFolder()
        let store = FileStore(at: folder.url)
        try store.open(.readWrite)
        try store.set("1", "one")
        store.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 3)
        for name in names {
            let file = folder.url.appending(path: name).path
            let bytes = try Data(contentsOf: URL(filePath: file))
            try FileManager.default.removeItem(atPath: file)
            #expect(mkfifo(file, 0o600) == 0)
            let error = #expect(throws: FileStoreError.self) { try store.open(.readWrite) }
            #expect(
                error?.description == """
                    Can't open '\(file)': Operation not supported. It isn't a file. Move it away, or use another folder for the \
                    store
                    """
            )
            // Those that only read don't need the file that is the lock.
            let calls: [() throws -> Void] = [
                { try FileStore(at: folder.url).open(.readOnly) }, { _ = try FileStore.inspect(folder.url) },
            ]
            for call in calls where !bytes.isEmpty { #expect(throws: FileStoreError.self) { try call() } }
            try FileManager.default.removeItem(atPath: file)
            try bytes.write(to: URL(filePath: file))
        }
        try store.open(.readWrite)
        #expect(try store.records == [posts: ["1": "one"]])
        store.close()
    }

    @Test("Operations of a store that isn't open, is read-only or suspended are errors")
    func wrongState() throws {
        let system = SimulatedFileSystem()
        let store = FileStore(system)
        #expect(throws: FileStoreError.self) { try store.set("1", "one") }
        #expect(throws: FileStoreError.self) { try store.groups() }
        let missing = #expect(throws: FileStoreError.self) { try store.open(.readOnly) }
        #expect(
            missing?.description == """
                There is no store in '/store'. Open it with '.readWrite' once to create it, or check that the folder was not \
                moved or removed
                """
        )
        try store.open(.readWrite)
        #expect(throws: FileStoreError.self) { try store.open(.readWrite) }
        #expect(throws: FileStoreError.self) { try store.salvage() }
        try store.suspend()
        let suspended = #expect(throws: FileStoreError.self) { try store.set("1", "one") }
        #expect(suspended?.description == "The store in '/store' is suspended. Call 'resume()' before")
        store.close()
        store.close()
        try withStore(FileStore(system), .readOnly) { store throws in
            let error = #expect(throws: FileStoreError.self) { try store.set("1", "one") }
            #expect(
                error?.description
                    == "The store in '/store' is open for reading only. Open it with '.readWrite' to change it"
            )
            #expect(throws: FileStoreError.self) { try store.removeAll() }
            #expect(throws: FileStoreError.self) { try store.compact() }
        }
    }

    @Test("D1: A flush of a folder that was removed is no acknowledgement")
    func removedFolder() throws {
        let folder = TemporaryFolder()
        let store = FileStore(folder.url)
        try store.open(.readWrite)
        try store.set("1", "one")
        try store.flush()
        try FileManager.default.removeItem(at: folder.url)
        for write in [{ try store.set("2", "two") }, { try store.flush() }] {
            let error = #expect(throws: FileStoreError.self) { try write() }
            #expect(error?.description.hasPrefix("There is no store in") == true)
        }
    }

    @Test("An open store isn't erased, but its records are removed")
    func openStore() throws {
        let folder = TemporaryFolder()
        let store = FileStore(folder.url)
        try store.open(.readWrite)
        try store.set("1", "one")
        #expect(throws: FileStoreError.self) { try store.erase() }
        #expect(try store.records == [posts: ["1": "one"]])
        try store.removeAll()
        #expect(try store.records == [:])
        store.close()
        try store.erase()
    }

    @Test("A name of a type that is too long is an error, and nothing is written")
    func longName() throws {
        let store = FileStore(SimulatedFileSystem())
        try store.open(.readWrite)
        let group = RecordGroup(.entities, of: String(repeating: "n", count: 70_000))
        #expect(throws: FileStoreError.self) {
            try store.write(StoreBatch.Part(posts, ["1": "one"]), StoreBatch.Part(group, ["1": "one"]))
        }
        #expect(try store.records == [:])
    }
}

extension StoreHistory {
    /// Expects the state before a step that has failed, except that erasing may have removed the records.
    fileprivate mutating func expectUnchanged(after step: Step, _ error: any Error) throws {
        noteFailure(error)
        switch step {
        case .open: return
        case .erase:
            let found = try self.found
            #expect(found == current || found == states.dropLast().last, "\(log)")
        case .write:
            forgetLastChange()
            #expect(try found == current, "\(log)")
        default:
            #expect(try found == current, "\(log)")
        }
    }

    @Test("A URL that isn't that of a file is refused, and nothing is created")
    func noFileURL() throws {
        let url = try #require(URL(string: "https://example.com/store"))
        let store = FileStore(at: url)
        let calls: [() throws -> Void] = [
            { try store.open(.readWrite) }, { try store.open(.readOnly) }, { try store.erase() },
            { _ = try store.salvage() }, { _ = try FileStore.inspect(url) },
        ]
        for call in calls {
            let error = #expect(throws: FileStoreError.self) { try call() }
            #expect(
                error?.description
                    == "'https://example.com/store' is not a file URL. Create the store with 'URL(filePath:)'"
            )
        }
        #expect(!FileManager.default.fileExists(atPath: "/store"))
    }
}
