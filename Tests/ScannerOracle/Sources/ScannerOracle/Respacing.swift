import SeededRandom

/// Puts white space and comments of all kinds between the tokens of a file, which mean nothing there.
///
/// Both parsers then must say the same of the changed file. Where white space means something after all, swift-syntax finds
/// an error, and fewer are put in.
struct Respacing {
    enum Kind: String, CaseIterable, Sendable {
        case noBreakSpace = "U+00A0"
        case control = "U+000B and U+000C"
        case zero = "U+0000"
        case blockComment = "block comments"
        case lineFeed = "line ends"
        case lineComment = "line comments"
        case mixture = "white space of all kinds"

        fileprivate func text(_ random: inout SeededGenerator) -> [UInt8] {
            switch self {
            case .noBreakSpace: [0xC2, 0xA0]
            case .control: [random.below(2) == 0 ? 0x0B : 0x0C]
            case .zero: [0]
            case .blockComment: Array("/* c */".utf8)
            case .lineFeed: [[0x0A], [0x0D], [0x0D, 0x0A], Array("/*\n*/".utf8)][random.below(4)]
            case .lineComment: Array("// c\n".utf8)
            case .mixture: Self.allCases[random.below(Self.allCases.count - 1)].text(&random)
            }
        }

        /// Of how many places one gets some.
        fileprivate var every: Int { isLineEnd ? 5 : 2 }

        fileprivate var isLineEnd: Bool { self == .lineFeed || self == .lineComment || self == .mixture }

        fileprivate func fits(_ gap: Places.Gap, inSmallFile isSmall: Bool) -> Bool {
            if isLineEnd { return gap.lineEnd == .meansNothing || (isSmall && gap.lineEnd == .mayMean) }
            // White space that isn't said to bind no operator changes what that is.
            return !gap.isBesideOperator || (gap.isSpaced && self != .control)
        }
    }

    /// A part of what was to be put in, and the text with that.
    struct Result: Sendable {
        var text: [UInt8]
        var count: Int
    }

    private let original: [UInt8]
    private var random: SeededGenerator
    /// How often a text may still be read.
    private var attempts: Int
    private(set) var results: [Result] = []

    /// Puts white space of one kind into a file.
    ///
    /// - Parameter attempts: How often a text may be read to find out what breaks it.
    init(_ text: [UInt8], _ places: Places, _ kind: Kind, seed: UInt64, attempts: Int) {
        original = text
        random = SeededGenerator(seed: seed)
        self.attempts = attempts
        var insertions: [Insertion] = []
        let isSmall = text.count < 2000
        for gap in places.gaps where random.below(kind.every) == 0 && kind.fits(gap, inSmallFile: isSmall) {
            insertions.append(Insertion(offset: gap.offset, text: kind.text(&random)))
        }
        add(insertions[...])
    }

    /// Keeps the text with some insertions if that has no error, and else tries both halves.
    private mutating func add(_ insertions: ArraySlice<Insertion>) {
        guard !insertions.isEmpty, attempts > 0 else { return }
        attempts -= 1
        let text = original.with(insertions)
        guard SyntaxFacts.hasError(in: text) else {
            results.append(Result(text: text, count: insertions.count))
            return
        }
        guard insertions.count > 1 else { return }
        let middle = insertions.startIndex + insertions.count / 2
        add(insertions[..<middle])
        add(insertions[middle...])
    }
}
