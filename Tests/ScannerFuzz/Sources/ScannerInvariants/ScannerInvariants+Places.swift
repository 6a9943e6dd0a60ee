@testable import RelationshipGenerator

/// Where things are.
extension ScannerInvariants {
    static func checkLocations(_ file: ScannedFile, in text: PlacedText) throws(Violation) {
        for type in file.types {
            try checkLocation(type.location, in: text, "the type '\(type.name)'")
            for property in type.properties {
                try checkLocation(property.location, in: text, "the property '\(property.name)'")
            }
            for member in type.memberNames {
                try checkLocation(member.location, in: text, "the member '\(member.name)'")
            }
        }
        for declaration in file.imports { try checkLocation(declaration.location, in: text, "an import") }
        for diagnostic in file.diagnostics { try checkLocation(diagnostic.location, in: text, "an error") }
    }

    static func checkLocation(_ location: SourceLocation, in text: PlacedText, _ what: String) throws(Violation) {
        try require(location.offset >= 0 && location.offset <= text.bytes.count) { "\(what) is outside of the text" }
        let (line, column) = text.places[location.offset]
        try require(location.line == line && location.column == column) {
            "\(what) is at \(line):\(column), not at \(location.line):\(location.column)"
        }
    }

    static func checkAnnotations(_ file: ScannedFile, in text: PlacedText) throws(Violation) {
        var end = 0
        for annotation in file.annotations {
            try checkLocation(annotation.location, in: text, "the annotation '\(annotation.text)'")
            let start = annotation.location.offset
            try require(start >= end) { "annotations overlap at \(start)" }
            // What isn't UTF-8 is replaced by something longer.
            let rest = String(decoding: text.bytes[start...].prefix(annotation.text.utf8.count), as: UTF8.self)
            try require(rest.hasPrefix(annotation.text) || annotation.text.contains("\u{FFFD}")) {
                "'\(annotation.text)' is not what stands at \(start)"
            }
            try require(annotation.text.hasPrefix("//") || annotation.text.hasPrefix("/*")) {
                "'\(annotation.text)' is no comment"
            }
            end = start + 2
            guard case .success(let payload) = annotation.payload else { continue }
            try checkLocation(payload.targetLocation, in: text, "the related type '\(payload.target)'")
            try require(payload.targetLocation.offset >= end) { "'\(payload.target)' is before its annotation" }
        }
    }

    /// All bytes belong to a token or a comment, or are white space.
    static func checkTokens(_ text: [UInt8]) throws(Violation) {
        // What version control left of a conflict is skipped without a trace.
        let string = String(decoding: text, as: UTF8.self)
        if string.contains("<<<<<<<") || string.contains(">>>>") { return }
        let violation: Violation? = SourceText.with(text) { source in
            var lexer = Lexer(source) { _, _ in true }
            var end = lexer.offset
            var comment = 0
            var token = Token()
            while true {
                lexer.next(&token)
                if token.start < end { return Violation(description: "tokens overlap at \(token.start)") }
                while comment < lexer.comments.count, lexer.comments[comment].range.lowerBound < token.start {
                    let range = lexer.comments[comment].range
                    if let gap = gap(in: text, end, range.lowerBound) { return gap }
                    end = range.upperBound
                    comment += 1
                }
                if let gap = gap(in: text, end, token.start) { return gap }
                if case .endOfFile = token.kind { return nil }
                if token.end <= token.start || token.end > text.count {
                    return Violation(description: "the token at \(token.start) ends at \(token.end)")
                }
                while comment < lexer.comments.count { comment += 1 }
                end = token.end
            }
        }
        if let violation { throw violation }
    }

    /// What is neither white space nor part of a token or a comment.
    private static func gap(in text: [UInt8], _ start: Int, _ end: Int) -> Violation? {
        guard start < end else { return nil }
        // What isn't UTF-8 is replaced by U+FFFD, which means nothing either.
        let lost = String(decoding: text[start..<end], as: UTF8.self).unicodeScalars.first { scalar in
            scalar.isASCII ? scalar.value > 0x20 && scalar.value != 0x7F : !ScalarClass.isSpace(scalar.value)
        }
        return lost.map { Violation(description: "'\($0)' behind \(start) is lost") }
    }
}
