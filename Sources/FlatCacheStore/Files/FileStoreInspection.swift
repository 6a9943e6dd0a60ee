public import Foundation

/// What is in the folder of a ``FileStore``, for tools.
public struct FileStoreInspection: Sendable {
    /// A log.
    public struct Log: Hashable, Sendable {
        /// The path of the file.
        public let file: String
        /// The number of bytes.
        public internal(set) var bytes: Int
        /// The number of whole batches.
        ///
        /// A log that a compaction has written has one for each of its frames.
        public internal(set) var batches = 0
        /// The sequence numbers of the batches, or `nil` if there are none.
        public internal(set) var sequences: ClosedRange<UInt64>?
        /// Whether a compaction has written the log.
        public internal(set) var isCompacted = false
    }

    /// The records of a group.
    public struct Group: Hashable, Sendable {
        /// The number of records.
        public internal(set) var records = 0
        /// The bytes of the records.
        public internal(set) var bytes = 0
        /// The number of changes in the logs, of which later ones replace earlier ones.
        public internal(set) var changes = 0
    }

    /// The version of the format of the files.
    public let formatVersion: Int
    /// The logs, in their order.
    public internal(set) var logs: [Log] = []
    /// The groups that are in the logs.
    ///
    /// Empty if the records are sealed and the inspection has no key.
    public internal(set) var groups: [RecordGroup: Group] = [:]
    /// Whether there are sealed records.
    public internal(set) var isSealed = false
    /// The bytes at the end that are no whole batch, which the next opening for writing cuts, or `nil` if there are
    /// none.
    public internal(set) var tail: FileStore.OpeningReport.Cut?
    /// The damage, or `nil` if there is none.
    ///
    /// Logs and groups are those before it.
    public internal(set) var damage: FileStoreError?

    /// The bytes of all logs, and of those the bytes that compaction could free.
    public var size: StoreSize {
        let bytes = logs.reduce(0) { $0 + $1.bytes }
        return StoreSize(bytes: bytes, unusedBytes: max(0, bytes - groups.values.reduce(0) { $0 + $1.bytes }))
    }
}

extension FileStore {
    /// Reads the files of a store without changing anything.
    ///
    /// It works beside a store that writes, and on damaged files.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store.
    ///   - sealing: Decrypts the records, or `nil`, with which sealed records are left out.
    /// - Returns: What is in the files.
    /// - Throws: A ``FileStoreError`` if there is no store, if its files can't be read, or if the key is wrong.
    /// - Complexity: O(*n*) in the bytes of the logs.
    public static func inspect(_ folder: URL, sealing: Sealing? = nil) throws -> FileStoreInspection {
        try inspect(StoreFolder(folder, system: PosixFileSystem()), sealing: sealing)
    }

    static func inspect(_ folder: StoreFolder, sealing: Sealing? = nil) throws -> FileStoreInspection {
        var attempts = 0
        while true {
            let inspector = Inspector()
            try inspector.read(folder, sealing)
            attempts += 1
            // A store that writes may have removed or cut logs meanwhile.
            if inspector.result.damage == nil || attempts == 5 { return inspector.result }
        }
    }
}

/// Collects what a replay reads.
private final class Inspector {
    var result = FileStoreInspection(formatVersion: Int(FileFormat.version))

    func read(_ folder: StoreFolder, _ sealing: FileStore.Sealing?) throws {
        do {
            guard let manifest = try folder.manifest() else { throw FileStoreError.missing(folder: folder.path) }
            var replay = LogReplay(manifest, in: folder, sealing: sealing)
            replay.ignoresSealedRecords = true
            replay.observe = add
            defer { finish(replay) }
            try replay.readUndamaged(manifest, for: .reading)
        } catch let error as FileStoreError {
            guard case .damaged = error else { throw error }
            result.damage = error
        }
    }

    private func add(_ frame: Frame, of log: LogFile, _ payload: ArraySlice<UInt8>) {
        let header = frame.header
        if result.logs.last?.file != log.path { result.logs.append(FileStoreInspection.Log(file: log.path, bytes: 0)) }
        let place = result.logs.count - 1
        let first = result.logs[place].sequences?.lowerBound ?? header.sequence
        result.logs[place].sequences = first...max(first, header.sequence)
        result.logs[place].batches += header.flags.contains(.endsBatch) ? 1 : 0
        result.logs[place].isCompacted = header.flags.contains(.isCopy)
        result.isSealed = result.isSealed || header.flags.contains(.isSealed)
        // The payload is valid, because it was applied.
        for part in (try? Payload.parts(of: payload)) ?? [] {
            result.groups[part.group, default: FileStoreInspection.Group()].changes += part.changes.count
        }
    }

    private func finish(_ replay: LogReplay) {
        let found = result.logs
        result.logs = replay.files.map { file, size in
            var log = found.first { $0.file == file.path } ?? FileStoreInspection.Log(file: file.path, bytes: 0)
            log.bytes = size
            return log
        }
        for (group, count) in replay.contents.index.counts {
            result.groups[group]?.records = count
            result.groups[group]?.bytes = replay.contents.index[group]?.size ?? 0
        }
        if let stop = replay.stop, !stop.isDamage {
            let file = replay.files[stop.log]
            result.tail = FileStore.OpeningReport.Cut(
                file: file.file.path,
                offset: stop.offset,
                bytes: file.size - stop.offset
            )
        }
    }
}
