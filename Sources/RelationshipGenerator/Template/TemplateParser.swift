/// Parses the text of a template into nodes.
///
/// A tag that isn't a variable and is alone on its line is a standalone tag. The line is removed with its line end, so
/// that sections can begin and end on lines of their own.
struct TemplateParser {
    private let source: TemplateSource
    private let bytes: [UInt8]
    private var offset: Int
    private var opening = Array("{{".utf8)
    private var closing = Array("}}".utf8)
    /// The nodes of the current section, or of the template outside of sections.
    private var nodes: [Template.Node] = []
    /// The open sections, each with the nodes before it.
    private var sections: [(name: Template.Name, isInverted: Bool, before: [Template.Node])] = []

    /// The maximum nesting depth of sections, which bounds the recursion of rendering.
    private static let deepestSection = 100

    init(_ source: TemplateSource) {
        self.source = source
        bytes = source.bytes
        offset = source.start
    }

    @_optimize(none)
    mutating func parse() throws(TemplateError) -> [Template.Node] {
        while offset < bytes.count {
            let textStart = offset
            while offset < bytes.count, !matches(opening) { offset += 1 }
            guard offset < bytes.count else {
                appendText(textStart..<offset)
                break
            }
            let tag = try readTag()
            let line = tag.kind?.mayBeStandalone == true ? standaloneLine(around: tag.offset..<offset) : nil
            appendText(textStart..<(line?.lowerBound ?? tag.offset))
            try apply(tag, indentation: line.map { text($0.lowerBound..<tag.offset) } ?? "")
            if let line { offset = line.upperBound }
        }
        if let section = sections.last {
            throw source.error(
                at: section.name.offset,
                "section '\(section.name.text)' is not closed; close it with \(tag("/\(section.name.text)"))"
            )
        }
        return nodes
    }

    // MARK: Tags

    /// The kind of a tag, which the character after the opening delimiter determines.
    private enum Kind: UInt8 {
        case comment = 0x21  // !
        case section = 0x23  // #
        case ampersand = 0x26  // &
        case end = 0x2F  // /
        case delimiters = 0x3D  // =
        case partial = 0x3E  // >
        case inverted = 0x5E  // ^
        case braces = 0x7B  // {

        var mayBeStandalone: Bool { self != .ampersand && self != .braces }
    }

    /// A tag; without a kind it is a variable.
    private struct Tag {
        var kind: Kind?
        let content: Range<Int>
        /// The offset of the tag.
        let offset: Int
    }

    private mutating func readTag() throws(TemplateError) -> Tag {
        let start = offset
        offset += opening.count
        while offset < bytes.count, TemplateSource.isSpace(bytes[offset]) { offset += 1 }
        let kind = offset < bytes.count ? Kind(rawValue: bytes[offset]) : nil
        if kind != nil { offset += 1 }
        var end = closing
        if kind == .delimiters { end.insert(UInt8(ascii: "="), at: 0) }
        if kind == .braces { end.insert(UInt8(ascii: "}"), at: 0) }
        let contentStart = offset
        while offset < bytes.count, !matches(end), kind == .comment || !matches(opening) { offset += 1 }
        guard matches(end) else {
            throw source.error(
                at: start,
                "tag is not closed; close it with \(String(decoding: end, as: UTF8.self))"
            )
        }
        let content = contentStart..<offset
        offset += end.count
        return Tag(kind: kind, content: content, offset: start)
    }

    @_optimize(none)
    private mutating func apply(_ tag: Tag, indentation: String) throws(TemplateError) {
        switch tag.kind {
        case .comment: break
        case .section, .inverted: try openSection(name(of: tag), isInverted: tag.kind == .inverted)
        case .end: try closeSection(name(of: tag))
        case .partial: nodes.append(.partial(try name(of: tag), indentation: indentation))
        case .delimiters: try changeDelimiters(tag)
        case .ampersand, .braces: nodes.append(.variable(try name(of: tag), isEscaped: false))
        case nil: nodes.append(.variable(try name(of: tag), isEscaped: true))
        }
    }

    private mutating func openSection(_ name: Template.Name, isInverted: Bool) throws(TemplateError) {
        guard sections.count < Self.deepestSection else {
            throw source.error(
                at: name.offset,
                "sections are nested deeper than \(Self.deepestSection); nest them less"
            )
        }
        sections.append((name, isInverted, nodes))
        nodes = []
    }

    @_optimize(none)
    private mutating func closeSection(_ name: Template.Name) throws(TemplateError) {
        guard let section = sections.popLast() else {
            throw source.error(at: name.offset, "no section '\(name.text)' is open; remove this tag")
        }
        let opened = section.name
        guard opened.parts == name.parts else {
            let line = source.line(of: opened.offset).number
            throw source.error(
                at: name.offset,
                "'\(opened.text)', opened in line \(line), must be closed before '\(name.text)'"
            )
        }
        nodes = section.before + [.section(opened, nodes, isInverted: section.isInverted)]
    }

    private mutating func changeDelimiters(_ tag: Tag) throws(TemplateError) {
        let parts = bytes[tag.content].split(whereSeparator: TemplateSource.isSpace)
        guard parts.count == 2, !parts.contains(where: { $0.contains(UInt8(ascii: "=")) }) else {
            throw source.error(
                at: tag.offset,
                "write new delimiters as {{=<% %>=}}, with a space between, and without '=' in them"
            )
        }
        opening = Array(parts[0])
        closing = Array(parts[1])
    }

    @_optimize(none)
    private func name(of tag: Tag) throws(TemplateError) -> Template.Name {
        let words = bytes[tag.content].split(whereSeparator: TemplateSource.isSpace)
        guard let word = words.first else {
            throw source.error(at: tag.offset, "tag has no name; write one, as in \(self.tag("name"))")
        }
        guard words.count == 1 else {
            throw source.error(
                at: tag.offset,
                "'\(text(tag.content))' is not a name, because it contains spaces; write a name without them"
            )
        }
        if word.elementsEqual(".".utf8) { return Template.Name(parts: [], offset: tag.offset) }
        let isPartial = tag.kind == .partial
        let parts = isPartial ? [word] : word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard !parts.contains(where: \.isEmpty) else {
            let name = String(decoding: word, as: UTF8.self)
            throw source.error(at: tag.offset, "'\(name)' is not a name; write a name between two dots")
        }
        return Template.Name(parts: parts.map { String(decoding: $0, as: UTF8.self) }, offset: tag.offset)
    }

    // MARK: Text

    private func matches(_ delimiter: [UInt8]) -> Bool {
        guard offset + delimiter.count <= bytes.count else { return false }
        for index in 0..<delimiter.count where bytes[offset + index] != delimiter[index] { return false }
        return true
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// A tag with the current delimiters, for messages.
    private func tag(_ content: String) -> String {
        String(decoding: opening, as: UTF8.self) + content + String(decoding: closing, as: UTF8.self)
    }

    private mutating func appendText(_ range: Range<Int>) {
        if !range.isEmpty { nodes.append(.text(text(range))) }
    }

    /// The line of a tag including its line end, or `nil` when the tag isn't alone on it.
    private func standaloneLine(around tag: Range<Int>) -> Range<Int>? {
        var start = tag.lowerBound
        while start > source.start, TemplateSource.isBlank(bytes[start - 1]) { start -= 1 }
        guard start == source.start || TemplateSource.isLineEnd(bytes[start - 1]) else { return nil }
        var end = tag.upperBound
        while end < bytes.count, TemplateSource.isBlank(bytes[end]) { end += 1 }
        guard end == bytes.count || TemplateSource.isLineEnd(bytes[end]) else { return nil }
        return start..<source.skippingLineEnd(at: end)
    }
}

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
