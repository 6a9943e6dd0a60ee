/// Cuts source text into tokens, exactly enough that a comment is a comment and a string is a string.
///
/// It accepts any bytes. What is not terminated ends where a person would end it: a string at its line, a comment at the
/// end of the file. Every byte is looked at a bounded number of times.
///
/// ``ByteClass`` tells how it is made fast. More follows from that: the loops over many bytes write out what elsewhere is a
/// call, a token is written into the variable of the parser, and all functions are `mutating`, because a call of another
/// kind would copy the lexer first.
struct Lexer {
    let source: SourceText
    /// The bytes of the text; some zeros follow them, so that looking ahead needs no test.
    let bytes: UnsafePointer<UInt8>
    let classes = ByteClass.table
    let words = WordTable.shared
    /// Where the next token is searched.
    var offset = 0

    /// The comments that an interpreter of comments may want, in source order.
    var comments: [Comment] = []
    /// Whether a comment shall be kept.
    let isRelevant: (Range<Int>, SourceText) -> Bool
    /// How many of the last comments wait for the token behind them, and how many of those for a blank line.
    var pendingComments = 0
    var commentsBeforeBlankLine = 0
    /// Where something begins that hides the rest of the file because it doesn't end.
    var unterminated: (what: String, offset: Int)?

    /// The token before the one that is lexed.
    var previous = Token()
    var isFirstOnLine = true
    /// Whether the end of the line is a token, not white space: in an interpolation of a string of one line.
    var staysOnLine = false
    /// The regular expression that was found last: where it begins may be behind an operator.
    var regularExpression = (start: -1, end: -1)
    /// Whether a conflict marker was met that has no end in the rest of the file.
    var lacksConflictEnd = false
    /// The number of pounds from which on no regular expression of several lines ends in the rest of the file.
    var lacksRegularExpressionEnd = Int.max

    /// Creates a lexer.
    ///
    /// - Parameters:
    ///   - source: What to cut.
    ///   - isRelevant: Whether a comment shall be kept.
    init(_ source: SourceText, keeping isRelevant: @escaping (Range<Int>, SourceText) -> Bool) {
        self.source = source
        self.isRelevant = isRelevant
        bytes = source.bytes
        if source.hasByteOrderMark { offset = 3 }
        if source[offset] == Byte.pound && source[offset + 1] == UInt8(ascii: "!") { skipLine() }
    }

    /// Finds the next token; the end of the file for ever after the last.
    mutating func next(_ token: inout Token) {
        lex(&token)
        guard case .string = token.kind else { return }
        skipString(from: token.start)
        token.end = offset
        previous = token
    }

    /// Finds the next token; of a string, only the delimiter that opens it.
    mutating func lex(_ token: inout Token) {
        let triviaStart = offset
        skipTrivia()
        token.isFirstOnLine = isFirstOnLine
        isFirstOnLine = false
        token.hasSpaceBefore = offset > triviaStart
        token.start = offset
        token.word = .other
        token.kind = lexToken()
        token.end = offset
        if case .identifier = token.kind { token.word = words.word(bytes + token.start, offset - token.start) }
        if case .pound = token.kind { token.word = directive(at: token.start) }
        if pendingComments > 0 { finishComments(before: token) }
        previous = token
    }

    private mutating func lexToken() -> Token.Kind {
        switch classes[Int(bytes[offset])] {
        case .letter:
            skipIdentifier()
            return .identifier
        case .digit:
            skipNumber()
            return .number
        case .leftBrace: return single(.leftBrace)
        case .rightBrace: return single(.rightBrace)
        case .leftParenthesis: return single(.leftParenthesis)
        case .rightParenthesis: return single(.rightParenthesis)
        case .leftBracket: return single(.leftBracket)
        case .rightBracket: return single(.rightBracket)
        case .comma: return single(.comma)
        case .colon: return lexColon()
        case .semicolon: return single(.semicolon)
        case .at: return single(.at)
        case .period: return lexPeriod()
        case .quote: return .string
        case .backtick: return lexRawIdentifier()
        case .pound: return lexPound()
        case .operator, .slash, .asterisk, .less, .greater, .equals, .minus, .question, .exclamation:
            return lexOperator()
        case .beyondASCII: return lexBeyondASCII()
        case .lineFeed, .carriageReturn: return .lineEnd
        case .zero where offset >= source.count: return .endOfFile
        default: return single(.other)
        }
    }

    private mutating func lexColon() -> Token.Kind {
        guard case .colon = classes[Int(bytes[offset + 1])] else { return single(.colon) }
        offset += 2
        return .moduleSelector
    }

    private mutating func single(_ kind: Token.Kind) -> Token.Kind {
        offset += 1
        return kind
    }
}
