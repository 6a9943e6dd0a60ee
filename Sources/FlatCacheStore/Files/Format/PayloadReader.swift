/// Bytes that aren't a payload, although the checksum is right.
struct MalformedPayload: Error {}

/// Reads a payload from its beginning to its end, without trusting it.
struct PayloadReader {
    /// The beginning of a part.
    struct Part {
        let kind: UInt8
        let removesAll: Bool
        let name: UnsafeRawBufferPointer
        let count: Int
    }

    /// A change of a record.
    struct Change {
        /// The offset of the change in the payload.
        let offset: Int
        let key: UnsafeRawBufferPointer
        /// The length of the value, or `nil` if the record is removed.
        let valueLength: Int?

        var size: Int { Payload.changeHeaderSize + key.count + (valueLength ?? 0) }
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Returns the next part, whose changes must be read before the part after it, or `nil` at the end.
    mutating func nextPart() throws(MalformedPayload) -> Part? {
        if offset == bytes.count { return nil }
        let header = try take(Payload.partHeaderSize)
        let flags: UInt8 = header[1]
        guard flags <= 1 else { throw MalformedPayload() }
        return Part(
            kind: header[0],
            removesAll: flags == 1,
            name: try take(Int(header.number(UInt16.self, at: 2))),
            count: Int(clamping: header.number(UInt32.self, at: 4))
        )
    }

    mutating func nextChange() throws(MalformedPayload) -> Change {
        let start = offset
        let header = try take(Payload.changeHeaderSize)
        let key = try take(Int(clamping: header.number(UInt32.self, at: 0)))
        let valueLength: UInt32 = header.number(at: 4)
        if valueLength == Payload.removed { return Change(offset: start, key: key, valueLength: nil) }
        _ = try take(Int(clamping: valueLength))
        return Change(offset: start, key: key, valueLength: Int(valueLength))
    }

    private mutating func take(_ count: Int) throws(MalformedPayload) -> UnsafeRawBufferPointer {
        guard count <= bytes.count - offset else { throw MalformedPayload() }
        defer { offset += count }
        return bytes.part(offset, count)
    }
}
