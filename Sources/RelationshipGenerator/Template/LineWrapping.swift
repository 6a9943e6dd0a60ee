/// Wraps generated lines that are too long for a review.
enum LineWrapping {
    /// The maximum number of characters in a line.
    static let limit = 120

    /// Returns a text with long documentation comments and one-line bodies wrapped.
    ///
    /// Other long lines are kept, because names can have any length. Lines whose layout has a meaning are kept, too:
    /// multi-line string literals, and documentation with tables or indented code.
    ///
    /// - Complexity: O(*n*) for *n* bytes.
    static func wrapped(_ text: String) -> String {
        var isInString = false
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { line in
                let wasInString = isInString
                if line.ranges(of: "\"\"\"").count % 2 == 1 { isInString.toggle() }
                guard line.utf8.count > limit, line.count > limit, !wasInString, !isInString else {
                    return [String(line)]
                }
                return wrapped(line: line)
            }
            .joined(separator: "\n")
    }

    /// The words of which one precedes a body.
    private static let heads: Set = ["var", "func", "get", "set"]

    private static func wrapped(line: Substring) -> [String] {
        let indentation = String(line.prefix { $0 == " " })
        let content = line.dropFirst(indentation.count)
        if content.hasPrefix("/// ") { return comment(content.dropFirst(4), indentation) ?? [String(line)] }
        return body(in: content, indentation) ?? head(in: content, indentation) ?? [String(line)]
    }

    /// The lines of a documentation comment.
    ///
    /// - Returns: `nil` where it isn't plain text.
    private static func comment(_ text: Substring, _ indentation: String) -> [String]? {
        guard !text.hasPrefix(" "), !text.hasPrefix("|") else { return nil }
        var lines: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let last = lines.last, last.count + 1 + word.count <= limit {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("\(indentation)/// \(word)")
            }
        }
        return lines
    }

    /// A declaration with its body on separate lines: `var author: Author? { … }`.
    ///
    /// - Returns: `nil` where there is no such declaration. A brace after a quotation mark may be part of a string.
    @_optimize(none)
    private static func body(in declaration: Substring, _ indentation: String) -> [String]? {
        let openings = declaration.ranges(of: " { ").lazy.map {
            (declaration[..<$0.lowerBound], declaration[$0.upperBound...])
        }
        // A name in backticks can contain braces.
        guard declaration.hasSuffix(" }"), !declaration.contains("//"),
            let (head, body) = openings.first(where: { head, _ in head.count { $0 == "`" } % 2 == 0 }),
            !head.contains("\""), head.split(separator: " ").contains(where: { heads.contains(String($0)) })
        else { return nil }
        return ["\(indentation)\(head) {", "\(indentation)    \(body.dropLast(2))", "\(indentation)}"]
    }

    /// The head of a function with its parameters on a separate line: `func setAuthor(…) throws {`.
    ///
    /// - Returns: `nil` where there is no such head, or where quotation marks and backticks make the position of the
    ///   parameters ambiguous.
    @_optimize(none)
    private static func head(in declaration: Substring, _ indentation: String) -> [String]? {
        guard declaration.hasSuffix(" {"), let function = declaration.firstRange(of: "func "),
            !declaration[function.upperBound...].contains(where: { $0 == "\"" || $0 == "`" }),
            let open = declaration[function.upperBound...].firstIndex(of: "(")
        else { return nil }
        var depth = 0
        let close = declaration[open...].firstIndex { character in
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            return depth == 0
        }
        guard let close, declaration.index(after: open) < close else { return nil }
        return [
            "\(indentation)\(declaration[...open])",
            "\(indentation)    \(declaration[declaration.index(after: open)..<close])",
            "\(indentation)\(declaration[close...])",
        ]
    }
}
