/// The encoder of one value, which is also its single value container.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
    let writer: ValueWriter
    /// The frame of the value.
    let id: Int

    var codingPath: [any CodingKey] { writer.path(to: id) }
    var userInfo: [CodingUserInfoKey: Any] { writer.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedValueEncoder<Key>(beginningIn: writer, id: id))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedValueEncoder(beginningIn: writer, id: id) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws {
        try writer.beginValue(in: id)
        writer.buffer.appendNil()
    }

    func encode(_ value: Bool) throws {
        try writer.beginValue(in: id)
        writer.buffer.appendBool(value)
    }

    func encode(_ value: String) throws {
        try writer.beginValue(in: id)
        writer.buffer.appendString(value)
    }

    func encode(_ value: Double) throws {
        try writer.beginValue(in: id)
        writer.buffer.appendDouble(value)
    }

    func encode(_ value: Float) throws {
        try writer.beginValue(in: id)
        writer.buffer.appendFloat(value)
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
        try writer.beginValue(in: id)
        writer.buffer.appendInteger(value)
    }

    // The protocol's own methods for these types throw an error.
    func encode(_ value: Int128) throws {
        try writer.beginValue(in: id)
        writer.buffer.appendInteger(value)
    }

    func encode(_ value: UInt128) throws {
        try writer.beginValue(in: id)
        writer.buffer.appendInteger(value)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try writer.beginValue(in: id)
        do { try writer.write(value) } catch {
            // The type may encode another value instead.
            writer.top.kind = .empty
            throw error
        }
    }
}
