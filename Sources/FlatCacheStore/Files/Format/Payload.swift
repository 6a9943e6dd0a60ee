/// The payload of a frame: parts of a batch, one after the other.
///
/// Each part:
///
/// | Bytes | |
/// |---|---|
/// | 1 | kind of the group |
/// | 1 | 1 if all records of the group are removed before, else 0 |
/// | 2 | length of the name of the type |
/// | 4 | number of changes |
/// | | name of the type, in UTF-8 |
/// | | changes |
///
/// Each change:
///
/// | Bytes | |
/// |---|---|
/// | 4 | length of the key |
/// | 4 | length of the value, or 0xFFFFFFFF if the record is removed |
/// | | key |
/// | | value |
enum Payload {
    static let partHeaderSize = 8
    static let changeHeaderSize = 8
    static let removed = UInt32.max

    /// The number of bytes of a change.
    static func size(of change: RecordChange) -> Int {
        changeHeaderSize + change.key.count + (change.value?.count ?? 0)
    }

    /// Returns the record at an offset of a payload, which must be valid.
    static func record(in payload: ArraySlice<UInt8>, at offset: Int) -> StoredRecord? {
        let lengths: (key: UInt32, value: UInt32)? = payload.withUnsafeBytes { bytes in
            guard offset + changeHeaderSize <= bytes.count else { return nil }
            return (bytes.number(at: offset), bytes.number(at: offset + 4))
        }
        guard let lengths, lengths.value != removed else { return nil }
        let key = payload.startIndex + offset + changeHeaderSize
        let value = key + Int(lengths.key)
        let end = value + Int(lengths.value)
        guard end <= payload.endIndex else { return nil }
        return StoredRecord(key: payload[key..<value], value: payload[value..<end])
    }
}

extension Payload {
    /// Returns the parts of a payload, whose records are slices of it.
    static func parts(of payload: ArraySlice<UInt8>) throws -> [StoreBatch.Part] {
        try payload.withUnsafeBytes { bytes in
            var reader = PayloadReader(bytes)
            var parts: [StoreBatch.Part] = []
            while let part = try reader.nextPart() {
                var changes: [RecordChange] = []
                for _ in 0..<part.count { changes.append(RecordChange(try reader.nextChange(), in: payload)) }
                let group = try RecordGroup(kind: part.kind, name: part.name)
                parts.append(StoreBatch.Part(group, removesAll: part.removesAll, changes: changes))
            }
            return parts
        }
    }
}

extension RecordChange {
    fileprivate init(_ change: PayloadReader.Change, in payload: ArraySlice<UInt8>) {
        let key = payload.startIndex + change.offset + Payload.changeHeaderSize
        let value = key + change.key.count
        self.init(key: payload[key..<value], value: change.valueLength.map { payload[value..<value + $0] })
    }
}

extension RecordGroup {
    /// Creates the group that a payload names.
    init(kind: UInt8, name: UnsafeRawBufferPointer) throws(MalformedPayload) {
        guard let kind = Kind(rawValue: kind), let type = String(validating: name, as: UTF8.self) else {
            throw MalformedPayload()
        }
        self.init(kind, of: type)
    }
}
