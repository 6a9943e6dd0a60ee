import Testing

@testable import RelationshipGenerator

@Suite("Attachment of annotations")
struct AttachmentTests {
    func scan(_ source: String) -> ScannedFile { Scanner.scan(Array(source.utf8), path: "File.swift") }

    @Test(
        "An annotation is attached to the property below it, or before it on its line",
        arguments: [
            "// relationship: A\nlet aID: Int", "// relationship: A\n/// Documentation.\n// Comment.\nlet aID: Int",
            "// relationship: A\n@Wrapper\npublic\nprivate(set) var aID: Int",
            "@Wrapper\n// relationship: A\nvar aID: Int",
            "public // comment\n// relationship: A\nvar aID: Int",
            "let aID: Int // relationship: A", "let aID: Int = 1 // relationship: A",
            "let aID: Int // relationship: A - prose",
            "var aID: Int { didSet {} } // relationship: A", "var aID: Int { // relationship: A\n didSet {} }",
            "var aID: [Int] = [\n1,\n2,\n] // relationship: A", "var aID: [Int] = [ // relationship: A\n1,\n]",
            "//relationship: A\nlet aID: Int", "//   relationship: A\nlet aID: Int",
            "    // relationship: A\n    let aID: Int",
            "#if X\n// relationship: A\nlet aID: Int\n#endif",
            "// relationship: A\n/* block\n\n comment */\nlet aID: Int",
            "let aID: Int; // relationship: A", "let aID: Int ; // relationship: A",
            "let aID: Int\n; // relationship: A",
            "var aID: Int { didSet {} }; // relationship: A", "let aID: Int = f { x(); y() }; // relationship: A",
            "// relationship: A\n@M::Wrapper let aID: Int", "// relationship: A\n@Outer<Int>.W let aID: Int",
            "// relationship: A\n@Outer<Int>\n.W(1)\nlet aID: Int",
            "@Outer<\nInt>(1)\n// relationship: A\nlet aID: Int",
            "@Wrapper({ /* } */ }) // comment\n// relationship: A\nlet aID: Int",
        ]
    )
    func property(members: String) {
        let file = Scanner.scan(
            Array("struct S {\nlet other: Int\n\(members)\nlet last: Int\n}".utf8),
            path: "File.swift"
        )
        #expect(file.annotations.map(\.attachment) == [.property(type: 0, property: 1)])
        #expect(file.annotations.map { (try? $0.payload.get())?.target } == ["A"])
    }

    @Test(
        "An annotation is attached to the case below it, or before it on its line",
        arguments: [
            "// relationship: A\ncase a(A.ID)", "case a(A.ID) // relationship: A", "case a(A.ID); // relationship: A",
            "// relationship: A\n/// Documentation.\n@available(*, deprecated)\nindirect case a(A.ID)",
            "@available(*, deprecated)\n// relationship: A\ncase\na\n(A.ID)",
            "case `a`(A.ID = \")\") // relationship: A",
            "#if X\n// relationship: A\ncase a([A.ID: (Int) -> Int], b: Int)\n#endif",
            "case a(\nA.ID\n) // relationship: A",
        ]
    )
    func enumCase(members: String) {
        let file = scan("enum E {\ncase first(Int)\ncase x, y(Int)\ncase z\n\(members)\ncase last(Int)\n}")
        #expect(file.annotations.map(\.attachment) == [.enumCase(type: 0, index: 1)])
        #expect(file.types[0].cases.map(\.name) == ["first", "a", "last"])
    }

    @Test("A case outside an enum, or without associated values, is not one that annotations can have")
    func otherCases() {
        let file = scan("struct S {\n// relationship: A\ncase a(Int) }\nenum E {\n// relationship: A\ncase b\n}")
        #expect(file.types.flatMap(\.cases).isEmpty)
        #expect(file.annotations.count == 2)
        for annotation in file.annotations {
            guard case .unsuitable(.enumCase, _) = annotation.attachment else {
                Issue.record("\(annotation.attachment)")
                continue
            }
        }
    }

    @Test(
        "An annotation in an attribute, a value or parentheses is not attached to a property",
        arguments: [
            "@W(f: { x in\n// relationship: A\nvar y = x; return y })\nvar aID: Int",
            "@W(f: { x in\nlet y = x // relationship: A\nreturn y })\nvar aID: Int",
            "@W(f: { x in // relationship: A\nreturn x }) var aID: Int", "@W(\n// relationship: A\n1) var aID: Int",
            "@W(1, // relationship: A\n2)\nvar aID: Int", "@W([\n// relationship: A\n1])\nvar aID: Int",
            "@W<\n// relationship: A\nInt>\nvar aID: Int", "@W.\n// relationship: A\nX var aID: Int",
            "@W({\n#if X\n// relationship: A\nlet y = 1\n#endif\n})\nvar aID: Int",
            "#if X\n@W({\n// relationship: A\nf()\n})\n#endif\nvar aID: Int",
            "@V @W({\n// relationship: A\n@Other let y = 1 })\npublic var aID: Int",
            "private(\n// relationship: A\nset) var aID: Int", "var aID: Int = (\n// relationship: A\n1)",
            "var aID: [Int] = [\n// relationship: A\n1]", "var aID: Int = f {\n// relationship: A\nvar y = 1 }",
            "#m({\n// relationship: A\nvar y = 1\n})\nvar aID: Int", "#m(\n// relationship: A\n1)\nvar aID: Int",
            "func f(a: () -> Int = {\n// relationship: A\nvar y = 1; return y }) {}\nvar aID: Int",
            "init(a: Int = g(\n// relationship: A\n1)) {}\nvar aID: Int",
            "subscript(a: Int = {\n// relationship: A\n1 }()) -> Int { 1 }\nvar aID: Int",
            "var aID\n// relationship: A\n: Int", "var aID: [\n// relationship: A\nInt]",
            "var aID: Int {\n// relationship: A\ndidSet {} }", "var b = 1; f(); // relationship: A\nvar aID: Int",
            "func f() {}; // relationship: A\nvar aID: Int",
            "struct T { var bID: Int }; // relationship: A\nvar aID: Int",
            "var aID: Int = f {\ng(); // relationship: A\nreturn 1 }",
        ]
    )
    func noProperty(members: String) {
        let file = scan("struct S {\n\(members)\n}")
        #expect(file.annotations.count == 1)
        for annotation in file.annotations {
            if case .property = annotation.attachment { Issue.record("it stands on a property") }
        }
        #expect(file.types.contains { $0.name == "S" && $0.properties.last?.name == "aID" })
    }

    @Test(
        "A payload has a type, keys and prose",
        arguments: [
            ("Author", "Author", nil), ("Blog.Author", "Blog.Author", nil), ("`Type`", "`Type`", nil),
            ("`Blog Post`", "`Blog Post`", nil),
            ("Blog::Author", "Blog::Author", nil), ("A.M::`B C`, name: d", "A.M::`B C`", "d"),
            ("Author, name: writer", "Author", "writer"),
            ("Author , name : writer", "Author", "writer"), ("Author,name:writer", "Author", "writer"),
            ("Author, name: `default`", "Author", "default"),
            ("Author - name: not a key", "Author", nil), ("Author, name: writer - who", "Author", "writer"),
            ("Author – prose", "Author", nil),
            ("Author — prose", "Author", nil), ("Author -", "Author", nil), ("Größe", "Größe", nil),
        ] as [(String, String, String?)]
    )
    func payload(text: String, target: String, name: String?) throws {
        let file = scan("// relationship: \(text)")
        let payload = try #require(file.annotations.first).payload.get()
        #expect(payload.target == target)
        #expect(payload.accessorName == name)
    }

    @Test(
        "Prose is not an annotation",
        arguments: [
            "// relationship between posts and authors", "// Relationship status", "// the relationship: Author",
            "// relation: see below",
            "// relations: 1, 2", "// relationships are ids", "// sourcery: relationshipType = Post",
            "// partnership: A", "// relationship",
            "/// Relationships: see `Post`.", "// relationship Author has with posts",
        ]
    )
    func prose(comment: String) {
        #expect(scan("\(comment)\nlet a = 1").annotations.isEmpty)
    }

    @Test(
        "Attributes in #if belong to the next declaration",
        arguments: [
            "// relationship: A\n#if X\n@Wrapper\n#endif\nlet aID: Int",
            "// relationship: A\n#if X\n@Wrapper\n#else\n@Other\n#endif\npublic let aID: Int",
            "#if X\n// relationship: A\n@Wrapper\n#endif\nlet aID: Int",
            "@Other\n// relationship: A\n#if X\n@Wrapper\n#endif\nlet aID: Int",
            "#if X\n@Wrapper\n#endif\n// relationship: A\nlet aID: Int",
        ]
    )
    func conditionalAttributes(members: String) throws {
        let file = scan("struct S {\nlet other: Int\n\(members)\n}")
        #expect(file.annotations.map(\.attachment) == [.property(type: 0, property: 1)])
        #expect(file.types.first?.properties.last?.conditions.isEmpty == true)
    }

    @Test("Four slashes begin a documentation comment, as in the compiler")
    func fourSlashes() {
        #expect(scan("//// relationship: A\nlet a: Int").annotations.map(\.style) == [.documentationLine])
    }
}

/// Only tests compare attachments, so that users don't compile a comparison.
extension Annotation.Attachment: Equatable {
    static func == (first: Self, second: Self) -> Bool { "\(first)" == "\(second)" }
}
