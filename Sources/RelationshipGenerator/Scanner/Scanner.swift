/// Reads Swift source text: which types, stored properties and imports it declares, and which annotations it carries.
///
///     source text → tokens and comments → declarations → annotations with what they stand on
///
/// The scanner knows the lexical structure of Swift and its declarations, and nothing of expressions. Time and memory are
/// linear in the length of the text, whatever its bytes are.
package enum Scanner {
    /// Scans one file.
    ///
    /// - Parameters:
    ///   - text: The bytes of the file, which should be UTF-8.
    ///   - path: The path to print in messages.
    /// - Returns: What was found; a file that can't be understood gives fewer declarations, not an error.
    /// - Complexity: O(*n*) for *n* bytes.
    package static func scan(_ text: [UInt8], path: String) -> ScannedFile {
        SourceText.with(text) { scan($0, path: path) }
    }

    private static func scan(_ source: SourceText, path: String) -> ScannedFile {
        var parser = DeclarationParser(source, path: path)
        parser.parse()
        if !parser.recovery.isNeedless { recover(&parser, source, path: path) }
        var file = parser.file
        let comments = parser.lexer.comments
        guard !comments.isEmpty else { return file }
        let attachment = AnnotationAttachment(source, parser.items, insides: parser.insides)
        for comment in comments {
            guard let beginning = AnnotationRecognizer.beginning(of: comment.range, in: source) else { continue }
            file.annotations.append(
                Annotation(
                    text: source.text(comment.range),
                    style: comment.style,
                    location: source.location(of: comment.range.lowerBound),
                    payload: AnnotationParser.parse(comment, beginning, in: source),
                    attachment: attachment.attachment(of: comment)
                )
            )
        }
        if let (what, offset) = parser.lexer.unterminated {
            file.diagnostics.append(
                Diagnostic(
                    path: path,
                    location: source.location(of: offset),
                    message: "this \(what) does not end, and would hide annotations behind it"
                )
            )
        }
        return file
    }

    /// Reads a file again whose braces don't match, and keeps what is wrong with them.
    private static func recover(_ parser: inout DeclarationParser, _ source: SourceText, path: String) {
        guard parser.lexer.unterminated == nil else { return }
        var second = DeclarationParser(source, path: path)
        second.recovery.isOn = true
        second.parse()
        // Where indentation finds another mistake than the braces have, it tells nothing.
        let isClear = second.recovery.isClear && second.recovery.isSame(as: parser.recovery)
        if isClear { parser = second }
        let (offset, message) =
            if let offset = parser.recovery.unclosed {
                (offset, "this '{' is never closed; write '}' where what it opens ends")
            } else {
                (
                    parser.recovery.stray ?? 0,
                    "this '}' closes nothing; remove it, or write '{' where what it ends begins"
                )
            }
        let diagnostic = Diagnostic(path: path, location: source.location(of: offset), message: message)
        parser.file.mismatch = BraceMismatch(diagnostic: diagnostic, isClear: isClear)
    }
}
