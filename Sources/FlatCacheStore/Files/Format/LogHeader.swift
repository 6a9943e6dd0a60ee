/// The first bytes of a log.
///
/// | Offset | Bytes | |
/// |---|---|---|
/// | 0 | 8 | `FlatCLog` |
/// | 8 | 4 | version of the format |
/// | 12 | 4 | number of the log, which its name has, too |
/// | 16 | 4 | salt: a random number, from which the checksums of the frames start |
/// | 20 | 4 | checksum of bytes 0 to 19 |
///
/// The salt makes sure that a frame of another log, which may have been at the same place of the disk, isn't valid
/// here.
struct LogHeader {
    static let size = 24
    private static let magic = Array("FlatCLog".utf8)

    let number: UInt32
    let salt: UInt32

    var bytes: [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: FileFormat.version)
        bytes.append(littleEndian: number)
        bytes.append(littleEndian: salt)
        bytes.append(littleEndian: bytes.withUnsafeBytes { CRC32C.checksum($0) })
        return bytes
    }

    /// The checksum of the header, to which the first frame refers.
    var checksum: UInt32 { bytes.withUnsafeBytes { $0.number(at: 20) } }

    init(number: UInt32, salt: UInt32) {
        self.number = number
        self.salt = salt
    }

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes of a file.
    ///   - number: The number in the name of the file.
    ///   - path: The path of the file, for errors.
    init(_ bytes: UnsafeRawBufferPointer, number: UInt32, path: String) throws(FileStoreError) {
        guard bytes.count >= Self.size, bytes.prefix(8).elementsEqual(Self.magic),
            CRC32C.checksum(bytes.part(0, 20)) == bytes.number(at: 20)
        else { throw .damaged(file: path, offset: 0, .header) }
        let version: UInt32 = bytes.number(at: 8)
        guard version <= FileFormat.version else { throw .newerFormat(file: path, version: Int(version)) }
        self.init(number: bytes.number(at: 12), salt: bytes.number(at: 16))
        guard self.number == number else { throw .damaged(file: path, offset: 12, .header) }
    }
}
