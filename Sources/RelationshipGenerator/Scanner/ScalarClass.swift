/// What a character that is not ASCII means to the lexer.
///
/// The ranges are those of the lexical grammar of Swift, as the lexers of the compiler and of swift-syntax have them:
/// `identifier-head`, `identifier-character`, `operator-head` and `operator-character`. A character with no meaning parts
/// tokens, as white space does: U+00A0 with a warning of the compiler, all others with an error.
enum ScalarClass {
    static func isInIdentifier(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA8, 0xAA, 0xAD, 0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F,
            0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D, 0x202A...0x202E, 0x203F...0x2040, 0x2054,
            0x2060...0x218F, 0x2460...0x24FF, 0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007,
            0x3021...0x302F, 0x3031...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFFF8:
            true
        // All planes but the last two, without their last two characters, which none of them has.
        case 0x10000...0xEFFFF: scalar & 0xFFFF <= 0xFFFD
        default: false
        }
    }

    static func beginsIdentifier(_ scalar: UInt32) -> Bool { isInIdentifier(scalar) && !isCombining(scalar) }

    static func isInOperator(_ scalar: UInt32) -> Bool {
        switch scalar {
        // Variation selectors make an emoji of an operator such as U+26A0.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: isSymbol(scalar) || isCombining(scalar)
        }
    }

    /// Whether it begins an operator, if it doesn't begin an identifier.
    static func beginsOperator(_ scalar: UInt32) -> Bool { isSymbol(scalar) && !isInIdentifier(scalar) }

    /// Whether it means nothing, and parts tokens.
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
