/// Tells the comments that are annotations, or were meant to be, from all others.
///
/// A comment that begins with `relationship:` is an annotation. One that nearly does counts as a mistaken annotation if what
/// follows could be one, which is a name, and then nothing, keys or prose behind a dash: so sentences such as
/// `// relationship between posts and authors` or `// Relation: see below` stay prose.
struct AnnotationRecognizer {
    /// The word that makes a comment an annotation.
    static let keyword = "relationship"

    /// How a comment begins that is an annotation, or was meant to be.
    enum Beginning: Equatable {
        /// `relationship:`; the payload begins at the offset.
        case exact(payload: Int)
        /// `Relationship:` and the like.
        case wrongCase(written: String)
        /// `relationshp: Author`, `relation: Author`, `- relationship: Author` and the like.
        case nearMiss(written: String)
        /// `relationship:` with a letter of another alphabet that looks like one of its own.
        case lookAlike(written: String)
        /// `relationship:` behind a character that can't be seen, such as U+00A0.
        case invisible(Unicode.Scalar)
    }

    private let source: SourceText
    private let end: Int
    private var offset: Int
    private var invisible: Unicode.Scalar?

    /// Returns how a comment begins, or `nil` when it is not an annotation.
    ///
    /// - Parameters:
    ///   - comment: The range of the comment, including its delimiter.
    ///   - source: The text that the comment is part of.
    static func beginning(of comment: Range<Int>, in source: SourceText) -> Beginning? {
        var recognizer = AnnotationRecognizer(source: source, end: comment.upperBound, offset: comment.lowerBound)
        return recognizer.read()
    }

    private mutating func read() -> Beginning? {
        let isBlock = source[offset + 1] == Byte.asterisk
        let style = source[offset + 2]
        skip { $0 == Byte.slash || $0 == Byte.asterisk }
        skipSpaces()
        if isBlock { skip { $0 == Byte.asterisk || Self.isSpace($0) || Byte.isLineEnd($0) } }
        let start = offset
        guard skipDecoration(isDocumentation: style == Byte.slash || style == Byte.asterisk) else { return nil }
        let isDecorated = offset > start
        // Most comments end here: no word resembles the keyword that is much shorter or longer.
        guard let word = readKeyword() else { return nil }
        let wordEnd = offset
        skipSpaces()
        let separator = skipSeparator()
        if separator == .colon && offset == wordEnd + 1 && !isDecorated {
            if word.text == Self.keyword { return invisible.map { .invisible($0) } ?? .exact(payload: offset) }
            if word.text.lowercased() == Self.keyword {
                return isFollowedByPayload(capitalized: false) || isAtEnd ? .wrongCase(written: "\(word.text):") : nil
            }
        }
        let needsCapital = separator == .none || !word.isNear
        let written = source.text(start..<(separator == .none ? wordEnd : offset))
        guard isFollowedByPayload(capitalized: needsCapital) else { return nil }
        if let invisible { return .invisible(invisible) }
        return word.hasLookAlikes ? .lookAlike(written: written) : .nearMiss(written: written)
    }

    // MARK: The word

    /// The first word of a comment, if it resembles the keyword.
    private struct Word {
        var text: String
        /// Whether it can hardly be another word.
        var isNear = true
        var hasLookAlikes = false
    }

    private mutating func readKeyword() -> Word? {
        let start = offset
        while offset < end, Self.isLetter(source[offset]) || isAtForeignLetter { offset += 1 }
        guard (8...40).contains(offset - start) else { return nil }
        var text = source.text(start..<offset)
        let isForeign = text.utf8.contains { $0 >= 0x80 }
        guard isForeign || text.utf8.count <= 14 else { return nil }
        let plain = isForeign ? LookAlikes.replaced(in: text) : text.lowercased()
        if isForeign, plain == Self.keyword { return Word(text: text, hasLookAlikes: true) }
        if let whole = joined(plain) {
            offset = whole
            text = source.text(start..<offset)
            return Word(text: text)
        }
        if plain == "relation" || plain == "relations" { return Word(text: text, isNear: false) }
        return EditDistance.between(plain, Self.keyword) <= 2 ? Word(text: text) : nil
    }

    /// Where the keyword ends that is written as two words: `relation ship`, `relation-ship`.
    private func joined(_ first: String) -> Int? {
        guard first.utf8.count < Self.keyword.utf8.count, Self.keyword.hasPrefix(first) else { return nil }
        let separators: [UInt8] = [0x20, 0x09, UInt8(ascii: "-"), UInt8(ascii: "_")]
        guard separators.contains(source[offset]) else { return nil }
        let rest = Self.keyword.utf8.dropFirst(first.utf8.count)
        let restEnd = offset + 1 + rest.count
        guard restEnd < end, source.text(offset + 1..<restEnd).lowercased().utf8.elementsEqual(rest) else { return nil }
        return Self.isLetter(source[restEnd]) ? nil : restEnd
    }

    // MARK: What stands before it

    /// Goes over what may stand before the keyword of an annotation that is not one: `@`, `- `, `MARK: `.
    ///
    /// - Returns: Whether the comment may still be meant as an annotation.
    private mutating func skipDecoration(isDocumentation: Bool) -> Bool {
        if !Self.isLetter(source[offset]) {
            // A list in documentation, such as that of parameters.
            if isDocumentation && source[offset] == UInt8(ascii: "-") { return false }
            skip { Self.decorations.contains($0) }
            skipSpaces()
        }
        for mark in ["MARK", "TODO", "FIXME", "NOTE"] where source[offset] == mark.utf8.first {
            let markEnd = offset + mark.utf8.count
            guard markEnd < end, source[markEnd] == UInt8(ascii: ":"), source.text(offset..<markEnd) == mark else {
                continue
            }
            offset = markEnd + 1
            skip { Self.isSpace($0) || $0 == UInt8(ascii: "-") }
        }
        return true
    }

    private static let decorations = Array("@:-#!+>*.\"'`\\".utf8)

    // MARK: What stands behind it

    private enum Separator {
        case none, colon, other
    }

    private mutating func skipSeparator() -> Separator {
        if source[offset] == UInt8(ascii: ":") {
            offset += 1
            return .colon
        }
        let length =
            LookAlikes.colon(at: offset, in: source) ?? Self.separatorLength(source[offset], source[offset + 1])
        offset += length
        return length > 0 ? .other : .none
    }

    private static func separatorLength(_ first: UInt8, _ second: UInt8) -> Int {
        switch first {
        case UInt8(ascii: ";"), UInt8(ascii: "="): 1
        case UInt8(ascii: "-"): second == UInt8(ascii: ">") ? 2 : 0
        default: 0
        }
    }

    /// Whether a name follows, and then nothing that continues a sentence.
    private mutating func isFollowedByPayload(capitalized: Bool) -> Bool {
        skipSpaces()
        let first = source[offset]
        guard !isAtEnd, capitalized ? (0x41...0x5A).contains(first) : Byte.isIdentifierHead(first) else { return false }
        skip { Byte.isIdentifierBody($0) || $0 == UInt8(ascii: ".") }
        skip(while: Self.isSpace)
        return isAtEnd || [Byte.asterisk, UInt8(ascii: ","), UInt8(ascii: "-"), 0xE2].contains(source[offset])
    }

    // MARK: Bytes

    private var isAtEnd: Bool { offset >= end || Byte.isLineEnd(source[offset]) }

    /// Goes over white space, line ends in a block comment among it, and over what looks like it.
    private mutating func skipSpaces() {
        while offset < end {
            if Self.isSpace(source[offset]) || Byte.isLineEnd(source[offset]) {
                offset += 1
            } else if let (scalar, length) = LookAlikes.space(at: offset, in: source) {
                invisible = scalar
                offset += length
            } else {
                return
            }
        }
    }

    /// Whether a byte beyond ASCII stands here that is neither a space nor a colon of a kind.
    private var isAtForeignLetter: Bool {
        source[offset] >= 0x80 && LookAlikes.space(at: offset, in: source) == nil
            && LookAlikes.colon(at: offset, in: source) == nil
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while offset < end && condition(source[offset]) { offset += 1 }
    }
}
