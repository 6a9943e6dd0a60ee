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
