import Testing

@testable import RelationshipGenerator

/// The stored properties of the first type of a source, as `name: type`.
func properties(of source: String) -> [String] {
    Scanner.scan(Array(source.utf8), path: "File.swift").types.first?.properties.map { "\($0.name): \($0.type ?? "-")" }
        ?? []
}

@Suite("Lexical structure")
struct LexicalTests {
    @Test(
        "No text in a literal or comment ends it too early: the property after it is found",
        arguments: [
            #"let a = "}""#, #"let a = "\"}""#, #"let a = "\(f("}"))""#, #"let a = "\(f("\(g("}"))"))}""#,
            ##"let a = #"\("}"#"##,
            ##"let a = #"\#(f("}"))"#"##, "let a = \"\"\"\n  } \" \"\" \\\"\"\" }\n  \"\"\"",
            "let a = #\"\"\"\n  \"\"\" } \\(\n  \"\"\"#", "let a = 1 /* } /* } */ } */", "let a = 1 // }",
            "let a = /}\"{/",
            "let a = #/}\"/{/#", "let a = #/\n  } \" {\n/#", "let a = 6 / 2 / 3", "let a = b/c; let d = \"}\" // /",
            "let a = [1: \"}\"]", "let `}`: Int", "let a = x */* } */ y", "let a = \"\\(x /* ) } */)\"",
            "let a = \"\\(x)\\\\\"",
            "let a = { () -> Int in if true { return 1 }; return 2 }()", "let a = #selector(b)", "let a = x ?? \"}\"",
            "let a = \"never closed }", "let a = [/}/, /{/]", "let a = $0 < 1 && 2 > 3", "let a = #\"\"\"#",
        ]
    )
    func literals(member: String) {
        let source = "struct S {\n    \(member)\n    var behind: Int\n}\nstruct Other { let no: Int }\n"
        #expect(properties(of: source).last == "behind: Int")
        let types = Scanner.scan(Array(source.utf8), path: "File.swift").types.map(\.name)
        #expect(types == ["S", "Other"])
    }

    @Test(
        "Comment openers inside other tokens don't hide the following code",
        arguments: [
            #"let a = "/*""#, #"let a = "//""#, ##"let a = #"/*"#"##, "let a = /\\/*/", "let `//` = 1",
            "let a = b /*/ c */",
        ]
    )
    func commentOpeners(member: String) {
        #expect(properties(of: "struct S {\n    \(member)\n    var behind: Int\n}").last == "behind: Int")
    }

    @Test(
        "Text in literals and in other comments is no annotation",
        arguments: [
            "let a = \"// relationship: A\"", "let a = \"\"\"\n    // relationship: A\n    \"\"\"",
            "/*\n // relationship: A\n */", "// // relationship: A", "let a = #\"\"\"\n// relationship: A\n\"\"\"#",
        ]
    )
    func noAnnotations(member: String) {
        let file = Scanner.scan(Array("struct S {\n\(member)\nlet bID: Int\n}".utf8), path: "File.swift")
        #expect(file.annotations.isEmpty)
    }

    @Test(
        "Annotations in comments of literals are found",
        arguments: [
            "let a = \"\\(x)\" // relationship: A", "let a = [\n// relationship: A\n1]",
        ]
    )
    func annotations(member: String) {
        let file = Scanner.scan(Array("struct S {\n\(member)\n}".utf8), path: "File.swift")
        #expect(file.annotations.count == 1)
    }

    @Test(
        "Line ends of all kinds, a byte order mark and a shebang are counted as in compilers",
        arguments: [
            ("struct S {\n// relationship: A\nlet aID: Int\n}", 2),
            ("struct S {\r\n// relationship: A\r\nlet aID: Int\r\n}", 2),
            ("struct S {\r// relationship: A\rlet aID: Int\r}", 2),
            ("\u{FEFF}struct S {\n// relationship: A\nlet aID: Int\n}", 2),
            ("#!/usr/bin/env swift\nstruct S {\n// relationship: A\nlet aID: Int\n}", 3),
        ]
    )
    func lineEnds(source: String, line: Int) throws {
        let file = Scanner.scan(Array(source.utf8), path: "File.swift")
        let annotation = try #require(file.annotations.first)
        #expect(annotation.location.line == line)
        #expect(annotation.location.column == 1)
        #expect(annotation.attachment == .property(type: 0, property: 0))
        #expect(file.types.first?.location.column == 8)
    }

    @Test("A column counts bytes, without a byte order mark, as in compilers")
    func columns() throws {
        let file = Scanner.scan(
            Array("\u{FEFF}struct S { /* é */ let aID: Int // relationship: A\n}".utf8),
            path: "File.swift"
        )
        #expect(try #require(file.annotations.first).location.column == 34)
    }

    @Test("Bytes that are not text are skipped")
    func invalidBytes() {
        let source = Array("struct S {\n".utf8) + [0xFF, 0xFE, 0x00, 0xC3, 0x0A] + Array("    var behind: Int\n}".utf8)
        let file = Scanner.scan(source, path: "File.swift")
        #expect(file.types.first?.properties.map(\.name) == ["behind"])
    }

    @Test("A raw string that begins with quotes and ends on its line is a single-line string")
    func rawString() {
        #expect(properties(of: "struct S {\nlet a = ###\"\"\"abc\"###\nlet b: Int\n}") == ["a: -", "b: Int"])
    }
}
