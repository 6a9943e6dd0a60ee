extension Lexer {
    /// What the lexer is inside of while it skips a string literal.
    private enum Frame {
        case string(pounds: Int, isMultiline: Bool)
        case interpolation(depth: Int)
    }

    /// Skips a string literal with everything in its interpolations, from the first quote on.
    ///
    /// Strings in interpolations of strings are kept on a stack of the heap, so that no input overflows that of the thread.
    mutating func lexString(pounds: Int) -> Token.Kind {
        let start = offset
        var frames = [openString(pounds: pounds)]
        while let frame = frames.last, offset < source.count {
            switch frame {
            case .string(let pounds, let isMultiline):
                skipString(pounds: pounds, isMultiline: isMultiline, &frames)
            case .interpolation(let depth):
                skipInterpolation(depth: depth, &frames)
            }
        }
        if !frames.isEmpty && unterminated == nil { unterminated = ("string", start) }
        return .string
    }

    /// Moves behind the opening quotes.
    private mutating func openString(pounds: Int) -> Frame {
        let isMultiline = source[offset + 1] == Byte.quote && source[offset + 2] == Byte.quote
        // `#"""#` is a string of one quote.
        if isMultiline && !(pounds > 0 && hasPounds(pounds, at: offset + 3) && !Byte.isLineEnd(source[offset + 3])) {
            offset += 3
            return .string(pounds: pounds, isMultiline: true)
        }
        offset += 1
        return .string(pounds: pounds, isMultiline: false)
    }

    private mutating func skipString(pounds: Int, isMultiline: Bool, _ frames: inout [Frame]) {
        while offset < source.count {
            let byte = source.bytes[offset]
            switch byte {
            case Byte.quote:
                let quotes = isMultiline ? 3 : 1
                if (1..<quotes).allSatisfy({ source[offset + $0] == Byte.quote }),
                    hasPounds(pounds, at: offset + quotes)
                {
                    offset += quotes + pounds
                    frames.removeLast()
                    return
                }
                offset += 1
            case Byte.backslash where hasPounds(pounds, at: offset + 1):
                offset += 1 + pounds
                if source[offset] == Byte.leftParenthesis {
                    offset += 1
                    frames.append(.interpolation(depth: 1))
                    return
                }
                // The escaped byte; a line end is handled as such.
                if !Byte.isLineEnd(source[offset]) { offset += 1 }
            case Byte.lineFeed, Byte.carriageReturn:
                if !isMultiline {
                    // Not terminated: the string ends with its line, and so does all it is part of.
                    frames.removeAll()
                    return
                }
                offset += 1
            default:
                offset += 1
            }
        }
    }

    private mutating func skipInterpolation(depth: Int, _ frames: inout [Frame]) {
        switch source.bytes[offset] {
        case Byte.leftParenthesis:
            offset += 1
            frames[frames.count - 1] = .interpolation(depth: depth + 1)
        case Byte.rightParenthesis:
            offset += 1
            if depth == 1 { frames.removeLast() } else { frames[frames.count - 1] = .interpolation(depth: depth - 1) }
        case Byte.quote:
            frames.append(openString(pounds: 0))
        case Byte.pound:
            var pounds = 0
            while source[offset + pounds] == Byte.pound { pounds += 1 }
            offset += pounds
            if source[offset] == Byte.quote { frames.append(openString(pounds: pounds)) }
        case Byte.slash where source[offset + 1] == Byte.slash:
            skipLine()
        case Byte.slash where source[offset + 1] == Byte.asterisk:
            skipBlockComment()
        default:
            offset += 1
        }
    }
}
