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
