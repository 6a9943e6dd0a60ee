import Testing

@testable import RelationshipGenerator

@Suite("Braces that don't match")
struct BraceMismatchTests {
    private static let behind = """

        struct Author: Cachable {
            let id: Int
            // relationship: Post
            let postIDs: [Int]
        }

        """

    @Test(
        "A missing closing brace is one error at its opening brace",
        arguments: [
            ("struct Post: Cachable {\n    let id: Int\n", "1:23"),
            ("struct Post: Cachable {\n    let id: Int\n    func f() {\n        g()\n}\n", "3:14"),
            (
                "struct Post: Cachable {\n    let id: Int\n    func f() {\n        if a {\n    }\n    var b: Int { 1 }\n}\n",
                "4:14"
            ),
            (
                "struct Post: Cachable {\n    let id: Int\n    var a: Int {\n        get { 1 }\n    let b: Int\n}\n",
                "3:16"
            ),
            ("struct Post: Cachable {\n    let id: Int\n    let f = { g(h { $0 }\n}\n", "3:13"),
            ("struct Post: Cachable { let id: Int }\nfunc f() {\n    g {\n}\n", "3:7"),
            ("extension Post {\n    func f() {}\n\nstruct Post: Cachable {\n    let id: Int\n}\n", "1:16"),
            ("struct Post: Cachable {\n#if A\n    let id: Int\n    func f() {\n#endif\n    let a: Int\n}\n", "4:14"),
        ]
    )
    func unclosed(source: String, place: String) throws {
        let other =
            "struct Blog {\n    // relationship: Post\n    let postID: Int\n    // relationship: Author\n    let authorID: Int\n}"
        #expect(
            errors(in: [source + Self.behind, other])
                == ["File1.swift:\(place): error: '{' is not closed; write the missing '}'"]
        )
        let file = Scanner.scan(Array((source + Self.behind).utf8), path: "File.swift")
        let names = file.types.filter { !$0.isLocal && $0.kind != .extension }.map(\.qualifiedName)
        #expect(names.contains("Post") && names.last == "Author")
        #expect(file.types.last?.properties.map(\.name) == ["id", "postIDs"])
    }

    @Test(
        "A brace that is missing inside a body is an error there, with any indentation of the enclosing declarations",
        arguments: [
            ("    func f() {\n        if a {\n            g()\n    }\n", "4:14"),
            ("    func f() {\n        if a {\n            g()\n    }\n    func h() {}\n", "4:14"),
            ("    func f() {\n        if a {\n            g()\n        } else {\n            h()\n    }\n", "6:16"),
            ("    func f() {\n        for a in b {\n            if a {\n            g()\n        }\n    }\n", "5:18"),
            ("    func f() {\n        switch a {\n        case 1: g()\n    }\n", "4:18"),
            ("    func f()\n    {\n        if a\n        {\n            g()\n    }\n", "6:9"),
            (
                "    func f() {\n        g(\n            a: 1) {\n            h()\n        }\n        if a {\n    }\n",
                "8:14"
            ),
            ("    var a: Int {\n        get {\n            1\n    }\n", "4:13"),
            ("    var a = 1 {\n        didSet {\n            b()\n    }\n", "4:16"),
            ("    let f = { (a: Int) in\n        g {\n            1\n    }\n", "4:11"),
            ("\tfunc f() {\n\t\tif a {\n\t\t\tg()\n\t}\n", "4:8"),
            ("func f() {\n    if a {\n        g()\n}\n", "4:10"),
            ("    func f() { if a { g() }\n", "3:14"),
        ]
    )
    func inner(members: String, place: String) throws {
        let source = "struct Post: Cachable {\n    let id: Int\n\(members)}\n"
        #expect(
            errors(in: [source + Self.behind])
                == ["File1.swift:\(place): error: '{' is not closed; write the missing '}'"]
        )
    }

    @Test(
        "A superfluous brace is one error",
        arguments: [
            ("struct Post: Cachable {\n    let id: Int\n    func f() {\n        }\n    }\n    let a = 1\n}\n", "4:9"),
            ("struct Post: Cachable {\n    let id: Int\n}\n}\n", "4:1"),
            ("struct Post: Cachable {\n    let id: Int }\n    // relationship: Pst\n    let postID: Int\n}\n", "5:1"),
            ("struct Post: Cachable {\n    let id: Int\n    }\n    let a = 1\n}\n", "3:5"),
        ]
    )
    func stray(source: String, place: String) throws {
        #expect(
            errors(in: [source + Self.behind]) == [
                "File1.swift:\(place): error: '}' has no matching '{'; remove it, or write the missing '{'"
            ]
        )
    }

    @Test("If indentation is ambiguous, errors that may be wrong are not reported in any file of the target")
    func aimless() {
        let broken = "struct Post: Cachable {\nlet id: Int\nfunc f() {\n}\n" + Self.behind
        let other =
            "struct Blog {\n// relationship: Author\nlet authorID: Int\n// relationship: Pst\nlet postID: Int\n}"
        #expect(
            errors(in: [broken, other])
                == ["File1.swift:1:23: error: '{' is not closed; write the missing '}'"]
        )
    }

    @Test(
        "If a body isn't indented, only the brace is reported",
        arguments: [
            ("struct Post: Cachable {\nlet id: Int\n// relationship: Pst\nlet postID: Int\nfunc f() {\n}", "7:23"),
            (
                "struct Post: Cachable {\n    // relationship: Pst\n    let postID: Int\n    struct A {\n    struct B {}\n}\n",
                "10:14"
            ),
            (
                "struct Post: Cachable {\n\t// relationship: Pst\n\tlet postID: Int\n\tfunc f() {\n\t@A func g() {}\n}\n",
                "10:11"
            ),
        ]
    )
    func doubtful(broken: String, place: String) {
        #expect(
            errors(in: [Self.behind + broken])
                == ["File1.swift:\(place): error: '{' is not closed; write the missing '}'"]
        )
    }

    @Test("Errors of other files and other declarations are reported, too")
    func others() {
        let broken = "struct Post: Cachable {\n    let id: Int\n    func f() {\n}\n" + Self.behind
        #expect(
            errors(in: [
                broken.replacing("relationship: Post", with: "relationship: Blg"),
                "/// relationship: Post\nstruct Blog {}",
            ])
                == [
                    "File1.swift:3:14: error: '{' is not closed; write the missing '}'",
                    "File1.swift:8:22: error: 'Blg' is not a type of this target; did you mean 'Blog'?",
                    "File2.swift:1:1: error: annotation must be a '//' comment; write '// relationship: Post'",
                ]
        )
    }

    @Test("A file without annotations is left to the compiler")
    func unannotated() throws {
        let blog = "struct Post: Cachable {\n    let id: Int\n    // relationship: Post\n    let nextID: Int\n}"
        #expect(errors(in: ["struct A {\n    func f() {\n}\nstruct B {}\n", blog]) == [])
        #expect(errors(in: ["struct A {\nfunc f() {\n}\n"]) == [])
    }

    @Test(
        "Braces that match in unusual ways",
        arguments: [
            "struct A {\n#if X\nlet a = 1\n#else\nlet a = \"{\"\n#endif\n}",
            "struct A { let a = /}/; let b = #\"}\"# }",
            "func f() { if a { } else\n{ } }\nstruct B\n{ }", "let a = \"\\({ b }())\"", "switch a { case .b: do { } }",
        ]
    )
    func matching(source: String) {
        #expect(Scanner.scan(Array(source.utf8), path: "File.swift").mismatch == nil)
    }
}
