/// What a template is rendered with.
package enum TemplateValue: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    case text(String)
    case flag(Bool)
    case list([TemplateValue])
    case object([String: TemplateValue])

    package init(stringLiteral value: String) { self = .text(value) }

    package init(booleanLiteral value: Bool) { self = .flag(value) }

    /// A list of texts.
    package static func texts(_ texts: [String]) -> TemplateValue { .list(texts.map { .text($0) }) }

    /// Whether a section of the value is rendered.
    var isTruthy: Bool {
        switch self {
        case .flag(let flag): flag
        case .list(let elements): !elements.isEmpty
        case .text, .object: true
        }
    }
}
