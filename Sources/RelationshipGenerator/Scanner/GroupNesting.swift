/// How deep inside of parentheses or brackets the parser is, from the opening one on.
///
/// Inside of braces only braces count, so that a mistake in a closure doesn't reach beyond its end.
struct GroupNesting {
    private var groups = 0
    private var braces = 0
    private var hasBegun = false

    /// Whether the closing parenthesis has been passed.
    var isClosed: Bool { hasBegun && groups <= 0 && braces == 0 }

    /// Whether no closure or other code has been entered.
    var isOutsideBraces: Bool { braces == 0 }

    /// Whether nothing has been entered but the group itself.
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
