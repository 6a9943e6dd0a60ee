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
