extension DeclarationParser {
    /// Goes over parentheses or brackets with all that is in them.
    ///
    /// - Returns: What was skipped, white space normalised.
    mutating func skipGroup() -> String {
        var nesting = GroupNesting()
        return readTokens { parser, token in
            if nesting.isClosed || (nesting.isOutsideBraces && parser.breaksGroup(token)) { return true }
            nesting.pass(token)
            return false
        }
    }

    /// Whether a token can't stand inside of parentheses, so that their end must be missing.
    func breaksGroup(_ token: Token) -> Bool {
        switch token.kind {
        case .rightBrace: return true
        case .pound: return token.isFirstOnLine && isConditionalDirective(token)
        case .identifier, .at:
            guard token.isFirstOnLine else { return false }
            // `let` and `var` are no labels of arguments; other words may be, and attributes may stand before them.
            if token.kind == .identifier && ["let", "var"].contains(text(token)) { return true }
            return !isInList && (token.kind == .at || beginsOtherDeclaration)
        default: return false
        }
    }

    /// Whether an element of a list, or the rest of one, is due behind the previous token.
    private var isInList: Bool {
        guard let previous else { return false }
        return isContinued || previous.kind == .leftParenthesis || previous.kind == .leftBracket
    }

    func isConditionalDirective(_ token: Token) -> Bool {
        token.kind == .pound && ["#if", "#elseif", "#else", "#endif"].contains(text(token))
    }

    /// Reads a generic parameter or argument list, from the opening angle on.
    mutating func readAngles() -> String {
        var depth = 0
        var isClosed = false
        return readTokens { parser, token in
            if isClosed || token.kind == .leftBrace || token.kind == .rightBrace { return true }
            if token.kind == .operator { depth += parser.angleDepth(of: token) }
            isClosed = depth <= 0
            return false
        }
    }

    /// The angles that an operator token opens less those it closes: generic lists of types end in `>>` or `>?`.
    private func angleDepth(of token: Token) -> Int {
        var depth = 0
        for offset in token.range {
            if source[offset] == UInt8(ascii: "<") { depth += 1 }
            if source[offset] == UInt8(ascii: ">") { depth -= 1 }
        }
        return depth
    }

    /// Reads the types behind the colon of a declaration.
    mutating func readInheritedTypes() -> [String] {
        var types: [String] = []
        while true {
            types.append(readType())
            guard token.kind == .comma else { break }
            advance()
        }
        return types.filter { !$0.isEmpty }
    }

    /// Reads a type, white space normalised; empty when none stands here.
    mutating func readType() -> String {
        var depth = 0
        var angles = 0
        return readTokens { parser, token in
            switch token.kind {
            case .leftParenthesis, .leftBracket:
                if parser.endsType(token) && depth == 0 && angles == 0 { return true }
                depth += 1
            case .rightParenthesis, .rightBracket:
                if depth == 0 { return true }
                depth -= 1
            case .operator:
                angles += parser.angleDepth(of: token)
            case .leftBrace, .rightBrace, .semicolon, .equals:
                return true
            case .comma:
                return depth == 0 && angles <= 0
            case .identifier:
                if depth == 0 && angles <= 0 && (parser.text(token) == "where" || parser.endsType(token)) {
                    return true
                }
            default:
                return depth == 0 && angles <= 0 && parser.endsType(token)
            }
            return false
        }
    }

    /// Whether a token begins another line on which the type doesn't go on.
    private func endsType(_ token: Token) -> Bool {
        guard token.isFirstOnLine else { return false }
        if isContinued { return beginsOtherDeclaration }
        return token.kind != .period && token.kind != .arrow
    }

    /// Reads the argument labels of a function, from its opening parenthesis to behind the closing one.
    mutating func readLabels() -> [String] {
        var labels: [String] = []
        var candidate: String?
        var expectsLabel = false
        var nesting = GroupNesting()
        while !nesting.isClosed, token.kind != .endOfFile {
            if nesting.isOutsideBraces && breaksGroup(token) { break }
            nesting.pass(token)
            switch token.kind {
            case .leftParenthesis, .comma:
                expectsLabel = nesting.isOutermost
                candidate = nil
            case .at where expectsLabel && candidate == nil:
                _ = readAttribute()
                continue
            case .identifier, .rawIdentifier:
                // Of `label name:` the first word counts; what isn't followed by a colon was no label.
                if expectsLabel && candidate == nil { candidate = name(token) }
            case .colon:
                if nesting.isOutermost, expectsLabel, let label = candidate { labels.append(label) }
                expectsLabel = false
            default:
                expectsLabel = false
            }
            advance()
        }
        return labels
    }

    /// Reads tokens until one is met that ends them.
    ///
    /// - Parameter isEnd: Whether a token, at which the parser stands, is behind the end.
    /// - Returns: The tokens, with as much space between them as Swift is usually written with.
    mutating func readTokens(until isEnd: (DeclarationParser, Token) -> Bool) -> String {
        var result = ""
        var last: Token?
        while token.kind != .endOfFile, !isEnd(self, token) {
            if let last, needsSpace(last, token) { result += " " }
            result += text(token)
            last = token
            advance()
        }
        return result
    }

    private func needsSpace(_ first: Token, _ second: Token) -> Bool {
        if second.kind == .arrow || first.kind == .arrow || first.kind == .comma || first.kind == .colon { return true }
        let isAmpersand = { (token: Token) in token.kind == .operator && self.text(token) == "&" }
        if isAmpersand(first) || isAmpersand(second) { return true }
        guard second.hasSpaceBefore, !isAngle(second, "<", ">"), !isAngle(first, "<", "<") else { return false }
        let isWord = { (token: Token) in
            [.identifier, .rawIdentifier, .number, .pound].contains(token.kind)
        }
        if first.kind == .operator && second.kind == .operator { return true }
        if isWord(second) && (isWord(first) || first.kind == .rightParenthesis || first.kind == .operator) {
            return true
        }
        return (isWord(first) || first.kind == .rightParenthesis)
            && (second.kind == .operator || second.kind == .leftParenthesis || second.kind == .equals)
    }

    private func isAngle(_ token: Token, _ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Bool {
        let first = source[token.range.lowerBound]
        return token.kind == .operator && (first == UInt8(ascii: one) || first == UInt8(ascii: other))
    }

    /// Reads `#if` and its relatives.
    ///
    /// - Returns: Whether the token was one; if not, it is left alone.
    mutating func parseDirective() -> Bool {
        switch text(token) {
        case "#if":
            let directive = readDirective()
            items.append(directiveItem)
            chains.append(ConditionalBranch(directives: [directive]))
        case "#elseif", "#else":
            leaveFramesInsideBranch()
            let directive = readDirective()
            if !chains.isEmpty { chains[chains.count - 1].directives.append(directive) }
        case "#endif":
            leaveFramesInsideBranch()
            if !chains.isEmpty { chains.removeLast() }
            advance()
        default:
            return false
        }
        return true
    }

    /// Stands for a directive, on which no annotation can stand.
    private var directiveItem: Item {
        let offset = directiveStart
        return Item(
            kind: .other(.declaration(keyword: "#if", name: "")),
            start: offset,
            keyword: offset,
            name: offset,
            end: offset + 3
        )
    }

    private mutating func readDirective() -> String {
        directiveStart = token.range.lowerBound
        var isFirst = true
        return readTokens { parser, token in
            defer { isFirst = false }
            return !isFirst && token.isFirstOnLine && !parser.isContinued
        }
    }
}
