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
