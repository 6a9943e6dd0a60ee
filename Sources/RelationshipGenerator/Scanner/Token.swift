/// A piece of source text that isn't white space or a comment.
struct Token {
    enum Kind: UInt8 {
        case identifier, rawIdentifier, number, string, regularExpression, `operator`
        case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
        case comma, colon, semicolon, period, equals, arrow, at
        /// `#` and the word behind it: a directive or a macro.
        case pound
        case other
        case endOfFile
    }

    var kind: Kind
    var range: Range<Int>
    /// Whether no other token stands before it on its line.
    var isFirstOnLine: Bool
    /// Whether white space or a comment stands directly before it.
    var hasSpaceBefore: Bool

    /// Whether an expression can end with the token, so that a slash behind it divides.
    var endsOperand: Bool {
        switch kind {
        case .identifier, .rawIdentifier, .number, .string, .regularExpression, .rightParenthesis, .rightBracket,
            .rightBrace, .pound:
            true
        default: false
        }
    }
}

/// A comment, as the lexer meets it.
struct Comment {
    var style: CommentStyle
    /// From the delimiter on, without the line end.
    var range: Range<Int>
    /// Whether no token stands before it on its line.
    var isFirstOnLine: Bool
    /// The token before it.
    var previous: Range<Int>?
    /// The token behind it, known once that is lexed; empty at the end of the file.
    var next = 0..<0
    var nextKind = Token.Kind.endOfFile
    /// Whether a blank line stands between the comment and the next token.
    var isFollowedByBlankLine = false
}
