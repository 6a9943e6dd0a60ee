import Foundation

/// The text of records whose types aren't known, for people.
package enum RecordText {
    /// Returns a record as JSON.
    ///
    /// Data is Base64, a date is in the format of ISO 8601, and numbers that JSON doesn't have are strings. Members are in the
    /// order in which they were encoded.
    ///
    /// - Parameters:
    ///   - bytes: The record.
    ///   - shapes: The shapes of the records of its type.
    /// - Returns: The text, without line breaks.
    /// - Throws: A `DecodingError` if the record is damaged.
    package static func json(_ bytes: ArraySlice<UInt8>, shapes: ShapeTable) throws -> String {
        try bytes.withReader(shapes: shapes) { reader in
            var text = ""
            try reader.write(at: 0, depth: 0, to: &text)
            return text
        }
    }
}

extension ValueReader {
    fileprivate func write(at position: Int, depth: Int, to text: inout String) throws {
        switch tag(at: position) {
        case RecordTag.object, RecordTag.namedObject:
            let members = try members(of: object(at: position, depth: depth))
            try write(members, between: ("{", "}"), to: &text) { member, text in
                text.appendQuoted(member.name)
                text += ":"
                try write(at: member.value.lowerBound, depth: depth + 1, to: &text)
            }
        case RecordTag.array:
            let elements = try elements(array(at: position, depth: depth))
            try write(elements, between: ("[", "]"), to: &text) { element, text in
                try write(at: element.lowerBound, depth: depth + 1, to: &text)
            }
        case RecordTag.null, RecordTag.absent: text += "null"
        case RecordTag.true: text += "true"
        case RecordTag.false: text += "false"
        default: try writeScalar(at: position, to: &text)
        }
    }

    private func write<Value>(
        _ values: [Value],
        between brackets: (String, String),
        to text: inout String,
        _ body: (Value, inout String) throws -> Void
    ) rethrows {
        text += brackets.0
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            try body(value, &text)
        }
        text += brackets.1
    }

    private func writeScalar(at position: Int, to text: inout String) throws {
        if let digits = integerText(at: position) { return text += digits }
        switch tag(at: position) {
        case RecordTag.date: text.appendDate(try readDouble(at: position))
        case RecordTag.double: text.appendNumber(try readDouble(at: position))
        case RecordTag.float: text.appendNumber(try readFloat(at: position))
        case RecordTag.decimal:
            guard let decimal = decimal(at: position) else { throw damage(at: position, "A decimal number is damaged") }
            text.appendNumber(decimal.description, isFinite: !decimal.isNaN)
        default: text.appendQuoted(try readString(at: position))
        }
    }
}

extension String {
    /// The seconds since 2001 of the years 1 to 9999, which ISO 8601 has.
    private static let secondsOfDates = -63_114_076_800.0..<252_423_993_600.0

    fileprivate mutating func appendDate(_ seconds: Double) {
        guard Self.secondsOfDates.contains(seconds) else { return appendNumber(seconds) }
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        appendQuoted(Date(timeIntervalSinceReferenceDate: seconds).formatted(format))
    }

    fileprivate mutating func appendNumber(_ number: some BinaryFloatingPoint & CustomStringConvertible) {
        appendNumber(number.description, isFinite: number.isFinite)
    }

    fileprivate mutating func appendNumber(_ description: String, isFinite: Bool) {
        if isFinite { self += description } else { appendQuoted(description) }
    }

    fileprivate mutating func appendQuoted(_ text: String) {
        self += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": self += "\\\(scalar)"
            case "\n": self += "\\n"
            case "\r": self += "\\r"
            case "\t": self += "\\t"
            case "\0"..<" ": self += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: unicodeScalars.append(scalar)
            }
        }
        self += "\""
    }
}
