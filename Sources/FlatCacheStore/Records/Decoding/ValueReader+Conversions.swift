import Foundation

// A value is also decoded as another type if a JSON encoder writes both in the same way. So a property can change its type,
// and types can encode themselves as one type and decode themselves as another.

extension ValueReader {
    @inline(never) func readConvertedString(at position: Int) throws -> String {
        guard let text = text(at: position) else { throw mismatch(at: position, String.self) }
        return text
    }

    /// The text of a value that JSON writes as a string.
    private func text(at position: Int) -> String? {
        switch tag(at: position) {
        case RecordTag.url: bytes.text(bytes.content(at: position))
        case RecordTag.data: Data(bytes.slice(bytes.content(at: position))).base64EncodedString()
        case RecordTag.uuid:
            UUID(uuid: UnsafeRawPointer(bytes.base + position + 1).loadUnaligned(as: uuid_t.self)).uuidString
        default: nil
        }
    }

    @inline(never) func readConvertedInteger<Number: FixedWidthInteger>(at position: Int) throws -> Number {
        if tag(at: position) == RecordTag.decimal, let decimal = decimal(at: position) {
            if let number = Number(decimal.description) { return number }
            throw unfitting(decimal, Number.self, at: position)
        }
        guard let double = double(at: position) else { throw mismatch(at: position, Number.self) }
        guard let number = Number(exactly: double) else { throw unfitting(double, Number.self, at: position) }
        return number
    }

    @inline(never) func readConvertedDouble(at position: Int) throws -> Double {
        if let double = double(at: position) { return double }
        if tag(at: position) == RecordTag.decimal,
            let double = decimal(at: position).flatMap({ Double($0.description) })
        {
            return double
        }
        guard let double = integerText(at: position).flatMap({ Double($0) }) else {
            throw mismatch(at: position, Double.self)
        }
        return double
    }

    /// The number of a value with a binary fraction.
    func double(at position: Int) -> Double? {
        switch tag(at: position) {
        case RecordTag.double, RecordTag.date: Double(bitPattern: bytes.word(at: position + 1))
        case RecordTag.float: Double(Float(bitPattern: UInt32(bytes.word(at: position + 1, bytes: 4))))
        default: nil
        }
    }

    /// The decimal number of a value, or `nil` if it is damaged.
    func decimal(at position: Int) -> Decimal? {
        let content = bytes.content(at: position)
        guard content.count >= 2, content.count <= 18 else { return nil }
        let exponent = Int(Int8(bitPattern: bytes.base[content.lowerBound]))
        let digits = unsigned(at: content.lowerBound + 2, bytes: content.count - 2)
        switch bytes.base[content.lowerBound + 1] {
        case 0: return Decimal(string: "\(digits)").map { Decimal(sign: .plus, exponent: exponent, significand: $0) }
        case 1: return Decimal(string: "\(digits)").map { Decimal(sign: .minus, exponent: exponent, significand: $0) }
        case 2: return .nan
        default: return nil
        }
    }

    // MARK: Whole numbers

    /// A number of more than 8 bytes, as its sign and its value or the complement of its value.
    typealias WideInteger = (isNegative: Bool, word: UInt128)

    func wideInteger(at position: Int) -> WideInteger {
        let tag = tag(at: position)
        return (tag >= RecordTag.negative, unsigned(at: position + 1, bytes: Int(tag & 0x0F) + 1))
    }

    func fitting<Number: FixedWidthInteger>(_ wide: WideInteger, at position: Int) throws -> Number {
        if !wide.isNegative, let number = Number(exactly: wide.word) { return number }
        if wide.isNegative, let word = Int128(exactly: wide.word), let number = Number(exactly: ~word) { return number }
        throw unfitting(integerText(at: position) ?? "", Number.self, at: position)
    }

    /// The digits of a whole number, or `nil` if the value is something else.
    func integerText(at position: Int) -> String? {
        let tag = tag(at: position)
        if tag >= RecordTag.smallNumber { return "\(tag - RecordTag.smallNumber)" }
        guard tag >= RecordTag.positive, tag < RecordTag.endOfNumbers else { return nil }
        let wide = wideInteger(at: position)
        guard wide.isNegative else { return "\(wide.word)" }
        // A complement of 2^127 or more is of a damaged record.
        return Int128(exactly: wide.word).map { "\(~$0)" }
    }

    private func unsigned(at position: Int, bytes size: Int) -> UInt128 {
        let low = UInt128(bytes.word(at: position, bytes: min(8, size)))
        return size > 8 ? low | UInt128(bytes.word(at: position + 8, bytes: size - 8)) << 64 : low
    }

    func unfitting(_ number: some Any, _ type: Any.Type, at position: Int) -> DecodingError {
        let text = "The number \(number) doesn't fit in \(type)."
        return .dataCorrupted(.init(codingPath: path(to: position), debugDescription: text))
    }
}
