/// The bytes of a source file with the offsets of its lines.
///
/// Bytes are used instead of characters because users run a debug build of the tool, where a loop over characters takes
/// eight times as long. The pointers are valid during the scan of the file, and no value of this type outlives the
/// scan.
struct SourceText {
    /// The bytes of the text followed by ``padding`` zeros.
    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// A pointer, because a debug build would otherwise count references at each use of the text.
    private let path: UnsafePointer<String>
    /// The offsets of the first bytes of all lines.
    private let lineStarts: UnsafePointer<Int>
    private let lineCount: Int
    /// The most recently looked-up line.
    private let lastLine: UnsafeMutablePointer<Int>

    /// The number of zeros after the text, so that looking a few bytes ahead needs no bounds check.
    private static let padding = 8

    /// Calls a function with the text of a file.
    static func with<Result>(_ text: [UInt8], path: String = "", _ body: (SourceText) -> Result) -> Result {
        withUnsafePointer(to: path) { with(text, $0, body) }
    }

    private static func with<Result>(
        _ text: [UInt8],
        _ path: UnsafePointer<String>,
        _ body: (SourceText) -> Result
    ) -> Result {
        let padded = text + Array(repeating: 0, count: padding)
        return padded.withUnsafeBufferPointer { buffer in
            // The padding guarantees a base address.
            let bytes = buffer.baseAddress.unsafelyUnwrapped
            return lineStarts(bytes, text.count).withUnsafeBufferPointer { lineStarts in
                var lastLine = 0
                return withUnsafeMutablePointer(to: &lastLine) { lastLine in
                    body(
                        SourceText(
                            bytes: bytes,
                            count: text.count,
                            path: path,
                            // Every text has a first line.
                            lineStarts: lineStarts.baseAddress.unsafelyUnwrapped,
                            lineCount: lineStarts.count,
                            lastLine: lastLine
                        )
                    )
                }
            }
        }
    }

    private static func lineStarts(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> [Int] {
        var lineStarts = [0]
        var offset = 0
        while offset < count {
            let byte = bytes[offset]
            offset += 1
            if byte > 0x0D { continue }
            guard byte == 0x0A || byte == 0x0D else { continue }
            if byte == 0x0D && bytes[offset] == 0x0A { offset += 1 }
            lineStarts.append(offset)
        }
        return lineStarts
    }

    /// The byte at an offset, or 0 beyond the end.
    subscript(offset: Int) -> UInt8 { offset < count ? bytes[offset] : 0 }

    /// Whether an ASCII text is at an offset.
    func starts(with text: StaticString, at offset: Int) -> Bool {
        guard offset + text.utf8CodeUnitCount <= count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] { return false }
        return true
    }

    /// The text of a range of bytes, with replacement characters for invalid UTF-8.
    func text(_ range: Range<Int>) -> String {
        String(
            decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.upperBound - range.lowerBound),
            as: UTF8.self
        )
    }

    /// The number of the line at an offset, counted from 0.
    func line(of offset: Int) -> Int {
        let last = lastLine.pointee
        // Most look-ups are near the previous one.
        if lineStarts[last] <= offset {
            var near = last
            while near < last + 4 {
                if near + 1 == lineCount || lineStarts[near + 1] > offset {
                    lastLine.pointee = near
                    return near
                }
                near += 1
            }
        }
        var low = 0
        var high = lineCount
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        lastLine.pointee = low
        return low
    }

    /// The offset where the line of an offset begins, after a byte order mark.
    func lineStart(of offset: Int) -> Int {
        let line = line(of: offset)
        return line == 0 && hasByteOrderMark ? 3 : lineStarts[line]
    }

    /// The location of an offset.
    ///
    /// As in compilers, a byte order mark doesn't count.
    func location(of offset: Int) -> SourceLocation {
        let line = line(of: offset)
        let mark = line == 0 && hasByteOrderMark ? 3 : 0
        return SourceLocation(
            path: path.pointee,
            offset: offset,
            line: line + 1,
            column: max(1, offset - lineStarts[line] - mark + 1)
        )
    }

    /// Whether the file begins with the encoded character U+FEFF.
    var hasByteOrderMark: Bool { self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF }
}

/// Bytes with a meaning in Swift.
package enum Byte {
    package static var lineFeed: UInt8 { 0x0A }
    package static var carriageReturn: UInt8 { 0x0D }
    static var slash: UInt8 { 0x2F }
    static var asterisk: UInt8 { 0x2A }
    package static var backslash: UInt8 { 0x5C }
    package static var quote: UInt8 { 0x22 }
    static var pound: UInt8 { 0x23 }
    static var backtick: UInt8 { 0x60 }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Bytes beyond ASCII belong to identifiers.
    static func isIdentifierHead(_ byte: UInt8) -> Bool {
        (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A) || byte == 0x5F || byte == 0x24 || byte >= 0x80
    }

    static func isIdentifierBody(_ byte: UInt8) -> Bool { isIdentifierHead(byte) || isDigit(byte) }
}

/// String literals of one line.
package enum StringLiteral {
    /// The value of a literal.
    ///
    /// - Parameter literal: The literal as written, with its delimiters.
    /// - Returns: `nil` for a literal with several lines, an interpolation or an invalid escape sequence.
    @_optimize(none)
    static func value(of literal: String) -> String? {
        let pounds = literal.prefix { $0 == "#" }
        let quoted = literal.dropFirst(pounds.count).dropLast(pounds.count)
        guard quoted.count >= 2, quoted.first == "\"", quoted.last == "\"", !quoted.contains(where: \.isNewline) else {
            return nil
        }
        var rest = quoted.dropFirst().dropLast()
        var value = ""
        while let escape = rest.firstRange(of: "\\" + pounds) {
            value += rest[..<escape.lowerBound]
            rest = rest[escape.upperBound...]
            guard let character = escaped(&rest) else { return nil }
            value.unicodeScalars.append(character)
        }
        return value + rest
    }

    /// Removes the rest of an escape sequence after its backslash, and returns the character that it stands for.
    @_optimize(none)
    private static func escaped(_ rest: inout Substring) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "0": return "\0"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "\"": return "\""
        case "'": return "'"
        case "\\": return "\\"
        case "u":
            guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
            let number = UInt32(rest[..<end], radix: 16)
            rest = rest[end...].dropFirst()
            return number.flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }

    /// The literal with a value.
    package static func literal(of value: String) -> String {
        var literal = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\0"..<" ", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}":
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
