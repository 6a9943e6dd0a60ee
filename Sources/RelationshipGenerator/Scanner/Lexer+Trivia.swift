/// Lexes white space and comments.
extension Lexer {
    /// Skips white space and comments.
    mutating func skipTrivia() {
        // An empty line begins with its line end. The line of the previous token doesn't count.
        var isLineEmpty = false
        while true {
            switch classes[Int(bytes[offset])] {
            case .blank, .control: offset += 1
            case .beyondASCII:
                guard skipForeignSpace() else { return }
            case .lineFeed, .carriageReturn:
                guard !staysOnLine else { return }
                skipLineEnd()
                if isLineEmpty, pendingComments > 0 { meetBlankLine() }
                isLineEmpty = true
                isFirstOnLine = true
            case .slash:
                guard startsComment(at: offset) else { return }
                lexComment()
                isLineEmpty = false
            case .less, .greater:
                guard isFirstOnLine, skipConflict() else { return }
            case .zero:
                guard offset < source.count else { return }
                offset += 1
            default:
                return
            }
        }
    }

    private mutating func skipLineEnd() {
        let isPair = bytes[offset] == 0x0D && bytes[offset + 1] == 0x0A
        offset += isPair ? 2 : 1
    }

    mutating func startsComment(at offset: Int) -> Bool {
        switch classes[Int(bytes[offset + 1])] {
        case .slash, .asterisk: bytes[offset] == 0x2F
        default: false
        }
    }

    private mutating func lexComment() {
        let start = offset
        let wasFirstOnLine = isFirstOnLine
        let style: CommentStyle
        if bytes[offset + 1] == Byte.slash {
            let isDocumentation = bytes[offset + 2] == Byte.slash
            style = isDocumentation ? .documentationLine : .line
            skipLine()
        } else {
            let isDocumentation = bytes[offset + 2] == Byte.asterisk && bytes[offset + 3] != Byte.slash
            style = isDocumentation ? .documentationBlock : .block
            skipBlockComment()
        }
        guard isRelevant(start..<offset, source) else { return }
        pendingComments += 1
        commentsBeforeBlankLine += 1
        let before = previous.end > 0 ? previous.range : nil
        comments.append(Comment(style: style, range: start..<offset, isFirstOnLine: wasFirstOnLine, previous: before))
    }

    /// Skips to the line end.
    mutating func skipLine() {
        var end = offset
        while true {
            switch classes[Int(bytes[end])] {
            case .lineFeed, .carriageReturn:
                offset = end
                return
            case .zero where end >= source.count:
                offset = end
                return
            default: end += 1
            }
        }
    }

    /// Skips a block comment with nested ones.
    ///
    /// A line end inside it ends the line.
    private mutating func skipBlockComment() {
        let start = offset
        var end = offset
        var depth = 0
        while true {
            switch classes[Int(bytes[end])] {
            case .slash:
                end += 1
                guard bytes[end] == 0x2A else { continue }
                end += 1
                depth += 1
            case .asterisk:
                end += 1
                guard bytes[end] == 0x2F else { continue }
                end += 1
                depth -= 1
                if depth == 0 {
                    offset = end
                    return
                }
            case .lineFeed, .carriageReturn:
                end += 1
                isFirstOnLine = true
            case .zero where end >= source.count:
                offset = end
                if unterminated == nil { unterminated = ("comment", start) }
                return
            default: end += 1
            }
        }
    }

    /// Marks the comments that wait for the next token as followed by a blank line.
    private mutating func meetBlankLine() {
        while commentsBeforeBlankLine > 0 {
            comments[comments.count - commentsBeforeBlankLine].isFollowedByBlankLine = true
            commentsBeforeBlankLine -= 1
        }
    }

    mutating func finishComments(before token: Token) {
        while pendingComments > 0 {
            comments[comments.count - pendingComments].next = token
            pendingComments -= 1
        }
        commentsBeforeBlankLine = 0
    }
}

/// Lexes string literals with their interpolations.
extension Lexer {
    /// A string literal that is being lexed.
    private struct OpenString {
        let pounds: Int
        let isMultiline: Bool
        /// The number of open parentheses in the current interpolation.
        var parentheses = 0
    }

    /// The event that ends a piece of a string's text.
    private enum TextEnd {
        case interpolation, closingDelimiter, nothing
    }

    /// Skips a string literal from its opening delimiter on.
    ///
    /// Nested strings are kept on a stack on the heap, so that no input overflows the thread's stack.
    mutating func skipString(from start: Int) {
        var string = openString()
        var enclosing: [OpenString] = []
        // A single-line string that ends with the file hides nothing.
        var hidesLines = string.isMultiline
        while true {
            switch skipText(of: string) {
            case .closingDelimiter:
                guard let outer = enclosing.popLast() else { return }
                string = outer
                previous.kind = .string
                previous.end = offset
            case .interpolation:
                string.parentheses = 1
            case .nothing:
                if offset >= source.count, hidesLines { reportUnterminated(from: start) }
                return
            }
            switch skipInterpolation(&string) {
            case .rightParenthesis: continue
            case .string:
                enclosing.append(string)
                string = openString()
                if string.isMultiline { hidesLines = true }
            default:
                if offset >= source.count, hidesLines { reportUnterminated(from: start) }
                return
            }
        }
    }

    private mutating func reportUnterminated(from start: Int) {
        if unterminated == nil { unterminated = ("string", start) }
    }

    /// Moves to the end of the opening delimiter.
    private mutating func openString() -> OpenString {
        let pounds = countPounds(at: offset)
        offset += pounds + 1
        guard bytes[offset] == Byte.quote, bytes[offset + 1] == Byte.quote else {
            return OpenString(pounds: pounds, isMultiline: false)
        }
        // `#"""#` is a string with one quote.
        if pounds > 0, isClosedOnLine(pounds) { return OpenString(pounds: pounds, isMultiline: false) }
        offset += 2
        return OpenString(pounds: pounds, isMultiline: true)
    }

    /// Skips the text of a string up to its end or its next interpolation.
    private mutating func skipText(of string: OpenString) -> TextEnd {
        let pounds = string.pounds
        var end = offset
        while true {
            switch classes[Int(bytes[end])] {
            case .quote:
                end += 1
                if string.isMultiline {
                    guard bytes[end] == 0x22, bytes[end + 1] == 0x22 else { continue }
                    guard hasPounds(pounds, at: end + 2) else { continue }
                    end += 2
                } else if pounds > 0 {
                    guard hasPounds(pounds, at: end) else { continue }
                }
                offset = end + pounds
                return .closingDelimiter
            case .backslash:
                end += 1
                if pounds > 0 {
                    guard hasPounds(pounds, at: end) else { continue }
                    end += pounds
                }
                switch classes[Int(bytes[end])] {
                case .leftParenthesis:
                    offset = end + 1
                    return .interpolation
                // A line end or the end of the file counts even after a backslash.
                case .lineFeed, .carriageReturn, .zero: continue
                default: end += 1
                }
            case .lineFeed where !string.isMultiline, .carriageReturn where !string.isMultiline:
                offset = end
                return .nothing
            case .zero where end >= source.count:
                offset = end
                return .nothing
            default: end += 1
            }
        }
    }

    /// Skips the tokens of an interpolation.
    ///
    /// - Returns: The kind of the token that ends or interrupts the interpolation: its parenthesis, the delimiter of a
    ///   string, or the end of the line or the file.
    private mutating func skipInterpolation(_ string: inout OpenString) -> Token.Kind {
        staysOnLine = !string.isMultiline
        defer { staysOnLine = false }
        var token = Token()
        while true {
            lex(&token)
            switch token.kind {
            case .leftParenthesis: string.parentheses += 1
            case .rightParenthesis:
                string.parentheses -= 1
                if string.parentheses == 0 { return .rightParenthesis }
            case .string, .lineEnd, .endOfFile: return token.kind
            default: break
            }
        }
    }

    /// Whether a delimiter follows that closes a single-line string whose opening quote was the last byte.
    private mutating func isClosedOnLine(_ pounds: Int) -> Bool {
        var end = offset + 1
        while true {
            switch classes[Int(bytes[end])] {
            case .lineFeed, .carriageReturn: return false
            case .zero where end >= source.count: return false
            case .quote where hasPounds(pounds, at: end + 1): return true
            default: end += 1
            }
        }
    }

    private mutating func hasPounds(_ pounds: Int, at offset: Int) -> Bool {
        var end = offset
        while end < offset + pounds, bytes[end] == 0x23 { end += 1 }
        return end == offset + pounds
    }
}
