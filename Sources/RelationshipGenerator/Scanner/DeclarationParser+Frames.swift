/// Frames: what the parser is inside of.
extension DeclarationParser {
    /// Goes over a token that means nothing here but where it opens or closes something.
    ///
    /// - Parameter declaration: Where the declaration begins of which braces would be the body.
    mutating func consume(bodyOf declaration: Int? = nil) {
        switch token.kind {
        case .leftBrace:
            advance()
            enterFrame(.code, bodyOf: declaration)
        case .leftParenthesis, .leftBracket:
            advance()
            enterFrame(.group)
        case .rightParenthesis, .rightBracket:
            // A closing parenthesis that nothing has opened is an error of the file, not of the parser.
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

    /// Enters a frame at the first token inside.
    ///
    /// - Parameter declaration: Where the declaration begins of which it is the body.
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

    /// Leaves the bodies that were entered in the current `#if` branch, which ends here; their closing braces are missing.
    mutating func leaveFramesInsideBranch() {
        while !outerFrames.isEmpty, !chains.isEmpty, frame.chainDepth >= chains.count { leaveUnclosedFrame() }
    }

    /// Leaves a frame whose closing brace is missing.
    mutating func leaveUnclosedFrame() {
        if let brace = frame.brace { recovery.unclosed = recovery.unclosed ?? brace }
        if frame.isFlat { recovery.isDoubtful = true }
        leaveFrame()
    }

    /// Leaves the innermost frame, but never that of the file.
    mutating func leaveFrame() {
        guard !outerFrames.isEmpty else { return }
        let outer = outerFrames.removeLast()
        if frame.isInMember { closeMember() }
        // What begins in a body ends in it; an `#endif` is missing.
        if chains.count > frame.chainDepth { chains.removeLast(chains.count - frame.chainDepth) }
        let endsMember = frame.endsMember
        frame = outer
        if endsMember, frame.isInMember { closeMember() }
    }

    private mutating func skipStrayBrace() {
        recovery.stray = recovery.stray ?? token.start
        // What it was meant to end has ended before, nobody knows where.
        if outerFrames.isEmpty { recovery.isDoubtful = true }
        advance()
    }
}
