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
