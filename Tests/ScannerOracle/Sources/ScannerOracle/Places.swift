/// Where in a file annotations can be put: offsets that swift-syntax gives.
struct Places: Sendable {
    /// All declarations, also local ones.
    var declarations: [SyntaxFacts.Declaration] = []
    /// Where statements begin that are no declarations.
    var statements: [Int] = []
    /// Where the bodies of types end.
    var closingBraces: [Int] = []
    /// Where pieces of the text of string literals begin.
    var stringSegments: [Int] = []
    var blockComments: [Range<Int>] = []
    /// Where the last token of a line ends that is no part of a string literal.
    var lastTokenEnds: [Int: Int] = [:]
}
