import Testing

@testable import RelationshipGenerator

@Suite("Wrapping of long lines")
struct LineWrappingTests {
    /// A line padded to a number of characters.
    private static func line(_ begin: String, _ end: String = "", count: Int) -> String {
        begin + String(repeating: "x", count: count - begin.count - end.count) + end
    }

    @Test(
        "A line of 120 characters is kept, a line of 121 characters is wrapped",
        arguments: [
            ("    /// A b ", ""), ("    var a: A { ", " }"), ("        set { ", " }"), ("    func a() -> A { ", " }"),
        ]
    )
    func limit(begin: String, end: String) {
        let fitting = Self.line(begin, end, count: 120)
        #expect(LineWrapping.wrapped(fitting) == fitting)
        #expect(LineWrapping.wrapped(Self.line(begin, end, count: 121)).split(separator: "\n").count > 1)
    }

    @Test("The length of a line counts characters, not bytes")
    func characters() {
        for character in ["é", "作", "👩‍👩‍👧", "e\u{301}"] {
            let fitting = "/// A " + String(repeating: character, count: 114)
            #expect(LineWrapping.wrapped(fitting) == fitting)
            #expect(LineWrapping.wrapped(fitting + character) == "/// A\n/// " + fitting.dropFirst(6) + character)
        }
    }

    @Test("A comment is wrapped between words, with each line indented and filled")
    func comments() {
        let words = String(repeating: "abcd ", count: 60)
        let lines = LineWrapping.wrapped("    /// \(words)e").split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasPrefix("    /// abcd") && $0.count <= 120 })
        #expect(lines.dropLast().allSatisfy { $0.count > 115 })
        #expect(lines.map { $0.dropFirst(8) }.joined(separator: " ") == words + "e")
    }

    @Test("The parameters of a function get a separate line, if their position is unambiguous")
    func heads() {
        let name = String(repeating: "x", count: 100)
        let head = "    @a(b) func \(name)(_ c: (D) -> E, in f: G = .h) throws(I) {"
        let wrapped = "    @a(b) func \(name)(\n        _ c: (D) -> E, in f: G = .h\n    ) throws(I) {"
        #expect(LineWrapping.wrapped(head) == wrapped)
        for line in [
            "func `\(name) (`(_ a: B = c, d: E) {", "func \(name)(_ a: B = \")\") {", "func \(name)f() throws(Error) {",
        ] {
            #expect(LineWrapping.wrapped(line) == line)
        }
    }

    @Test("A word that is too long for a line gets a separate line")
    func longWord() {
        let word = String(repeating: "x", count: 130)
        #expect(LineWrapping.wrapped("  /// a b \(word) c") == "  /// a b\n  /// \(word)\n  /// c")
        #expect(LineWrapping.wrapped("  /// \(word)") == "  /// \(word)")
    }

    @Test(
        "A body on the line of its declaration gets separate lines",
        arguments: [
            ("    var ¤: A", "self.b { $0 }"), ("public func ¤(in cache: C) -> A?", "B.c(self.d, in: cache)"),
            ("        get", "¤"), ("        set", "¤(\"a { b\")"), ("    var `a { ¤ } b`: A", "self.`c { d }`"),
        ]
    )
    func bodies(head: String, body: String) {
        let name = String(repeating: "x", count: 110)
        let (head, body) = (head.replacing("¤", with: name), body.replacing("¤", with: name))
        let indentation = head.prefix { $0 == " " }
        #expect(
            LineWrapping.wrapped("\(head) { \(body) }")
                == "\(head) {\n\(indentation)    \(body)\n\(indentation)}"
        )
    }

    @Test(
        "Lines whose meaning could change are not wrapped",
        arguments: [
            // Quotation marks before the brace.
            "@available(*, message: \"a { b\") var ¤: A { self.b }", ".init(\"¤\") { $0.a } set: { $0.a = $1 }",
            // The only brace belongs to a name.
            "func `a { ¤ }", "case `a { ¤ }` }",
            // Comments, and multi-line bodies.
            "// func a { ¤ }", "var a: A { ¤ } // }", "//// ¤ a b c", "/* ¤ a b */", "var ¤: A {", "} else if ¤ {",
            // Tables and indented code.
            "/// | ¤ | a |", "///     ¤ + a",
            // Text that isn't a declaration: a template can generate other text than Swift.
            "digraph ¤ { a -> b }", "import ¤ a b",
        ]
    )
    func unwrapped(line: String) {
        let line = line.replacing("¤", with: String(repeating: "x", count: 130))
        #expect(LineWrapping.wrapped(line) == line)
    }

    @Test("Multi-line string literals are kept, and lines after them are wrapped")
    func strings() {
        let line = Self.line("/// A ", count: 130)
        let literal = "let a = \"\"\"\n\(line)\n    func \(line) { a }\n    \"\"\""
        #expect(LineWrapping.wrapped("\(literal)\n\(line)") == "\(literal)\n/// A\n/// \(line.dropFirst(6))")
        #expect(LineWrapping.wrapped("let a = \"\"\"a\"\"\"\n\(line)").hasSuffix("\n/// A\n/// \(line.dropFirst(6))"))
    }

    @Test(
        "Other lines are kept, including empty lines at the end",
        arguments: ["", "\n", "a\n\n\nb\n", "  \n a \n", "a\r\nb"]
    )
    func others(text: String) {
        #expect(LineWrapping.wrapped(text) == text)
    }

    @Test("Accessors with long names are wrapped without a loss")
    func output() throws {
        let author = "thePersonWhoHasWrittenThisVeryLongArticleAndWillNeverWriteOneOfTheSameLengthAgain"
        let output = try generate(
            OutputTests.author + "struct Post: Cachable {\n// relationship: Author\nvar \(author)ID: Author.ID?\n}"
        )
        let lines = output.split(separator: "\n")
        for line in [
            "        get {", "            FlatCache._related(self.\(author)ID, of: Self.self)", "        set {",
            "            FlatCache._relate(&self.\(author)ID, to: newValue, in: .current._used(by: Self.self))",
            "    func \(author)(in cache: FlatCache) -> Author? {",
            "        FlatCache._related(self.\(author)ID, in: cache, of: Self.self)",
        ] {
            #expect(lines.contains { $0 == line })
        }
        // A description begins with a string, so it can't be wrapped.
        let tooLong = lines.filter { $0.count > 120 }
        #expect(tooLong.count { $0.contains(".init(\"") } == 1)
        #expect(tooLong.allSatisfy { !$0.contains("///") && !$0.hasSuffix(" }") || $0.contains("\"") })
    }
}
