import Testing

@testable import RelationshipGenerator

@Suite("Unfinished text")
struct UnfinishedTextTests {
    @Test(
        "An unclosed group ends with its line, so that the next declaration is found",
        arguments: [
            "let a = \"b", "let a = #\"b", "let a = \"b\\", "let a = \"\\(b", "let a = \"\\(b(\"c",
            "let a = \"\\(b // c)\"",
            "let a = \"\\(\"\\(", "let a = #\"\\#(b", "let `a", "let a = /b", "let a = #/b", "let a = <#b", "let a = '",
        ]
    )
    func lines(member: String) {
        #expect(properties(of: "struct S {\n    \(member)\n    var behind: Int\n}").last == "behind: Int")
        let source = "// relationship: A\nlet aID: Int\nstruct S { \(member)"
        #expect(
            Scanner.scan(Array(source.utf8), path: "File.swift").diagnostics.isEmpty,
            "nothing is hidden at the end"
        )
    }

    @Test(
        "Unterminated text that hides the rest of the file is an error",
        arguments: [
            ("/* a", "comment", 1), ("let a = 1 /* /* */", "comment", 11), ("let a = \"\"\"\n b", "string", 9),
            ("let a = #\"\"\"\n \"\"\"", "string", 9), ("let a = \"\"\"\n \\(b(", "string", 9),
            ("let a = \"\"\"\n \\(\"\\(b)\" /*", "comment", 23),
        ]
    )
    func files(source: String, what: String, offset: Int) throws {
        let annotated = "// relationship: A\nlet aID: Int\n"
        let file = Scanner.scan(Array((annotated + source + "\n" + annotated).utf8), path: "File.swift")
        let diagnostic = try #require(file.diagnostics.first)
        #expect(diagnostic.message == "unterminated \(what), which would hide annotations after it; terminate it")
        #expect(diagnostic.location.offset == annotated.utf8.count + offset - 1)
    }

    @Test("Only a multi-line string can have line ends in its interpolations")
    func interpolations() {
        let inner = "\"\"\"\n  \\(f(\n  \"}\"\n  ))\n  \"\"\""
        #expect(properties(of: "struct S {\n let a = \(inner)\n var behind: Int\n}").last == "behind: Int")
        #expect(properties(of: "struct S {\n let a = \"\\(\(inner))\"\n var behind: Int\n}").last == "behind: Int")
        #expect(properties(of: "struct S {\n let a = \"\\(\n var behind: Int\n}").last == "behind: Int")
    }

    @Test(
        "Conflict markers of version control are skipped, as in the compiler",
        arguments: [
            "<<<<<<< HEAD\n let a = \"{\n=======\n let a = {\n>>>>>>> other",
            ">>>> ORIGINAL\n let a = {\n==== THEIRS\n let a = \"\n<<<<",
        ]
    )
    func conflicts(text: String) {
        #expect(properties(of: "struct S {\n\(text)\n    var behind: Int\n}") == ["behind: Int"])
    }

    @Test("A conflict marker inside a line, or without an end, is no conflict marker")
    func noConflict() {
        #expect(properties(of: "struct S {\n<<<<<<< HEAD\n    var behind: Int\n}") == ["behind: Int"])
        #expect(properties(of: "struct S {\n let a = b <<<<<<< c\n let d = 1\n>>>>>>> e\n}").count == 2)
    }
}
