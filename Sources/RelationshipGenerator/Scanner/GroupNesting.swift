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
