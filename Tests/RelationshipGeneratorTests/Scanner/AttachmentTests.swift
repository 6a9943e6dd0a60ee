import RelationshipGenerator
import Testing

@Suite("What annotations attach to")
struct AttachmentTests {
    @Test(
        "An annotation above a property, with what may stand between, or behind it",
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
        "A payload has a type, keys and prose",
        arguments: [
            ("Author", "Author", nil), ("Blog.Author", "Blog.Author", nil), ("`Type`", "`Type`", nil),
            ("Author, name: writer", "Author", "writer"),
            ("Author , name : writer", "Author", "writer"), ("Author,name:writer", "Author", "writer"),
            ("Author, name: `default`", "Author", "default"),
            ("Author - name: not a key", "Author", nil), ("Author, name: writer - who", "Author", "writer"),
            ("Author – prose", "Author", nil),
            ("Author — prose", "Author", nil), ("Author -", "Author", nil), ("Größe", "Größe", nil),
        ] as [(String, String, String?)]
    )
    func payload(text: String, target: String, name: String?) throws {
        let file = Scanner.scan(Array("// relationship: \(text)".utf8), path: "File.swift")
        let payload = try #require(file.annotations.first).payload.get()
        #expect(payload.target == target)
        #expect(payload.accessorName == name)
    }

    @Test(
        "Prose is no annotation",
        arguments: [
            "// relationship between posts and authors", "// Relationship status", "// the relationship: Author",
            "// relation: see below",
            "// relations: 1, 2", "// relationships are ids", "// sourcery: relationshipType = Post",
            "// partnership: A", "// relationship",
            "/// Relationships: see `Post`.", "// relationship Author has with posts",
        ]
    )
    func prose(comment: String) {
        #expect(Scanner.scan(Array("\(comment)\nlet a = 1".utf8), path: "File.swift").annotations.isEmpty)
    }
}
