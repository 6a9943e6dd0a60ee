/// A frame whose checksums are right.
struct Frame {
    let header: FrameHeader
    /// The checksum of the header, to which the next frame refers.
    let checksum: UInt32
    /// The offset of the frame in its log.
    let offset: Int
    /// The payload, as it is in the log.
    let payload: ArraySlice<UInt8>

    /// The offset of the next frame.
    var end: Int { offset + FrameHeader.size + payload.count }
}

extension Frame {
    /// Returns the payload of the frame, decrypted if it is sealed.
    ///
    /// - Parameters:
    ///   - sealing: Decrypts it.
    ///   - log: The log of the frame, for errors.
    func unsealedPayload(_ sealing: FileStore.Sealing?, in log: LogFile) throws -> ArraySlice<UInt8> {
        guard header.flags.contains(.isSealed) else { return payload }
        guard let sealing else { throw FileStoreError.sealed(file: log.path, offset: offset) }
        do {
            return try sealing.open(payload)[...]
        } catch {
            throw FileStoreError.unsealingFailed(file: log.path, offset: offset, error)
        }
    }
}
