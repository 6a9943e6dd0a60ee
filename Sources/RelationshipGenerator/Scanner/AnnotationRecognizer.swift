/// Tells the comments that are annotations, or were meant to be, from all others.
///
/// A comment that begins with `relationship:` is an annotation. A comment whose first word resembles that one counts as a
/// misspelled annotation if a type name follows, so that prose such as `// relationship between posts and authors` or
/// `// relation: see below` stays prose.
enum AnnotationRecognizer {
    /// The word that makes a comment an annotation.
    static let keyword = "relationship"

    /// How a comment begins that is an annotation, or was meant to be.
    enum Beginning: Equatable {
        /// `relationship:`; the payload begins at the offset.
        case exact(payload: Int)
        /// `Relationship:` and the like.
        case wrongCase(written: String)
        /// `relationshp: Author`, `relation: Author`, `relationship Author` and the like.
        case nearMiss(written: String)
    }

    /// Returns how a comment begins, or `nil` when it is not an annotation.
    ///
    /// - Parameters:
    ///   - comment: The range of the comment, including its delimiter.
    ///   - source: The text that the comment is part of.
    static func beginning(of comment: Range<Int>, in source: SourceText) -> Beginning? {
        let (wordStart, wordEnd) = firstWord(of: comment, in: source)
        guard mayResembleKeyword(wordStart, wordEnd, source) else { return nil }
        let word = source.text(wordStart..<wordEnd)
        var offset = wordEnd
        skip(&offset, to: comment.upperBound, in: source, while: isSpace)
        let hasColon = offset < comment.upperBound && source[offset] == UInt8(ascii: ":")
        if hasColon && offset == wordEnd && word == keyword { return .exact(payload: offset + 1) }

        let lowercased = word.lowercased()
        if hasColon && lowercased == keyword {
            return offset == wordEnd ? .wrongCase(written: "\(word):") : .nearMiss(written: "\(word) :")
        }
        let resembles =
            lowercased == keyword || lowercased == "relation" || lowercased == "relations"
            || EditDistance.between(lowercased, keyword) <= 2
        guard resembles else { return nil }
        if hasColon || source[offset] == UInt8(ascii: "=") { offset += 1 }
        guard isFollowedByTypeName(offset, comment.upperBound, source) else { return nil }
        return .nearMiss(written: hasColon ? "\(word):" : word)
    }

    /// Where the first word of a comment begins and ends.
    private static func firstWord(of comment: Range<Int>, in source: SourceText) -> (start: Int, end: Int) {
        let bytes = source.bytes
        let end = comment.upperBound
        var offset = comment.lowerBound
        while offset < end, bytes[offset] == 0x2F || bytes[offset] == 0x2A { offset += 1 }
        while offset < end, bytes[offset] == 0x20 || bytes[offset] == 0x09 { offset += 1 }
        let start = offset
        while offset < end, bytes[offset] | 0x20 >= 0x61, bytes[offset] | 0x20 <= 0x7A { offset += 1 }
        return (start, offset)
    }

    /// Whether a word can be within two edits of the keyword, which is false for almost all words of prose.
    ///
    /// The keyword has twelve letters, eleven of them different, and an edit takes away one; `relation` has eight.
    private static func mayResembleKeyword(_ start: Int, _ end: Int, _ source: SourceText) -> Bool {
        guard end - start >= 8, end - start <= 14 else { return false }
        var letters: UInt32 = 0
        var offset = start
        while offset < end {
            letters |= 1 &<< UInt32(source.bytes[offset] & 0x1F)
            offset += 1
        }
        return (letters & keywordLetters).nonzeroBitCount >= 8
    }

    /// A bit for each letter of the keyword.
    private static let keywordLetters = keyword.utf8.reduce(UInt32(0)) { $0 | 1 << UInt32($1 & 0x1F) }

    /// Whether a capitalised name follows, and then nothing that continues a sentence.
    private static func isFollowedByTypeName(_ start: Int, _ end: Int, _ source: SourceText) -> Bool {
        var offset = start
        skip(&offset, to: end, in: source, while: isSpace)
        guard offset < end, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(source[offset]) else { return false }
        skip(&offset, to: end, in: source) { Byte.isIdentifierBody($0) || $0 == UInt8(ascii: ".") }
        skip(&offset, to: end, in: source, while: isSpace)
        guard offset < end else { return true }
        return [Byte.asterisk, UInt8(ascii: ","), UInt8(ascii: "-"), 0xE2].contains(source[offset])
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func skip(
        _ offset: inout Int,
        to end: Int,
        in source: SourceText,
        while condition: (UInt8) -> Bool
    ) {
        while offset < end && condition(source[offset]) { offset += 1 }
    }
}
