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
