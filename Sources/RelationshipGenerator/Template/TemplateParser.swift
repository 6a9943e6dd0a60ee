/// Reads the text of a template into nodes.
///
/// A line that has nothing but one tag other than a variable is standalone: it goes without its line end, so that sections
/// can be laid out on lines of their own.
struct TemplateParser {
    private let characters: [Character]
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private var opening: [Character] = ["{", "{"]
    private var closing: [Character] = ["}", "}"]
    /// The sections that are open, each with the nodes read before it; the first is the template itself.
    private var open: [(name: Template.Name?, isInverted: Bool, nodes: [Template.Node])] = [(nil, false, [])]

    init(_ text: String) {
        characters = Array(text)
    }

    mutating func parse() throws(TemplateError) -> [Template.Node] {
        while offset < characters.count {
            if matches(opening, at: offset) { try parseTag() } else { parseText() }
        }
        if let name = open[open.count - 1].name {
            throw name.error("the section '\(name.text)' is not closed; close it with {{/\(name.text)}}")
        }
        return open[0].nodes
    }

    private func matches(_ pattern: [Character], at offset: Int) -> Bool {
        guard offset + pattern.count <= characters.count else { return false }
        for index in pattern.indices where characters[offset + index] != pattern[index] { return false }
        return true
    }

    private mutating func parseText() {
        var text = ""
        while offset < characters.count, !matches(opening, at: offset) {
            text.append(characters[offset])
            advance()
        }
        append(.text(text))
    }

    private mutating func advance() {
        if characters[offset].isNewline {
            line += 1
            lineStart = offset + 1
        }
        offset += 1
    }

    private mutating func append(_ node: Template.Node) {
        open[open.count - 1].nodes.append(node)
    }

    private mutating func parseTag() throws(TemplateError) {
        let start = offset
        let place = (line: line, column: offset - lineStart + 1)
        offset += opening.count
        skipSpaces()
        let kind: Character? = offset < characters.count ? characters[offset] : nil
        let isSpecial = kind.map { "#^/!>={&".contains($0) } ?? false
        if isSpecial { advance() }
        let close: [Character] =
            switch kind {
            case "=": ["="] + closing
            case "{": ["}"] + closing
            default: closing
            }
        var content = ""
        while offset < characters.count, !matches(close, at: offset) {
            content.append(characters[offset])
            advance()
        }
        guard offset < characters.count else {
            throw TemplateError(
                line: place.line,
                column: place.column,
                message: "this tag is not closed; close it with \(String(closing))"
            )
        }
        offset += close.count
        let indentation = isSpecial && kind != "{" && kind != "&" ? makeStandalone(tagStart: start) : nil
        guard isSpecial, let kind else {
            append(.variable(try name(content, place)))
            return
        }
        try handle(kind, content, place, indentation ?? "")
    }

    private mutating func handle(
        _ kind: Character,
        _ content: String,
        _ place: (line: Int, column: Int),
        _ indentation: String
    ) throws(TemplateError) {
        switch kind {
        case "!": break
        case "{", "&": append(.variable(try name(content, place)))
        case "#", "^": open.append((try name(content, place), kind == "^", []))
        case ">": append(.partial(try name(content, place), indentation: indentation))
        case "=": try changeDelimiters(content, place)
        default: try closeSection(try name(content, place))
        }
    }

    private mutating func closeSection(_ name: Template.Name) throws(TemplateError) {
        guard let section = open.last, let opened = section.name else {
            throw name.error("there is no section '\(name.text)' to close here")
        }
        guard opened.path == name.path else {
            throw name.error("'\(opened.text)', opened in line \(opened.line), must be closed before '\(name.text)'")
        }
        open.removeLast()
        append(.section(opened, section.nodes, isInverted: section.isInverted))
    }

    private mutating func changeDelimiters(
        _ content: String,
        _ place: (line: Int, column: Int)
    ) throws(TemplateError) {
        let parts = content.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2 else {
            throw TemplateError(
                line: place.line,
                column: place.column,
                message: "write new delimiters as {{=<% %>=}}, with a space between"
            )
        }
        opening = Array(parts[0])
        closing = Array(parts[1])
    }

    private func name(_ content: String, _ place: (line: Int, column: Int)) throws(TemplateError) -> Template.Name {
        let trimmed = content.filter { !$0.isWhitespace }
        let path =
            trimmed == "." ? [] : trimmed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !trimmed.isEmpty, !path.contains("") else {
            throw TemplateError(line: place.line, column: place.column, message: "this tag has no name")
        }
        return Template.Name(path: path, line: place.line, column: place.column)
    }

    private mutating func skipSpaces() {
        while offset < characters.count, characters[offset].isWhitespace { advance() }
    }

    /// Removes what surrounds a tag that is alone on its line.
    ///
    /// - Returns: The white space before the tag, or `nil` when the tag isn't alone.
    private mutating func makeStandalone(tagStart: Int) -> String? {
        var before = tagStart
        while before > 0, characters[before - 1] == " " || characters[before - 1] == "\t" { before -= 1 }
        guard before == 0 || characters[before - 1].isNewline else { return nil }
        var after = offset
        while after < characters.count, characters[after] == " " || characters[after] == "\t" { after += 1 }
        guard after == characters.count || characters[after].isNewline else { return nil }
        let indentation = String(characters[before..<tagStart])
        if !indentation.isEmpty, case .text(let text)? = open[open.count - 1].nodes.last {
            open[open.count - 1].nodes[open[open.count - 1].nodes.count - 1] = .text(
                String(text.dropLast(indentation.count))
            )
        }
        offset = after
        if offset < characters.count { advance() }
        return indentation
    }
}
