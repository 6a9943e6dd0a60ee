/// What a store knows of its logs.
struct StoreContents {
    /// A log that the manifest names.
    struct Log {
        let file: LogFile
        /// The bytes up to the last whole batch.
        var size: Int
        /// How many of these survive a crash of the system.
        var syncedSize: Int
    }

    /// A number that changes if batches are removed that readers may have read.
    var epoch: UInt64
    /// The sequence number of the last batch before the first log.
    var firstSequence: UInt64
    /// The logs in their order.
    ///
    /// Batches are appended to the last one.
    var logs: [Log] = []
    /// Logs that a compaction has copied, while entries of the index still refer to them.
    var copiedLogs: [LogFile] = []
    /// The place after the last whole batch, in the last log.
    var end: LogPosition
    /// Where the records are.
    var index: RecordIndex
    /// Whether the index has all changes up to `end`.
    ///
    /// It doesn't after an error.
    var isIndexComplete = true

    /// The log to which batches are appended.
    ///
    /// There is always one.
    var lastLog: LogFile { logs[logs.count - 1].file }

    /// Moves the end of the last log after a batch.
    mutating func moveEnd(to position: LogPosition) {
        end = position
        logs[logs.count - 1].size = position.offset
    }

    /// The bytes of all logs.
    var size: Int { logs.reduce(0) { $0 + $1.size } }

    /// The bytes that compaction could free.
    var unusedSize: Int { max(0, size - index.size) }

    /// The manifest of these logs.
    var manifest: Manifest {
        Manifest(
            epoch: epoch,
            firstSequence: firstSequence,
            logs: logs.map { Manifest.Log(number: $0.file.number, syncedBytes: UInt64($0.syncedSize)) }
        )
    }

    /// The logs to which entries of the index refer, by number.
    var filesByNumber: [UInt32: LogFile] {
        Dictionary((logs.map(\.file) + copiedLogs).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reads the logs again after an error that has left the index incomplete.
    mutating func completeIndex(_ sealing: FileStore.Sealing?) throws {
        if isIndexComplete { return }
        var index = RecordIndex()
        for log in logs {
            try index.apply(log.file, from: LogHeader.size, to: log.size, sealing)
        }
        self.index = index
        isIndexComplete = true
    }
}

extension [StoreContents.Log] {
    /// Syncs the logs up to the last whole batch.
    ///
    /// - Parameter rewriting: Whether what isn't synced is written again before.
    func sync(rewriting: Bool) throws {
        for log in self where log.syncedSize < log.size {
            if rewriting { try log.file.rewrite(from: log.syncedSize, to: log.size) }
            try log.file.file.sync()
        }
    }
}

extension RecordIndex {
    /// Applies the frames of whole batches that were written or read before.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - offset: The offset of the first frame.
    ///   - end: The offset after the last one.
    ///   - sealing: Decrypts the payloads.
    mutating func apply(_ log: LogFile, from offset: Int, to end: Int, _ sealing: FileStore.Sealing?) throws {
        try log.forEachFrame(from: offset, to: end) { try apply($0, of: log, $0.unsealedPayload(sealing, in: log)) }
    }

    /// Applies a frame.
    mutating func apply(_ frame: Frame, of log: LogFile, _ payload: ArraySlice<UInt8>) throws {
        do {
            try payload.withUnsafeBytes { try apply($0, log: log.number, frame: frame.offset) }
        } catch is MalformedPayload {
            throw FileStoreError.damaged(file: log.path, offset: frame.offset, .records)
        }
    }
}
