/// An open log.
final class LogFile: Sendable {
    let number: UInt32
    let path: String
    let file: any StoreFile
    let salt: UInt32
    /// The checksum of the header, to which the first frame refers.
    let headerChecksum: UInt32

    private init(_ header: LogHeader, path: String, file: any StoreFile) {
        number = header.number
        salt = header.salt
        headerChecksum = header.checksum
        self.path = path
        self.file = file
    }

    /// Opens a log.
    ///
    /// - Parameters:
    ///   - number: The number of the log.
    ///   - folder: The folder of the store.
    ///   - use: Whether the log is written.
    static func open(_ number: UInt32, in folder: StoreFolder, for use: FileUse) throws -> LogFile {
        let name = FileFormat.logName(number)
        let path = folder.path(name)
        let file = try folder.open(name, for: use)
        let header = try withUnsafeTemporaryAllocation(byteCount: LogHeader.size, alignment: 8) { bytes in
            let count = try file.read(into: bytes, at: 0)
            return try LogHeader(UnsafeRawBufferPointer(bytes).part(0, count), number: number, path: path)
        }
        return LogFile(header, path: path, file: file)
    }

    /// Creates a log without frames, which survives a crash when this returns.
    static func create(_ number: UInt32, in folder: StoreFolder) throws -> LogFile {
        let name = FileFormat.logName(number)
        let log = try LogFile(writing: number, to: folder.open(name, for: .creating), path: folder.path(name))
        try log.file.sync()
        try folder.sync()
        return log
    }

    /// Writes the header of a log to a new file.
    convenience init(writing number: UInt32, to file: any StoreFile, path: String) throws {
        let header = LogHeader(number: number, salt: .random(in: 0...UInt32.max))
        try header.bytes.withUnsafeBytes { try file.write($0, at: 0) }
        self.init(header, path: path, file: file)
    }
}

extension LogFile {
    /// Writes frames again as they are, so that the system knows that they must be synced.
    func rewrite(from offset: Int, to end: Int) throws {
        try forEachFrame(from: offset, to: end) { frame in
            try withUnsafeTemporaryAllocation(byteCount: frame.end - frame.offset, alignment: 8) { bytes in
                let count = try file.read(into: bytes, at: frame.offset)
                try file.write(UnsafeRawBufferPointer(bytes).part(0, count), at: frame.offset)
            }
        }
    }

    /// Calls a closure with frames that are known to be valid, and throws an error if they aren't any more.
    func forEachFrame(from offset: Int, to end: Int, _ body: (Frame) throws -> Void) throws {
        var reader = try FrameReader(self, limit: end)
        var offset = offset
        while offset < end {
            guard let frame = try reader.frame(at: offset) else {
                throw FileStoreError.damaged(file: path, offset: offset, .batch)
            }
            try body(frame)
            offset = frame.end
        }
    }
}
