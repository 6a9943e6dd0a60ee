internal import FlatCache
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
        if !folder.isFileURL { throw FileStoreError.noFileURL(folder) }
        return try InspectedStore(folder, sealing: sealing).inspection
    }

    static func inspect(_ folder: StoreFolder, sealing: Sealing? = nil) throws -> FileStoreInspection {
        try InspectedStore(folder, sealing: sealing).inspection
    }
}

extension FileStoreInspection: CustomStringConvertible, CustomReflectable {
    /// A line with the format and the counts: `FileStoreInspection: format 3, 2 logs, 4 groups, 1,204 bytes`.
    ///
    /// - Complexity: O(*n*) for *n* logs and groups.
    public var description: String {
        Summary.line(
            "FileStoreInspection",
            nil,
            [
                "format \(formatVersion)", Summary.count(logs.count, "log"), Summary.count(groups.count, "group"),
                Summary.count(size.bytes, "byte"), isSealed ? "sealed" : nil, damage.map { "\($0)" },
            ]
        )
    }

    /// The logs.
    public var customMirror: Mirror { Mirror(self, children: ["logs": logs.map { $0.file }]) }
}
