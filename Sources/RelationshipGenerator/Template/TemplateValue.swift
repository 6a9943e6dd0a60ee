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
