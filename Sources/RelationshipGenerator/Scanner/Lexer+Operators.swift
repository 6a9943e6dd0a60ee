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
