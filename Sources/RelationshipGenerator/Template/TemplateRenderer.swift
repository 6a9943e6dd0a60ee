/// Renders the nodes of a template.
struct TemplateRenderer {
    private let partials: [String: Template]
    private let options: Template.Options
    /// Whether each section is rendered once regardless of its value, to find errors in it.
    private let entersAllSections: Bool
    private(set) var output = ""
    /// The template that is being rendered, for errors.
    private var source = TemplateSource("", path: "")
    /// The values in which names are looked up, innermost last.
    private var contexts: [TemplateValue]
    /// The text that partials insert before each of their lines that isn't empty.
    private var indentation = ""
    private var isAtLineStart = true
    private var depth = 0

    /// The maximum nesting depth of sections and partials, which bounds the recursion of a template that includes
    /// itself.
    private static let deepest = 100

    init(
        _ values: TemplateValue,
        partials: [String: Template],
        options: Template.Options,
        entersAllSections: Bool = false
    ) {
        contexts = [values]
        self.partials = partials
        self.options = options
        self.entersAllSections = entersAllSections
    }

    mutating func render(_ template: Template) throws(TemplateError) {
        let outer = source
        source = template.source
        try render(template.nodes)
        source = outer
    }

    private mutating func render(_ nodes: [Template.Node]) throws(TemplateError) {
        for node in nodes {
            switch node {
            case .text(let text): write(text, isTemplateText: true)
            case .variable(let name, let isEscaped):
                let text = try text(of: name)
                let isHTML = isEscaped && options.escaping == .html
                write(isHTML ? Self.escapedForHTML(text) : text, isTemplateText: false)
            case .section(let name, let nodes, let isInverted):
                try renderSection(name, nodes, isInverted: isInverted)
            case .partial(let name, let indentation): try renderPartial(name, indentation)
            }
        }
    }

    private mutating func renderSection(
        _ name: Template.Name,
        _ nodes: [Template.Node],
        isInverted: Bool
    ) throws(TemplateError) {
        let value = try look(up: name)
        guard entersAllSections || value.isTruthy != isInverted else { return }
        depth += 1
        switch value {
        case _ where isInverted: try render(nodes)
        case .flag, .nothing: try render(nodes)
        case .list(let elements):
            for element in entersAllSections ? elements.prefix(1) : elements[...] { try render(nodes, in: element) }
        default: try render(nodes, in: value)
        }
        depth -= 1
    }

    private mutating func render(_ nodes: [Template.Node], in context: TemplateValue) throws(TemplateError) {
        contexts.append(context)
        try render(nodes)
        contexts.removeLast()
    }

    @_optimize(none)
    private mutating func renderPartial(_ name: Template.Name, _ added: String) throws(TemplateError) {
        guard let partial = partials[name.text] else {
            if options.unknownNames == .empty { return }
            throw error(
                name,
                "there is no template '\(name.text)' to include" + suggestion(for: name.text, from: partials.keys)
            )
        }
        guard depth < Self.deepest else { throw error(name, "'\(name.text)' includes itself; remove this tag") }
        depth += 1
        let outer = indentation
        indentation += added
        if !added.isEmpty { isAtLineStart = true }
        try render(partial)
        indentation = outer
        depth -= 1
    }

    // MARK: Values

    private func text(of name: Template.Name) throws(TemplateError) -> String {
        switch try look(up: name) {
        case .text(let text): return text
        case .flag(let flag): return flag ? "true" : "false"
        case .nothing: return ""
        case .list: throw error(name, "'\(name.text)' is a list; write it as a section, {{#\(name.text)}}")
        case .object(let members):
            let member =
                members.keys.min().map { ", as in {{\(name.parts.isEmpty ? "" : "\(name.text).")\($0)}}" } ?? ""
            throw error(name, "'\(name.text)' has no text; write the name of one of its values\(member)")
        }
    }

    private func look(up name: Template.Name) throws(TemplateError) -> TemplateValue {
        guard let first = name.parts.first else { return contexts[contexts.count - 1] }
        for context in contexts.reversed() {
            guard case .object(let members) = context, let value = members[first] else { continue }
            return name.parts.count == 1 ? value : try look(up: name, in: value)
        }
        if options.unknownNames == .empty { return .nothing }
        let known = contexts.flatMap { context -> [String] in
            guard case .object(let members) = context else { return [] }
            return Array(members.keys)
        }
        throw error(name, "'\(first)' is unknown here" + suggestion(for: first, from: known))
    }

    /// Looks up the remaining parts of a dotted name in the value of its first part.
    private func look(up name: Template.Name, in value: TemplateValue) throws(TemplateError) -> TemplateValue {
        var value = value
        for part in name.parts.dropFirst() {
            if case .object(let members) = value, let member = members[part] {
                value = member
                continue
            }
            if options.unknownNames == .empty { return .nothing }
            guard case .object(let members) = value else {
                throw error(
                    name,
                    "'\(part)' is unknown in '\(name.text)', because the name before it has a value without names"
                )
            }
            throw error(name, "'\(part)' is unknown in '\(name.text)'" + suggestion(for: part, from: members.keys))
        }
        return value
    }

    private func error(_ name: Template.Name, _ message: String) -> TemplateError {
        source.error(at: name.offset, message)
    }

    private func suggestion(for name: String, from known: some Sequence<String>) -> String {
        EditDistance.suggestion(for: name, from: known).map { "; did you mean '\($0)'?" } ?? ""
    }

    // MARK: Output

    /// Appends text.
    ///
    /// Lines of the template are indented, lines inside values are not.
    private mutating func write(_ text: String, isTemplateText: Bool) {
        guard !indentation.isEmpty else {
            output += text
            return
        }
        for character in text {
            if isAtLineStart, !character.isNewline { output += indentation }
            output.append(character)
            isAtLineStart = isTemplateText && character.isNewline
        }
    }

    private static func escapedForHTML(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// A value for rendering a template.
///
/// A number is given as a text.
enum TemplateValue: Sendable {
    case text(String)
    case flag(Bool)
    case list([TemplateValue])
    case object([String: TemplateValue])
    /// The value of a name without a value: an empty text, and false.
    case nothing

    /// A list of texts.
    static func texts(_ texts: [String]) -> TemplateValue { .list(texts.map { .text($0) }) }

    /// Whether a section with the value is rendered.
    var isTruthy: Bool {
        switch self {
        case .text(let text): !text.isEmpty
        case .flag(let flag): flag
        case .list(let elements): !elements.isEmpty
        case .object: true
        case .nothing: false
        }
    }
}

extension TemplateValue: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .text(value) }
}

extension TemplateValue: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension TemplateValue: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (String, TemplateValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}
