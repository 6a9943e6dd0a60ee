/// An error or a note at a location in a source file, printed in the form that compilers use.
///
///     Models/Post.swift:5:9: error: 'Authr' is not a type of this target; did you mean 'Author'?
///
/// It is a class for the same reason as ``PropertyDeclaration``.
package final class Diagnostic: Error, Sendable, CustomStringConvertible {
    /// The effect of a diagnostic.
    package enum Level: String, Sendable {
        /// Nothing is generated.
        case error
        /// The code is valid, but has a consequence that is easy to miss.
        case note
    }

    package let level: Level
    package let location: SourceLocation
    /// The problem, then the remedy after a semicolon, in one sentence without a final full stop.
    package let message: String

    init(_ location: SourceLocation, _ message: String, level: Level = .error) {
        self.level = level
        self.location = location
        self.message = message
    }

    /// The path of the file.
    package var path: String { location.path }

    package var description: String { "\(location): \(level): \(message)" }
}

/// The edit distance of words, for suggestions.
package enum EditDistance {
    /// The number of letters to insert, delete, replace or swap with a neighbour to turn one word into the other.
    static func between(_ first: String, _ second: String) -> Int {
        let first = Array(first.unicodeScalars)
        let second = Array(second.unicodeScalars)
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in 1..<(first.count + 1) {
            var current = [row]
            for column in 1..<(second.count + 1) {
                let isSame = first[row - 1] == second[column - 1]
                var best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
                    best = min(best, beforeLast[column - 2] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[second.count]
    }

    /// The candidate that a misspelled word most likely means, or `nil` when no candidate is similar.
    package static func suggestion(for word: String, from candidates: some Sequence<String>) -> String? {
        suggestions(for: word, from: candidates).first
    }

    /// The candidates that a misspelled word most likely means, all with the same distance, sorted; empty when no
    /// candidate is similar.
    @_optimize(none)
    package static func suggestions(for word: String, from candidates: some Sequence<String>) -> [String] {
        let limit = word.count <= 3 ? 1 : max(2, word.count / 4)
        let near = candidates.map { ($0, between(word.lowercased(), $0.lowercased())) }.filter { $0.1 <= limit }
        let least = near.map(\.1).min()
        return near.filter { $0.1 == least }.map(\.0).sorted()
    }
}

/// The errors of reading a file and its annotations.
extension Diagnostic {
    /// The error of a literal or comment that hides the rest of the file.
    static func unterminated(_ text: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "unterminated \(text), which would hide annotations after it; terminate it")
    }

    static func unclosedBrace(at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'{' is not closed; write the missing '}'")
    }

    static func strayBrace(at location: SourceLocation) -> Diagnostic {
        Diagnostic(location, "'}' has no matching '{'; remove it, or write the missing '{'")
    }

    /// The error of a type inside more other types than the compiler allows.
    static func nesting(of type: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            location,
            "'\(type)' is inside \(TypeDeclaration.greatestLevel) other types, and Swift allows one less; "
                + "move it out of some"
        )
    }

    /// The error of a comment that can't be read as an annotation.
    @_optimize(none)
    static func unreadable(
        _ error: AnnotationError,
        _ keyword: AnnotationKeyword,
        at comment: SourceLocation
    ) -> Diagnostic {
        switch error {
        case .wrongCase(let written):
            Diagnostic(comment, "'\(written)' looks like an annotation; write '\(keyword):' in lower case")
        case .nearMiss(let written, nil):
            Diagnostic(comment, "'\(written)' looks like an annotation; did you mean '\(keyword):'?")
        case .nearMiss(let written, let type?):
            Diagnostic(comment, "'\(written)' looks like an annotation; write '// \(keyword): \(type)'")
        case .confusable(let written):
            Diagnostic(
                comment,
                "'\(written)' contains letters of another alphabet that look like Latin ones; type '\(keyword):' again"
            )
        case .invisible(let scalar, let location):
            Diagnostic(
                location,
                "annotation contains \(codePoint(of: scalar)), which is invisible or looks like a space; "
                    + "remove it, or type a space instead"
            )
        case .missingTarget(let location):
            Diagnostic(location, "the related type is missing; write '// relationship: Type'")
        case .invalidTarget(let written, let phrase):
            Diagnostic(
                phrase.location,
                "'\(written)' is not the name of a type; write the type of one entity, as in '// relationship: Author'"
            )
        case .unknownKey(let written, let suggestion, let location):
            Diagnostic(
                location,
                "'\(written)' is not a key of an annotation"
                    + (suggestion.map { "; did you mean '\($0)'?" } ?? "; the keys are \(keys)")
            )
        case .missingComma(let key, let location):
            Diagnostic(location, "a comma is missing before '\(key)'; write ', \(key)'")
        case .missingKey(let location):
            Diagnostic(location, "no key follows this comma; remove the comma, or write a key after it")
        case .missingValue(let key, let location):
            Diagnostic(location, "the value of '\(key)' is missing; write '\(key): …'")
        case .unneededThrowing(let location):
            Diagnostic(
                location,
                "'throwing' is not a key any more; remove it, and call 'require(\\.name)', which throws for every relationship"
            )
        case .invalidValue("sorted", let written, let location):
            Diagnostic(
                location,
                "'\(written)' is not a name; write a property of the type with the annotation after 'sorted:'"
            )
        case .invalidValue("inverse", let written, let location):
            Diagnostic(
                location,
                "'\(written)' is not a name; write a property of the related type after 'inverse:', without the type"
            )
        case .invalidValue("delete", let written, let location):
            unknownDeleteRule(written, nil, at: location)
        case .unknownDeleteRule(let written, let suggestion, let location):
            unknownDeleteRule(written, suggestion, at: location)
        case .invalidValue(let key, let written, let location):
            Diagnostic(location, "'\(written)' is not a name; write a Swift identifier after '\(key):'")
        case .duplicateKey(let key, let location):
            Diagnostic(location, "'\(key)' is written twice; write it once")
        case .unknownIndex, .unknownIndexKey, .valueOfUnique: unreadableIndex(error, at: comment)
        case .unexpectedText(let written, let location) where keyword == .cache:
            Diagnostic(
                location,
                "'\(written)' is neither a key nor prose; write the key as ', unique', and prose after ' - '"
            )
        case .unexpectedText(let written, let location), .unexpectedWord(let written, let location, _):
            Diagnostic(
                location,
                "'\(written)' is neither a key nor prose; write keys as ', name: …', and prose after ' - '"
            )
        }
    }

    private static var keys: String { AnnotationParser.keys.map { "'\($0)'" }.joined(separator: ", ") }

    private static func codePoint(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func notLineComment(
        _ payload: AnnotationPayload,
        _ keyword: AnnotationKeyword,
        at comment: SourceLocation
    ) -> Diagnostic {
        Diagnostic(comment, "annotation must be a '//' comment; write '// \(keyword): \(payload.target)'")
    }

    /// The error of an annotation that is attached to no declaration.
    static func unattached(_ reason: Annotation.UnattachedReason, at comment: SourceLocation) -> Diagnostic {
        let found =
            switch reason {
            case .blankLine: "it is followed by a blank line"
            case .endOfScope: "no declaration follows in its scope"
            case .endOfFile: "no declaration follows"
            case .trailingOther: "no property is declared on its line"
            }
        return Diagnostic(
            comment,
            "annotation is not attached to a property: \(found); "
                + "write it directly above a stored property, or after it on its line"
        )
    }

    /// The error of an annotation that is attached to a declaration without relationships.
    @_optimize(none)
    static func unsuitable(
        _ declaration: Annotation.UnsuitableDeclaration,
        _ keyword: AnnotationKeyword,
        at comment: SourceLocation
    ) -> Diagnostic {
        let found =
            switch declaration {
            case .computedProperty(let name): "'\(name)' is computed"
            case .staticProperty(let name): "'\(name)' is static"
            case .localVariable(let name): "'\(name)' is a local variable"
            case .protocolRequirement(let name): "'\(name)' is a requirement of a protocol"
            case .globalVariable(let name): "'\(name)' is a global variable"
            case .severalBindings(let names):
                "\(names.map { "'\($0)'" }.joined(separator: ", ")) are declared together; declare each on its own"
            case .tuplePattern: "a tuple pattern declares several properties; declare each on its own"
            case .enumCase(let name) where keyword == .cache: "'\(name)' is a case"
            case .enumCase(let name): "the case '\(name)' has no associated value"
            case .severalCases(let names):
                "the cases \(names.map { "'\($0)'" }.joined(separator: ", ")) are declared together; declare each on its own"
            case .partOfCase: "it is among the associated values of a case; write it above the case"
            case .declaration(let keyword, let name):
                name.isEmpty ? "'\(keyword)' follows" : "'\(keyword) \(name)' follows"
            case .partOfAttribute: "it is inside an attribute or a modifier"
            case .statement: "a statement follows"
            }
        let needed = keyword == .cache ? "" : " or a case of an enum"
        return Diagnostic(comment, "annotation needs a stored property of a struct\(needed): \(found)")
    }
}
