/// Reads frames of a log in large pieces.
///
/// The payloads of frames are slices of the pieces.
struct FrameReader {
    /// How much is read at once at first, and at most.
    ///
    /// It grows while frames are read in their order.
    private static let pieceSizes = 16 << 10...1 << 20

    let log: LogFile
    /// The number of bytes of the log that are read.
    let limit: Int

    private var piece: [UInt8] = []
    private var pieceStart = 0
    private var pieceSize = pieceSizes.lowerBound

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - limit: The number of bytes that are read, or `nil` for all that the file has now.
    init(_ log: LogFile, limit: Int? = nil) throws {
        self.log = log
        self.limit = try limit ?? log.file.size()
    }

    /// Returns the frame at an offset, or `nil` if there is no valid frame.
    ///
    /// - Parameters:
    ///   - offset: The offset.
    ///   - isVerified: Whether the payload was found to be valid a moment ago, so that its checksum isn't computed again.
    mutating func frame(at offset: Int, isVerified: Bool = false) throws -> Frame? {
        guard let header = try header(at: offset) else { return nil }
        let start = offset + FrameHeader.size
        // A length that is damaged must neither overflow nor reserve memory.
        guard header.length <= limit - start, try load(offset, FrameHeader.size + header.length) else {
            return nil
        }
        let payload = piece[start - pieceStart..<start - pieceStart + header.length]
        if !isVerified, payload.withUnsafeBytes({ CRC32C.checksum($0) }) != header.payloadChecksum { return nil }
        let checksum: UInt32 = piece.withUnsafeBytes { $0.number(at: offset - pieceStart + FrameHeader.checksumOffset) }
        return Frame(header: header, checksum: checksum, offset: offset, payload: payload)
    }

    /// Returns the highest sequence number that a valid header after an offset says was synced, or `nil` if there is
    /// none.
    mutating func syncedSequence(after offset: Int) throws -> UInt64? {
        var result: UInt64?
        var offset = max(offset, LogHeader.size)
        while offset <= limit - FrameHeader.size {
            if let header = try header(at: offset) { result = max(result ?? 0, header.syncedSequence) }
            offset += 1
        }
        return result
    }

    private mutating func header(at offset: Int) throws -> FrameHeader? {
        guard offset <= limit - FrameHeader.size, try load(offset, FrameHeader.size) else { return nil }
        return piece.withUnsafeBytes { FrameHeader($0.part(offset - pieceStart, FrameHeader.size), salt: log.salt) }
    }

    /// Makes sure that bytes are in the piece.
    ///
    /// - Returns: Whether the file has so many bytes.
    private mutating func load(_ offset: Int, _ count: Int) throws -> Bool {
        if offset >= pieceStart && offset + count <= pieceStart + piece.count { return true }
        let isNext = offset >= pieceStart && offset <= pieceStart + piece.count
        pieceSize = isNext ? min(pieceSize * 2, Self.pieceSizes.upperBound) : Self.pieceSizes.lowerBound
        let size = min(max(count, pieceSize), limit - offset)
        // A new array, because records may be slices of the one before.
        piece = try [UInt8](unsafeUninitializedCapacity: size) { target, read in
            let bytes = UnsafeMutableRawBufferPointer(start: target.baseAddress, count: size)
            read = try log.file.read(into: bytes, at: offset)
        }
        pieceStart = offset
        return piece.count >= count
    }
}
