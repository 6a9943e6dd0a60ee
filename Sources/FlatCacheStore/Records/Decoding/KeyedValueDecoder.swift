/// The container of the members of an object.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: ValueReader
    let object: ValueReader.Object
    let depth: Int

    var codingPath: [any CodingKey] { reader.path(to: object.start) }

    /// The keys of all members, or none if a member isn't whole.
    ///
    /// Decoding any member behind it throws the error.
    var allKeys: [Key] {
        let members = try? reader.members(of: object)
        return (members ?? []).compactMap { Key(stringValue: $0.name) }
    }

    func contains(_ key: Key) -> Bool {
        // A member that isn't whole exists: decoding it throws the error.
        do { return try reader.member(key.stringValue, of: object, depth: depth) != nil } catch { return true }
    }

    func decodeNil(forKey key: Key) throws -> Bool { reader.isNull(at: try member(key)) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try reader.readBool(at: member(key)) }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try reader.readString(at: member(key)) }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try reader.readDouble(at: member(key)) }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try reader.readFloat(at: member(key)) }

    // The code for all whole numbers isn't specialized.
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try reader.readInteger(type, at: member(key)) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
        try reader.readInteger(type, at: member(key))
    }

    // The protocol's own methods for these types throw an error.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try reader.readInteger(type, at: member(key)) }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try reader.readInteger(type, at: member(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try reader.read(type, at: member(key), depth: depth)
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

    /// Returns the position of the value of a member.
    @inline(__always) private func member(_ key: Key) throws -> Int {
        if let position = try reader.member(key.stringValue, of: object, depth: depth) { return position }
        throw DecodingError.noMember(key, codingPath)
    }

    private func nestedDecoder(_ key: Key) throws -> ValueDecoder {
        ValueDecoder(reader: reader, position: try member(key), depth: depth + 1)
    }

    /// Returns the decoder of a member, or of `null` if there is none.
    private func superDecoder(at key: some CodingKey) throws -> ValueDecoder {
        if let position = try reader.member(key.stringValue, of: object, depth: depth) {
            return ValueDecoder(reader: reader, position: position, depth: depth + 1)
        }
        let reader = ValueReader(nullAt: codingPath + [key], userInfo: reader.userInfo)
        return ValueDecoder(reader: reader, position: 0, depth: depth + 1)
    }
}

// MARK: Optional members

// The protocol's own methods search a member three times.
extension KeyedValueDecoder {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let position = try present(key) else { return nil }
        return try reader.readBool(at: position)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let position = try present(key) else { return nil }
        return try reader.readString(at: position)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let position = try present(key) else { return nil }
        return try reader.readDouble(at: position)
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let position = try present(key) else { return nil }
        return try reader.readFloat(at: position)
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let position = try present(key) else { return nil }
        return try reader.readInteger(type, at: position)
    }

    func decodeIfPresent<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number?
    {
        guard let position = try present(key) else { return nil }
        return try reader.readInteger(type, at: position)
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        guard let position = try present(key) else { return nil }
        return try reader.readInteger(type, at: position)
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        guard let position = try present(key) else { return nil }
        return try reader.readInteger(type, at: position)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = try present(key) else { return nil }
        return try reader.read(type, at: position, depth: depth)
    }

    /// Returns the position of the value of a member, or `nil` if there is none or it is `null`.
    @inline(__always) private func present(_ key: Key) throws -> Int? {
        guard let position = try reader.member(key.stringValue, of: object, depth: depth) else { return nil }
        return reader.isNull(at: position) ? nil : position
    }
}
