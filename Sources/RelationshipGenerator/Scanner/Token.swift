/// A piece of source text other than white space and comments.
struct Token {
    enum Kind {
        case identifier, rawIdentifier, number, string, regularExpression, `operator`
        case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
        case comma, colon, semicolon, period, equals, arrow, at
        /// `::`
        case moduleSelector
        /// `#` and the word after it: a directive or a macro.
        case pound
        case other
        /// A line end at which an interpolation should have ended. The lexer never returns it to a parser.
        case lineEnd
        case endOfFile

        /// Written out, because the derived implementation is slow in a debug build.
        static func == (lhs: Kind, rhs: Kind) -> Bool {
            unsafeBitCast(lhs, to: UInt8.self) == unsafeBitCast(rhs, to: UInt8.self)
        }
    }

    var kind = Kind.endOfFile
    /// The word of an identifier, or the word after the `#` of a directive.
    var word = Word.other
    /// Whether the token is the first on its line.
    var isFirstOnLine = true
    /// Whether white space or a comment directly precedes the token.
    var hasSpaceBefore = false
    var start = 0
    var end = 0

    var range: Range<Int> { start..<end }

    /// Whether the token is a word with a meaning, not a name in backticks.
    func isWord(_ word: Word) -> Bool { self.word == word }
}

/// A comment as the lexer reads it.
struct Comment {
    let style: CommentStyle
    /// The range from the delimiter to the line end, which is excluded.
    let range: Range<Int>
    /// Whether no token precedes the comment on its line.
    let isFirstOnLine: Bool
    /// The range of the previous token.
    var previous: Range<Int>?
    /// The next token, set once it has been lexed; empty at the end of the file.
    var next = Token()
    /// Whether there is a blank line between the comment and the next token.
    var isFollowedByBlankLine = false
}

/// The four ways to write a comment in Swift.
enum CommentStyle: Sendable {
    case line, documentationLine, block, documentationBlock
}

/// The nesting inside parentheses or brackets, counted from the opening one.
///
/// Inside braces only braces count, so that an error in a closure has no effect after its end.
struct GroupNesting {
    private var groups = 0
    private var braces = 0
    private var hasBegun = false

    /// Whether the closing parenthesis has been read.
    var isClosed: Bool { hasBegun && groups <= 0 && braces == 0 }

    /// Whether the parser is in no closure or other code inside the group.
    var isOutsideBraces: Bool { braces == 0 }

    /// Whether the parser is in no nested group or code.
    var isOutermost: Bool { groups == 1 && braces == 0 }

    /// Counts a token.
    mutating func pass(_ token: Token) {
        switch token.kind {
        case .leftBrace: braces += 1
        case .rightBrace: braces -= 1
        case .leftParenthesis, .leftBracket: if braces == 0 { groups += 1 }
        case .rightParenthesis, .rightBracket: if braces == 0 { groups -= 1 }
        default: break
        }
        hasBegun = true
    }
}
