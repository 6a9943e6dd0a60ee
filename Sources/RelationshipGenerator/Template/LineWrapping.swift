/// Wraps generated lines that are too long to review.
enum LineWrapping {
    /// The most characters of a line.
    static let limit = 120

    /// A text whose long documentation comments and one-line bodies are wrapped.
    ///
    /// Other long lines stay: names can be as long as one likes.
    ///
    /// - Complexity: O(*n*) for *n* bytes.
    static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { $0.utf8.count > limit && $0.count > limit ? wrapped(line: $0) : [String($0)] }
            .joined(separator: "\n")
    }

    private static func wrapped(line: Substring) -> [String] {
        let indentation = String(line.prefix { $0 == " " })
        let content = line.dropFirst(indentation.count)
        if content.hasPrefix("/// ") { return comment(content.dropFirst(4), indentation) }
        return body(in: content, indentation) ?? [String(line)]
    }

    private static func comment(_ text: Substring, _ indentation: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= limit {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("\(indentation)/// \(word)")
            }
        }
        return lines
    }

    /// A declaration with a body on lines of its own: `var author: Author? { … }`.
    ///
    /// - Returns: `nil` where that isn't one. A brace behind a quotation mark may be part of a string.
    private static func body(in declaration: Substring, _ indentation: String) -> [String]? {
        guard declaration.hasSuffix(" }"), let open = declaration.firstRange(of: " { "),
            !declaration[..<open.lowerBound].contains("\"")
        else { return nil }
        return [
            "\(indentation)\(declaration[..<open.lowerBound]) {",
            "\(indentation)    \(declaration[open.upperBound...].dropLast(2))",
            "\(indentation)}",
        ]
    }
}
