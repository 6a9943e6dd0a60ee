/// The decoder of one value, which is also its single value container.
///
/// The value is whole; see ``ValueReader/end(of:before:)``.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let reader: ValueReader
    let position: Int
    /// The number of values around the value and the value.
    let depth: Int

    var codingPath: [any CodingKey] { reader.path(to: position) }
    var userInfo: [CodingUserInfoKey: Any] { reader.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let object = try reader.object(at: position, depth: depth)
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(reader: reader, object: object, depth: depth))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try UnkeyedValueDecoder(reader: reader, position: position, depth: depth)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { isOpen && reader.isNull(at: position) }

    func decode(_ type: Bool.Type) throws -> Bool { try reader.readBool(at: checked()) }

    func decode(_ type: String.Type) throws -> String { try reader.readString(at: checked()) }

    func decode(_ type: Double.Type) throws -> Double { try reader.readDouble(at: checked()) }

    func decode(_ type: Float.Type) throws -> Float { try reader.readFloat(at: checked()) }

    func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try reader.readInteger(type, at: checked())
    }

    // The protocol's own methods for these types throw an error.
    func decode(_ type: Int128.Type) throws -> Int128 { try reader.readInteger(type, at: checked()) }

    func decode(_ type: UInt128.Type) throws -> UInt128 { try reader.readInteger(type, at: checked()) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try reader.read(type, at: checked(), depth: depth)
    }

    /// Whether the record is still being decoded.
    private var isOpen: Bool { position < reader.bytes.count }

    @inline(__always) private func checked() throws -> Int {
        guard isOpen else { throw reader.damage(at: position, "A container was used after its record was decoded") }
        return position
    }
}
