/// The first bytes of a frame, which is a part of a batch in a log.
///
/// | Offset | Bytes | |
/// |---|---|---|
/// | 0 | 4 | bytes 32 to 35 of the frame before, or the checksum of the log's header |
/// | 4 | 4 | length of the payload, which follows the header |
/// | 8 | 8 | sequence number of the batch |
/// | 16 | 8 | sequence number of the last batch that was synced when the frame was written |
/// | 24 | 4 | ``Flags`` |
/// | 28 | 4 | checksum of the payload, as it is in the file |
/// | 32 | 4 | checksum of bytes 0 to 31, from the log's salt |
///
/// Frames are chained by their first number, so the rest of a frame that was overwritten never continues another batch.
///
/// A batch counts if all its frames are valid and the last one has the flag ``Flags/endsBatch``. Batches are numbered
/// without gaps, in one log and from log to log.
///
/// ## A torn tail and damage
///
/// After a crash, bytes that were not synced may be there in part, and later ones without earlier ones. So a frame that
/// isn't valid belongs to a tail that was not synced, unless something proves that it was. The proof is a number of
/// synced bytes in the manifest, or a valid header of a later frame that says that the batch was synced.
struct FrameHeader {
    struct Flags: OptionSet {
        let rawValue: UInt32

        /// The frame is the last of its batch.
        static let endsBatch = Flags(rawValue: 1)
        /// The payload is sealed.
        static let isSealed = Flags(rawValue: 2)
        /// The frame is a copy by compaction.
        ///
        /// All frames of a compaction have the number of the last batch that it has read.
        static let isCopy = Flags(rawValue: 4)
        /// The frame has no payload and no batch.
        ///
        /// It proves that the batch of its number was synced.
        static let isProof = Flags(rawValue: 8)

        static let all: Flags = [.endsBatch, .isSealed, .isCopy, .isProof]
    }

    static let size = 36
    static let checksumOffset = 32

    var previous: UInt32
    var length: Int
    var sequence: UInt64
    var syncedSequence: UInt64
    var flags: Flags
    var payloadChecksum: UInt32

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - target: The memory of the header.
    ///   - salt: The salt of the log.
    /// - Returns: The checksum of the header, to which the next frame refers.
    func write(to target: UnsafeMutableRawBufferPointer, salt: UInt32) -> UInt32 {
        target.storeBytes(of: previous.littleEndian, toByteOffset: 0, as: UInt32.self)
        target.storeBytes(of: UInt32(length).littleEndian, toByteOffset: 4, as: UInt32.self)
        target.storeBytes(of: sequence.littleEndian, toByteOffset: 8, as: UInt64.self)
        target.storeBytes(of: syncedSequence.littleEndian, toByteOffset: 16, as: UInt64.self)
        target.storeBytes(of: flags.rawValue.littleEndian, toByteOffset: 24, as: UInt32.self)
        target.storeBytes(of: payloadChecksum.littleEndian, toByteOffset: 28, as: UInt32.self)
        let checksum = CRC32C.checksum(UnsafeRawBufferPointer(target).part(0, 32), from: salt)
        target.storeBytes(of: checksum.littleEndian, toByteOffset: 32, as: UInt32.self)
        return checksum
    }

    /// Reads a header, or returns `nil` if it isn't valid.
    ///
    /// - Parameters:
    ///   - bytes: As many bytes as a header has.
    ///   - salt: The salt of the log.
    init?(_ bytes: UnsafeRawBufferPointer, salt: UInt32) {
        flags = Flags(rawValue: bytes.number(at: 24))
        sequence = bytes.number(at: 8)
        syncedSequence = bytes.number(at: 16)
        // The search for frames after damage tries every offset. These comparisons are faster than the checksum.
        guard flags.isSubset(of: .all), syncedSequence <= sequence else { return nil }
        guard CRC32C.checksum(bytes.part(0, 32), from: salt) == bytes.number(at: 32) else { return nil }
        previous = bytes.number(at: 0)
        // The number may be too large for systems of 32 bits.
        length = Int(clamping: bytes.number(UInt32.self, at: 4))
        payloadChecksum = bytes.number(at: 28)
    }

    init(
        previous: UInt32,
        length: Int,
        sequence: UInt64,
        syncedSequence: UInt64,
        flags: Flags,
        payloadChecksum: UInt32
    ) {
        self.previous = previous
        self.length = length
        self.sequence = sequence
        self.syncedSequence = syncedSequence
        self.flags = flags
        self.payloadChecksum = payloadChecksum
    }
}
