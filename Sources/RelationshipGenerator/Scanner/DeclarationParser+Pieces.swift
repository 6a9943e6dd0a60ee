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
    mutating func breaksGroup(_ token: Token) -> Bool {
        switch token.kind {
        case .rightBrace: return true
        case .pound: return token.isFirstOnLine && token.word != .other
        case .identifier, .at:
            guard token.isFirstOnLine else { return false }
            // `let` and `var` are no labels of arguments; other words may be, and attributes may stand before them.
            if token.isWord(.let) || token.isWord(.var) { return true }
            return !isInList && (token.kind == .at || beginsOtherDeclaration)
        default: return false
        }
    }

    /// Whether an element of a list, or the rest of one, is due behind the previous token.
    private var isInList: Bool {
        mutating get {
            guard let previous else { return false }
            if previous.kind == .operator, source.bytes[previous.end - 1] == UInt8(ascii: "<") { return true }
            return isContinued || previous.kind == .leftParenthesis || previous.kind == .leftBracket
        }
    }

    /// Reads a generic parameter or argument list, from the opening angle on.
    ///
    /// - Parameter opened: How many angles have been passed already.
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

    /// Whether the word `let` of a generic parameter stands here that is a value: `<let count: Int>`.
    private var isAtValueParameter: Bool {
        mutating get {
            guard token.isWord(.let), let previous else { return false }
            return previous.kind == .comma || previous.kind == .operator
        }
    }

    /// The angles that an operator token opens less those it closes: generic lists of types end in `>>` or `>?`.
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

    /// Whether an operator token only closes angles, and makes the type in front optional.
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
            // A parenthesis, bracket or angle isn't closed.
            if depth > 0 || angles > 0, parser.breaksGroup(token) { return true }
            switch token.kind {
            case .leftParenthesis, .leftBracket:
                if parser.endsType(token) && depth == 0 && angles == 0 { return true }
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
                if depth == 0 && angles <= 0 && (token.isWord(.where) || parser.endsType(token)) {
                    return true
                }
            default:
                return depth == 0 && angles <= 0 && parser.endsType(token)
            }
            return false
        }
    }

    /// Whether a token begins another line on which the type doesn't go on.
    private mutating func endsType(_ token: Token) -> Bool {
        guard token.isFirstOnLine else { return false }
        if isTypeContinued { return beginsOtherDeclaration }
        if token.kind == .identifier { return !token.word.isEffect }
        return token.kind != .period && token.kind != .arrow
    }

    /// Whether the previous token of a type needs another one behind it.
    private var isTypeContinued: Bool {
        mutating get {
            guard let previous else { return false }
            switch previous.kind {
            case .equals, .comma, .colon, .period, .arrow: return true
            case .operator:
                return source.bytes[previous.end - 1] == UInt8(ascii: "&")
                    || source.bytes[previous.end - 1] == UInt8(ascii: "~")
            case .identifier: return previous.word.isContinuedByType
            default: return false
            }
        }
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
    /// - Parameter isEnd: Whether a token, at which the parser stands, is behind the end. The parser is `inout` because it
    ///   would be copied otherwise.
    /// - Returns: The tokens, with as much space between them as Swift is usually written with.
    mutating func readTokens(until isEnd: (inout DeclarationParser, Token) -> Bool) -> String {
        var result = ""
        var last: Token?
        while token.kind != .endOfFile, !isEnd(&self, token) {
            if let last, needsSpace(last, token) { result += " " }
            result += text(token)
            last = token
            advance()
        }
        return result
    }

    private mutating func needsSpace(_ first: Token, _ second: Token) -> Bool {
        if first.kind == .comma || first.kind == .colon || first.kind == .arrow || second.kind == .arrow { return true }
        let source = source
        if first.isAmpersand(in: source) || second.isAmpersand(in: source) { return true }
        guard second.hasSpaceBefore else { return false }
        if second.isOpeningAngle(in: source) || second.isClosingAngle(in: source) { return false }
        if first.isOpeningAngle(in: source) { return false }
        // Without its space, the operator of `A && (B)` would be one behind `A`.
        if first.kind == .operator && (second.kind == .operator || second.kind == .leftParenthesis) { return true }
        if second.isWordLike {
            return first.isWordLike || first.kind == .rightParenthesis || first.kind == .operator
        }
        guard first.isWordLike || first.kind == .rightParenthesis else { return false }
        return second.kind == .operator || second.kind == .leftParenthesis || second.kind == .equals
    }

    /// Reads `#if` and its relatives.
    ///
    /// - Returns: Whether the token was one; if not, it is left alone.
    mutating func parseDirective() -> Bool {
        switch token.word {
        case .if:
            let directive = readDirective()
            items.append(directiveItem())
            chains.append(branches.open(directive, in: chains.last))
        case .elseif, .else:
            leaveFramesInsideBranch()
            let directive = readDirective()
            if let last = chains.popLast() { chains.append(branches.next(directive, after: last)) }
        case .endif:
            leaveFramesInsideBranch()
            if !chains.isEmpty { chains.removeLast() }
            advance()
        default:
            return false
        }
        return true
    }

    /// The `#if` branches that the parser is in, without the outermost ones of a number.
    ///
    /// - Returns: `nil` when there are none.
    mutating func enclosingBranches(from depth: Int = 0) -> EnclosingBranches? {
        guard let innermost = chains.last, chains.count > depth else { return nil }
        return EnclosingBranches(branches, innermost: innermost, count: chains.count - depth)
    }

    /// Stands for a directive, on which no annotation can stand.
    private mutating func directiveItem() -> Item {
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
        directiveStart = token.start
        var isFirst = true
        return readTokens { parser, token in
            defer { isFirst = false }
            return !isFirst && token.isFirstOnLine && !parser.isContinued
        }
    }
}

extension Token {
    /// Whether white space must part it from another such token.
    fileprivate var isWordLike: Bool {
        switch kind {
        case .identifier, .rawIdentifier, .number, .pound: true
        default: false
        }
    }

    fileprivate func isAmpersand(in source: SourceText) -> Bool {
        guard case .operator = kind else { return false }
        return end - start == 1 && source.bytes[start] == 0x26
    }

    fileprivate func isOpeningAngle(in source: SourceText) -> Bool {
        guard case .operator = kind else { return false }
        return source.bytes[start] == 0x3C
    }

    fileprivate func isClosingAngle(in source: SourceText) -> Bool {
        guard case .operator = kind else { return false }
        return source.bytes[start] == 0x3E
    }
}
