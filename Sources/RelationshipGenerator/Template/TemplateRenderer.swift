/// Renders the nodes of a template.
struct TemplateRenderer {
    let partials: [String: Template]
    private(set) var output = ""
    /// What partials put before each of their lines.
    private var indentation = ""
    private var isAtLineStart = true
    private var depth = 0

    init(partials: [String: Template]) {
        self.partials = partials
    }

    /// Renders nodes with a stack of contexts, of which the last is searched first.
    mutating func render(_ nodes: [Template.Node], _ contexts: [TemplateValue]) throws(TemplateError) {
        for node in nodes {
            switch node {
            case .text(let text): write(text, isTemplateText: true)
            case .variable(let name): write(try text(of: name, contexts), isTemplateText: false)
            case .section(let name, let nodes, let isInverted):
                let value = try look(up: name, contexts)
                guard value.isTruthy != isInverted else { continue }
                switch value {
                case .list(let elements) where !isInverted:
                    for element in elements { try render(nodes, contexts + [element]) }
                case .flag: try render(nodes, contexts)
                default: try render(nodes, isInverted ? contexts : contexts + [value])
                }
            case .partial(let name, let indentation):
                try renderPartial(name, indentation, contexts)
            }
        }
    }

    private mutating func renderPartial(
        _ name: Template.Name,
        _ added: String,
        _ contexts: [TemplateValue]
    ) throws(TemplateError) {
        guard let partial = partials[name.text] else {
            throw name.error("there is no template '\(name.text)' to include")
        }
        guard depth < 100 else { throw name.error("'\(name.text)' includes itself without end") }
        depth += 1
        let outer = indentation
        indentation += added
        if !added.isEmpty { isAtLineStart = true }
        try render(partial.nodes, contexts)
        indentation = outer
        depth -= 1
    }

    private func text(of name: Template.Name, _ contexts: [TemplateValue]) throws(TemplateError) -> String {
        switch try look(up: name, contexts) {
        case .text(let text): return text
        case .flag(let flag): return flag ? "true" : "false"
        case .list, .object: throw name.error("'\(name.text)' is not a text; use it as a section: {{#\(name.text)}}")
        }
    }

    private func look(up name: Template.Name, _ contexts: [TemplateValue]) throws(TemplateError) -> TemplateValue {
        guard let first = name.path.first else { return contexts[contexts.count - 1] }
        for context in contexts.reversed() {
            guard case .object(let members) = context, var value = members[first] else { continue }
            for part in name.path.dropFirst() {
                guard case .object(let members) = value, let member = members[part] else {
                    throw name.error("'\(part)' is unknown in '\(name.text)'")
                }
                value = member
            }
            return value
        }
        throw name.error("'\(name.text)' is unknown here" + suggestion(for: first, contexts))
    }

    private func suggestion(for name: String, _ contexts: [TemplateValue]) -> String {
        let names = contexts.flatMap { context -> [String] in
            guard case .object(let members) = context else { return [] }
            return Array(members.keys)
        }
        return EditDistance.suggestion(for: name, from: names).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Adds text; only lines of the template are indented, not those inside of values.
    private mutating func write(_ text: String, isTemplateText: Bool) {
        guard !indentation.isEmpty else {
            output += text
            return
        }
        for character in text {
            if isAtLineStart { output += indentation }
            output.append(character)
            isAtLineStart = isTemplateText && character.isNewline
        }
    }
}
