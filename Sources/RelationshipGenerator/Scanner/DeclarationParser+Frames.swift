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
