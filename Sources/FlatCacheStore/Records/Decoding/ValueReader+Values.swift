import Foundation

extension ValueReader {
    /// Whether values of a type are read by ``read(_:at:depth:)`` itself, not by the type's `init(from:)`.
    static func hasOwnForm(_ type: Any.Type) -> Bool {
        type == String.self || type == Date.self || type == URL.self || type == Int.self || type == Double.self
            || type == Bool.self || type == UUID.self || type == Data.self || type == Decimal.self
    }

    /// Reads a value, which must be whole.
    @inline(__always) func read<Value: Decodable>(_ type: Value.Type, at position: Int, depth: Int) throws -> Value {
        // Comparing types and reinterpreting values is much faster than casting.
        if Value.self == String.self {
            return unsafeBitCast(try readString(at: position), to: Value.self)
        } else if Value.self == Date.self {
            return unsafeBitCast(try readDate(at: position), to: Value.self)
        } else if Value.self == URL.self {
            if let url = try readURL(at: position) { return unsafeBitCast(url, to: Value.self) }
        } else if Value.self == Int.self {
            return unsafeBitCast(try readInteger(Int.self, at: position), to: Value.self)
        } else if Value.self == Double.self {
            return unsafeBitCast(try readDouble(at: position), to: Value.self)
        } else if Value.self == Bool.self {
            return unsafeBitCast(try readBool(at: position), to: Value.self)
        } else if Value.self == UUID.self {
            return unsafeBitCast(try readUUID(at: position), to: Value.self)
        } else if Value.self == Data.self {
            if let data = try readData(at: position) { return unsafeBitCast(data, to: Value.self) }
        } else if Value.self == Decimal.self {
            if let decimal = try readDecimal(at: position) { return unsafeBitCast(decimal, to: Value.self) }
        }
        return try readNested(type, at: position, depth: depth)
    }

    @inline(never) private func readNested<Value: Decodable>(
        _: Value.Type,
        at position: Int,
        depth: Int
    ) throws -> Value {
        guard depth < RecordLimit.depth else { throw DecodingError.tooDeep(path(to: position)) }
        return try Value(from: ValueDecoder(reader: self, position: position, depth: depth + 1))
    }

    func readBool(at position: Int) throws -> Bool {
        switch tag(at: position) {
        case RecordTag.true: true
        case RecordTag.false: false
        default: throw mismatch(at: position, Bool.self)
        }
    }

    @inline(__always) func readString(at position: Int) throws -> String {
        let tag = tag(at: position)
        let content: Range<Int>
        if tag >= RecordTag.shortString, tag < RecordTag.smallNumber {
            content = position + 1..<position + 1 + Int(tag - RecordTag.shortString)
        } else if tag == RecordTag.string {
            content = bytes.content(at: position)
        } else {
            return try readConvertedString(at: position)
        }
        guard let text = bytes.text(content) else { throw damage(at: position, "A text isn't UTF-8") }
        return text
    }

    /// Reads a number of any width.
    @inline(__always) func readInteger<Number: FixedWidthInteger>(_: Number.Type, at position: Int) throws -> Number {
        let tag = tag(at: position)
        if tag >= RecordTag.smallNumber { return Number(truncatingIfNeeded: tag - RecordTag.smallNumber) }
        guard tag >= RecordTag.positive, tag < RecordTag.endOfNumbers else {
            return try readConvertedInteger(at: position)
        }
        let size = Int(tag & 0x0F) + 1
        if size > 8 { return try fitting(wideInteger(at: position), at: position) }
        let word = bytes.word(at: position + 1, bytes: size)
        if tag < RecordTag.negative, let number = Number(exactly: word) { return number }
        if tag >= RecordTag.negative, let number = Number(exactly: ~Int128(word)) { return number }
        return try fitting(wideInteger(at: position), at: position)
    }

    @inline(__always) func readDouble(at position: Int) throws -> Double {
        guard tag(at: position) == RecordTag.double else { return try readConvertedDouble(at: position) }
        return Double(bitPattern: bytes.word(at: position + 1))
    }

    func readFloat(at position: Int) throws -> Float {
        guard tag(at: position) == RecordTag.float else {
            let double = try readDouble(at: position)
            let float = Float(double)
            if float.isFinite || !double.isFinite { return float }
            throw unfitting(double, Float.self, at: position)
        }
        return Float(bitPattern: UInt32(bytes.word(at: position + 1, bytes: 4)))
    }

    @inline(__always) func readDate(at position: Int) throws -> Date {
        let isDate = tag(at: position) == RecordTag.date
        let seconds = isDate ? Double(bitPattern: bytes.word(at: position + 1)) : try readDouble(at: position)
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private func readUUID(at position: Int) throws -> UUID {
        guard tag(at: position) == RecordTag.uuid else {
            guard let uuid = UUID(uuidString: try readString(at: position)) else {
                throw mismatch(at: position, UUID.self)
            }
            return uuid
        }
        return UUID(uuid: UnsafeRawPointer(bytes.base + position + 1).loadUnaligned(as: uuid_t.self))
    }

    /// Reads a URL, or returns `nil` if it is encoded in two parts.
    private func readURL(at position: Int) throws -> URL? {
        let tag = tag(at: position)
        if tag == RecordTag.object || tag == RecordTag.namedObject { return nil }
        let text = tag == RecordTag.url ? bytes.text(bytes.content(at: position)) : try readString(at: position)
        guard let text, let url = URL(string: text) else { throw damage(at: position, "A text isn't a URL") }
        return url
    }

    /// Reads data, or returns `nil` if it is encoded as an array.
    private func readData(at position: Int) throws -> Data? {
        switch tag(at: position) {
        case RecordTag.data: return Data(bytes.slice(bytes.content(at: position)))
        case RecordTag.array: return nil
        default:
            if let data = Data(base64Encoded: try readString(at: position)) { return data }
            throw mismatch(at: position, Data.self)
        }
    }

    /// Reads a decimal number, or returns `nil` if it is encoded in parts.
    private func readDecimal(at position: Int) throws -> Decimal? {
        switch tag(at: position) {
        case RecordTag.object, RecordTag.namedObject: return nil
        case RecordTag.decimal:
            guard let value = decimal(at: position) else { throw damage(at: position, "A decimal number is damaged") }
            return value
        case RecordTag.float, RecordTag.double: return Decimal(try readDouble(at: position))
        default:
            _ = try readInteger(Int128.self, at: position)
            return Decimal(string: integerText(at: position) ?? "")
        }
    }
}
