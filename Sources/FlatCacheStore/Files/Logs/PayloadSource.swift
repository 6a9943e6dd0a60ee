/// Reads records of the index from the logs.
struct PayloadSource {
    private let files: [UInt32: LogFile]
    private let sealing: FileStore.Sealing?
    /// Whether the payloads were found to be valid a moment ago.
    private let areVerified: Bool
    private var reader: FrameReader?
    private var frame = 0
    private var payload: ArraySlice<UInt8> = []

    init(_ files: [UInt32: LogFile], _ sealing: FileStore.Sealing?, areVerified: Bool = false) {
        self.files = files
        self.sealing = sealing
        self.areVerified = areVerified
    }

    /// Returns the payload of the frame in which a record is.
    mutating func payload(of entry: RecordEntry) throws -> ArraySlice<UInt8> {
        if let reader, reader.log.number == entry.log, frame == entry.frame { return payload }
        if reader?.log.number != entry.log {
            // The index names only logs that are open.
            guard let log = files[entry.log] else { throw Self.damage(FileFormat.logName(entry.log), entry) }
            reader = try FrameReader(log)
        }
        guard let frame = try reader?.frame(at: entry.frame, isVerified: areVerified), let log = reader?.log else {
            throw Self.damage(files[entry.log]?.path ?? "", entry)
        }
        payload = try frame.unsealedPayload(sealing, in: log)
        self.frame = entry.frame
        return payload
    }

    mutating func record(of entry: RecordEntry) throws -> StoredRecord {
        guard let record = try Payload.record(in: payload(of: entry), at: Int(entry.offset)) else {
            throw Self.damage(files[entry.log]?.path ?? "", entry)
        }
        return record
    }

    private static func damage(_ file: String, _ entry: RecordEntry) -> FileStoreError {
        .damaged(file: file, offset: entry.frame, .batch)
    }
}
