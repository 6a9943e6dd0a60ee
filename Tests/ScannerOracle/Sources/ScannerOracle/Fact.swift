/// Something that is said of a file, in a form that both parsers can say.
struct Fact: Hashable, Sendable, Comparable {
    enum Topic: String, Sendable, CaseIterable {
        case comment, attachment, type, property, jointProperty, codingKey, enumCase, `import`, member, braces
    }

    var topic: Topic
    /// Where the thing begins that is spoken of: bytes from the beginning of the file.
    var offset: Int
    var text: String

    fileprivate var withoutSpace: Fact { Fact(topic: topic, offset: offset, text: text.withoutSpace) }

    static func < (lhs: Fact, rhs: Fact) -> Bool {
        (lhs.offset, lhs.topic.rawValue, lhs.text) < (rhs.offset, rhs.topic.rawValue, rhs.text)
    }
}

/// What one parser says of a file.
struct Facts: Sendable {
    var all: [Fact] = []
    /// Whether the parser met an error, so that its declarations are a guess.
    var hasError = false
    /// Comments inside of string interpolations.
    var commentsInInterpolations = 0

    mutating func add(_ topic: Fact.Topic, at offset: Int, _ text: String) {
        all.append(Fact(topic: topic, offset: offset, text: text))
    }
}

/// A fact that only one of the two parsers states.
struct Difference: Sendable {
    enum Side: String, Sendable { case scanner, syntax }

    var side: Side
    var fact: Fact

    /// All facts that are stated by one side only, in the order of the file; the two may differ in white space and backticks.
    static func between(scanner: Facts, syntax: Facts) -> [Difference] {
        // The declarations of a file with errors depend on how a parser recovers; its comments don't.
        let isCompared = { (fact: Fact) in !syntax.hasError || fact.topic == .comment }
        let ours = Set(scanner.all.filter(isCompared).map(\.withoutSpace))
        let theirs = Set(syntax.all.filter(isCompared).map(\.withoutSpace))
        let differences =
            ours.subtracting(theirs).map { Difference(side: .scanner, fact: $0) }
            + theirs.subtracting(ours).map { Difference(side: .syntax, fact: $0) }
        return differences.sorted { ($0.fact, $0.side.rawValue) < ($1.fact, $1.side.rawValue) }
    }
}

extension StringProtocol {
    /// The text with white space, in which the two parsers may differ, only where it parts words, and without backticks,
    /// which the scanner drops where they mean nothing.
    var withoutSpace: String {
        var result: [UInt8] = []
        var isSpaced = false
        for byte in utf8 where byte != UInt8(ascii: "`") {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                isSpaced = true
                continue
            }
            if isSpaced, let last = result.last, last.isOfWord, byte.isOfWord { result.append(0x20) }
            isSpaced = false
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte can be one of a name or a number.
    fileprivate var isOfWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF: true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }
}
