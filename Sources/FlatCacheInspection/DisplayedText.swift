/// Texts of a store may have any characters, which must not break lines or control a terminal.
extension String {
    /// The text without characters that can't be seen, and in quotation marks if it is empty.
    var escapedForDisplay: String {
        if isEmpty { return "\"\"" }
        return escaping {
            $0 == "\\" ? "\\\\" : "\\u{\(String($0.value, radix: 16))}"
        } where: { scalar in
            scalar == "\\" || !scalar.isVisible
        }
    }

    /// The JSON document with escapes instead of characters that can't be seen.
    ///
    /// Those outside ASCII are in strings.
    var escapedAsJSON: String {
        escaping { scalar in
            String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        } where: { scalar in
            scalar.value >= 0x7F && !scalar.isVisible
        }
    }

    private func escaping(
        _ escape: (Unicode.Scalar) -> String,
        where isEscaped: (Unicode.Scalar) -> Bool
    ) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// The text as it follows a colon.
    var withLowercasedFirstLetter: String { prefix(1).lowercased() + dropFirst() }
}

extension Unicode.Scalar {
    /// Whether the character is a letter, a sign or a space.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}

/// A number with its noun.
func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
}
