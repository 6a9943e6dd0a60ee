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

/// Finds the declarations that annotations are attached to.
///
/// An annotation on its own line is attached to a declaration if the next token begins it, or begins one of its attributes or
/// modifiers. Inside an attribute it is attached to nothing. An annotation after code is attached to the property whose name
/// is on its line, or that ends there.
struct AnnotationAttacher {
    private let source: SourceText
    private let items: [DeclarationParser.Item]
    /// The ranges inside attributes and modifiers, in source order.
    private let insides: [Range<Int>]
    /// For each item, the innermost item that contains it, such as a property whose initial value is a closure.
    private let enclosing: [Int?]

    init(_ source: SourceText, _ items: [DeclarationParser.Item], insides: [Range<Int>]) {
        self.source = source
        self.insides = insides
        self.items = items.ordered { $0.start < $1.start }
        var enclosing: [Int?] = []
        var open: [Int] = []
        for item in self.items {
            while let last = open.last, self.items[last].end <= item.start { open.removeLast() }
            enclosing.append(open.last)
            open.append(enclosing.count - 1)
        }
        self.enclosing = enclosing
    }

    /// The declaration that a comment is attached to, if there is one.
    func attachment(of comment: Comment) -> Annotation.Attachment {
        comment.isFirstOnLine ? leading(comment) : trailing(comment)
    }

    private func leading(_ comment: Comment) -> Annotation.Attachment {
        if comment.isFollowedByBlankLine { return .nothing(.blankLine) }
        switch comment.next.kind {
        case .endOfFile: return .nothing(.endOfFile)
        case .rightBrace, .rightParenthesis, .rightBracket: return .nothing(.endOfScope)
        default: break
        }
        if comment.next.kind == .pound {
            switch comment.next.word {
            case .elseif, .else, .endif: return .nothing(.endOfScope)
            default: break
            }
        }
        let next = comment.next.start
        if isInside(next) { return .unsuitable(.partOfAttribute, location: source.location(of: next)) }
        guard let index = lastIndex(startingAtOrBefore: next) else {
            return .unsuitable(.statement, location: source.location(of: next))
        }
        let item = items[index]
        if next <= item.keyword { return attachment(to: item) }
        // The comment is between the cases of an enumeration, or among the parameters of a function.
        if next < item.end {
            switch item.kind {
            case .other(let declaration): return .unsuitable(declaration, location: source.location(of: item.name))
            case .enumCase: return .unsuitable(.partOfCase, location: source.location(of: item.name))
            case .property: break
            }
        }
        return .unsuitable(.statement, location: source.location(of: next))
    }

    private func trailing(_ comment: Comment) -> Annotation.Attachment {
        guard let previous = comment.previous else { return .nothing(.trailingOther) }
        let line = source.line(of: comment.range.lowerBound)
        let last = lastIndex(startingAtOrBefore: previous.lowerBound)
        var index = last
        while let candidate = index {
            let item = items[candidate]
            if previous.lowerBound == item.semicolon { return attachment(to: item) }
            if previous.upperBound <= item.end, isOn(line, item) { return attachment(to: item) }
            index = enclosing[candidate]
        }
        // Only the name of a local variable is known, and the comment is after its value.
        if let last, case .other(.localVariable) = items[last].kind, source.line(of: items[last].name) == line {
            return attachment(to: items[last])
        }
        return .nothing(.trailingOther)
    }

    /// Whether an item has its name or its end on a line.
    private func isOn(_ line: Int, _ item: DeclarationParser.Item) -> Bool {
        source.line(of: item.name) == line || source.line(of: max(item.name, item.end - 1)) == line
    }

    private func attachment(to item: DeclarationParser.Item) -> Annotation.Attachment {
        switch item.kind {
        case .property(let type, let property): .property(type: type, property: property)
        case .enumCase(let type, let index): .enumCase(type: type, index: index)
        case .other(let declaration): .unsuitable(declaration, location: source.location(of: item.name))
        }
    }

    /// Whether a token is inside an attribute or a modifier.
    private func isInside(_ offset: Int) -> Bool {
        let last = Self.lastIndex(in: insides) { $0.lowerBound <= offset }
        return last.map { offset < insides[$0].upperBound } ?? false
    }

    private func lastIndex(startingAtOrBefore offset: Int) -> Int? {
        Self.lastIndex(in: items) { $0.start <= offset }
    }

    /// The index of the last element that satisfies a condition, which all elements before it must satisfy, too.
    private static func lastIndex<Element>(in elements: [Element], where isBefore: (Element) -> Bool) -> Int? {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
