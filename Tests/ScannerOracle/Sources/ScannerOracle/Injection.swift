import SeededRandom

@testable import RelationshipGenerator

/// Puts annotations into a file at places that swift-syntax finds, in many layouts, and says what must become of each.
struct Injection {
    /// What the scanner must say of an annotation.
    enum Expectation: Equatable, Sendable {
        /// It stands on the property or case with the name at an offset of the original text.
        case property(name: Int)
        /// It is reported, and stands on no property.
        case noProperty
        /// It is no comment at all, and not reported.
        case absent
    }

    struct Injected: Sendable {
        var target: String
        var layout: String
        var expectation: Expectation
    }

    private(set) var injected: [Injected] = []
    /// What is inserted where, in the order of the text.
    private var insertions: [Insertion] = []
    private let original: [UInt8]
    private let lines: LineTable
    private let places: Places
    private var random: SeededGenerator
    /// The lines into which something was put: one annotation a line, so that none changes what another stands on.
    private var usedLines: Set<Int> = []

    private let lineEnd: String

    /// Creates the annotations for a file.
    ///
    /// - Parameters:
    ///   - text: The file, whose lines end in line feeds where others are wanted.
    ///   - places: What swift-syntax finds in it.
    ///   - seed: What chooses the layouts.
    ///   - lineEnd: How lines shall end.
    init(_ text: [UInt8], _ places: Places, seed: UInt64, lineEnd: String) {
        self.lineEnd = lineEnd
        original = text
        lines = LineTable(text)
        self.places = places
        random = SeededGenerator(seed: seed)
        for declaration in places.declarations {
            if declaration.isProperty { annotate(declaration) } else { annotateWrongly(declaration) }
        }
        for offset in places.statements where random.below(8) == 0 {
            insertAbove(offset, "above a statement", .noProperty)
        }
        for offset in places.otherLines where random.below(12) == 0 {
            insertAbove(offset, "above something on a line of its own", .noProperty)
        }
        for offset in places.closingBraces { insertAbove(offset, "before the end of a body", .noProperty) }
        for offset in places.stringSegments where random.below(4) == 0 { insertAbove(offset, "in a string", .absent) }
        for range in places.blockComments { insertIntoComment(range) }
        insertions.sort { $0.offset < $1.offset }
    }

    // MARK: Layouts

    /// The lines to insert above a property: `%` stands for the annotation; `|` keeps a line from being indented.
    private static let above: [(layout: String, lines: [String])] = [
        ("directly above", ["%"]),
        ("above, several lines of comment between", ["%", "// A comment.", "// Another."]),
        ("above documentation", ["%", "/// Documentation."]),
        ("below documentation", ["/// Documentation.", "%"]),
        ("above a block comment with a blank line", ["%", "/* A", "|", " comment. */"]),
        ("above, indented with tabs", ["|\t\t\t%"]),
        ("above, not indented", ["|%"]),
        ("above an attribute", ["%", "@Wrapper"]),
        ("above an attribute with arguments", ["%", "@Wrapper(", "{ $0 }, \")\")"]),
        ("above attributes in #if", ["%", "#if DEBUG", "@Wrapper", "#endif"]),
        ("inside of #if around attributes", ["#if DEBUG", "%", "@Wrapper", "#else", "@Other", "#endif"]),
        ("between attributes", ["@Wrapper", "%"]),
        ("between the names of an attribute and its declaration", ["@Module::Outer<Int>.Wrapper(1)", "%"]),
    ]

    /// What is above a property, and in an attribute of it.
    private static let inside: [(layout: String, lines: [String])] = [
        ("in the arguments of an attribute", ["@Wrapper(", "%", "1, 2)"]),
        ("behind an argument of an attribute", ["@Wrapper(1, %", "2)"]),
        ("in a closure of an attribute, above a variable", ["@Wrapper(a: { x in", "%", "var y = x; return y })"]),
        ("in a closure of an attribute, behind a variable", ["@Wrapper(a: { x in", "let y = x %", "return y })"]),
        ("in #if in a closure of an attribute", ["@Wrapper({", "#if DEBUG", "%", "let y = 1", "#endif", "})"]),
        ("in an array of an attribute", ["@Wrapper([", "1,", "%", "2", "])"]),
        ("in the generic arguments of an attribute", ["@Wrapper<", "%", "Int", ">"]),
        ("in a closure of an attribute, above an attribute", ["@Wrapper({", "%", "@Other let y = 1", "}) public"]),
        ("in the parentheses of a modifier", ["nonisolated(", "%", "unsafe)"]),
    ]
    /// How many of these, the last ones, end in a modifier.
    private static let endingInModifier = 2

    private static let wrongAbove: [(layout: String, lines: [String])] = [
        ("above a blank line", ["%", "|"]),
        ("above a line of white space", ["%", "| \t"]),
        ("above a blank line and a comment", ["%", "|", "// A comment."]),
    ]

    private mutating func annotate(_ property: SyntaxFacts.Declaration) {
        let expectation = Expectation.property(name: property.name)
        switch random.below(20) {
        case 0..<3 where property.start < property.keyword:
            insertBeforeWord(property.keyword, "between modifiers and the keyword", expectation, line: property.start)
        case 0..<13:
            let (layout, lines) = Self.above[random.below(Self.above.count)]
            insertAbove(property.start, layout, expectation, lines)
        case 13, 14:
            insertBehind(line: lines.line(of: property.name), within: property, "behind the name", expectation)
        case 15:
            insertBehind(
                line: lines.line(of: property.end - 1),
                within: property,
                "behind a semicolon",
                expectation,
                ";"
            )
        case 18:
            // No attribute stands behind a modifier.
            let hasAttribute = original[property.start] == UInt8(ascii: "@")
            let count = Self.inside.count - (hasAttribute ? Self.endingInModifier : 0)
            let (layout, lines) = Self.inside[random.below(count)]
            insertAbove(property.start, layout, .noProperty, lines)
        case 16, 17:
            insertBehind(line: lines.line(of: property.end - 1), within: property, "behind the end", expectation)
        default:
            let (layout, lines) = Self.wrongAbove[random.below(Self.wrongAbove.count)]
            insertAbove(property.start, layout, .noProperty, lines)
        }
    }

    private mutating func annotateWrongly(_ declaration: SyntaxFacts.Declaration) {
        let kind = declaration.description.split(separator: " ").first.map(String.init) ?? ""
        guard kind != "#if" else { return insertAbove(declaration.start, "above #if", .noProperty) }
        let what = kind == "elsewhere" ? "a local variable" : kind
        if random.below(3) == 0 {
            insertBehind(line: lines.line(of: declaration.name), within: declaration, "behind \(what)", .noProperty)
        } else {
            insertAbove(declaration.start, "above \(what)", .noProperty)
        }
    }

    // MARK: Insertions

    /// Inserts lines above what is the first on its line.
    private mutating func insertAbove(
        _ offset: Int,
        _ layout: String,
        _ expectation: Expectation,
        _ template: [String] = ["%"]
    ) {
        let line = lines.line(of: offset)
        let indentation = original[lines.start(of: line)..<offset]
        // The text of a string begins with its indentation.
        let isBlank = indentation.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        guard isBlank, expectation != .absent || offset == lines.start(of: line), line > 0 else { return }
        // A blank line of a string needn't be indented as the others must be.
        let rest = original[offset...].prefix { $0 != 0x0A }
        if expectation == .absent, rest.allSatisfy({ $0 <= 0x20 }) { return }
        var space = String(decoding: indentation, as: UTF8.self)
        if expectation == .absent {
            space = String(decoding: original[offset...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
        }
        add(layout, expectation, at: lines.start(of: line), lines: [line]) { annotation in
            template.map { line in
                let indented = line.hasPrefix("|") ? String(line.dropFirst()) : space + line
                let pieces = indented.split(separator: "%", omittingEmptySubsequences: false)
                return pieces.joined(separator: annotation) + "\n"
            }.joined()
        }
    }

    private mutating func insertBeforeWord(_ offset: Int, _ layout: String, _ expectation: Expectation, line: Int) {
        let line = lines.line(of: line)
        guard original[lines.start(of: line)..<offset].contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
        add(layout, expectation, at: offset, lines: [line, lines.line(of: offset)]) { "\n" + $0 + "\n" }
    }

    /// Inserts behind the last token of a line, if that is a part of a declaration and no comment follows.
    private mutating func insertBehind(
        line: Int,
        within declaration: SyntaxFacts.Declaration,
        _ layout: String,
        _ expectation: Expectation,
        _ separator: String = ""
    ) {
        guard let end = places.lastTokenEnds[line], end > declaration.start, end <= declaration.end else { return }
        guard separator.isEmpty || end == declaration.end else { return }
        guard original[end...].first(where: { $0 != 0x20 && $0 != 0x09 }).map({ $0 == 0x0A || $0 == 0x0D }) ?? true
        else { return }
        // In a property of several lines other declarations may be on the line.
        let inner = places.declarations.contains {
            $0.start > declaration.start && $0.start < end && lines.line(of: $0.name) == line
        }
        guard !inner else { return }
        add(layout, expectation, at: end, lines: [line]) { separator + " " + $0 }
    }

    private mutating func insertIntoComment(_ range: Range<Int>) {
        guard let lineEnd = original[range].firstIndex(of: 0x0A) else { return }
        add("in a block comment", .absent, at: lineEnd + 1, lines: [lines.line(of: lineEnd + 1)]) { $0 + "\n" }
    }

    private mutating func add(
        _ layout: String,
        _ expectation: Expectation,
        at offset: Int,
        lines used: [Int],
        _ text: (String) -> String
    ) {
        guard usedLines.isDisjoint(with: used) else { return }
        usedLines.formUnion(used)
        let target = "Oracle\(injected.count)"
        // Both kinds of annotations stand on the same declarations.
        let annotation = injected.count % 4 == 3 ? "// cache: index - \(target)" : "// relationship: \(target)"
        injected.append(Injected(target: target, layout: layout, expectation: expectation))
        insertions.append(Insertion(offset: offset, text: Array(text(annotation).utf8)))
    }

    // MARK: Result

    /// The text with all annotations.
    var text: [UInt8] { withLineEnds(original.with(insertions)) }

    private func withLineEnds(_ text: [UInt8]) -> [UInt8] {
        guard lineEnd != "\n" else { return text }
        return text.flatMap { $0 == 0x0A ? Array(lineEnd.utf8) : [$0] }
    }

    /// What an offset of the original text is in the new one.
    func shifted(_ offset: Int) -> Int {
        let before = insertions.filter { $0.offset <= offset }.flatMap(\.text) + original[..<offset]
        return withLineEnds(before).count
    }

    /// The annotations of which the scanner says something else than must be said.
    func failures() -> [(injected: Injected, offset: Int, said: String)] {
        let file = Scanner.scan(text, path: "")
        var found: [String: Annotation] = [:]
        for annotation in file.annotations {
            guard let payload = try? annotation.payload.get() else { continue }
            let prose = annotation.text.split(separator: " ").last.map(String.init)
            found[annotation.keyword == .cache ? prose ?? "" : payload.target] = annotation
        }
        return injected.compactMap { injected in
            let annotation = found[injected.target]
            switch (injected.expectation, annotation?.attachment) {
            case (.absent, nil): return nil
            case (.property(let name), .property(let type, let property)):
                if file.types[type].properties[property].location.offset == shifted(name) { return nil }
            case (.property(let name), .enumCase(let type, let index)):
                if file.types[type].cases[index].location.offset == shifted(name) { return nil }
            case (.noProperty, .nothing), (.noProperty, .unsuitable): return nil
            default: break
            }
            let said = annotation.map { "\($0.attachment)" } ?? "nothing"
            return (injected, annotation?.location.offset ?? 0, said)
        }
    }
}
