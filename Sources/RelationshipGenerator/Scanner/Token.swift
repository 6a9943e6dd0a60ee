/// A piece of source text that isn't white space or a comment.
struct Token {
    enum Kind {
        case identifier, rawIdentifier, number, string, regularExpression, `operator`
        case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
        case comma, colon, semicolon, period, equals, arrow, at
        /// `::`
        case moduleSelector
        /// `#` and the word behind it: a directive or a macro.
        case pound
        case other
        /// The end of a line on which an interpolation should have ended; no parser meets it.
        case lineEnd
        case endOfFile

        /// Written out, because what the compiler derives is slow in a build that isn't optimised.
        static func == (lhs: Kind, rhs: Kind) -> Bool {
            unsafeBitCast(lhs, to: UInt8.self) == unsafeBitCast(rhs, to: UInt8.self)
        }
    }

    var kind = Kind.endOfFile
    /// The word that an identifier is, or the one behind the `#` of a directive.
    var word = Word.other
    /// Whether no other token stands before it on its line.
    var isFirstOnLine = true
    /// Whether white space or a comment stands directly before it.
    var hasSpaceBefore = false
    var start = 0
    var end = 0

    var range: Range<Int> { start..<end }

    /// Whether it is a word that means something, not a name in backticks.
    func isWord(_ word: Word) -> Bool { self.word == word }
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
    var next = Token()
    /// Whether a blank line stands between the comment and the next token.
    var isFollowedByBlankLine = false
}
