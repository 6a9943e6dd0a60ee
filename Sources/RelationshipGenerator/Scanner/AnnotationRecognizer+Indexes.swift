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
