/// Braces that don't match, in files that no compiler accepts.
///
/// One that is missing would make everything behind it a part of the declaration that it belongs to. So a file with such is
/// read again, and then the indentation of a declaration tells what it can't be inside of.
extension DeclarationParser {
    /// What is known of braces that don't match.
    struct Recovery {
        /// Whether indentation is heeded.
        var isOn = false
        /// The first brace that is never closed.
        var unclosed: Int?
        /// The first brace that closes nothing.
        var stray: Int?
        /// How many bodies are indented, and how many are not.
        var bodies = (indented: 0, flat: 0)
        /// Whether it isn't known what is inside of a body, because that isn't indented, or ended too early.
        var isDoubtful = false
        /// Whether indentation tells what is inside of what.
        var isClear: Bool { !isDoubtful && bodies.flat < max(bodies.indented, 1) }

        /// Whether all braces match.
        var isNeedless: Bool { unclosed == nil && stray == nil }

        /// Whether braces are missing, or too many, in both.
        func isSame(as other: Recovery) -> Bool {
            (unclosed == nil) == (other.unclosed == nil) && (stray == nil) == (other.stray == nil)
        }
    }

    /// Reads the indentation of a body, at the first token of which the parser stands.
    mutating func noteIndentation(ofBodyOf declaration: Int) {
        let indentation = indentation(of: declaration)
        frame.body = (outerFrames.count, indentation)
        // Directives may stand where they like.
        guard token.isFirstOnLine, token.kind != .rightBrace, token.kind != .pound else { return }
        if self.indentation(of: token.start) > indentation {
            recovery.bodies.indented += 1
        } else {
            recovery.bodies.flat += 1
            frame.isFlat = true
        }
    }

    /// Leaves the bodies that the next declaration can't be in, because it is indented no more than what they belong to, or
    /// that the next closing brace can't end, because it is indented less.
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

    /// Whether a closing brace on a line of its own is indented more than what it would end.
    var isInsideBody: Bool {
        mutating get {
            guard token.isFirstOnLine, let body = frame.body, body.depth == outerFrames.count else { return false }
            return indentation(of: token.start) > body.indentation
        }
    }

    /// The number of blanks at the beginning of a line.
    private mutating func indentation(of offset: Int) -> Int {
        let start = source.lineStart(of: offset)
        var end = start
        while source[end] == 0x20 || source[end] == 0x09 { end += 1 }
        return end - start
    }
}
