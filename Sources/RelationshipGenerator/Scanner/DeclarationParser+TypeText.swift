extension DeclarationParser {
    /// Reads a generic parameter or argument list from the opening angle on.
    ///
    /// - Parameter opened: The number of angles that have been read already.
    mutating func readAngles(opened: Int = 0) -> String {
        var depth = opened
        var isClosed = false
        return readTokens { parser, token in
            if isClosed || token.kind == .leftBrace { return true }
            if parser.breaksGroup(token), !parser.isAtValueParameter { return true }
            if token.kind == .operator {
                parser.splitOffAssignment()
                depth += parser.angleDepth(of: parser.token)
            }
            isClosed = depth <= 0
            return false
        }
    }

    /// Whether the word `let` of an integer generic parameter is here: `<let count: Int>`.
    private var isAtValueParameter: Bool {
        mutating get {
            guard token.isWord(.let), let previous else { return false }
            return previous.kind == .comma || previous.kind == .operator
        }
    }

    /// The number of angles that an operator token opens minus the number it closes.
    ///
    /// Generic lists can end in `>>` or `>?`.
    mutating func angleDepth(of token: Token) -> Int {
        var depth = 0
        var offset = token.start
        while offset < token.end {
            if source.bytes[offset] == 0x3C { depth += 1 }
            if source.bytes[offset] == 0x3E { depth -= 1 }
            offset += 1
        }
        return depth
    }

    /// Whether an operator token only closes angles and marks the type before it as optional.
    mutating func closesAngles(_ token: Token) -> Bool {
        guard source.bytes[token.start] == UInt8(ascii: ">") else { return false }
        for offset in token.range {
            switch source.bytes[offset] {
            case UInt8(ascii: ">"), UInt8(ascii: "?"), UInt8(ascii: "!"): continue
            default: return false
            }
        }
        return true
    }

    /// Reads the types after the colon of a declaration.
    mutating func readInheritedTypes() -> [String] {
        var types: [String] = []
        while true {
            types.append(readType())
            guard token.kind == .comma else { break }
            advance()
        }
        return types.filter { !$0.isEmpty }
    }

    /// Reads a type with normalised white space; the result is empty when there is no type here.
    mutating func readType() -> String {
        var depth = 0
        var angles = 0
        var attribute = TypeAttribute.none
        return readTokens { parser, token in
            // An attribute needs a type after it.
            let isDue = attribute != .none
            if depth == 0, angles <= 0 { attribute.pass(token) }
            // A parenthesis, bracket or angle is not closed.
            if depth > 0 || angles > 0, parser.breaksGroup(token) { return true }
            switch token.kind {
            case .leftParenthesis, .leftBracket:
                if depth == 0, angles == 0, parser.endsType(token, isDue: isDue) { return true }
                depth += 1
            case .rightParenthesis, .rightBracket:
                if depth == 0 { return true }
                depth -= 1
            case .operator:
                parser.splitOffAssignment()
                angles += parser.angleDepth(of: parser.token)
            case .leftBrace, .rightBrace, .semicolon, .equals:
                return true
            case .comma:
                return depth == 0 && angles <= 0
            case .identifier:
                if depth == 0 && angles <= 0 && (token.isWord(.where) || parser.endsType(token, isDue: isDue)) {
                    return true
                }
            default:
                return depth == 0 && angles <= 0 && parser.endsType(token, isDue: isDue)
            }
            return false
        }
    }

    /// Whether a token begins a line that doesn't continue the type.
    ///
    /// - Parameter isDue: Whether an attribute of the type precedes the token.
    private mutating func endsType(_ token: Token, isDue: Bool) -> Bool {
        guard token.isFirstOnLine else { return false }
        if isDue || isTypeContinued { return beginsOtherDeclaration }
        if token.kind == .identifier { return !token.word.isEffect }
        return token.kind != .period && token.kind != .moduleSelector && token.kind != .arrow
    }

    /// Whether a type continues after the previous token.
    private var isTypeContinued: Bool {
        mutating get {
            guard let previous else { return false }
            switch previous.kind {
            case .equals, .comma, .colon, .period, .moduleSelector, .arrow: return true
            case .operator:
                return source.bytes[previous.end - 1] == UInt8(ascii: "&")
                    || source.bytes[previous.end - 1] == UInt8(ascii: "~")
            case .identifier: return previous.word.isContinuedByType
            default: return false
            }
        }
    }
}

/// The part of a type's attribute, such as `@unchecked`, that the last tokens belong to.
private enum TypeAttribute {
    case none, sign, name

    /// Updates the state for a token outside of parentheses, brackets and angles.
    mutating func pass(_ token: Token) {
        switch (self, token.kind) {
        case (_, .at), (.name, .period), (.name, .moduleSelector): self = .sign
        case (.sign, .identifier), (.sign, .rawIdentifier): self = .name
        // The arguments of the attribute. Only their opening token gets here.
        case (.name, .leftParenthesis) where !token.isFirstOnLine && !token.hasSpaceBefore: break
        case (.name, .operator): break
        default: self = .none
        }
    }
}
