/// The container of the elements of an array.
///
/// It fits in the three words of an existential, so that it needs no memory of its own.
struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    private let reader: ValueReader
    /// The position of the array.
    private let start: Int32
    /// The position of the next element.
    private var position: Int32
    private var index: Int32 = 0
    private let depth: Int32

    init(reader: ValueReader, position: Int, depth: Int) throws {
        let content = try reader.array(at: position, depth: depth)
        self.reader = reader
        start = Int32(position)
        self.position = Int32(content.lowerBound)
        self.depth = Int32(depth)
    }

    var codingPath: [any CodingKey] { reader.path(to: Int(start)) }
    var currentIndex: Int { Int(index) }

    /// The number of elements, or `nil` if an element isn't whole.
    ///
    /// Decoding that element throws the error.
    var count: Int? {
        let rest = try? reader.elements(Int(position)..<max(Int(position), end))
        return rest.map { Int(index) + $0.count }
    }
    var isAtEnd: Bool { Int(position) >= end }

    /// The end of the array, or 0 after the record was decoded.
    private var end: Int { max(0, reader.bytes.end(of: Int(start), before: reader.bytes.count)) }

    mutating func decodeNil() throws -> Bool {
        let element = try next(Never.self)
        guard reader.isNull(at: element.start) else { return false }
        advance(to: element.end)
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try read(type) { try $0.readBool(at: $1) } }

    mutating func decode(_ type: String.Type) throws -> String { try read(type) { try $0.readString(at: $1) } }

    mutating func decode(_ type: Double.Type) throws -> Double { try read(type) { try $0.readDouble(at: $1) } }

    mutating func decode(_ type: Float.Type) throws -> Float { try read(type) { try $0.readFloat(at: $1) } }

    mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
        try read(type) { try $0.readInteger(type, at: $1) }
    }

    // The protocol's own methods for these types throw an error.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try read(type) { try $0.readInteger(type, at: $1) } }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try read(type) { try $0.readInteger(type, at: $1) } }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let depth = Int(depth)
        return try read(type) { try $0.read(type, at: $1, depth: depth) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let depth = Int(depth) + 1
        return try read([String: Any].self) {
            try ValueDecoder(reader: $0, position: $1, depth: depth).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let depth = Int(depth) + 1
        return try read([Any].self) { try UnkeyedValueDecoder(reader: $0, position: $1, depth: depth) }
    }

    mutating func superDecoder() throws -> any Decoder {
        let depth = Int(depth) + 1
        return try read((any Decoder).self) { ValueDecoder(reader: $0, position: $1, depth: depth) }
    }

    /// Reads the next element, which stays the next if that fails.
    @inline(__always) private mutating func read<Value>(
        _ type: Any.Type,
        _ body: (ValueReader, Int) throws -> Value
    ) throws -> Value {
        let element = try next(type)
        let value = try body(reader, element.start)
        advance(to: element.end)
        return value
    }

    @inline(__always) private func next(_ type: Any.Type) throws -> (start: Int, end: Int) {
        let end = end
        guard Int(position) < end else { throw DecodingError.noElement(type, codingPath, index: Int(index)) }
        return (Int(position), try reader.end(of: Int(position), before: end))
    }

    @inline(__always) private mutating func advance(to end: Int) {
        position = Int32(end)
        index += 1
    }
}
