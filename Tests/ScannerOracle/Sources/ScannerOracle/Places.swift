/// Where in a file something can be put: offsets that swift-syntax gives.
struct Places: Sendable {
    /// The place before a token that is no part of a literal of text.
    struct Gap: Sendable {
        /// Where the token begins.
        var offset: Int
        /// Whether white space or a comment stands before it.
        var isSpaced: Bool
        /// Whether the token or the one before it is an operator, which white space may change.
        var isBesideOperator: Bool
        /// What a line end there changes.
        var lineEnd: LineEnd
    }

    enum LineEnd: Sendable {
        /// Nothing: one thing goes on.
        case meansNothing
        /// Maybe something, though it stands in no body of code and no initial value.
        case mayMean
        /// Something, or it isn't known.
        case means
    }

    /// All declarations, also local ones.
    var declarations: [SyntaxFacts.Declaration] = []
    /// Where statements begin that are no declarations.
    var statements: [Int] = []
    /// Where the bodies of types end.
    var closingBraces: [Int] = []
    /// Where the first tokens of lines begin that are not among the attributes and modifiers of a stored property.
    var otherLines: [Int] = []
    /// Where pieces of the text of string literals begin.
    var stringSegments: [Int] = []
    var blockComments: [Range<Int>] = []
    /// Where the last token of a line ends that is no part of a string literal.
    var lastTokenEnds: [Int: Int] = [:]
    var gaps: [Gap] = []
}
