/// The container of the members of an object.
///
/// It has no references, because the standard library copies it for each member. The reader is never freed; see ``ReaderUse``.
/// A container that is used after its record was decoded is recognised by the number of the record.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let unownedReader: Unmanaged<ValueReader>
    private let record: Int
    private let object: ValueReader.Object
    private let depth: Int

    init(reader: ValueReader, object: ValueReader.Object, depth: Int) {
        unownedReader = .passUnretained(reader)
        record = reader.record
        self.object = object
        self.depth = depth
    }

    var codingPath: [any CodingKey] { (try? withReader { $0.path(to: object.start) }) ?? [] }

    /// The keys of all members, or none if a member isn't whole.
    ///
    /// Decoding any member behind it throws the error.
    var allKeys: [Key] {
        let members = try? withReader { try $0.members(of: object) }
        return (members ?? []).compactMap { Key(stringValue: $0.name) }
    }

    func contains(_ key: Key) -> Bool {
        // A member that isn't whole exists: decoding it throws the error.
        do {
            return try withReader { try $0.member(key.stringValue, of: object, depth: depth) != nil }
        } catch { return true }
    }

    func decodeNil(forKey key: Key) throws -> Bool { try read(key) { $0.isNull(at: $1) } }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) { try $0.readBool(at: $1) } }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) { try $0.readString(at: $1) } }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) { try $0.readDouble(at: $1) } }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) { try $0.readFloat(at: $1) } }

    // The code for all whole numbers isn't specialized.
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) { try $0.readInteger(type, at: $1) } }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try read(key) { try $0.readInteger(type, at: $1) }
    }

    // The protocol's own methods for these types throw an error.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try read(key) { try $0.readInteger(type, at: $1) }
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try read(key) { try $0.readInteger(type, at: $1) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try read(key) { try $0.read(type, at: $1, depth: depth) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try nestedDecoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nestedDecoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try superDecoder(at: NameKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(at: key) }

    private func nestedDecoder(_ key: Key) throws -> ValueDecoder {
        try read(key) { ValueDecoder(reader: $0, position: $1, depth: depth + 1) }
    }

    /// Returns the decoder of a member, or of `null` if there is none.
    private func superDecoder(at key: some CodingKey) throws -> ValueDecoder {
        try withReader { reader in
            if let position = try reader.member(key.stringValue, of: object, depth: depth) {
                return ValueDecoder(reader: reader, position: position, depth: depth + 1)
            }
            let null = ValueReader(nullAt: codingPath + [key], userInfo: reader.userInfo)
            return ValueDecoder(reader: null, position: 0, depth: depth + 1)
        }
    }

    /// Calls a closure with the reader, unless the record was decoded.
    @inline(__always) private func withReader<Result>(_ body: (ValueReader) throws -> Result) throws -> Result {
        try unownedReader._withUnsafeGuaranteedRef { reader in
            guard reader.record == record else { throw DecodingError.ended }
            return try body(reader)
        }
    }

    /// Reads a member.
    @inline(__always) private func read<Value>(
        _ key: Key,
        _ body: (ValueReader, _ position: Int) throws -> Value
    ) throws -> Value {
        try withReader { reader in
            guard let position = try reader.member(key.stringValue, of: object, depth: depth) else {
                throw DecodingError.noMember(key, codingPath)
            }
            return try body(reader, position)
        }
    }
}

// MARK: Optional members

// The protocol's own methods search a member three times.
extension KeyedValueDecoder {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try readIfPresent(key) { try $0.readBool(at: $1) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try readIfPresent(key) { try $0.readString(at: $1) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try readIfPresent(key) { try $0.readDouble(at: $1) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try readIfPresent(key) { try $0.readFloat(at: $1) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try readIfPresent(key) { try $0.readInteger(type, at: $1) }
    }

    func decodeIfPresent<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number?
    {
        try readIfPresent(key) { try $0.readInteger(type, at: $1) }
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try readIfPresent(key) { try $0.readInteger(type, at: $1) }
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try readIfPresent(key) { try $0.readInteger(type, at: $1) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try readIfPresent(key) { try $0.read(type, at: $1, depth: depth) }
    }

    /// Reads a member, or returns `nil` if there is none or it is `null`.
    @inline(__always) private func readIfPresent<Value>(
        _ key: Key,
        _ body: (ValueReader, _ position: Int) throws -> Value
    ) throws -> Value? {
        try withReader { reader in
            guard let position = try reader.member(key.stringValue, of: object, depth: depth),
                !reader.isNull(at: position)
            else { return nil }
            return try body(reader, position)
        }
    }
}
