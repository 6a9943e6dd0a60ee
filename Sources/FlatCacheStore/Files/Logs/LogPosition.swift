/// A place between two frames of a log.
struct LogPosition: Equatable {
    /// The offset of the next frame.
    var offset: Int
    /// The checksum to which the next frame refers.
    var checksum: UInt32
    /// The sequence number of the last whole batch.
    var sequence: UInt64

    /// Creates the position after the header of a log.
    init(startOf log: LogFile, after sequence: UInt64) {
        offset = LogHeader.size
        checksum = log.headerChecksum
        self.sequence = sequence
    }

    /// Creates the position before the first log.
    init(after sequence: UInt64) {
        (offset, checksum) = (0, 0)
        self.sequence = sequence
    }

    /// Returns whether a frame that is here can come next.
    func isFollowed(by frame: Frame) -> Bool {
        let header = frame.header
        guard header.previous == checksum else { return false }
        if header.flags.contains(.isProof) { return header.sequence == sequence && frame.payload.isEmpty }
        if header.flags.contains(.isCopy) && header.sequence == sequence { return true }
        return header.sequence == sequence &+ 1
    }

    /// Moves after a frame.
    mutating func move(after frame: Frame) {
        offset = frame.end
        checksum = frame.checksum
        if frame.header.flags.contains(.endsBatch) { sequence = frame.header.sequence }
    }
}
