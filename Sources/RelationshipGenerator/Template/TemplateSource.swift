/// The bytes of a template and its path.
struct TemplateSource: Sendable {
    let path: String
    let bytes: [UInt8]
    /// The offset of the text, after a byte order mark.
    let start: Int

    init(_ text: String, path: String) {
        self.path = path
        bytes = Array(text.utf8)
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Checks the file of the template.
    ///
    /// - Throws: ``TemplateError`` when the bytes aren't UTF-8, and when the file has only white space, which would
    ///   generate nothing.
    func check(_ file: [UInt8]) throws(TemplateError) {
        // Invalid bytes have been replaced by U+FFFD.
        if bytes != file {
            let wrong = file.indices.first { $0 >= bytes.count || bytes[$0] != file[$0] } ?? file.count
            throw error(at: wrong, "invalid UTF-8; save the file with UTF-8 encoding")
        }
        if bytes[start...].allSatisfy(Self.isSpace) {
            throw error(
                at: start,
                "template is empty; write the code to generate, as in {{> Relationships}}, or remove the file"
            )
        }
    }

    /// Whether a byte is part of a line end.
    static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    /// Whether a byte is white space within a line.
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Whether a byte is white space.
    static func isSpace(_ byte: UInt8) -> Bool { isBlank(byte) || isLineEnd(byte) }

    /// The offset after the line end at an offset.
    ///
    /// `\r ` is one line end.
    func skippingLineEnd(at offset: Int) -> Int {
        guard offset < bytes.count, Self.isLineEnd(bytes[offset]) else { return offset }
        let isPair =
            bytes[offset] == UInt8(ascii: "\r") && offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "\n")
        return offset + (isPair ? 2 : 1)
    }

    /// The number of the line at an offset, counted from 1, and the offset where it begins.
    func line(of offset: Int) -> (number: Int, start: Int) {
        var line = (number: 1, start: start)
        var index = start
        while index < offset {
            guard Self.isLineEnd(bytes[index]) else {
                index += 1
                continue
            }
            index = skippingLineEnd(at: index)
            line = (line.number + 1, index)
        }
        return line
    }

    /// The error for a problem at an offset.
    func error(at offset: Int, _ message: String) -> TemplateError {
        let line = line(of: offset)
        let column = String(decoding: bytes[line.start..<offset], as: UTF8.self).count + 1
        return TemplateError(path: path, line: line.number, column: column, message: message)
    }
}

/// An error in a template with its location.
struct TemplateError: Error, CustomStringConvertible {
    /// The path of the template.
    let path: String
    /// The line, counted from 1.
    let line: Int
    /// The column in characters, counted from 1.
    let column: Int
    /// The error, followed by the remedy.
    let message: String

    var description: String { "\(path):\(line):\(column): error: \(message)" }
}
