/// Reads the parts of a possible annotation: the keyword, the separator and the name.
extension AnnotationRecognizer {
    /// A word that resembles the keyword.
    struct Keyword {
        let text: String
        /// Whether the word is probably a misspelled keyword; `relation` is a word of its own.
        var isNear = true
        /// Whether the word is only the beginning of the keyword: `rel`.
        var isAbbreviated = false
        var hasConfusables = false

        /// Whether the word is the keyword, ignoring case.
        var isKeyword: Bool { text.lowercased() == AnnotationRecognizer.keyword }
        var isLowercased: Bool { text == text.lowercased() }
    }

    mutating func readKeyword() -> Keyword? {
        let start = offset
        while offset < end, Self.isLetter(source[offset]) || isAtForeignLetter { offset += 1 }
        wordEnd = offset
        // A shorter word resembles the keyword only if it is its beginning.
        guard (8...40).contains(offset - start) || (offset - start >= 3 && source[start] | 0x20 == UInt8(ascii: "r"))
        else { return nil }
        // `relationshipAuthor`
        let glued = start + Self.keyword.utf8.count
        if offset > glued, (0x41...0x5A).contains(source[glued]), source.text(start..<glued) == Self.keyword {
            offset = glued
        }
        let text = source.text(start..<offset)
        let isForeign = text.utf8.contains { $0 >= 0x80 }
        guard isForeign || text.utf8.count <= 14 else { return nil }
        let plain = isForeign ? Confusables.replaced(in: text) : text.lowercased()
        if isForeign, plain == Self.keyword { return Keyword(text: text, hasConfusables: true) }
        if let whole = joined(plain) {
            offset = whole
            return Keyword(text: source.text(start..<offset))
        }
        return Self.keyword(text, plain)
    }

    @_optimize(none)
    private static func keyword(_ text: String, _ plain: String) -> Keyword? {
        if plain.utf8.count >= 8, EditDistance.between(plain, keyword) <= 2 { return Keyword(text: text) }
        guard plain.utf8.first == UInt8(ascii: "r") else { return nil }
        if keyword.hasPrefix(plain), plain != "relation" {
            return Keyword(text: text, isNear: false, isAbbreviated: true)
        }
        let isNoun =
            (7...10).contains(plain.utf8.count)
            && ["relation", "relations"].contains {
                EditDistance.between(plain, $0) <= 1
            }
        return isNoun ? Keyword(text: text, isNear: false) : nil
    }

    /// The offset where a keyword in two words ends: `relation ship`, `relation-ship`.
    private func joined(_ first: String) -> Int? {
        guard first.utf8.count < Self.keyword.utf8.count, Self.keyword.hasPrefix(first) else { return nil }
        let separators: [UInt8] = [0x20, 0x09, UInt8(ascii: "-"), UInt8(ascii: "_")]
        guard separators.contains(source[offset]) else { return nil }
        let rest = Self.keyword.utf8.dropFirst(first.utf8.count)
        let restEnd = offset + 1 + rest.count
        guard restEnd < end, source.text(offset + 1..<restEnd).lowercased().utf8.elementsEqual(rest) else { return nil }
        return Self.isLetter(source[restEnd]) ? nil : restEnd
    }

    /// Whether there is a byte beyond ASCII here that belongs to no space and no colon-like character.
    var isAtForeignLetter: Bool {
        source[offset] >= 0x80 && Confusables.space(at: offset, in: source) == nil
            && Confusables.colon(at: offset, in: source) == nil
            && !(source[offset] == 0xE2 && (0x80...0x8F).contains(source[offset + 1]))
    }

    // MARK: Separator

    /// The text between the keyword and the name.
    struct Glue {
        /// Whether the separator is a colon directly after the keyword.
        var isColon = false
        /// Whether the separator has a colon, a colon-like character or a semicolon.
        fileprivate var hasColon = false
        /// Whether the separator has other punctuation.
        var hasMarks = false
        /// Whether the separator has words that precede a noun: `to`, `of type`.
        fileprivate var hasWords = false
        /// The closing counterparts of the brackets and quotation marks in the separator.
        fileprivate var opened = ""

        enum Form { case nothing, colon, marks, words }

        var form: Form {
            if hasWords { return .words }
            if hasColon, !hasMarks { return .colon }
            return hasMarks || !opened.isEmpty ? .marks : .nothing
        }
    }

    @_optimize(none)
    mutating func readGlue() -> Glue {
        var glue = Glue()
        let start = offset
        while offset - start < 40 {
            skipSpaces(overLines: false)
            let mark = source[offset]
            if let length = mark == UInt8(ascii: ":") ? 1 : Confusables.colon(at: offset, in: source) {
                glue.isColon = length == 1 && offset == start
                glue.hasColon = true
                offset += length
                continue
            }
            if isAtLinkingWord {
                glue.hasWords = true
                skip(while: Self.isLetter)
                continue
            }
            let length = markLength
            guard length > 0, !Self.otherMarks.contains(mark), !isAtMember else { break }
            // After white space, an underscore begins a name.
            if mark == UInt8(ascii: "_"), offset > start { break }
            if let closing = Self.closing[mark] {
                glue.opened.append(closing)
            } else if mark == UInt8(ascii: ";") {
                glue.hasColon = true
            } else if mark != UInt8(ascii: "_"), mark != Byte.asterisk {
                glue.hasMarks = true
            }
            offset += length
        }
        glue.isColon = glue.isColon && glue.form == .colon && glue.opened.isEmpty
        return glue
    }

    /// Characters that join two nouns, or belong to code and paths.
    private static let otherMarks = Array("&+/\\@#$%^".utf8)

    private static let closing: [UInt8: Character] = [
        0x28: ")", 0x5B: "]", 0x3C: ">", 0x7B: "}", 0x22: "\"", 0x27: "'", 0x60: "`",
    ]

    /// Whether there is a member access here, such as `.author`.
    private var isAtMember: Bool {
        source[offset] == UInt8(ascii: ".") && (0x61...0x7A).contains(source[offset + 1])
    }

    private static let linkingWords = Set(
        words: """
            a an any by for from is many of on one some the to type with
            """
    )

    private var isAtLinkingWord: Bool {
        var wordEnd = offset
        while wordEnd < end, wordEnd - offset < 5, Self.isLetter(source[wordEnd]) { wordEnd += 1 }
        return wordEnd > offset && !Byte.isIdentifierBody(source[wordEnd])
            && Self.linkingWords.contains(source.text(offset..<wordEnd))
    }

    // MARK: Name and rest

    /// A name such as `Author`, `Blog.Author` or `Blog::Author`.
    struct Name {
        let text: String
        /// Whether a full stop follows the name, as at the end of a sentence.
        let hasFullStop: Bool
    }

    /// Reads a name and a suffix that is often written after it: `?`, `.self`, a full stop.
    @_optimize(none)
    mutating func readName(behind glue: Glue) -> Name? {
        let start = offset
        guard offset < end, Byte.isIdentifierHead(source[offset]), markLength == 0 else { return nil }
        var nameEnd = offset
        while true {
            skip(while: Byte.isIdentifierBody)
            nameEnd = offset
            let length = AnnotationParser.qualificationLength(at: offset, in: source)
            guard length > 0, Byte.isIdentifierHead(source[offset + length]) else { break }
            offset += length
        }
        skip { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "!") }
        for closing in glue.opened.utf8.reversed() where source[offset] == closing { offset += 1 }
        let hasFullStop = source[offset] == UInt8(ascii: ".")
        if hasFullStop || source[offset] == UInt8(ascii: ";") { offset += 1 }
        var text = source.text(start..<nameEnd)
        for suffix in [".self", ".Type", ".ID"] where text.hasSuffix(suffix) { text.removeLast(suffix.utf8.count) }
        return Name(text: text, hasFullStop: hasFullStop)
    }

    /// Whether the comment ends here, or prose after a dash begins.
    mutating func isFollowedByNothing() -> Bool {
        let hasSpace = isAtSpace
        skip(while: Self.isSpace)
        if isAtEnd || (source[offset] == Byte.asterisk && source[offset + 1] == Byte.slash) { return true }
        let length = AnnotationParser.dashLength(at: offset, in: source)
        guard hasSpace, length > 0 else { return false }
        return offset + length >= end || source[offset + length] <= 0x20
    }

    /// Whether keys follow, such as `, name: writer`.
    func isFollowedByOptions() -> Bool {
        guard source[offset] == UInt8(ascii: ",") else { return false }
        var start = offset + 1
        while start < end, Self.isSpace(source[start]) { start += 1 }
        var wordEnd = start
        while wordEnd < end, Self.isLetter(source[wordEnd]) { wordEnd += 1 }
        guard wordEnd > start else { return false }
        if source[wordEnd] == UInt8(ascii: ":") { return true }
        return AnnotationParser.keys.contains(source.text(start..<wordEnd).lowercased())
    }
}
