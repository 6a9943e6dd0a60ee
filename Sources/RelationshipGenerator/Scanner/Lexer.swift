/// Splits source text into tokens, exactly enough to distinguish comments and strings from code.
///
/// The lexer accepts any bytes. An unterminated string ends at its line end, and an unterminated comment at the end of
/// the file. Each byte is read a bounded number of times.
///
/// ``ByteClass`` explains how the lexer is fast in debug builds. For the same reason, loops over many bytes are written
/// out, a token is written into the parser's variable, and all functions are `mutating`, because a call of a
/// nonmutating function would copy the lexer.
struct Lexer {
    let source: SourceText
    /// The bytes of the text, followed by zeros so that looking ahead needs no bounds check.
    let bytes: UnsafePointer<UInt8>
    let classes = ByteClass.table
    let words = WordTable.shared
    /// The offset where the search for the next token begins.
    var offset = 0

    /// The relevant comments, in source order.
    var comments: [Comment] = []
    /// Whether a comment is kept.
    let isRelevant: (Range<Int>, SourceText) -> Bool
    /// The numbers of recent comments that wait for the next token, and for a blank line.
    var pendingComments = 0
    var commentsBeforeBlankLine = 0
    /// The start of an unterminated literal or comment that hides the rest of the file.
    var unterminated: (what: String, offset: Int)?

    /// The previous token.
    var previous = Token()
    var isFirstOnLine = true
    /// Whether a line end is a token instead of white space, as in an interpolation in a single-line string.
    var staysOnLine = false
    /// The regular expression that was found last.
    ///
    /// It may begin inside an operator token.
    var regularExpression = (start: -1, end: -1)
    /// Whether a conflict marker without an end was found.
    var lacksConflictEnd = false
    /// The number of pounds from which no multi-line regular expression ends in the rest of the file.
    var lacksRegularExpressionEnd = Int.max

    /// Creates a lexer.
    ///
    /// - Parameters:
    ///   - source: The text to split.
    ///   - isRelevant: Whether a comment is kept.
    init(_ source: SourceText, keeping isRelevant: @escaping (Range<Int>, SourceText) -> Bool) {
        self.source = source
        self.isRelevant = isRelevant
        bytes = source.bytes
        if source.hasByteOrderMark { offset = 3 }
        if source[offset] == Byte.pound && source[offset + 1] == UInt8(ascii: "!") { skipLine() }
    }

    /// Reads the next token.
    ///
    /// After the last token, this is always the end of the file.
    mutating func next(_ token: inout Token) {
        lex(&token)
        guard case .string = token.kind else { return }
        skipString(from: token.start)
        token.end = offset
        previous = token
    }

    /// Reads the next token.
    ///
    /// For a string, this is only the opening delimiter.
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

/// Lexes identifiers, numbers, and tokens that begin with `#` or a character beyond ASCII.
extension Lexer {
    mutating func skipIdentifier() {
        var end = offset
        while true {
            switch classes[Int(bytes[end])] {
            case .letter, .digit: end += 1
            case .beyondASCII:
                let (scalar, length) = scalar(at: end)
                guard ScalarClass.isInIdentifier(scalar) else {
                    offset = end
                    return
                }
                end += length
            default:
                offset = end
                return
            }
        }
    }

    mutating func skipNumber() {
        skipIdentifier()
        guard bytes[offset] == UInt8(ascii: "."), case .digit = classes[Int(bytes[offset + 1])] else { return }
        offset += 1
        skipIdentifier()
    }

    /// Lexes a name in backticks, which can contain any character except line ends.
    mutating func lexRawIdentifier() -> Token.Kind {
        var end = offset + 1
        while true {
            switch classes[Int(bytes[end])] {
            case .backtick where end > offset + 1:
                offset = end + 1
                return .rawIdentifier
            case .backtick, .lineFeed, .carriageReturn, .zero:
                offset += 1
                return .other
            default: end += 1
            }
        }
    }

    /// Lexes a directive, a macro, or the beginning of a raw string or an extended regular expression.
    mutating func lexPound() -> Token.Kind {
        let pounds = countPounds(at: offset)
        switch classes[Int(bytes[offset + pounds])] {
        case .quote: return .string
        case .slash:
            skipExtendedRegularExpression(pounds: pounds)
            return .regularExpression
        default:
            offset += pounds
            skipIdentifier()
            return .pound
        }
    }

    mutating func countPounds(at offset: Int) -> Int {
        var end = offset
        while bytes[end] == 0x23 { end += 1 }
        return end - offset
    }

    /// The word of a conditional directive, such as `if` of `#if`.
    mutating func directive(at start: Int) -> Word {
        guard start + 1 < offset else { return .other }
        let word = words.word(bytes + start + 1, offset - start - 1)
        switch word {
        case .if, .elseif, .else, .endif: return word
        default: return .other
        }
    }

    mutating func lexBeyondASCII() -> Token.Kind {
        guard !ScalarClass.beginsOperator(scalar(at: offset).value) else { return lexOperator() }
        skipIdentifier()
        return .identifier
    }

    /// Skips a character beyond ASCII without a meaning, if there is one.
    mutating func skipForeignSpace() -> Bool {
        let (scalar, length) = scalar(at: offset)
        guard ScalarClass.isSpace(scalar) else { return false }
        offset += length
        return true
    }

    /// The scalar at an offset and its length in bytes; a single byte where the text isn't UTF-8.
    mutating func scalar(at offset: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(bytes[offset])
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        var value = first & (0xFF >> UInt32(length + 1))
        var position = 1
        while position < length {
            let byte = UInt32(bytes[offset + position])
            guard first >= 0xC2, byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            value = value << 6 | byte & 0x3F
            position += 1
        }
        // An overlong encoding.
        guard value >= (length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80) else { return (0xFFFD, 1) }
        return (value, length)
    }
}
