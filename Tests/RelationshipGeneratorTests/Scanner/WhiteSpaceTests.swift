import Testing

@testable import RelationshipGenerator

/// Characters that the compiler reads as white space, as a part of a name or as an operator.
@Suite("White space")
struct WhiteSpaceTests {
    @Test(
        "A character without a class separates a keyword from a name",
        arguments: [
            "\u{A0}", "\u{A0}\u{A0}", " \u{A0} ", "\u{0}", "\u{B}", "\u{C}", "\u{1}", "\u{7F}", "\u{85}", "\u{1680}",
            "\u{180E}", "\u{2000}", "\u{200A}", "\u{2028}", "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{E000}",
            "\u{FFFD}", "\u{1FFFF}", "\u{10FFFF}",
        ]
    )
    func space(between: String) {
        let source =
            "struct S {\nvar ownerID: String\nvar\(between)authorID\(between):\(between)String // relationship: A\n}"
        let file = Scanner.scan(Array(source.utf8), path: "File.swift")
        #expect(file.types.first?.properties.map(\.name) == ["ownerID", "authorID"])
        #expect(file.types.first?.properties.last?.type == "String")
        #expect(file.annotations.map(\.attachment) == [.property(type: 0, property: 1)])
    }

    @Test(
        "Bytes that aren't UTF-8 separate tokens",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE0, 0x83, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xC2],
        ]
    )
    func invalid(bytes: [UInt8]) {
        let source = Array("struct S {\nvar".utf8) + bytes + Array("a".utf8) + bytes + Array(": Int\n}".utf8)
        #expect(Scanner.scan(source, path: "File.swift").types.first?.properties.map(\.name) == ["a"])
    }

    @Test(
        "Letters, marks and invisible characters belong to names",
        arguments: [
            "é", "作者", "a\u{301}", "a\u{200B}b", "a\u{200D}b", "a\u{2060}b", "a\u{FEFF}b", "\u{FEFF}a", "a\u{AD}b",
            "\u{2C00}", "\u{1F600}", "a\u{E0100}", "a\u{FE0F}", "\u{3021}", "\u{2776}",
        ]
    )
    func names(name: String) {
        #expect(properties(of: "struct S {\nlet \(name): Int\nlet b: Int\n}") == ["\(name): Int", "b: Int"])
    }

    @Test(
        "Operators can contain marks and variation selectors, and end before letters",
        arguments: ["→", "⚠️", "≠", "¬\u{301}", "†\u{20D0}", "⟹", "+\u{FE0F}", "⨁\u{3021}"]
    )
    func operators(name: String) {
        let file = Scanner.scan(Array("struct S {\nstatic func \(name)(a: S, b: S) {}\n}".utf8), path: "File.swift")
        #expect(file.types.first?.memberNames.map(\.name) == ["\(name)(a:b:)"])
    }

    @Test(
        "The compiler's rules on white space decide whether a slash divides or begins a regular expression",
        arguments: [
            // U+00A0 is white space, so the slash begins an expression that hides the quote.
            "let a = x ?? \u{A0}/\"{/", "let a =\u{A0}/\"{/", "let a = [\u{A0}/\"{/]",
            // U+000B is not white space, so the slash divides.
            "let a = b\u{B}/c + d/\"{\".count", "let a = b\u{C}/c + d/\"{\".count",
        ]
    )
    func slashes(member: String) {
        #expect(properties(of: "struct S {\n\(member)\nvar behind: Int\n}").last == "behind: Int")
    }

    @Test(
        "A line end in a block comment ends the line",
        arguments: ["/*\n*/", "/* a\r b */", "/* /*\r\n*/ */", " /**\n */ "]
    )
    func commentedLineEnd(comment: String) {
        let source = "struct S {\nvar ownerID: String\(comment)var authorID: String // relationship: A\n}"
        let file = Scanner.scan(Array(source.utf8), path: "File.swift")
        #expect(file.types.first?.properties.map(\.name) == ["ownerID", "authorID"])
        #expect(file.annotations.map(\.attachment) == [.property(type: 0, property: 1)])
    }

    @Test(
        "An operator after a character that isn't white space for the compiler ends a declaration",
        arguments: ["\u{B}", "\u{C}"]
    )
    func boundOperator(between: String) {
        let source = "struct S {\nlet a: () -> Int\(between)?\npackage var\nb: Int\n}"
        #expect(properties(of: source) == ["a: () -> Int?", "b: Int"])
    }

    @Test("A block comment on one line doesn't end the line")
    func commentOfOneLine() {
        let source = "struct S {\nvar a: Int = 1 + /* a */ 2 /* b */\n/* c */ var b: Int\n}"
        #expect(properties(of: source) == ["a: Int", "b: Int"])
    }
}
