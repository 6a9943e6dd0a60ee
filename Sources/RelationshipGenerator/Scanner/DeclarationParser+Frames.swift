/// Enters and leaves frames, the nesting levels of the parser.
extension DeclarationParser {
    /// Skips a token that has no meaning here except to open or close a nesting level.
    ///
    /// - Parameter declaration: The start of the declaration whose body braces would be.
    mutating func consume(bodyOf declaration: Int? = nil) {
        switch token.kind {
        case .leftBrace:
            advance()
            enterFrame(.code, bodyOf: declaration)
        case .leftParenthesis, .leftBracket:
            advance()
            enterFrame(.group)
        case .rightParenthesis, .rightBracket:
            // An unmatched closing parenthesis is an error of the file, which the compiler reports.
            if case .group = frame.kind { frame = outerFrames.removeLast() }
            advance()
        case .rightBrace:
            while case .group = frame.kind { frame = outerFrames.removeLast() }
            if outerFrames.isEmpty || (recovery.isOn && isInsideBody) { return skipStrayBrace() }
            advance()
            leaveFrame()
        default:
            advance()
        }
    }

    /// Enters a frame at its first token.
    ///
    /// - Parameter declaration: The start of the declaration whose body the frame is.
    mutating func enterFrame(_ kind: Frame.Kind, bodyOf declaration: Int? = nil) {
        outerFrames.append(frame)
        var inner = Frame(kind: kind, chainDepth: chains.count, type: frame.type, isLocal: frame.isLocal)
        switch kind {
        case .type(let type): inner.type = type
        case .code: inner.isLocal = true
        case .file, .group: break
        }
        if let previous, kind != .group { inner.brace = previous.start }
        inner.body = frame.body
        frame = inner
        if recovery.isOn, let declaration { noteIndentation(ofBodyOf: declaration) }
    }

    /// Leaves the bodies that were entered in the conditional branch that ends here; their closing braces are missing.
    mutating func leaveFramesInsideBranch() {
        while !outerFrames.isEmpty, !chains.isEmpty, frame.chainDepth >= chains.count { leaveUnclosedFrame() }
    }

    /// Leaves a frame whose closing brace is missing.
    mutating func leaveUnclosedFrame() {
        if let brace = frame.brace { recovery.unclosed = recovery.unclosed ?? brace }
        if frame.isFlat { recovery.isDoubtful = true }
        leaveFrame()
    }

    /// Leaves the innermost frame, unless it is the file's.
    mutating func leaveFrame() {
        guard !outerFrames.isEmpty else { return }
        let outer = outerFrames.removeLast()
        if frame.isInMember { closeMember() }
        // A chain that begins in a body ends in it. Its `#endif` is missing.
        if chains.count > frame.chainDepth { chains.removeLast(chains.count - frame.chainDepth) }
        let endsMember = frame.endsMember
        frame = outer
        if endsMember, frame.isInMember { closeMember() }
    }

    private mutating func skipStrayBrace() {
        recovery.stray = recovery.stray ?? token.start
        // The declaration that the brace should end has ended already, at an unknown place.
        if outerFrames.isEmpty { recovery.isDoubtful = true }
        advance()
    }
}

/// Recovers from unmatched braces, which compilers reject.
///
/// A missing brace would make the rest of the file a part of the current declaration. A file with unmatched braces is
/// therefore parsed again with indentation, which shows where a declaration can't be nested.
extension DeclarationParser {
    /// The state of the recovery from unmatched braces.
    struct Recovery {
        /// Whether indentation is used.
        var isOn = false
        /// The first brace that is never closed.
        var unclosed: Int?
        /// The first brace that closes nothing.
        var stray: Int?
        /// The numbers of bodies with and without indentation.
        var bodies = (indented: 0, flat: 0)
        /// Whether the contents of a body are unknown, because the body isn't indented or ended too early.
        var isDoubtful = false
        /// Whether indentation shows the nesting.
        var isClear: Bool { !isDoubtful && bodies.flat < max(bodies.indented, 1) }

        /// Whether all braces match.
        var isNeedless: Bool { unclosed == nil && stray == nil }

        /// Whether two results agree on whether braces are missing or superfluous.
        func isSame(as other: Recovery) -> Bool {
            (unclosed == nil) == (other.unclosed == nil) && (stray == nil) == (other.stray == nil)
        }
    }

    /// Records the indentation of a body at its first token.
    mutating func noteIndentation(ofBodyOf declaration: Int) {
        let indentation = indentation(of: declaration)
        frame.body = (outerFrames.count, indentation)
        // Directives may have any indentation.
        guard token.isFirstOnLine, token.kind != .rightBrace, token.kind != .pound else { return }
        if self.indentation(of: token.start) > indentation {
            recovery.bodies.indented += 1
        } else {
            recovery.bodies.flat += 1
            frame.isFlat = true
        }
    }

    /// Leaves the bodies that the current token can't be in: a declaration is indented more than the declaration whose
    /// body it is in, and a closing brace no less than the declaration it ends.
    mutating func leaveFramesByIndentation() {
        guard token.isFirstOnLine else { return }
        let isBrace = token.kind == .rightBrace
        guard isBrace || token.kind == .at || (token.kind == .identifier && token.word.beginsDeclaration) else {
            return
        }
        let indentation = indentation(of: token.start) + (isBrace ? 1 : 0)
        while let body = frame.body, body.indentation >= indentation {
            while outerFrames.count >= body.depth { leaveUnclosedFrame() }
        }
    }

    /// Whether a closing brace on a line of its own is indented more than the declaration that it would end.
    var isInsideBody: Bool {
        mutating get {
            guard token.isFirstOnLine, let body = frame.body, body.depth == outerFrames.count else { return false }
            return indentation(of: token.start) > body.indentation
        }
    }

    /// The number of spaces and tabs at the beginning of a line.
    private mutating func indentation(of offset: Int) -> Int {
        let start = source.lineStart(of: offset)
        var end = start
        while source[end] == 0x20 || source[end] == 0x09 { end += 1 }
        return end - start
    }
}

extension DeclarationParser {
    /// Skips parentheses or brackets with their contents.
    ///
    /// - Returns: The skipped text with normalised white space.
    mutating func skipGroup() -> String {
        var nesting = GroupNesting()
        return readTokens { parser, token in
            if nesting.isClosed || (nesting.isOutsideBraces && parser.breaksGroup(token)) { return true }
            nesting.pass(token)
            return false
        }
    }

    /// Whether a token can't be inside parentheses, so that their end must be missing.
    mutating func breaksGroup(_ token: Token) -> Bool {
        switch token.kind {
        case .rightBrace: return true
        case .pound: return token.isFirstOnLine && token.word != .other
        case .identifier, .at:
            guard token.isFirstOnLine else { return false }
            // `let` and `var` are no argument labels. Other words may be, and attributes may precede them.
            if token.isWord(.let) || token.isWord(.var) { return true }
            return !isInList && (token.kind == .at || beginsOtherDeclaration)
        default: return false
        }
    }

    /// Whether an element of a list, or the rest of one, must follow the previous token.
    private var isInList: Bool {
        mutating get {
            guard let previous else { return false }
            if previous.kind == .operator, source.bytes[previous.end - 1] == UInt8(ascii: "<") { return true }
            return isContinued || previous.kind == .leftParenthesis || previous.kind == .leftBracket
        }
    }

    /// Reads the argument labels of a function, from its opening parenthesis to its closing one.
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
                // Of `label name:`, the first word is the label. A word without a colon after it is no label.
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

    /// Reads tokens up to an end.
    ///
    /// - Parameters:
    ///   - isCondition: Whether the tokens are a condition, in which angles are operators.
    ///   - isEnd: Whether the current token is after the end. The parser is `inout` to avoid a copy.
    /// - Returns: The tokens with conventional spacing.
    mutating func readTokens(
        isCondition: Bool = false,
        until isEnd: (inout DeclarationParser, Token) -> Bool
    ) -> String {
        var result = ""
        var last: Token?
        while token.kind != .endOfFile, !isEnd(&self, token) {
            if let last, needsSpace(last, token, inTypes: !isCondition) { result += " " }
            result += text(token)
            last = token
            advance()
        }
        return result
    }

    private mutating func needsSpace(_ first: Token, _ second: Token, inTypes: Bool) -> Bool {
        if first.kind == .comma || first.kind == .colon || first.kind == .arrow || second.kind == .arrow { return true }
        let source = source
        if first.isAmpersand(in: source) || second.isAmpersand(in: source) { return true }
        guard second.hasSpaceBefore else { return false }
        if inTypes, second.isOpeningAngle(in: source) || second.closesType(in: source) { return false }
        if inTypes, first.isOpeningAngle(in: source) || first.isTilde(in: source) { return false }
        // Without its space, the operator of `A && (B)` would be a postfix operator of `A`.
        if first.kind == .operator && (second.kind == .operator || second.kind == .leftParenthesis) { return true }
        if second.isWordLike {
            return first.isWordLike || first.kind == .rightParenthesis || first.kind == .operator
        }
        guard first.isWordLike || first.kind == .rightParenthesis else { return false }
        return second.kind == .operator || second.kind == .leftParenthesis || second.kind == .equals
    }

    /// Reads a conditional directive: `#if`, `#elseif`, `#else` or `#endif`.
    ///
    /// - Returns: Whether there was one; otherwise the token is not consumed.
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

    /// The `#if` branches around the parser's position, without a number of the outermost ones.
    ///
    /// - Returns: `nil` when there are none.
    mutating func enclosingBranches(from depth: Int = 0) -> EnclosingBranches? {
        guard let innermost = chains.last, chains.count > depth else { return nil }
        return EnclosingBranches(branches, innermost: innermost, count: chains.count - depth)
    }

    /// Adds a placeholder for a directive, which no annotation can be attached to.
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
        var depth = 0
        return readTokens(isCondition: true) { parser, token in
            defer { isFirst = false }
            // The condition continues on the next line inside parentheses and after an operator.
            let isOver = depth > 0 ? parser.breaksGroup(token) : token.isFirstOnLine && !parser.isContinued
            if !isFirst, isOver { return true }
            if token.kind == .leftParenthesis { depth += 1 }
            if token.kind == .rightParenthesis { depth -= 1 }
            return false
        }
    }
}

extension Token {
    /// Whether white space is needed between two such tokens.
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

    fileprivate func isTilde(in source: SourceText) -> Bool {
        guard case .operator = kind else { return false }
        return end - start == 1 && source.bytes[start] == 0x7E
    }

    fileprivate func isOpeningAngle(in source: SourceText) -> Bool {
        guard case .operator = kind else { return false }
        return source.bytes[start] == 0x3C
    }

    /// Whether the token closes generic arguments, or marks the type before it as optional.
    fileprivate func closesType(in source: SourceText) -> Bool {
        guard case .operator = kind else { return false }
        return [0x3E, 0x3F, 0x21].contains(source.bytes[start])
    }
}
