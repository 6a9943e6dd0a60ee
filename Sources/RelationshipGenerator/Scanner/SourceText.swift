/// The bytes of a source file, with the places of its line ends.
///
/// Bytes, not characters: the tool runs unoptimised in the builds of its users, where a loop over characters takes eight
/// times as long. The pointer is valid while the scan of the file runs, which is as long as any value of this type lives.
struct SourceText {
    let bytes: UnsafePointer<UInt8>
    let count: Int
    /// The offsets of the first bytes of all lines.
    private let lineStarts: [Int]

    init(_ buffer: UnsafeBufferPointer<UInt8>, fallback: UnsafePointer<UInt8>) {
        let bytes = buffer.baseAddress ?? fallback
        let count = buffer.count
        self.bytes = bytes
        self.count = count
        var lineStarts = [0]
        var offset = 0
        while offset < count {
            let byte = bytes[offset]
            offset += 1
            guard byte == Byte.lineFeed || byte == Byte.carriageReturn else { continue }
            if byte == Byte.carriageReturn && offset < count && bytes[offset] == Byte.lineFeed { offset += 1 }
            lineStarts.append(offset)
        }
        self.lineStarts = lineStarts
    }

    /// The byte at an offset, or 0 beyond the end.
    subscript(offset: Int) -> UInt8 { offset < count ? bytes[offset] : 0 }

    /// The text of a range of bytes; what isn't UTF-8 is replaced.
    func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }

    /// The number of the line of an offset, counted from 0.
    func line(of offset: Int) -> Int {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The place of an offset, as compilers count: a byte order mark doesn't count.
    func location(of offset: Int) -> SourceLocation {
        let line = line(of: offset)
        let mark = line == 0 && hasByteOrderMark ? 3 : 0
        return SourceLocation(offset: offset, line: line + 1, column: max(1, offset - lineStarts[line] - mark + 1))
    }

    /// Whether the file begins with the encoded character U+FEFF.
    var hasByteOrderMark: Bool { self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF }
}

/// Bytes with a meaning in Swift.
enum Byte {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let slash = UInt8(ascii: "/")
    static let asterisk = UInt8(ascii: "*")
    static let backslash = UInt8(ascii: "\\")
    static let quote = UInt8(ascii: "\"")
    static let pound = UInt8(ascii: "#")
    static let backtick = UInt8(ascii: "`")
    static let leftParenthesis = UInt8(ascii: "(")
    static let rightParenthesis = UInt8(ascii: ")")

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == lineFeed || byte == carriageReturn }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Bytes beyond ASCII belong to identifiers; the few that are operators do no harm as such.
    static func isIdentifierHead(_ byte: UInt8) -> Bool {
        (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A) || byte == 0x5F || byte == 0x24 || byte >= 0x80
    }

    static func isIdentifierBody(_ byte: UInt8) -> Bool { isIdentifierHead(byte) || isDigit(byte) }

    static func isOperator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "!"),
            UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"),
            UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "~"), UInt8(ascii: "?"):
            true
        default: false
        }
    }
}
