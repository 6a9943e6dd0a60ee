/// The class of a byte, which decides how the lexer continues.
///
/// Users run a debug build of the tool. There a call, a comparison of enumerations from another file, a closure or an
/// access to a generic container takes as long as reading twenty bytes of text. Loads through pointers, arithmetic and
/// a `switch`, which becomes a jump, are fast. So the lexer looks up the class of a byte in a table and switches over
/// it.
enum ByteClass: UInt8 {
    /// Zero: the end of the text, or a blank before it.
    case zero
    case blank, lineFeed, carriageReturn
    /// A character that separates tokens as a blank does, but doesn't count as white space beside an operator.
    case control
    case letter, digit
    /// Part of a character that is not ASCII.
    case beyondASCII
    /// A character of operators without another meaning.
    case `operator`
    case slash, asterisk, less, greater, equals, minus, question, exclamation
    case period, comma, colon, semicolon, at, pound, quote, backtick, backslash
    case leftBrace, rightBrace, leftParenthesis, rightParenthesis, leftBracket, rightBracket
    case other
}

extension ByteClass {
    /// The classes of all 256 bytes.
    ///
    /// The table is never changed or freed.
    nonisolated(unsafe) static let table: UnsafePointer<ByteClass> = {
        let table = UnsafeMutablePointer<ByteClass>.allocate(capacity: 256)
        for byte in 0..<256 { table[byte] = ByteClass(UInt8(byte)) }
        return UnsafePointer(table)
    }()

    private init(_ byte: UInt8) {
        switch byte {
        case 0: self = .zero
        case 0x80...: self = .beyondASCII
        case Byte.lineFeed: self = .lineFeed
        case Byte.carriageReturn: self = .carriageReturn
        case 0x20, 0x09: self = .blank
        case ..<0x20, 0x7F: self = .control
        default: self = ByteClass(printable: byte)
        }
    }

    private init(printable byte: UInt8) {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "_", "$": self = .letter
        case "0"..."9": self = .digit
        case "/": self = .slash
        case "*": self = .asterisk
        case "<": self = .less
        case ">": self = .greater
        case "=": self = .equals
        case "-": self = .minus
        case "?": self = .question
        case "!": self = .exclamation
        case "+", "%", "&", "|", "^", "~": self = .operator
        case ".": self = .period
        case ",": self = .comma
        case ":": self = .colon
        case ";": self = .semicolon
        case "@": self = .at
        case "#": self = .pound
        case "\"": self = .quote
        case "`": self = .backtick
        case "\\": self = .backslash
        case "{": self = .leftBrace
        case "}": self = .rightBrace
        case "(": self = .leftParenthesis
        case ")": self = .rightParenthesis
        case "[": self = .leftBracket
        case "]": self = .rightBracket
        default: self = .other
        }
    }
}

/// The class of a character beyond ASCII, which decides how the lexer continues.
///
/// The ranges come from Swift's lexical grammar, as in the lexers of the compiler and of swift-syntax:
/// `identifier-head`, `identifier-character`, `operator-head` and `operator-character`. A character of no class
/// separates tokens as white space does. The compiler warns of U+00A0 and reports all others as errors.
enum ScalarClass {
    static func isInIdentifier(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA8, 0xAA, 0xAD, 0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F,
            0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D, 0x202A...0x202E, 0x203F...0x2040, 0x2054,
            0x2060...0x218F, 0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007,
            0x3021...0x302F, 0x3031...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFFF8:
            true
        // All planes except the last two, without the last two characters of each plane.
        case 0x10000...0xEFFFF: scalar & 0xFFFF <= 0xFFFD
        default: false
        }
    }

    static func beginsIdentifier(_ scalar: UInt32) -> Bool { isInIdentifier(scalar) && !isCombining(scalar) }

    static func isInOperator(_ scalar: UInt32) -> Bool {
        switch scalar {
        // A variation selector turns an operator such as U+26A0 into an emoji.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: isSymbol(scalar) || isCombining(scalar)
        }
    }

    /// Whether the character begins an operator, unless it begins an identifier.
    static func beginsOperator(_ scalar: UInt32) -> Bool { isSymbol(scalar) && !isInIdentifier(scalar) }

    /// Whether the character has no class, and separates tokens.
    static func isSpace(_ scalar: UInt32) -> Bool { !isInIdentifier(scalar) && !isSymbol(scalar) }

    private static func isCombining(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    private static func isSymbol(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA1...0xA7, 0xA9, 0xAB, 0xAC, 0xAE, 0xB0, 0xB1, 0xB6, 0xBB, 0xBF, 0xD7, 0xF7, 0x2016, 0x2017,
            0x2020...0x2027, 0x2030...0x203E, 0x2041...0x2053, 0x2055...0x205E, 0x2190...0x23FF, 0x2500...0x2775,
            0x2794...0x2BFF, 0x2E00...0x2E7F, 0x3001...0x3003, 0x3008...0x3030:
            true
        default: false
        }
    }
}

/// Characters that are confusable with characters of an annotation, as in Unicode Technical Standard 39, or invisible.
enum Confusables {
    /// A word in lower case, with Latin letters in place of confusable letters of other alphabets.
    @_optimize(none)
    static func replaced(in word: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in word.lowercased().unicodeScalars {
            if (0xFF41...0xFF5A).contains(scalar.value), let latin = Unicode.Scalar(scalar.value - 0xFF41 + 0x61) {
                result.append(latin)
            } else {
                result.append(letters[scalar] ?? scalar)
            }
        }
        return String(result)
    }

    /// Letters confusable with letters of `relationship` and `cache`: Cyrillic, Greek and others.
    private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{0435}": "e", "\u{0451}": "e", "\u{04CF}": "l", "\u{0430}": "a", "\u{03B1}": "a", "\u{0442}": "t",
        "\u{0456}": "i", "\u{0131}": "i", "\u{03B9}": "i", "\u{043E}": "o", "\u{03BF}": "o", "\u{0455}": "s",
        "\u{04BB}": "h", "\u{0440}": "p", "\u{03C1}": "p", "\u{0433}": "r", "\u{043F}": "n", "\u{03B7}": "n",
        "\u{0441}": "c", "\u{03F2}": "c",
    ]

    /// The length of the character at an offset, if it is a colon other than U+003A.
    static func colon(at offset: Int, in source: SourceText) -> Int? {
        switch (source[offset], source[offset + 1], source[offset + 2]) {
        case (0xEF, 0xBC, 0x9A), (0xE2, 0x88, 0xB6), (0xEA, 0x9E, 0x89), (0xEF, 0xB9, 0x95): 3
        case (0xCB, 0x90, _): 2
        default: nil
        }
    }

    /// The character at an offset that looks like a space or is invisible, and its length.
    static func space(at offset: Int, in source: SourceText) -> (scalar: Unicode.Scalar, length: Int)? {
        let first = source[offset]
        guard first == 0xC2 || first == 0xE2 || first == 0xE3 || first == 0xEF else { return nil }
        let length = first == 0xC2 ? 2 : 3
        let mask: UInt32 = first == 0xC2 ? 0x1F : 0x0F
        var value = UInt32(first) & mask
        for index in 1..<length { value = value << 6 | UInt32(source[offset + index] & 0x3F) }
        switch value {
        case 0xA0, 0xAD, 0x2000...0x200F, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF:
            return Unicode.Scalar(value).map { ($0, length) }
        default: return nil
        }
    }
}
