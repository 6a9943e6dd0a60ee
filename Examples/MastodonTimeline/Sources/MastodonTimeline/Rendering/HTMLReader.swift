/// Takes HTML apart into texts and tags, and never fails: what isn't a tag is text.
struct HTMLReader: Sequence, IteratorProtocol {
    /// A piece of HTML.
    enum Token: Equatable {
        /// Text, with its entities decoded.
        case text(String)
        /// The beginning of an element; its name is lowercase, and so are those of its attributes.
        case open(String, attributes: [String: String])
        case close(String)
    }

    private var rest: Substring

    init(_ html: String) {
        rest = html[...]
    }

    mutating func next() -> Token? {
        while !rest.isEmpty {
            if rest.hasPrefix("<!--") {
                _ = take(through: "-->")
            } else if let token = tag() {
                return token
            } else {
                return text()
            }
        }
        return nil
    }

    private mutating func text() -> Token {
        // A `<` at the beginning is no tag, or it would not be read as text.
        let end = rest.dropFirst().firstIndex(of: "<") ?? rest.endIndex
        defer { rest = rest[end...] }
        return .text(HTMLReader.decodingEntities(of: rest[..<end]))
    }

    private mutating func tag() -> Token? {
        guard rest.first == "<" else { return nil }
        let isClosing = rest.dropFirst().first == "/"
        let body = rest.dropFirst(isClosing ? 2 : 1)
        guard let first = body.first, first.isASCII, first.isLetter else { return nil }
        let name = body.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
        rest = rest[name.endIndex...]
        let attributes = attributes()
        return isClosing ? .close(name.lowercased()) : .open(name.lowercased(), attributes: attributes)
    }

    /// Reads the attributes of a tag, and the tag's end.
    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "/" || $0 == "=" }
            guard let character = rest.first else { return attributes }
            if character == ">" {
                rest.removeFirst()
                return attributes
            }
            let name = rest.prefix { !$0.isWhitespace && !"=/>".contains($0) }
            rest = rest[name.endIndex...].drop(while: \.isWhitespace)
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst().drop(while: \.isWhitespace)
                value = attributeValue()
            }
            attributes[name.lowercased()] = value
        }
    }

    private mutating func attributeValue() -> String {
        if let quote = rest.first, quote == "\"" || quote == "'" {
            rest.removeFirst()
            return HTMLReader.decodingEntities(of: take(through: String(quote)))
        }
        let value = rest.prefix { !$0.isWhitespace && $0 != ">" }
        rest = rest[value.endIndex...]
        return HTMLReader.decodingEntities(of: value)
    }

    /// Takes everything up to a mark and the mark too; returns what is before the mark.
    private mutating func take(through mark: String) -> Substring {
        guard let range = rest.firstRange(of: mark) else {
            defer { rest = rest[rest.endIndex...] }
            return rest
        }
        defer { rest = rest[range.upperBound...] }
        return rest[..<range.lowerBound]
    }

    private static func decodingEntities(of text: Substring) -> String {
        var decoded = ""
        var rest = text
        while let ampersand = rest.firstIndex(of: "&") {
            decoded += rest[..<ampersand]
            let name = rest[ampersand...].dropFirst().prefix { $0 == "#" || $0.isLetter || $0.isNumber }
            let isComplete = rest[name.endIndex...].first == ";"
            if isComplete, let character = HTMLEntity.character(named: name) {
                decoded.append(character)
                rest = rest[name.endIndex...].dropFirst()
            } else {
                decoded += rest[ampersand..<name.endIndex]
                rest = rest[name.endIndex...]
            }
        }
        return decoded + rest
    }
}
