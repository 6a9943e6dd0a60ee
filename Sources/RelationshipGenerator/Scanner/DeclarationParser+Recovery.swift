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
