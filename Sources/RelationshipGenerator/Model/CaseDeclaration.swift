/// A case of an enum that is declared on its own and has associated values.
struct CaseDeclaration: Sendable {
    /// The name, backticks removed.
    let name: String
    /// The associated values in parentheses, white space and comments normalised: `(id: User.ID)`.
    let associatedValues: String
    /// Whether the case itself is `indirect`.
    var isIndirect = false
    /// The `@available` attributes of the case, as written.
    var availability: [String] = []
    /// The `#if` branches around the case inside its enum, outermost first, without the branches around the enum.
    var conditions: [ConditionalBranch] { enclosing?.branches ?? [] }
    var enclosing: EnclosingBranches?
    var location: SourceLocation
}

extension CaseDeclaration {
    /// An associated value: its label, or `nil`, and its type.
    struct Value {
        let label: String?
        var type: String
    }

    /// The associated values, without their default values.
    var values: [Value] {
        let pieces = Self.split(associatedValues.dropFirst().dropLast(), at: ",").filter { !$0.isEmpty }
        return pieces.map { piece in
            let declared = Self.split(piece, at: "=")[0]
            let parts = Self.split(declared, at: ": ")
            guard parts.count == 2 else { return Value(label: nil, type: Self.trimmed(declared)) }
            let label = Self.split(parts[0].drop { $0 == " " }, at: " ")[0]
            return Value(label: label == "_" ? nil : String(label), type: Self.trimmed(parts[1]))
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// The pieces of a text between separators that are not in brackets, angles, backticks or string literals.
    private static func split(_ text: Substring, at separator: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var depth = 0
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case "`", "\"": quote = character
            case "[", "(", "<", "{": depth += 1
            // The angle of an arrow closes nothing.
            case ">" where index > text.startIndex && text[text.index(before: index)] == "-": break
            case "]", ")", ">", "}": depth -= 1
            default: break
            }
            guard depth == 0, text[index...].hasPrefix(separator) else { continue }
            pieces.append(text[start..<index])
            start = text.index(index, offsetBy: separator.count)
        }
        return pieces + [text[start...]]
    }
}
