/// String literals of one line.
package enum StringLiteral {
    /// The value of a literal.
    ///
    /// - Parameter literal: The literal as written, with its delimiters.
    /// - Returns: `nil` for a literal with several lines, an interpolation or an invalid escape sequence.
    @_optimize(none)
    static func value(of literal: String) -> String? {
        let pounds = literal.prefix { $0 == "#" }
        let quoted = literal.dropFirst(pounds.count).dropLast(pounds.count)
        guard quoted.count >= 2, quoted.first == "\"", quoted.last == "\"", !quoted.contains(where: \.isNewline) else {
            return nil
        }
        var rest = quoted.dropFirst().dropLast()
        var value = ""
        while let escape = rest.firstRange(of: "\\" + pounds) {
            value += rest[..<escape.lowerBound]
            rest = rest[escape.upperBound...]
            guard let character = escaped(&rest) else { return nil }
            value.unicodeScalars.append(character)
        }
        return value + rest
    }

    /// Removes the rest of an escape sequence after its backslash, and returns the character that it stands for.
    @_optimize(none)
    private static func escaped(_ rest: inout Substring) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "0": return "\0"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "\"": return "\""
        case "'": return "'"
        case "\\": return "\\"
        case "u":
            guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
            let number = UInt32(rest[..<end], radix: 16)
            rest = rest[end...].dropFirst()
            return number.flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }

    /// The literal with a value.
    package static func literal(of value: String) -> String {
        var literal = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\0"..<" ", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}":
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
