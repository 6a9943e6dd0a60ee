/// Finds the comments that are annotations, or may be meant as annotations.
///
/// A comment that begins with `relationship:` is an annotation. Another comment can only be a mistaken annotation if it
/// consists of a word like the keyword, a name, and then nothing, keys or prose after a dash. A heading or a sentence
/// can have the same form. So ``PossibleAnnotation/Evidence`` also considers the meaning of the name and the attached
/// declaration. The less a comment has of the form, the more evidence is needed:
///
/// | form | is an annotation if |
/// |---|---|
/// | `relationshp: Author`, with a colon | `Author` is a type, or could be one before an identifier property |
/// | `relationship - Author`, with other marks | `Author` is a type; after a capital, also a variable must follow |
/// | `relationship to Author`, with words or nothing between | `Author` is a type, and a variable follows |
/// | `note: relationship: Author`, after a label | `Author` is a type |
///
/// Without a colon, headings after `MARK:` and sentences, which begin with a capital, are not annotations.
///
/// A comment that begins with `cache:` is an annotation if `index`, or a similar word, follows. ``readCache(from:)`` has
/// the forms that may be meant as one.
struct AnnotationRecognizer {
    /// The word that makes a comment an annotation.
    static let keyword = "relationship"

    /// The beginning of a comment that is an annotation, or may be meant as one.
    enum Beginning {
        /// `relationship:` or `cache:`; the payload begins at the offset.
        case exact(payload: Int, AnnotationKeyword = .relationship)
        /// `relationship:` after an invisible character, such as U+00A0.
        case invisible(Unicode.Scalar)
        /// Another form: the error if it is an annotation, and the evidence that decides.
        case possible(AnnotationError, name: String, PossibleAnnotation.Evidence)
    }

    let source: SourceText
    let comment: Range<Int>
    let end: Int
    var offset: Int
    var invisible: Unicode.Scalar?
    /// The end of the word that was read last, whether it is the keyword or not.
    var wordEnd = 0
    /// Whether the comment is a documentation comment, where lists and sentences are more likely than mistakes.
    private(set) var isDocumentation = false

    /// Returns the beginning of a comment, or `nil` when the comment can't be an annotation.
    ///
    /// - Parameters:
    ///   - comment: The range of the comment, including its delimiter.
    ///   - source: The text that contains the comment.
    static func beginning(of comment: Range<Int>, in source: SourceText) -> Beginning? {
        var recognizer = AnnotationRecognizer(comment, source)
        return recognizer.read()
    }

    private init(_ comment: Range<Int>, _ source: SourceText) {
        self.source = source
        self.comment = comment
        end = comment.upperBound
        offset = comment.lowerBound
    }

    private mutating func read() -> Beginning? {
        let isBlock = source[offset + 1] == Byte.asterisk
        let style = source[offset + 2]
        isDocumentation = style == Byte.slash || style == Byte.asterisk
        skip { $0 == Byte.slash || $0 == Byte.asterisk }
        skipSpaces()
        if isBlock { skip { $0 == Byte.asterisk || Self.isSpace($0) || Byte.isLineEnd($0) } }
        let start = offset
        // A list in documentation, such as a list of parameters.
        if isDocumentation && source[offset] == UInt8(ascii: "-") { return nil }
        skipMarks()
        let marksEnd = offset
        if let beginning = readKeyword(behind: marksEnd > start ? .marks : .nothing, from: start) { return beginning }
        if mayBeCache(at: marksEnd) {
            offset = marksEnd
            if let beginning = readCache(from: start) { return beginning }
        }
        guard firstWordMayBeLabel(from: marksEnd) else { return nil }
        offset = marksEnd
        guard let lead = skipLabel() else { return nil }
        skipMarks()
        return readKeyword(behind: lead, from: start)
    }

    /// The text before the keyword.
    private enum Lead {
        case nothing
        /// `@`, `- ` and similar.
        case marks
        /// `note:`, `TODO`.
        case label
        /// `MARK:`, which precedes headings.
        case heading
    }

    /// Reads a comment from the keyword on.
    @_optimize(none)
    private mutating func readKeyword(behind lead: Lead, from start: Int) -> Beginning? {
        let isAttribute = lead != .nothing && source[offset - 1] == UInt8(ascii: "@")
        // Most comments end here, because their first word is much shorter or longer than the keyword.
        guard let word = readKeyword() else { return nil }
        let wordEnd = offset
        let isPlain = source[wordEnd] == UInt8(ascii: ":") && lead == .nothing
        if isPlain, word.text == Self.keyword {
            return invisible.map { .invisible($0) } ?? .exact(payload: wordEnd + 1)
        }
        var glue = readGlue()
        if isAttribute, glue.form == .nothing { glue.hasMarks = true }
        let glueEnd = offset
        let name = readName(behind: glue)
        guard let name, isFollowedByNothing() || isFollowedByOptions() else {
            offset = glueEnd
            // `Relationship:` without a name.
            guard isPlain, word.isKeyword, glue.isColon, isFollowedByNothing() else { return nil }
            return .possible(.wrongCase(written: "\(word.text):"), name: "", .nameOrProperty)
        }
        guard let evidence = evidence(lead, word, glue, name) else { return nil }
        if let invisible {
            let place = source.location(of: comment.lowerBound)
            return .possible(.invisible(invisible, location: place), name: name.text, evidence)
        }
        if isPlain, word.isKeyword { return .possible(.wrongCase(written: "\(word.text):"), name: name.text, evidence) }
        let written = trimmed(start..<max(glueEnd, wordEnd))
        if word.hasConfusables { return .possible(.confusable(written: written), name: name.text, evidence) }
        let meant = glue.form == .colon ? nil : name.text
        return .possible(.nearMiss(written: written, type: meant), name: name.text, evidence)
    }

    /// The evidence that makes a comment of a form an annotation, or `nil` when no evidence does.
    private func evidence(
        _ lead: Lead,
        _ word: Keyword,
        _ glue: Glue,
        _ name: Name
    ) -> PossibleAnnotation.Evidence? {
        switch (lead, glue.form) {
        case (.heading, _): return word.text == Self.keyword && glue.isColon ? .name : nil
        case (.label, let form): return word.isNear && form == .colon ? .name : nil
        case (_, .colon): return word.isNear ? .nameOrProperty : .name
        case _ where isDocumentation: return nil
        // Sentences and headings begin with a capital, and sentences end with a full stop.
        case (_, .marks): return word.isNear && word.isLowercased ? .name : .nameOnVariable
        case _ where lead == .marks || name.hasFullStop || word.isAbbreviated || !word.isLowercased: return nil
        case (_, .words): return name.text.first?.isLowercase == true ? nil : .nameOnVariable
        case (_, .nothing): return .nameOnVariable
        }
    }

    // MARK: Before the keyword

    /// Skips punctuation and symbols.
    ///
    /// A slash begins a comment inside the comment, which is no annotation.
    private mutating func skipMarks() {
        while offset < end {
            skipSpaces()
            let length = markLength
            guard length > 0, source[offset] != UInt8(ascii: "/") else { return }
            offset += length
        }
    }

    /// Whether the first word, which is not the keyword, can be a label.
    ///
    /// For most words the next character shows that it can't.
    private func firstWordMayBeLabel(from start: Int) -> Bool {
        let next = source[wordEnd]
        return next == UInt8(ascii: ":") || next == UInt8(ascii: "(") || next == UInt8(ascii: "_")
            || Byte.isDigit(next) || (0x41...0x5A).contains(source[start + 1])
    }

    /// Skips a label: `note:`, `TODO`, `FIXME(someone):`.
    private mutating func skipLabel() -> Lead? {
        let start = offset
        skip { Byte.isIdentifierBody($0) && $0 < 0x80 }
        guard offset > start else { return nil }
        let wordEnd = offset
        if source[offset] == UInt8(ascii: "(") {
            skip { $0 != UInt8(ascii: ")") && !Byte.isLineEnd($0) }
            offset += 1
        }
        let isHeading = wordEnd - start == 4 && source.text(start..<wordEnd) == "MARK"
        if source[offset] == UInt8(ascii: ":") {
            offset += 1
            return isHeading ? .heading : .label
        }
        guard wordEnd - start >= 2, isAtSpace else { return nil }
        for offset in start..<wordEnd where !(0x41...0x5A).contains(source[offset]) { return nil }
        return isHeading ? .heading : .label
    }

    private func trimmed(_ range: Range<Int>) -> String {
        var upper = range.upperBound
        while upper > range.lowerBound, source[upper - 1] <= 0x20 { upper -= 1 }
        return source.text(range.lowerBound..<upper)
    }
}

// MARK: - Bytes

extension AnnotationRecognizer {
    var isAtEnd: Bool { offset >= end || Byte.isLineEnd(source[offset]) }

    var isAtSpace: Bool { Self.isSpace(source[offset]) }

    /// Skips white space and characters that look like it.
    ///
    /// - Parameter overLines: Whether line ends are white space, as in block comments.
    mutating func skipSpaces(overLines: Bool = true) {
        while offset < end {
            if isAtSpace || (overLines && Byte.isLineEnd(source[offset])) {
                offset += 1
            } else if let (scalar, length) = Confusables.space(at: offset, in: source) {
                invisible = scalar
                offset += length
            } else {
                return
            }
        }
    }

    /// The length of the character at the offset; 0 if it is white space, a part of a word or the end.
    var markLength: Int {
        let first = source[offset]
        if isAtEnd || isAtSpace || first < 0x20 { return 0 }
        guard first >= 0x80 else { return Byte.isIdentifierBody(first) && first != UInt8(ascii: "_") ? 0 : 1 }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard offset + length <= end, let scalar = source.text(offset..<offset + length).unicodeScalars.first else {
            return 0
        }
        return scalar.properties.isAlphabetic || scalar.properties.isWhitespace ? 0 : length
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }

    mutating func skip(while condition: (UInt8) -> Bool) {
        while offset < end && condition(source[offset]) { offset += 1 }
    }
}

/// Finds the comments that are annotations of indexes, `cache: index`, or may be meant as such.
///
/// The word `cache` begins many comments. So a comment is an annotation only if a word like `index` or `unique` follows
/// `cache:`. Above or behind a variable or constant, it is also one if a single word follows, or if the annotation is
/// written in another way: `Cache: index`, `cache - index`, `cach: index`.
extension AnnotationRecognizer {
    /// Whether the word at an offset can be `cache`, or a similar word.
    func mayBeCache(at offset: Int) -> Bool {
        let first = source[offset]
        guard first | 0x20 == UInt8(ascii: "c") || first >= 0x80 else { return false }
        var end = offset
        while end - offset < 12, Self.isLetter(source[end]) || source[end] >= 0x80 { end += 1 }
        return (4...10).contains(end - offset)
    }

    /// Reads a comment from the word `cache` on.
    @_optimize(none)
    mutating func readCache(from start: Int) -> Beginning? {
        let begin = offset
        while offset < end, Self.isLetter(source[offset]) || isAtForeignLetter { offset += 1 }
        let text = source.text(begin..<offset)
        let isForeign = text.utf8.contains { $0 >= 0x80 }
        let plain = isForeign ? Confusables.replaced(in: text) : text.lowercased()
        let keyword = AnnotationKeyword.cache.rawValue
        guard
            plain == keyword
                || !isForeign && (4...6).contains(plain.utf8.count) && plain.hasPrefix("ca")
                    && EditDistance.between(plain, keyword) == 1
        else { return nil }
        let wordEnd = offset
        let isPlain = source[wordEnd] == UInt8(ascii: ":") && begin == start
        if isPlain, text == keyword, invisible == nil { return readExactCache(from: wordEnd + 1) }
        let glue = readGlue()
        let glueEnd = offset
        // Headings and sentences have no punctuation between the words.
        guard glue.form == .colon || glue.form == .marks else { return nil }
        guard let name = readName(behind: glue), Self.isIndex(name.text),
            isFollowedByNothing() || source[offset] == UInt8(ascii: ",")
        else { return nil }
        let written = source.text(start..<max(glueEnd, wordEnd)).trimmed
        let error: AnnotationError
        if let invisible {
            error = .invisible(invisible, location: source.location(of: start))
        } else if isForeign {
            error = .confusable(written: written)
        } else if isPlain, plain == keyword {
            error = .wrongCase(written: "\(text):")
        } else {
            error = .nearMiss(written: written, type: glue.form == .colon ? nil : AnnotationParser.index)
        }
        return .possible(error, name: name.text, .variable)
    }

    /// Decides whether a comment that begins with `cache:` is an annotation.
    @_optimize(none)
    private mutating func readExactCache(from payload: Int) -> Beginning? {
        var words: [String] = []
        offset = payload
        var place = payload
        while !isFollowedByNothing(), source[offset] != UInt8(ascii: ",") {
            let begin = offset
            if words.isEmpty { place = begin }
            skip { !Self.isSpace($0) && $0 != UInt8(ascii: ",") && !Byte.isLineEnd($0) }
            words.append(source.text(begin..<offset))
            // Prose is longer than a mistaken annotation.
            if words.count > 3 { break }
        }
        if let first = words.first, Self.isIndex(first) { return .exact(payload: payload, .cache) }
        if words.count <= 3, words.contains(where: Self.isIndex) { return .exact(payload: payload, .cache) }
        let isLine = source[comment.lowerBound + 1] == Byte.slash && !isDocumentation
        guard words.count < 2, isLine, source[offset] != UInt8(ascii: ",") else { return nil }
        let word = words.first ?? ""
        let error = AnnotationError.unknownIndex(written: word, suggestion: nil, location: source.location(of: place))
        return .possible(error, name: word, .variable)
    }

    /// Whether a word is `index` or `unique`, or a similar word.
    private static func isIndex(_ word: String) -> Bool {
        let word = word.lowercased().filter { $0.isLetter || $0.isNumber }
        guard (4...8).contains(word.utf8.count) else { return false }
        return EditDistance.between(word, AnnotationParser.index) <= 1
            || EditDistance.between(word, AnnotationParser.unique) <= 1 || word == "indices" || word == "indexes"
    }
}

extension String {
    /// The text without white space at its end.
    fileprivate var trimmed: String {
        var text = self[...]
        while let last = text.utf8.last, last <= 0x20 { text.removeLast() }
        return String(text)
    }
}
