/// Reads the payload of an annotation: `Type[, key: value …][ - free prose]`.
struct AnnotationParser {
    /// The keys that an annotation can have.
    static let keys = ["name", "inverse", "backlink", "sorted", "delete"]
    /// A key of earlier versions.
    private static let unneededKey = "throwing"

    let source: SourceText
    var offset: Int
    private let end: Int

    private init(_ source: SourceText, from offset: Int, to end: Int) {
        self.source = source
        self.offset = offset
        self.end = end
    }

    /// Parses the payload of an annotation, or returns the reason why it can't be parsed.
    ///
    /// - Parameters:
    ///   - payload: The offset of the payload.
    ///   - keyword: The word before it.
    ///   - comment: The comment that contains it.
    ///   - source: The text that contains the comment.
    static func parse(
        from payload: Int,
        behind keyword: AnnotationKeyword = .relationship,
        in comment: Comment,
        of source: SourceText
    ) -> Result<AnnotationPayload, AnnotationError> {
        let isBlock = comment.style == .block || comment.style == .documentationBlock
        let closing = source.text(comment.range).hasSuffix("*/") && isBlock ? 2 : 0
        var parser = AnnotationParser(source, from: payload, to: max(payload, comment.range.upperBound - closing))
        return Result { () throws(AnnotationError) in
            keyword == .cache ? try parser.parseIndex() : try parser.parsePayload()
        }
    }

    @_optimize(none)
    private mutating func parsePayload() throws(AnnotationError) -> AnnotationPayload {
        try skipSpaces()
        guard !isAtEnd, !isAtProse else { throw .missingTarget(location: location) }
        let targetLocation = location
        let start = offset
        let phrase = readTypePhrase()
        let target = readTypeName()
        try rejectInvisible()
        guard let target, isAtEnd || isAtSpace || isAtComma else {
            offset = start
            let written = readChunk()
            if Self.keys.contains(where: { written == "\($0):" }) { throw .missingTarget(location: targetLocation) }
            throw .invalidTarget(written: written, phrase)
        }
        let payload = AnnotationPayload(target: target, targetLocation: targetLocation)
        try parseKeys(into: payload, behind: phrase)
        return payload
    }

    @_optimize(none)
    private mutating func parseKeys(
        into payload: AnnotationPayload,
        behind phrase: TypePhrase
    ) throws(AnnotationError) {
        var seen: Set<String> = []
        while true {
            try skipSpaces()
            if isAtEnd || isAtProse { return }
            guard isAtComma else { throw unexpectedText(behind: seen.isEmpty ? phrase : nil) }
            let comma = location
            offset += 1
            try skipSpaces()
            if isAtEnd || isAtProse { throw .missingKey(location: comma) }
            let keyLocation = location
            let (key, hasColon) = try readKey(at: keyLocation)
            guard seen.insert(key).inserted else { throw .duplicateKey(key: key, location: keyLocation) }
            guard hasColon else { throw .missingValue(key: key, location: keyLocation) }
            let (value, valueLocation) = try readValue(of: key, at: keyLocation)
            switch key {
            case "name": (payload.accessorName, payload.accessorNameLocation) = (value, valueLocation)
            case "inverse": (payload.inverse, payload.inverseLocation) = (value, valueLocation)
            case "backlink": (payload.backlink, payload.backlinkLocation) = (value, valueLocation)
            case "sorted": (payload.sorted, payload.sortedLocation) = (value, valueLocation)
            default:
                payload.deleteRule = try Self.deleteRule(value, at: valueLocation)
                payload.deleteRuleLocation = valueLocation
            }
        }
    }

    private static func deleteRule(
        _ written: String,
        at location: SourceLocation
    ) throws(AnnotationError) -> DeleteRule {
        if let rule = DeleteRule(rawValue: written) { return rule }
        let suggestion = Self.suggestion(for: written, from: DeleteRule.allCases.map(\.rawValue))
        throw .unknownDeleteRule(written: written, suggestion: suggestion, location: location)
    }

    /// The error at a place where neither a key nor prose begins.
    private mutating func unexpectedText(behind phrase: TypePhrase?) -> AnnotationError {
        let place = location
        let written = readChunk()
        let word = written.hasSuffix(":") ? String(written.dropLast()) : written
        if Self.keys.contains(word) { return .missingComma(key: word, location: place) }
        if word == Self.unneededKey { return .unneededThrowing(location: place) }
        if let phrase { return .unexpectedWord(written: written, location: place, phrase) }
        return .unexpectedText(written: written, location: place)
    }

    /// Reads the text in the type's place without moving past it.
    private mutating func readTypePhrase() -> TypePhrase {
        let start = offset
        let place = location
        var phraseEnd = offset
        while !isAtEnd, !isAtComma || offset == start, !isAtProse {
            _ = readChunk()
            phraseEnd = offset
            while offset < end, isAtSpace { offset += 1 }
        }
        offset = start
        return TypePhrase(text: source.text(start..<phraseEnd), location: place)
    }

    /// Reads a key and its colon.
    private mutating func readKey(at start: SourceLocation) throws(AnnotationError) -> (key: String, hasColon: Bool) {
        let key = readWord()
        try skipSpaces()
        let hasColon = !isAtEnd && source[offset] == UInt8(ascii: ":")
        if hasColon { offset += 1 }
        if Self.keys.contains(key) { return (key, hasColon) }
        if key == Self.unneededKey { throw .unneededThrowing(location: start) }
        let suggestion = Self.suggestion(for: key, from: Self.keys)
        guard !key.isEmpty, hasColon || suggestion != nil else {
            throw .unexpectedText(written: key.isEmpty ? "," + readChunk() : key, location: start)
        }
        throw .unknownKey(written: key, suggestion: suggestion, location: start)
    }

    /// The known word that is most similar to a written one.
    private static func suggestion(for word: String, from known: [String]) -> String? {
        if let near = EditDistance.suggestion(for: word, from: known) { return near }
        let beginning = word.lowercased().prefix(4)
        return beginning.count == 4 ? known.first { $0.hasPrefix(beginning) } : nil
    }

    private mutating func readValue(
        of key: String,
        at keyLocation: SourceLocation
    ) throws(AnnotationError) -> (name: String, location: SourceLocation) {
        try skipSpaces()
        guard !isAtEnd, !isAtProse, !isAtComma else { throw .missingValue(key: key, location: keyLocation) }
        let valueLocation = location
        let start = offset
        let name = readRawIdentifier() ?? readIdentifier()
        try rejectInvisible()
        guard let name, isAtEnd || isAtSpace || isAtComma else {
            offset = start
            throw .invalidValue(key: key, written: readChunk(), location: valueLocation)
        }
        return (name, valueLocation)
    }

    var isAtComma: Bool { source[offset] == UInt8(ascii: ",") }

    var isAtEnd: Bool { offset >= end || Byte.isLineEnd(source[offset]) }

    private var isAtSpace: Bool { AnnotationRecognizer.isSpace(source[offset]) }

    /// Whether there is a dash here, followed by white space or the end.
    var isAtProse: Bool {
        let length = Self.dashLength(at: offset, in: source)
        return length > 0 && (offset + length >= end || AnnotationRecognizer.isSpace(source[offset + length]))
    }

    /// The length of the hyphen or dash at an offset; 0 when there is none.
    static func dashLength(at offset: Int, in source: SourceText) -> Int {
        if source[offset] == UInt8(ascii: "-") { return 1 }
        let isLong = source[offset] == 0xE2 && source[offset + 1] == 0x80 && [0x93, 0x94].contains(source[offset + 2])
        return isLong ? 3 : 0
    }

    var location: SourceLocation { source.location(of: offset) }

    mutating func skipSpaces() throws(AnnotationError) {
        while offset < end && isAtSpace { offset += 1 }
        try rejectInvisible()
    }

    /// Throws at a space-like or invisible character, which would be read as part of a name.
    func rejectInvisible() throws(AnnotationError) {
        guard offset < end, let (scalar, _) = Confusables.space(at: offset, in: source) else { return }
        throw .invisible(scalar, location: location)
    }

    /// Reads `Author`, `Blog.Author` or `Blog::Author`; returns `nil` when there is no name here.
    private mutating func readTypeName() -> String? {
        var name = ""
        while true {
            let start = offset
            guard (readRawIdentifier() ?? readIdentifier()) != nil else { return nil }
            name += SwiftWords.normalized(source.text(start..<offset))
            let end = offset
            guard skipQualification() else { return name }
            name += source.text(end..<offset)
        }
    }

    private mutating func skipQualification() -> Bool {
        let length = Self.qualificationLength(at: offset, in: source)
        guard length > 0, offset + length <= end else { return false }
        offset += length
        return true
    }

    /// The length of the period or module selector at an offset; 0 when there is none.
    static func qualificationLength(at offset: Int, in source: SourceText) -> Int {
        switch (source[offset], source[offset + 1]) {
        case (UInt8(ascii: "."), _): 1
        case (UInt8(ascii: ":"), UInt8(ascii: ":")): 2
        default: 0
        }
    }

    /// Reads an identifier without its backticks.
    private mutating func readIdentifier() -> String? {
        let isQuoted = offset < end && source[offset] == Byte.backtick
        if isQuoted { offset += 1 }
        guard offset < end, Byte.isIdentifierHead(source[offset]), !isDash else { return nil }
        let word = readWord()
        if isQuoted {
            guard offset < end, source[offset] == Byte.backtick else { return nil }
            offset += 1
        }
        return word
    }

    /// Reads a name in backticks with characters that other names can't have, such as spaces.
    private mutating func readRawIdentifier() -> String? {
        guard source[offset] == Byte.backtick else { return nil }
        var close = offset + 1
        while close < end, source[close] != Byte.backtick, !Byte.isLineEnd(source[close]) { close += 1 }
        guard close < end, close > offset + 1, source[close] == Byte.backtick else { return nil }
        defer { offset = close + 1 }
        return source.text(offset + 1..<close)
    }

    private var isDash: Bool { source[offset] == 0xE2 && source[offset + 1] == 0x80 }

    mutating func readWord() -> String {
        let start = offset
        while offset < end, Byte.isIdentifierBody(source[offset]), Confusables.space(at: offset, in: source) == nil {
            offset += 1
        }
        return source.text(start..<offset)
    }

    /// Reads up to the next space, comma or end, for a message.
    mutating func readChunk() -> String {
        let start = offset
        while !isAtEnd && !isAtSpace && (offset == start || !isAtComma) {
            if readRawIdentifier() == nil { offset += 1 }
        }
        return source.text(start..<offset)
    }
}

/// Reads the payload of an annotation that begins with `cache:`: `index[, unique][ - free prose]`.
extension AnnotationParser {
    /// The word that the payload begins with.
    static let index = "index"
    /// The only key.
    static let unique = "unique"

    @_optimize(none)
    mutating func parseIndex() throws(AnnotationError) -> AnnotationPayload {
        try skipSpaces()
        let start = location
        guard !isAtEnd, !isAtProse else { throw .unknownIndex(written: "", suggestion: nil, location: start) }
        let word = try readWholeWord()
        guard word == Self.index else {
            throw .unknownIndex(
                written: word,
                suggestion: EditDistance.suggestion(for: word, from: [Self.index, Self.unique]),
                location: start
            )
        }
        let payload = AnnotationPayload(target: word, targetLocation: start)
        while true {
            try skipSpaces()
            if isAtEnd || isAtProse { return payload }
            guard isAtComma else {
                let place = location
                let written = readChunk()
                if written == Self.unique { throw .missingComma(key: written, location: place) }
                throw .unexpectedText(written: written, location: place)
            }
            let comma = location
            offset += 1
            try skipSpaces()
            if isAtEnd || isAtProse { throw .missingKey(location: comma) }
            let place = location
            let key = try readWholeWord()
            if key.hasPrefix(Self.unique + ":") { throw .valueOfUnique(location: place) }
            guard key == Self.unique else {
                let suggestion = EditDistance.suggestion(for: key, from: [Self.unique])
                throw .unknownIndexKey(written: key, suggestion: suggestion, location: place)
            }
            if payload.isUnique { throw .duplicateKey(key: key, location: place) }
            payload.isUnique = true
        }
    }

    /// Reads up to the next space, comma or end.
    private mutating func readWholeWord() throws(AnnotationError) -> String {
        let start = offset
        _ = readWord()
        try rejectInvisible()
        offset = start
        return readChunk()
    }
}
