/// The container of the members of an object.
struct KeyedValueEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let writer: ValueWriter
    private let id: Int

    init(beginningIn writer: ValueWriter, id: Int) {
        self.writer = writer
        self.id = id
        // A key that is larger than a word has its name in it, so its names are data, as of a dictionary. Such objects have
        // their own shapes. Other keys are cases of an enumeration.
        let isNamed = MemoryLayout<Key>.size > MemoryLayout<Int>.size || writer.tree == nil
        writer.begin(isNamed ? .namedObject : .object, in: id)
    }

    var codingPath: [any CodingKey] { writer.path(to: id) }

    @inline(__always) private func note(_ key: Key) throws {
        _ = try writer.note(key.stringValue, in: id)
    }

    private func noteAbsent(_ key: Key) throws {
        try note(key)
        writer.buffer.appendAbsent()
    }

    func encodeNil(forKey key: Key) throws {
        try note(key)
        writer.buffer.appendNil()
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try note(key)
        writer.buffer.appendBool(value)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try note(key)
        writer.buffer.appendString(value)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        try note(key)
        writer.buffer.appendDouble(value)
    }

    func encode(_ value: Float, forKey key: Key) throws {
        try note(key)
        writer.buffer.appendFloat(value)
    }

    func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
        try note(key)
        writer.buffer.appendInteger(value)
    }

    // The protocol's own methods for these types throw an error.
    func encode(_ value: Int128, forKey key: Key) throws {
        try note(key)
        writer.buffer.appendInteger(value)
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        try note(key)
        writer.buffer.appendInteger(value)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let note = try writer.note(key.stringValue, in: id)
        do { try writer.write(value) } catch {
            writer.forget(note)
            throw error
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        ValueEncoder(nestedIn: containerWriter(key.stringValue)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ValueEncoder(nestedIn: containerWriter(key.stringValue)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { superEncoder(NameKey.super.stringValue) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key.stringValue) }

    private func superEncoder(_ name: String) -> any Encoder {
        ValueEncoder(nestedIn: nestedWriter(name, isContainer: false))
    }

    private func containerWriter(_ name: String) -> ValueWriter {
        writer.knownWriter(name, in: id) ?? nestedWriter(name, isContainer: true)
    }

    private func nestedWriter(_ name: String, isContainer: Bool) -> ValueWriter {
        do { _ = try writer.note(name, in: id) } catch {
            writer.fail(error)
            return writer.unusableWriter()
        }
        return writer.nestedWriter(isContainer ? name : nil)
    }
}

// MARK: Optional members

// The protocol's own methods write nothing for `nil`, so that each combination of optional members would be a shape.
extension KeyedValueEncoder {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }

    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }

    func encodeIfPresent(_ value: Float?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }

    func encodeIfPresent<Number: FixedWidthInteger & Encodable>(_ value: Number?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }

    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }

    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) } else { try noteAbsent(key) }
    }
}
