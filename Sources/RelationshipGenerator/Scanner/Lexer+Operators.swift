/// Lexes operators, and tokens that begin like one.
extension Lexer {
    /// Lexes a period, or an operator that begins with one: `...`, `..<`, `.&`.
    mutating func lexPeriod() -> Token.Kind {
        // In key paths such as `\.?.name` the period is a token of its own.
        let isInKeyPath = offset > 0 && bytes[offset - 1] == Byte.backslash
        var end = offset + 1
        if !isInKeyPath { end = endOfOperator(from: end, allowsPeriods: true) }
        defer { offset = end }
        return end - offset == 1 ? .period : .operator
    }

    /// Lexes an operator, an editor placeholder, or a bare regular expression.
    mutating func lexOperator() -> Token.Kind {
        let start = offset
        if start == regularExpression.start {
            offset = regularExpression.end
            return .regularExpression
        }
        if bytes[start] == 0x3C, skipPlaceholder() { return .identifier }
        offset = endOfOperator(from: start, allowsPeriods: false)
        if findRegularExpression(from: start, to: offset) {
            if regularExpression.start == start {
                offset = regularExpression.end
                return .regularExpression
            }
            offset = regularExpression.start
        }
        return operatorKind(from: start)
    }

    private mutating func operatorKind(from start: Int) -> Token.Kind {
        switch offset - start {
        case 1 where bytes[start] == 0x3D: .equals
        case 2 where bytes[start] == 0x2D: bytes[start + 1] == 0x3E ? .arrow : .operator
        default: .operator
        }
    }

    /// The end of an operator, at the latest before a comment or a placeholder.
    private mutating func endOfOperator(from start: Int, allowsPeriods: Bool) -> Int {
        var end = start
        while true {
            switch classes[Int(bytes[end])] {
            case .operator, .asterisk, .greater, .equals, .minus, .question, .exclamation: end += 1
            case .slash:
                if end > start || allowsPeriods, startsComment(at: end) { return end }
                end += 1
            case .less:
                if end > start, endOfPlaceholder(at: end) != nil { return end }
                end += 1
            case .period where allowsPeriods: end += 1
            case .beyondASCII:
                let (scalar, length) = scalar(at: end)
                guard ScalarClass.isInOperator(scalar) else { return end }
                end += length
            default: return end
            }
        }
    }

    // MARK: Editor placeholders

    /// Skips `<#name#>` if there is one here.
    private mutating func skipPlaceholder() -> Bool {
        guard let end = endOfPlaceholder(at: offset) else { return false }
        offset = end
        return true
    }

    private mutating func endOfPlaceholder(at start: Int) -> Int? {
        guard bytes[start + 1] == Byte.pound else { return nil }
        var end = start + 2
        while true {
            switch classes[Int(bytes[end])] {
            case .lineFeed, .carriageReturn: return nil
            case .zero where end >= source.count: return nil
            case .less where bytes[end + 1] == 0x23: return nil
            case .pound where bytes[end + 1] == 0x3E: return end + 2
            default: end += 1
            }
        }
    }

    // MARK: Conflict markers

    /// Skips the conflict marker of a version control system as the compiler does, if one begins here.
    mutating func skipConflict() -> Bool {
        guard !lacksConflictEnd, isAtLineStart() else { return false }
        let isGit = isConflictMarker(at: offset, 0x3C, count: 7, followedBy: 0x20)
        guard isGit || isConflictMarker(at: offset, 0x3E, count: 4, followedBy: 0x20) else { return false }
        let start = offset
        while offset < source.count {
            skipLine()
            while Byte.isLineEnd(bytes[offset]) { offset += 1 }
            let isEnd =
                isGit
                ? isConflictMarker(at: offset, 0x3E, count: 7, followedBy: 0x20)
                : isConflictMarker(at: offset, 0x3C, count: 4, followedBy: Byte.lineFeed)
            guard isEnd else { continue }
            skipLine()
            return true
        }
        lacksConflictEnd = true
        offset = start
        return false
    }

    private mutating func isAtLineStart() -> Bool { offset == 0 || Byte.isLineEnd(bytes[offset - 1]) }

    private mutating func isConflictMarker(at start: Int, _ byte: UInt8, count: Int, followedBy next: UInt8) -> Bool {
        var end = start
        while bytes[end] == byte { end += 1 }
        return end - start == count && bytes[end] == next
    }
}

/// Lexes regular expressions, distinguished from operators by the rules of Swift 6.
///
/// A slash directly after an expression divides. A slash directly before an expression begins a regular expression. If
/// neither or both are true, the previous token decides, and whether the rest of the line can be a regular expression.
extension Lexer {
    /// Finds the bare regular expression whose first slash is part of an operator.
    ///
    /// - Returns: Whether there is one. ``regularExpression`` is set to it.
    mutating func findRegularExpression(from start: Int, to end: Int) -> Bool {
        var slash = start
        while slash < end, bytes[slash] != 0x2F { slash += 1 }
        guard slash < end, !isLeftBound(at: start) else { return false }
        switch previous.word {
        // The name of an operator follows.
        case .func, .operator: return false
        default: break
        }
        var isCertain = false
        if !isRightBound(at: end, isLeftBound: false) {
            guard canExpressionFollow() else { return false }
            switch previous.kind {
            // An operator can be an argument.
            case .leftParenthesis, .leftBracket, .comma, .colon: break
            default: isCertain = true
            }
        }
        let expressionEnd = endOfRegularExpression(from: slash, isCertain: isCertain)
        guard expressionEnd > slash else { return false }
        regularExpression = (slash, expressionEnd)
        return true
    }

    /// The end of the regular expression that begins with a slash; 0 when there is none.
    ///
    /// - Parameter isCertain: Whether the slash has no other meaning, so that the expression ends with its line at the
    ///   latest.
    private mutating func endOfRegularExpression(from slash: Int, isCertain: Bool) -> Int {
        let body = slash + 1
        switch classes[Int(bytes[body])] {
        case .blank where !isCertain: return 0
        case .slash, .asterisk: return 0
        default: break
        }
        if slash > 0, bytes[slash - 1] == 0x2A { return 0 }
        var end = body
        var groups = 0
        var sets = 0
        var lastSpace = 0
        while true {
            switch classes[Int(bytes[end])] {
            case .lineFeed, .carriageReturn: return isCertain ? end : 0
            case .zero where end >= source.count: return isCertain ? end : 0
            case .backslash:
                end += 1
                if Byte.isLineEnd(bytes[end]) || end >= source.count { continue }
            case .leftBracket: sets += 1
            case .rightBracket: if sets > 0 { sets -= 1 }
            case .leftParenthesis: if sets == 0 { groups += 1 }
            case .rightParenthesis:
                if sets > 0 { break }
                if groups == 0, !isCertain { return 0 }
                groups -= 1
            case .blank: lastSpace = end
            case .slash:
                // A comment is more likely here than an empty expression after this one.
                if startsComment(at: end) { return isCertain ? end : 0 }
                return lastSpace == end - 1 && !isCertain ? 0 : end + 1
            default: break
            }
            end += 1
        }
    }

    /// Skips `#/…/#`, which ends with its line unless its first line is empty.
    mutating func skipExtendedRegularExpression(pounds: Int) {
        offset += pounds + 1
        var end = offset
        while case .blank = classes[Int(bytes[end])] { end += 1 }
        let isMultiline = Byte.isLineEnd(bytes[end])
        let firstLineEnd = end
        if isMultiline, pounds >= lacksRegularExpressionEnd {
            offset = firstLineEnd
            return
        }
        if !isMultiline { end = offset }
        var mostPounds = 0
        while true {
            switch classes[Int(bytes[end])] {
            case .lineFeed where !isMultiline, .carriageReturn where !isMultiline:
                offset = end
                return
            case .zero where end >= source.count:
                // A literal without any end must not hide the rest of the file.
                if isMultiline { lacksRegularExpressionEnd = mostPounds + 1 }
                offset = isMultiline ? firstLineEnd : end
                return
            case .backslash:
                end += 1
                if end >= source.count || (!isMultiline && Byte.isLineEnd(bytes[end])) { continue }
            case .slash:
                let closingPounds = countPounds(at: end + 1)
                if closingPounds > mostPounds { mostPounds = closingPounds }
                if closingPounds >= pounds {
                    offset = end + 1 + closingPounds
                    return
                }
            default: break
            }
            end += 1
        }
    }

    // MARK: White space around an operator

    /// Whether an operator is attached to the text before it, by the compiler's rules on white space.
    mutating func isLeftBound(at start: Int) -> Bool {
        guard start > 0 else { return false }
        switch classes[Int(bytes[start - 1])] {
        case .zero, .blank, .lineFeed, .carriageReturn, .comma, .semicolon, .colon, .leftBrace, .leftBracket,
            .leftParenthesis:
            return false
        // The end of a comment counts as white space, and so does U+00A0.
        case .slash: return start < 2 || bytes[start - 2] != 0x2A
        case .beyondASCII: return start < 2 || !isNoBreakSpace(at: start - 2)
        default: return true
        }
    }

    private mutating func isRightBound(at end: Int, isLeftBound: Bool) -> Bool {
        switch classes[Int(bytes[end])] {
        case .zero, .blank, .lineFeed, .carriageReturn, .comma, .semicolon, .colon, .rightBrace, .rightBracket,
            .rightParenthesis:
            false
        case .period: !isLeftBound
        case .slash: !startsComment(at: end)
        case .beyondASCII: !isNoBreakSpace(at: end)
        default: true
        }
    }

    private mutating func isNoBreakSpace(at offset: Int) -> Bool {
        bytes[offset] == 0xC2 && bytes[offset + 1] == 0xA0
    }

    /// Whether an expression, not a binary operator, can follow the previous token.
    private mutating func canExpressionFollow() -> Bool {
        switch previous.kind {
        case .leftBrace, .leftParenthesis, .leftBracket, .equals, .comma, .colon, .semicolon, .other: return true
        case .endOfFile, .lineEnd: return true
        case .rightBrace, .rightParenthesis, .rightBracket, .arrow, .period, .moduleSelector, .at, .rawIdentifier,
            .number,
            .string, .regularExpression:
            return false
        case .identifier: return previous.word.isReserved && !previous.word.isOperand
        case .pound: return previous.word != .other
        case .operator:
            let isLeftBound = isLeftBound(at: previous.start)
            return !isLeftBound || isRightBound(at: previous.end, isLeftBound: isLeftBound)
        }
    }
}
