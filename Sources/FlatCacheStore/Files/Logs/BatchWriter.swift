/// Writes the frames of a batch to a log.
///
/// A batch with few records is one frame and one write call. A larger one is written frame by frame, so it may be
/// larger than memory.
struct BatchWriter {
    /// The bytes of a record at most.
    static let recordLimit = 1 << 30

    private let log: LogFile
    private let sealing: FileStore.Sealing?
    private let sequence: UInt64
    private let syncedSequence: UInt64
    private let flags: FrameHeader.Flags
    private let payloadLimit: Int

    /// The place after the last frame that was written.
    private(set) var position: LogPosition
    /// The number of frames that were written.
    private(set) var frameCount = 0
    /// Whether the last frame was written.
    private(set) var isFinished = false
    /// Space for the header of a frame, and its payload that isn't sealed.
    private var buffer: [UInt8]
    /// The offset in the buffer of the part that is written, and the number of its changes.
    private var part = (start: 0, count: UInt32(0))

    /// Creates a writer of one batch.
    ///
    /// - Parameters:
    ///   - position: The end of the log.
    ///   - log: The log.
    ///   - sequence: The sequence number of the batch.
    ///   - syncedSequence: The number of the last batch that was synced.
    ///   - flags: The flags of all frames.
    ///   - sealing: Encrypts the payloads.
    ///   - payloadLimit: The bytes of a payload, unless it has a single record that is larger.
    ///   - buffer: Memory to use, whose content doesn't matter.
    init(
        at position: LogPosition,
        of log: LogFile,
        sequence: UInt64,
        syncedSequence: UInt64,
        flags: FrameHeader.Flags = [],
        sealing: FileStore.Sealing?,
        payloadLimit: Int,
        buffer: consuming [UInt8] = []
    ) {
        self.position = position
        self.log = log
        self.sequence = sequence
        self.syncedSequence = syncedSequence
        self.flags = sealing == nil ? flags : flags.union(.isSealed)
        self.sealing = sealing
        self.payloadLimit = payloadLimit
        self.buffer = buffer
        clearBuffer()
    }

    /// Returns the memory for the next writer, unless a large record has made it large.
    consuming func takeBuffer() -> [UInt8] { buffer.capacity > 1 << 20 ? [] : buffer }

    private var payloadSize: Int { buffer.count - FrameHeader.size }

    /// Calls a closure with the payload of the last frame, as it was before sealing.
    func withLastPayload<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeBytes { try body($0.part(FrameHeader.size, payloadSize)) }
    }

    /// Adds a part of the batch.
    mutating func append(_ part: StoreBatch.Part) throws {
        if part.changes.isEmpty && !part.removesAll { return }
        try beginPart(part.group, removesAll: part.removesAll)
        for change in part.changes {
            let size = Payload.size(of: change)
            guard size <= Self.recordLimit else {
                throw FileStoreError.tooLarge(type: part.group.type, bytes: size, limit: Self.recordLimit)
            }
            let isFrameEmpty = self.part.start == FrameHeader.size && self.part.count == 0
            if payloadSize + size > payloadLimit && !isFrameEmpty {
                endPart()
                try writeFrame()
                try beginPart(part.group, removesAll: false)
            }
            append(change)
        }
        endPart()
    }

    /// Writes the last frame of the batch, unless the batch has no changes.
    ///
    /// - Parameter isNeverEmpty: Whether a batch without changes has a frame, too.
    mutating func finish(isNeverEmpty: Bool = false) throws {
        if payloadSize == 0 && !isNeverEmpty { return }
        try writeFrame(.endsBatch, isLast: true)
        isFinished = true
    }

    private mutating func beginPart(_ group: RecordGroup, removesAll: Bool) throws {
        let name = group.type.utf8
        guard name.count <= UInt16.max else {
            throw FileStoreError.tooLarge(
                type: String(group.type.prefix(40)),
                bytes: name.count,
                limit: Int(UInt16.max)
            )
        }
        if payloadSize > 0 && payloadSize + Payload.partHeaderSize + name.count > payloadLimit { try writeFrame() }
        part = (buffer.count, 0)
        buffer.append(group.kind.rawValue)
        buffer.append(removesAll ? 1 : 0)
        buffer.append(littleEndian: UInt16(name.count))
        buffer.append(littleEndian: UInt32(0))
        buffer.append(contentsOf: name)
    }

    private mutating func append(_ change: RecordChange) {
        part.count += 1
        buffer.append(littleEndian: UInt32(change.key.count))
        buffer.append(littleEndian: change.value.map { UInt32($0.count) } ?? Payload.removed)
        buffer.append(contentsOf: change.key)
        if let value = change.value { buffer.append(contentsOf: value) }
    }

    private mutating func endPart() {
        buffer.set(part.count, at: part.start + 4)
    }

    private mutating func clearBuffer() {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: repeatElement(0, count: FrameHeader.size))
    }

    /// Writes the buffer as a frame.
    ///
    /// - Parameters:
    ///   - flag: An additional flag.
    ///   - isLast: Whether the buffer keeps the payload for ``withLastPayload(_:)``.
    private mutating func writeFrame(_ flag: FrameHeader.Flags = [], isLast: Bool = false) throws {
        if sealing != nil {
            var sealed = try sealedFrame()
            try write(&sealed, flag)
        } else {
            // Moved out and back, because a method can't change `self` and its buffer at the same time.
            var frame: [UInt8] = []
            swap(&frame, &buffer)
            defer { swap(&frame, &buffer) }
            try write(&frame, flag)
        }
        if !isLast { clearBuffer() }
    }

    /// Returns the buffer with a sealed payload.
    private func sealedFrame() throws -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: FrameHeader.size)
        do {
            if let sealing { frame += try sealing.seal(buffer[FrameHeader.size...]) }
        } catch {
            throw FileStoreError.sealingFailed(file: log.path, error)
        }
        guard frame.count <= UInt32.max else {
            throw FileStoreError.tooLarge(type: "sealed bytes", bytes: frame.count, limit: Int(clamping: UInt32.max))
        }
        return frame
    }

    private mutating func write(_ frame: inout [UInt8], _ flag: FrameHeader.Flags) throws {
        let length = frame.count - FrameHeader.size
        let checksum = try frame.withUnsafeMutableBytes { bytes in
            let header = FrameHeader(
                previous: position.checksum,
                length: length,
                sequence: sequence,
                syncedSequence: syncedSequence,
                flags: flags.union(flag),
                payloadChecksum: CRC32C.checksum(UnsafeRawBufferPointer(bytes).part(FrameHeader.size, length))
            )
            let checksum = header.write(to: bytes, salt: log.salt)
            try log.file.write(UnsafeRawBufferPointer(bytes), at: position.offset)
            return checksum
        }
        position.offset += frame.count
        position.checksum = checksum
        position.sequence = sequence
        frameCount += 1
    }
}
