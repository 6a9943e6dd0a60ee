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
