/// Scans Swift source text for types, stored properties, imports and annotations.
///
///     source text → tokens and comments → declarations → annotations attached to declarations
///
/// The scanner knows the lexical structure of Swift and its declarations, but not its expressions. Time and memory are
/// linear in the length of the text, for any bytes.
enum Scanner {
    /// Scans one file.
    ///
    /// - Parameters:
    ///   - text: The bytes of the file, which should be UTF-8.
    ///   - path: The path to print in messages.
    /// - Returns: The declarations and annotations. A file that can't be understood has fewer of them; this is no
    ///   error.
    /// - Complexity: O(*n*) for *n* bytes.
    static func scan(_ text: [UInt8], path: String) -> ScannedFile {
        SourceText.with(text, path: path) { scan($0, path: path) }
    }

    private static func scan(_ source: SourceText, path: String) -> ScannedFile {
        var parser = DeclarationParser(source, path: path)
        parser.parse()
        if !parser.recovery.isNeedless { recover(&parser, source, path: path) }
        let file = parser.file
        if let type = file.types.first(where: { $0.level > TypeDeclaration.greatestLevel }) {
            file.types = []
            file.diagnostics.append(.nesting(of: type.name, at: type.location))
            return file
        }
        let comments = parser.lexer.comments
        guard !comments.isEmpty else { return file }
        let attacher = AnnotationAttacher(source, parser.items, insides: parser.insides)
        for comment in comments {
            file.add(comment, attachedTo: attacher.attachment(of: comment), in: source)
        }
        if let (what, offset) = parser.lexer.unterminated {
            file.diagnostics.append(.unterminated(what, at: source.location(of: offset)))
        }
        return file
    }

    /// Parses a file with unmatched braces again, and adds the error.
    @_optimize(none)
    private static func recover(_ parser: inout DeclarationParser, _ source: SourceText, path: String) {
        guard parser.lexer.unterminated == nil else { return }
        var second = DeclarationParser(source, path: path)
        second.recovery.isOn = true
        second.parse()
        // If indentation finds another error than the braces have, it can't be trusted.
        let isClear = second.recovery.isClear && second.recovery.isSame(as: parser.recovery)
        if isClear { parser = second }
        let diagnostic: Diagnostic =
            if let offset = parser.recovery.unclosed {
                .unclosedBrace(at: source.location(of: UnclosedBrace.first(from: offset, in: source)))
            } else {
                .strayBrace(at: source.location(of: parser.recovery.stray ?? 0))
            }
        parser.file.mismatch = BraceMismatch(diagnostic: diagnostic, isClear: isClear)
    }
}

extension ScannedFile {
    /// Adds a comment that is an annotation, or may be meant as one.
    @_optimize(none)
    fileprivate func add(
        _ comment: Comment,
        attachedTo attachment: Annotation.Attachment,
        in source: SourceText
    ) {
        guard let beginning = AnnotationRecognizer.beginning(of: comment.range, in: source) else { return }
        let location = source.location(of: comment.range.lowerBound)
        func annotation(
            _ payload: Result<AnnotationPayload, AnnotationError>,
            _ keyword: AnnotationKeyword = .relationship
        ) -> Annotation {
            Annotation(
                text: source.text(comment.range),
                keyword: keyword,
                style: comment.style,
                location: location,
                payload: payload,
                attachment: attachment
            )
        }
        switch beginning {
        case .exact(let payload, let keyword):
            let parsed = AnnotationParser.parse(from: payload, behind: keyword, in: comment, of: source)
            annotations.append(annotation(parsed, keyword))
        case .invisible(let scalar):
            annotations.append(annotation(.failure(.invisible(scalar, location: location))))
        case .possible(let error, let name, let evidence):
            let keyword: AnnotationKeyword = evidence == .variable ? .cache : .relationship
            possibleAnnotations.append(
                PossibleAnnotation(annotation: annotation(.failure(error), keyword), name: name, evidence: evidence)
            )
        }
    }
}

/// Finds the unclosed brace in a body that ends too late.
///
/// The declaration whose body ends too late is known (``DeclarationParser/Recovery``), but the missing brace may belong
/// deeper, after a condition or a closure. A closing brace that is first on its line has the indentation of the line
/// with its opening brace. Open braces between the two are unclosed.
struct UnclosedBrace {
    private let source: SourceText
    /// The open braces with the indentations of their lines.
    private var open: [(offset: Int, indentation: Int)]
    /// The number of open `#if` chains.
    private var chains = 0

    /// Returns the first unclosed brace.
    ///
    /// - Parameter body: The offset of the body that ends too late.
    /// - Returns: The offset of the body if no brace in it is found to be unclosed.
    /// - Complexity: O(*n*) for *n* bytes of source.
    static func first(from body: Int, in source: SourceText) -> Int {
        var search = UnclosedBrace(source, body)
        return search.run(from: body) ?? body
    }

    private init(_ source: SourceText, _ body: Int) {
        self.source = source
        open = []
        open.append((body, indentation(of: body)))
    }

    @_optimize(none)
    private mutating func run(from body: Int) -> Int? {
        var lexer = Lexer(source, keeping: { _, _ in false })
        var token = Token()
        repeat { lexer.next(&token) } while token.start <= body && token.kind != .endOfFile
        while token.kind != .endOfFile, !open.isEmpty {
            switch token.kind {
            case .leftBrace: open.append((token.start, indentation(of: token.start)))
            case .rightBrace:
                if token.isFirstOnLine, let unclosed = unclosed(before: token.start) { return unclosed }
                open.removeLast()
            case .pound: if leavesBranch(token.word) { return nil }
            default: break
            }
            lexer.next(&token)
        }
        return nil
    }

    /// The innermost open brace, if indentation shows that a closing brace belongs to another one.
    private func unclosed(before closing: Int) -> Int? {
        let indentation = indentation(of: closing)
        guard let last = open.last, last.indentation > indentation else { return nil }
        return open.contains { $0.indentation == indentation } ? last.offset : nil
    }

    /// Whether the conditional branch that contains the body ends here.
    private mutating func leavesBranch(_ word: Word) -> Bool {
        switch word {
        case .if: chains += 1
        case .endif: chains -= 1
        case .else, .elseif: return chains == 0
        default: break
        }
        return chains < 0
    }

    private func indentation(of offset: Int) -> Int {
        let start = source.lineStart(of: offset)
        var end = start
        while AnnotationRecognizer.isSpace(source[end]) { end += 1 }
        return end - start
    }
}
