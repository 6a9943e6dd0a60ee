internal import FlatCache
import Foundation

extension FileStore {
    /// What opening a store has cut.
    public struct OpeningReport: Hashable, Sendable {
        /// Bytes at the end of a log that were removed, because they were no whole batch.
        public struct Cut: Hashable, Sendable {
            /// The path of the log.
            public let file: String
            /// The offset of the first byte that was removed.
            public let offset: Int
            /// The number of bytes.
            public let bytes: Int
        }

        /// The bytes that were removed, by log.
        ///
        /// They were never acknowledged by ``FileStore/flush()``. Empty if all batches are whole, and for a store that
        /// is open for reading, which removes nothing.
        public internal(set) var cuts: [Cut] = []

        /// The number of bytes that were removed.
        public var cutBytes: Int { cuts.reduce(0) { $0 + $1.bytes } }
    }

    /// Opens the store, and creates it if it doesn't exist and the access is ``StoreAccess/readWrite``.
    ///
    /// It reads all logs once. A torn tail is cut, see ``openingReport``.
    ///
    /// - Parameter access: Whether records are written.
    /// - Throws: A ``FileStoreError``. It is ``FileStoreError/inUse(folder:)`` at once if another store writes the
    ///   folder.
    /// - Complexity: O(*n*) in the bytes of the logs.
    public func open(_ access: StoreAccess) throws {
        try requireClosed()
        let opened = try access == .readWrite ? openForWriting() : openForReading()
        let isFirst = lock.withLock {
            if state.open != nil { return false }
            state = .open(opened)
            return true
        }
        if !isFirst { throw FileStoreError.alreadyOpen(folder: folder.path) }
    }

    /// Throws an error if the store is open, or if its folder can't be one.
    func requireClosed() throws {
        if !url.isFileURL { throw FileStoreError.noFileURL(url) }
        if lock.withLock({ state.open != nil }) { throw FileStoreError.alreadyOpen(folder: folder.path) }
    }

    /// Closes the store.
    ///
    /// It flushes what was written, and cancels a compaction.
    ///
    /// An error of the flush is ignored, so call ``flush()`` before to know that everything is on disk. Closing waits
    /// for the step at which a compaction is: some records, a sync, or the end after its last file operation. In a closure
    /// that a running write calls it does nothing.
    public func close() {
        try? withoutCompaction {
            do {
                try flush()
            } catch {
                // A second flush writes again what a sync may have forgotten. The next store can't know that this is
                // necessary.
                try? flush()
            }
            try turn.take(in: folder) {
                if (try? checkLock()) != nil { try? withStateOfTurn { try $0.writeProof() } }
                lock.withLock { state = .closed }
            }
        }
    }

    private func openForReading() throws -> OpenState {
        let replay = try readLogs()
        return OpenState(replay.contents, .readOnly, folderLock: nil, nextLogNumber: 0)
    }

    private func openForWriting() throws -> OpenState {
        try folder.system.createFolder(folder.path)
        let folderLock = try folder.lock()
        try folder.set(attributes)
        let manifest = try folder.manifest() ?? createStore()
        var replay = LogReplay(manifest, in: folder, sealing: sealing)
        try replay.readUndamaged(manifest, for: .writing)
        var report = OpeningReport()
        let contents = try cutTail(replay, &report)
        return try OpenState(
            contents,
            .readWrite,
            folderLock: folderLock,
            nextLogNumber: cleanUp(contents.logs),
            report
        )
    }

    /// Creates the files of an empty store.
    private func createStore() throws -> Manifest {
        let numbers = try folder.logsWithoutBatches()
        let number = (numbers.max() ?? 0) + 1
        _ = try LogFile.create(number, in: folder)
        let manifest = Manifest(ofEmptyLog: number, after: 0)
        try folder.write(manifest)
        return manifest
    }

    /// Removes what is after the last whole batch, and makes everything before survive a crash.
    func cutTail(_ replay: LogReplay, _ report: inout OpeningReport) throws -> StoreContents {
        var contents = replay.contents
        if let stop = replay.stop {
            report.cuts = replay.files.enumerated().dropFirst(stop.log).compactMap { place, log in
                let offset = place == stop.log ? stop.offset : min(LogHeader.size, log.size)
                let bytes = log.size - offset
                return bytes > 0 ? OpeningReport.Cut(file: log.file.path, offset: offset, bytes: bytes) : nil
            }
            try replay.files[stop.log].file.file.truncate(to: stop.offset)
        }
        try contents.logs.sync(rewriting: false)
        for place in contents.logs.indices { contents.logs[place].syncedSize = contents.logs[place].size }
        // Before a batch is appended, so that a log after it is never taken for its continuation.
        if contents.logs.count < replay.files.count { try folder.write(contents.manifest) }
        return contents
    }

    /// Removes files that the manifest doesn't name.
    ///
    /// - Returns: The number of the next log.
    func cleanUp(_ logs: [StoreContents.Log]) throws -> UInt32 {
        let names = try folder.names()
        let used = Set(logs.map { FileFormat.logName($0.file.number) })
        folder.removeIfPossible(names.filter { FileFormat.isRemovedIfUnnamed($0) && !used.contains($0) })
        return (names.compactMap(FileFormat.logNumber).max() ?? 0) + 1
    }
}

extension FileStore.OpenState {
    init(
        _ contents: StoreContents,
        _ access: StoreAccess,
        folderLock: (any FolderLock)?,
        nextLogNumber: UInt32,
        _ report: FileStore.OpeningReport = FileStore.OpeningReport()
    ) {
        self.access = access
        self.folderLock = folderLock
        self.contents = contents
        self.report = report
        self.nextLogNumber = nextLogNumber
        syncedSequence = access == .readWrite ? contents.end.sequence : 0
    }
}

extension FileStore.OpeningReport: CustomStringConvertible, CustomReflectable {
    /// A line with the number of cuts: `FileStore.OpeningReport: 1 cut, 120 bytes`.
    public var description: String {
        let bytes = cuts.isEmpty ? nil : Summary.count(cutBytes, "byte")
        return Summary.line("FileStore.OpeningReport", nil, [Summary.count(cuts.count, "cut"), bytes])
    }

    /// The cuts.
    public var customMirror: Mirror { Mirror(self, children: ["cuts": cuts]) }
}
