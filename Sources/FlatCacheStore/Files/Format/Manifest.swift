/// The file that names the logs of a store.
///
/// | Offset | Bytes | |
/// |---|---|---|
/// | 0 | 8 | `FlatCMan` |
/// | 8 | 4 | version of the format |
/// | 12 | 4 | number of logs, at least 1 |
/// | 16 | 8 | epoch: a random number that changes if batches are removed that readers may have read |
/// | 24 | 8 | sequence number of the last batch before the first log |
/// | 32 | 12 for each log | its number (4), and how many of its bytes were synced when the manifest was written (8) |
/// | | 4 | checksum of the bytes before |
///
/// A manifest is replaced by renaming a complete one. All files that it names were synced before, and so was the
/// folder.
struct Manifest: Equatable {
    /// A log of a store.
    struct Log: Equatable {
        var number: UInt32
        var syncedBytes: UInt64
    }

    private static let magic = Array("FlatCMan".utf8)
    private static let headerSize = 32
    private static let logSize = 12

    var epoch: UInt64
    var firstSequence: UInt64
    var logs: [Log]

    var bytes: [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: FileFormat.version)
        bytes.append(littleEndian: UInt32(logs.count))
        bytes.append(littleEndian: epoch)
        bytes.append(littleEndian: firstSequence)
        for log in logs {
            bytes.append(littleEndian: log.number)
            bytes.append(littleEndian: log.syncedBytes)
        }
        bytes.append(littleEndian: bytes.withUnsafeBytes { CRC32C.checksum($0) })
        return bytes
    }

    init(epoch: UInt64, firstSequence: UInt64, logs: [Log]) {
        self.epoch = epoch
        self.firstSequence = firstSequence
        self.logs = logs
    }

    /// Creates the manifest of a store without batches, with a new epoch.
    ///
    /// - Parameters:
    ///   - number: The number of the log, which has no batches.
    ///   - sequence: The sequence number of the last batch before.
    ///   - size: The size of the log, which is synced.
    init(ofEmptyLog number: UInt32, after sequence: UInt64, size: Int = LogHeader.size) {
        self.init(
            epoch: .random(in: 0...UInt64.max),
            firstSequence: sequence,
            logs: [Log(number: number, syncedBytes: UInt64(size))]
        )
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - path: The path of the file, for errors.
    init(_ bytes: UnsafeRawBufferPointer, path: String) throws(FileStoreError) {
        let damage = FileStoreError.damaged(file: path, offset: 0, .manifest)
        guard bytes.count >= Self.headerSize + 4, bytes.prefix(8).elementsEqual(Self.magic),
            CRC32C.checksum(bytes.part(0, bytes.count - 4)) == bytes.number(at: bytes.count - 4)
        else { throw damage }
        let version: UInt32 = bytes.number(at: 8)
        guard version <= FileFormat.version else { throw .newerFormat(file: path, version: Int(version)) }
        let count = Int(bytes.number(UInt32.self, at: 12))
        guard count > 0, bytes.count == Self.headerSize + count * Self.logSize + 4 else { throw damage }
        self.init(
            epoch: bytes.number(at: 16),
            firstSequence: bytes.number(at: 24),
            logs: (0..<count).map { log in
                let offset = Self.headerSize + log * Self.logSize
                return Log(number: bytes.number(at: offset), syncedBytes: bytes.number(at: offset + 4))
            }
        )
        // Logs are numbered in their order, on which compaction relies.
        guard zip(logs, logs.dropFirst()).allSatisfy({ $0.number < $1.number }),
            logs.allSatisfy({ $0.number <= FileFormat.maximumLogNumber })
        else { throw damage }
    }
}
