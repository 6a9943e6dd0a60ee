/// The container of the elements of an array.
struct UnkeyedValueEncoder: UnkeyedEncodingContainer {
    private let writer: ValueWriter
    private let id: Int

    init(beginningIn writer: ValueWriter, id: Int) {
        self.writer = writer
        self.id = id
        writer.begin(.array, in: id)
    }

    var codingPath: [any CodingKey] { writer.path(to: id) }

    /// The number of elements, or 0 after the end of the array.
    var count: Int { writer.top.id == id ? writer.top.count : 0 }

    func encodeNil() throws {
        try next()
        writer.buffer.appendNil()
    }

    func encode(_ value: Bool) throws {
        try next()
        writer.buffer.appendBool(value)
    }

    func encode(_ value: String) throws {
        try next()
        writer.buffer.appendString(value)
    }

    func encode(_ value: Double) throws {
        try next()
        writer.buffer.appendDouble(value)
    }

    func encode(_ value: Float) throws {
        try next()
        writer.buffer.appendFloat(value)
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
        try next()
        writer.buffer.appendInteger(value)
    }

    // The protocol's own methods for these types throw an error.
    func encode(_ value: Int128) throws {
        try next()
        writer.buffer.appendInteger(value)
    }

    func encode(_ value: UInt128) throws {
        try next()
        writer.buffer.appendInteger(value)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try next()
        do { try writer.write(value) } catch {
            writer.top.count -= 1
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        ValueEncoder(nestedIn: nestedWriter()).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueEncoder(nestedIn: nestedWriter()).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(nestedIn: nestedWriter()) }

    @inline(__always) private func next() throws {
        guard id == writer.top.id else { throw writer.misuse }
        writer.top.count += 1
    }

    private func nestedWriter() -> ValueWriter {
        do { try next() } catch {
            writer.fail(error)
            return writer.unusableWriter()
        }
        return writer.nestedWriter()
    }
}

extension ValueEncoder {
    /// Creates the encoder of the first value of a nested writer.
    init(nestedIn writer: ValueWriter) {
        self.init(writer: writer, id: 1)
    }
}
