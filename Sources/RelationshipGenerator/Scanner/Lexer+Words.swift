/// Lexes identifiers, numbers, and tokens that begin with `#` or a character beyond ASCII.
extension Lexer {
    mutating func skipIdentifier() {
        var end = offset
        while true {
            switch classes[Int(bytes[end])] {
            case .letter, .digit: end += 1
            case .beyondASCII:
                let (scalar, length) = scalar(at: end)
                guard ScalarClass.isInIdentifier(scalar) else {
                    offset = end
                    return
                }
                end += length
            default:
                offset = end
                return
            }
        }
    }

    mutating func skipNumber() {
        skipIdentifier()
        guard bytes[offset] == UInt8(ascii: "."), case .digit = classes[Int(bytes[offset + 1])] else { return }
        offset += 1
        skipIdentifier()
    }

    /// Lexes a name in backticks, which can contain any character except line ends.
    mutating func lexRawIdentifier() -> Token.Kind {
        var end = offset + 1
        while true {
            switch classes[Int(bytes[end])] {
            case .backtick where end > offset + 1:
                offset = end + 1
                return .rawIdentifier
            case .backtick, .lineFeed, .carriageReturn, .zero:
                offset += 1
                return .other
            default: end += 1
            }
        }
    }

    /// Lexes a directive, a macro, or the beginning of a raw string or an extended regular expression.
    mutating func lexPound() -> Token.Kind {
        let pounds = countPounds(at: offset)
        switch classes[Int(bytes[offset + pounds])] {
        case .quote: return .string
        case .slash:
            skipExtendedRegularExpression(pounds: pounds)
            return .regularExpression
        default:
            offset += pounds
            skipIdentifier()
            return .pound
        }
    }

    mutating func countPounds(at offset: Int) -> Int {
        var end = offset
        while bytes[end] == 0x23 { end += 1 }
        return end - offset
    }

    /// The word of a conditional directive, such as `if` of `#if`.
    mutating func directive(at start: Int) -> Word {
        guard start + 1 < offset else { return .other }
        let word = words.word(bytes + start + 1, offset - start - 1)
        switch word {
        case .if, .elseif, .else, .endif: return word
        default: return .other
        }
    }

    mutating func lexBeyondASCII() -> Token.Kind {
        guard !ScalarClass.beginsOperator(scalar(at: offset).value) else { return lexOperator() }
        skipIdentifier()
        return .identifier
    }

    /// Skips a character beyond ASCII without a meaning, if there is one.
    mutating func skipForeignSpace() -> Bool {
        let (scalar, length) = scalar(at: offset)
        guard ScalarClass.isSpace(scalar) else { return false }
        offset += length
        return true
    }

    /// The scalar at an offset and its length in bytes; a single byte where the text isn't UTF-8.
    mutating func scalar(at offset: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(bytes[offset])
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        var value = first & (0xFF >> UInt32(length + 1))
        var position = 1
        while position < length {
            let byte = UInt32(bytes[offset + position])
            guard first >= 0xC2, byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            value = value << 6 | byte & 0x3F
            position += 1
        }
        // An overlong encoding.
        guard value >= (length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80) else { return (0xFFFD, 1) }
        return (value, length)
    }
}
