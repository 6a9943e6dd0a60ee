/// Finds the brace that is never closed among those in a body that ends too late.
///
/// The declaration whose body ends too late is known (``DeclarationParser/Recovery``), but the brace may be missing further
/// inside, behind a condition or a closure. A brace that closes, and is the first on its line, is as far indented as the line
/// with the one that it belongs to; those that are open in between have none.
struct UnclosedBrace {
    private let source: SourceText
    /// The braces that are open, each with the indentation of its line.
    private var open: [(offset: Int, indentation: Int)]
    /// How many `#if` chains are open.
    private var chains = 0

    /// Returns the first brace that is never closed.
    ///
    /// - Parameter body: Where the body begins that ends too late.
    /// - Returns: That, if nothing in it shows more exactly what is not closed.
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

    /// The innermost brace that is open, if a closing one belongs to another, as their indentation tells.
    private func unclosed(before closing: Int) -> Int? {
        let indentation = indentation(of: closing)
        guard let last = open.last, last.indentation > indentation else { return nil }
        return open.contains { $0.indentation == indentation } ? last.offset : nil
    }

    /// Whether the branch of conditional compilation ends here that the body is in.
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
