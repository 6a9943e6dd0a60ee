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
