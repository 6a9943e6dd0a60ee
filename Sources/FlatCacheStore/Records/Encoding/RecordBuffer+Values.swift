import Foundation

extension RecordBuffer {
    /// Appends a value of a type that has a form of its own, or returns `false`.
    @inline(__always) mutating func appendScalar<Value: Encodable>(_ value: Value) -> Bool {
        // Comparing types and reinterpreting values is much faster than casting.
        if Value.self == String.self {
            appendString(unsafeBitCast(value, to: String.self))
        } else if Value.self == Date.self {
            appendDate(unsafeBitCast(value, to: Date.self))
        } else if Value.self == URL.self {
            return appendURL(unsafeBitCast(value, to: URL.self))
        } else if Value.self == Int.self {
            appendInteger(unsafeBitCast(value, to: Int.self))
        } else if Value.self == Double.self {
            appendDouble(unsafeBitCast(value, to: Double.self))
        } else if Value.self == Bool.self {
            appendBool(unsafeBitCast(value, to: Bool.self))
        } else if Value.self == UUID.self {
            appendUUID(unsafeBitCast(value, to: UUID.self))
        } else if Value.self == Data.self {
            appendData(unsafeBitCast(value, to: Data.self))
        } else if Value.self == Decimal.self {
            return appendDecimal(unsafeBitCast(value, to: Decimal.self))
        } else {
            return false
        }
        return true
    }

    @inline(__always) mutating func appendNil() { append(RecordTag.null) }

    @inline(__always) mutating func appendAbsent() { append(RecordTag.absent) }

    @inline(__always) mutating func appendBool(_ value: Bool) { append(value ? RecordTag.true : RecordTag.false) }

    @inline(__always) mutating func appendInteger<Number: FixedWidthInteger>(_ value: Number) {
        if value >= 0, value < RecordTag.smallNumberLimit {
            return append(RecordTag.smallNumber + UInt8(truncatingIfNeeded: value))
        }
        let magnitude = value < 0 ? ~value : value
        let size = max(1, (Number.bitWidth - magnitude.leadingZeroBitCount + 7) / 8)
        append((value < 0 ? RecordTag.negative : RecordTag.positive) + UInt8(truncatingIfNeeded: size - 1))
        append(UInt64(truncatingIfNeeded: magnitude), bytes: min(8, size))
        if size > 8 { append(UInt64(truncatingIfNeeded: UInt128(magnitude) >> 64), bytes: size - 8) }
    }

    @inline(__always) mutating func appendDouble(_ value: Double) {
        append(RecordTag.double)
        append(bits(of: value))
    }

    mutating func appendFloat(_ value: Float) {
        append(RecordTag.float)
        let value = isCanonical && value == 0 ? 0 : value
        append(UInt64(value.bitPattern), bytes: 4)
    }

    @inline(__always) mutating func appendDate(_ value: Date) {
        append(RecordTag.date)
        append(bits(of: value.timeIntervalSinceReferenceDate))
    }

    /// The bits of a number.
    ///
    /// The two zeros are equal, so they are one if the bytes are canonical.
    @inline(__always) private func bits(of value: Double) -> UInt64 {
        isCanonical && value == 0 ? 0 : value.bitPattern
    }

    @inline(__always) mutating func appendString(_ value: String) {
        var text = isCanonical ? value.canonical : value
        text.withUTF8 { appendText($0) }
    }

    @inline(__always) private mutating func appendText(_ text: UnsafeBufferPointer<UInt8>) {
        if text.count < RecordTag.shortStringLimit {
            append(RecordTag.shortString + UInt8(truncatingIfNeeded: text.count))
        } else {
            append(RecordTag.string)
            appendVarint(text.count)
        }
        append(text)
    }

    /// Appends a URL without a base.
    ///
    /// Others encode their two parts.
    private mutating func appendURL(_ value: URL) -> Bool {
        guard value.baseURL == nil else { return false }
        var text = value.relativeString
        text.withUTF8 {
            append(RecordTag.url)
            appendVarint($0.count)
            append($0)
        }
        return true
    }

    private mutating func appendUUID(_ value: UUID) {
        append(RecordTag.uuid)
        withUnsafeBytes(of: value.uuid) { append($0.assumingMemoryBound(to: UInt8.self)) }
    }

    private mutating func appendData(_ value: Data) {
        append(RecordTag.data)
        appendVarint(value.count)
        value.withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { append($0) } }
    }

    /// Appends a decimal number: its exponent, its sign, and its digits as a number without zeros at the end.
    ///
    /// A number with a larger exponent encodes its parts, because its digits may only fit with those zeros.
    private mutating func appendDecimal(_ value: Decimal) -> Bool {
        guard value.isNaN || value.exponent <= 127 - 38 else { return false }
        var exponent = value.exponent
        var digits = value.isNaN ? 0 : UInt128(value.significand.magnitude.description) ?? 0
        while digits > 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
        let size = (128 - digits.leadingZeroBitCount + 7) / 8
        append(RecordTag.decimal)
        appendVarint(2 + size)
        append(UInt8(bitPattern: Int8(clamping: digits == 0 ? 0 : exponent)))
        append(value.isNaN ? 2 : value.sign == .minus ? 1 : 0)
        append(UInt64(truncatingIfNeeded: digits), bytes: min(8, size))
        if size > 8 { append(UInt64(truncatingIfNeeded: digits >> 64), bytes: size - 8) }
        return true
    }
}

extension String {
    /// The text with one form of all that is canonically equivalent, and therefore equal.
    var canonical: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}
