/// The lines that values are printed as, in one form: `CachedList<Blog.Post>("home"): 40 entities`.
///
/// It takes texts and numbers, so that no code is specialized for the types of entities.
package enum Summary {
    /// The longest line, in characters.
    static let longestLine = 200

    /// A line with a type, an identifier in parentheses, and facts after a colon, without those that are `nil`.
    package static func line(_ type: String, _ identifier: String? = nil, _ facts: [String?] = []) -> String {
        let facts = facts.compactMap { $0 }.joined(separator: ", ")
        let line = type + (identifier.map { "(\($0))" } ?? "") + (facts.isEmpty ? "" : ": " + facts)
        return oneLine(line, atMost: longestLine)
    }

    /// The qualified name of a generic type as it is written, with the argument that matters: `CachedList<Blog.Post>`.
    package static func name(_ type: String, of argument: any Any.Type) -> String {
        "\(type)<\(argument == Void.self ? "Void" : String(reflecting: argument))>"
    }

    /// A number with its noun: `1 entity`, `1,204 entities`.
    package static func count(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(number(count)) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// A number with its noun, or `nil` if it is zero.
    package static func some(_ count: Int, _ noun: String, _ plural: String? = nil) -> String? {
        count == 0 ? nil : self.count(count, noun, plural)
    }

    package static func entities(_ count: Int) -> String { self.count(count, "entity", "entities") }

    /// The first texts, and the number of others: `a, b and 3 more`.
    package static func list(_ count: Int, _ texts: some Sequence<String>, limit: Int) -> String {
        let named = texts.prefix(limit).joined(separator: ", ")
        return count > limit ? "\(named) and \(number(count - limit)) more" : named
    }

    /// A text without line breaks, cut to a number of characters.
    package static func oneLine(_ text: String, atMost limit: Int) -> String {
        // The text of a large value is cut before it is split.
        let isLong = text.count > limit
        let shown = isLong ? text.prefix(limit - 1) : text[...]
        return shown.split(whereSeparator: \.isNewline).joined(separator: " ") + (isLong ? "…" : "")
    }

    /// A value inside a line, such as the operand of a condition.
    static func value(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return oneLine(String(reflecting: value), atMost: 40) }
        return mirror.children.first.map { self.value($0.value) } ?? "nil"
    }

    /// The name of a key path as it is printed, without addresses: `\Post.title`, `\Post.<computed>`.
    static func path(_ path: AnyKeyPath) -> String {
        var rest = String(describing: path)[...]
        var text = ""
        while let start = rest.firstRange(of: "<computed "), let end = rest[start.upperBound...].firstRange(of: ")>") {
            text += rest[..<start.lowerBound] + "<computed>"
            rest = rest[end.upperBound...]
        }
        return text + rest
    }

    /// A number in groups of three digits: `1,204`.
    static func number(_ number: Int) -> String {
        let digits = String(number.magnitude)
        let groups = digits.enumerated().map { place, digit in
            place > 0 && (digits.count - place).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
        }
        return (number < 0 ? "-" : "") + groups.joined()
    }
}
