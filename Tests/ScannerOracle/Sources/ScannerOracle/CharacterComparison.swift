import SwiftParser
import SwiftSyntax

@testable import RelationshipGenerator

/// Compares what each character of Unicode is to the scanner and to swift-syntax: a part of a name, of an operator, or
/// white space.
enum CharacterComparison {
    /// Each character in these places: in a name, at the beginning of one, in an operator, and beside a slash that divides
    /// or begins a regular expression, which depends on white space.
    private static func lines(_ scalar: Unicode.Scalar) -> String {
        "a\(scalar)b\n \(scalar)b\n+\(scalar)b\na\(scalar)/b/\na /\(scalar)b/\n"
    }

    /// The differences, one text each.
    ///
    /// - Parameter isWhole: Whether all characters are compared, and not only the first plane and the edges of the others.
    static func differences(isWhole: Bool) -> [String] {
        let all = scalars(isWhole: isWhole, where: isCompared)
        let size = 1024
        return inParallel((all.count + size - 1) / size) { part -> [String] in
            let scalars = all[part * size..<min(all.count, part * size + size)]
            let text = Array(scalars.map(lines).joined().utf8)
            let ours = tokensOfScanner(in: text)
            let theirs = tokensOfSyntax(in: text)
            guard ours != theirs else { return [] }
            return scalars.compactMap { scalar in
                let text = Array(lines(scalar).utf8)
                let (ours, theirs) = (tokensOfScanner(in: text), tokensOfSyntax(in: text))
                let name = "U+\(String(scalar.value, radix: 16))"
                return ours == theirs ? nil : "\(name): \(ours), but to swift-syntax \(theirs)"
            }
        }.flatMap { $0 }
    }

    /// The characters of the first plane and at the edges of the others, or all of them, that satisfy a condition.
    static func scalars(isWhole: Bool, where isCompared: (UInt32) -> Bool) -> [Unicode.Scalar] {
        let edges = (1...16).map { UInt32($0) << 16 }.flatMap { Array($0 - 0x100...min($0 + 0x1FF, 0x10FFFF)) }
        let values = isWhole ? Array(0x01...0x10FFFF) : Array(0x01...0xFFFF) + edges
        return values.filter(isCompared).compactMap { Unicode.Scalar($0) }
    }

    private static func isCompared(_ value: UInt32) -> Bool {
        switch value {
        // Line ends, and what ASCII otherwise means.
        case 0x0A, 0x0D, 0x20..<0x7F: false
        // The compiler takes it for a letter, swift-syntax for white space where no name goes before.
        case 0xFEFF: false
        // Quotation marks, of which swift-syntax makes literals for its error.
        case 0x201C, 0x201D: false
        default: true
        }
    }

    private static func tokensOfScanner(in text: [UInt8]) -> [Range<Int>] {
        SourceText.with(text) { source in
            var lexer = Lexer(source) { _, _ in false }
            var token = Token()
            var ranges: [Range<Int>] = []
            lexer.next(&token)
            while token.kind != .endOfFile {
                ranges.append(token.range)
                lexer.next(&token)
            }
            return ranges
        }
    }

    private static func tokensOfSyntax(in text: [UInt8]) -> [Range<Int>] {
        let tree = text.withUnsafeBufferPointer { Parser.parse(source: $0) }
        var ranges: [Range<Int>] = []
        var isInRegex = false
        for token in tree.tokens(viewMode: .sourceAccurate) where token.tokenKind != .endOfFile {
            let range = token.offset..<token.endPositionBeforeTrailingTrivia.utf8Offset
            // A regular expression is one token to the scanner.
            if isInRegex, let last = ranges.last { ranges[ranges.count - 1] = last.lowerBound..<range.upperBound }
            let isSlash = token.tokenKind == .regexSlash
            if !isInRegex { ranges.append(range) }
            if isSlash { isInRegex.toggle() }
        }
        return ranges
    }
}
