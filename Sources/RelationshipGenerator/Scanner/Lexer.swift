/// Cuts source text into tokens, exactly enough that a comment is a comment and a string is a string.
///
/// It accepts any bytes. What is not terminated ends where a person would end it: a string at its line, a comment at the
/// end of the file.
struct Lexer {
    let source: SourceText
    /// The comments that an interpreter of comments may want, in source order.
    private(set) var comments: [Comment] = []
    /// Where something begins that hides the rest of the file because it doesn't end.
    var unterminated: (what: String, offset: Int)?

    private let isRelevant: (Range<Int>, SourceText) -> Bool
    var offset = 0
    private var previous: Token?

    /// Creates a lexer.
    ///
    /// - Parameters:
    ///   - source: What to cut.
    ///   - isRelevant: Whether a comment shall be kept.
    init(_ source: SourceText, keeping isRelevant: @escaping (Range<Int>, SourceText) -> Bool) {
        self.source = source
        self.isRelevant = isRelevant
        if source.hasByteOrderMark { offset = 3 }
        if source[offset] == Byte.pound && source[offset + 1] == UInt8(ascii: "!") { skipLine() }
    }

    /// The next token; the end of the file for ever after the last.
    mutating func next() -> Token {
        let firstComment = comments.count
        let (isFirstOnLine, hasSpaceBefore) = skipTrivia()
        let start = offset
        let kind = offset < source.count ? lexToken() : .endOfFile
        // Progress is certain, whatever the bytes; an escape may have gone beyond the end.
        if offset == start && kind != .endOfFile { offset += 1 }
        offset = min(offset, source.count)
        let token = Token(
            kind: kind,
            range: start..<offset,
            isFirstOnLine: isFirstOnLine,
            hasSpaceBefore: hasSpaceBefore
        )
        for index in firstComment..<comments.count {
            comments[index].next = token.range
            comments[index].nextKind = kind
        }
        previous = token
        return token
    }

    /// Skips white space and comments.
    ///
    /// - Returns: Whether the next token is the first on its line, and whether anything was skipped.
    private mutating func skipTrivia() -> (isFirstOnLine: Bool, hasSpaceBefore: Bool) {
        let start = offset
        let firstComment = comments.count
        var isFirstOnLine = previous == nil
        // A line that ends right where it begins is blank; the line of the last token isn't.
        var isLineEmpty = false
        while offset < source.count {
            let byte = source.bytes[offset]
            switch byte {
            case Byte.lineFeed, Byte.carriageReturn:
                offset += byte == Byte.carriageReturn && source[offset + 1] == Byte.lineFeed ? 2 : 1
                if isLineEmpty {
                    for index in firstComment..<comments.count { comments[index].isFollowedByBlankLine = true }
                }
                isLineEmpty = true
                isFirstOnLine = true
            case 0x20, 0x09, 0x0B, 0x0C, 0x00:
                offset += 1
            case Byte.slash where source[offset + 1] == Byte.slash || source[offset + 1] == Byte.asterisk:
                lexComment(isFirstOnLine: isFirstOnLine)
                isLineEmpty = false
            default:
                return (isFirstOnLine, offset > start)
            }
        }
        return (isFirstOnLine, offset > start)
    }

    private mutating func lexComment(isFirstOnLine: Bool) {
        let start = offset
        let style: CommentStyle
        if source[offset + 1] == Byte.slash {
            // `////` is an ordinary comment again.
            let isDocumentation = source[offset + 2] == Byte.slash && source[offset + 3] != Byte.slash
            style = isDocumentation ? .documentationLine : .line
            skipLine()
        } else {
            let isDocumentation = source[offset + 2] == Byte.asterisk && source[offset + 3] != Byte.slash
            style = isDocumentation ? .documentationBlock : .block
            skipBlockComment()
        }
        guard isRelevant(start..<offset, source) else { return }
        comments.append(
            Comment(
                style: style,
                range: start..<offset,
                isFirstOnLine: isFirstOnLine,
                previous: previous?.range
            )
        )
    }

    /// Skips to the end of the line, not over it.
    mutating func skipLine() {
        while offset < source.count && !Byte.isLineEnd(source.bytes[offset]) { offset += 1 }
    }

    /// Skips a block comment, in which others may be nested.
    mutating func skipBlockComment() {
        let start = offset
        var depth = 0
        while offset < source.count {
            if source[offset] == Byte.slash && source[offset + 1] == Byte.asterisk {
                depth += 1
                offset += 2
            } else if source[offset] == Byte.asterisk && source[offset + 1] == Byte.slash {
                depth -= 1
                offset += 2
                if depth == 0 { return }
            } else {
                offset += 1
            }
        }
        if unterminated == nil { unterminated = ("comment", start) }
    }

    private mutating func lexToken() -> Token.Kind {
        let byte = source.bytes[offset]
        if Byte.isIdentifierHead(byte) {
            skipIdentifier()
            return .identifier
        }
        if Byte.isDigit(byte) {
            skipNumber()
            return .number
        }
        switch byte {
        case UInt8(ascii: "{"): return single(.leftBrace)
        case UInt8(ascii: "}"): return single(.rightBrace)
        case UInt8(ascii: "("): return single(.leftParenthesis)
        case UInt8(ascii: ")"): return single(.rightParenthesis)
        case UInt8(ascii: "["): return single(.leftBracket)
        case UInt8(ascii: "]"): return single(.rightBracket)
        case UInt8(ascii: ","): return single(.comma)
        case UInt8(ascii: ":"): return single(.colon)
        case UInt8(ascii: ";"): return single(.semicolon)
        case UInt8(ascii: "@"): return single(.at)
        case UInt8(ascii: "."): return lexPeriod()
        case Byte.quote: return lexString(pounds: 0)
        case Byte.backtick: return lexRawIdentifier()
        case Byte.pound: return lexPound()
        case Byte.slash where startsRegularExpression(): return .regularExpression
        default: return Byte.isOperator(byte) ? lexOperator() : single(.other)
        }
    }

    private mutating func single(_ kind: Token.Kind) -> Token.Kind {
        offset += 1
        return kind
    }

    private mutating func skipIdentifier() {
        while offset < source.count && Byte.isIdentifierBody(source.bytes[offset]) { offset += 1 }
    }

    private mutating func skipNumber() {
        skipIdentifierBodies()
        if source[offset] == UInt8(ascii: ".") && Byte.isDigit(source[offset + 1]) {
            offset += 1
            skipIdentifierBodies()
        }
    }

    private mutating func skipIdentifierBodies() {
        while offset < source.count && Byte.isIdentifierBody(source.bytes[offset]) { offset += 1 }
    }

    private mutating func lexPeriod() -> Token.Kind {
        var end = offset
        while source[end] == UInt8(ascii: ".") { end += 1 }
        if end - offset == 1 && !Byte.isOperator(source[end]) { return single(.period) }
        if end - offset == 1 { return single(.period) }
        // `...` and `..<` are operators, and so is all that begins with two periods.
        while source[end] == UInt8(ascii: ".") || (Byte.isOperator(source[end]) && !startsComment(at: end)) { end += 1 }
        offset = end
        return .operator
    }

    private mutating func lexRawIdentifier() -> Token.Kind {
        var end = offset + 1
        while end < source.count && source.bytes[end] != Byte.backtick && !Byte.isLineEnd(source.bytes[end]) {
            end += 1
        }
        guard source[end] == Byte.backtick, end > offset + 1 else { return single(.other) }
        offset = end + 1
        return .rawIdentifier
    }

    private mutating func lexPound() -> Token.Kind {
        var pounds = 0
        while source[offset + pounds] == Byte.pound { pounds += 1 }
        let after = source[offset + pounds]
        if after == Byte.quote {
            offset += pounds
            return lexString(pounds: pounds)
        }
        if after == Byte.slash, lexExtendedRegularExpression(pounds: pounds) { return .regularExpression }
        offset += 1
        skipIdentifier()
        return .pound
    }

    private mutating func lexOperator() -> Token.Kind {
        let start = offset
        repeat {
            offset += 1
        } while offset < source.count && Byte.isOperator(source.bytes[offset])
            && !startsComment(at: offset)
        switch offset - start {
        case 1 where source[start] == UInt8(ascii: "="): return .equals
        case 2 where source[start] == UInt8(ascii: "-") && source[start + 1] == UInt8(ascii: ">"): return .arrow
        default: return .operator
        }
    }

    private func startsComment(at offset: Int) -> Bool {
        source[offset] == Byte.slash && (source[offset + 1] == Byte.slash || source[offset + 1] == Byte.asterisk)
    }

    /// Lexes a bare regular expression literal if one begins here.
    private mutating func startsRegularExpression() -> Bool {
        if let previous, previous.endsOperand, !isKeywordBeforeExpression(previous) { return false }
        let first = source[offset + 1]
        guard first != 0x20, first != 0x09, !Byte.isLineEnd(first), first != 0, first != Byte.rightParenthesis else {
            return false
        }
        return skipRegularExpressionBody(from: offset + 1, pounds: 0)
    }

    private func isKeywordBeforeExpression(_ token: Token) -> Bool {
        guard token.kind == .identifier, token.range.count <= 6 else { return false }
        return ["return", "in", "case", "if", "while", "where", "throw", "try", "await", "is", "as", "else", "guard"]
            .contains(source.text(token.range))
    }

    private mutating func lexExtendedRegularExpression(pounds: Int) -> Bool {
        let body = offset + pounds + 1
        if Byte.isLineEnd(source[body]) {
            // The multi-line form ends at a delimiter, wherever that is.
            var end = body
            while end < source.count {
                if source.bytes[end] == Byte.slash && hasPounds(pounds, at: end + 1) {
                    offset = end + 1 + pounds
                    return true
                }
                end += 1
            }
            return false
        }
        return skipRegularExpressionBody(from: body, pounds: pounds)
    }

    /// Moves behind the delimiter that ends a regular expression on this line, if there is one.
    private mutating func skipRegularExpressionBody(from body: Int, pounds: Int) -> Bool {
        var end = body
        var isInSet = false
        while end < source.count && !Byte.isLineEnd(source.bytes[end]) {
            switch source.bytes[end] {
            case Byte.backslash: end += 1
            case UInt8(ascii: "["): isInSet = true
            case UInt8(ascii: "]"): isInSet = false
            case Byte.slash where (!isInSet || pounds > 0) && hasPounds(pounds, at: end + 1):
                offset = end + 1 + pounds
                return true
            default: break
            }
            end += 1
        }
        return false
    }

    func hasPounds(_ pounds: Int, at offset: Int) -> Bool {
        for distance in 0..<pounds where source[offset + distance] != Byte.pound { return false }
        return true
    }
}
