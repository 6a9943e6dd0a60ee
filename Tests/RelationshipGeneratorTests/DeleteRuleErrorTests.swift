import RelationshipGenerator
import Testing

@Suite("Errors of delete rules")
struct DeleteRuleErrorTests {
    /// The errors of a post in `File2.swift` with members from line 3 on.
    private func errorsOf(_ post: String, others: String = "") -> [String] {
        errors(in: [
            "struct Author: Cachable { let id: String }",
            "import FlatCache; import People\nstruct Post: Cachable { let id: String\n\(post)\n}\n\(others)",
        ])
    }

    @Test(
        "An unknown rule is an error, with the rule that it resembles",
        arguments: [
            ("casade", "did you mean 'cascade'?"), ("Cascade", "did you mean 'cascade'?"),
            ("cascading", "did you mean 'cascade'?"), ("nullfy", "did you mean 'nullify'?"),
            ("kep", "did you mean 'keep'?"), ("deny", "the rules are 'cascade', 'nullify', 'keep'"),
            ("1", "the rules are 'cascade', 'nullify', 'keep'"),
        ]
    )
    func unknownRule(rule: String, advice: String) {
        #expect(
            errorsOf("// relationship: Author, delete: \(rule)\nlet authorID: String?") == [
                "File2.swift:3:34: error: '\(rule)' is not a delete rule; \(advice)"
            ]
        )
    }

    @Test(
        "A key without a value, twice, misspelled or without a comma is an error",
        arguments: [
            (", delete", "26: error: the value of 'delete' is missing; write 'delete: …'"),
            (", delete: keep, delete: keep", "40: error: 'delete' is written twice; write it once"),
            (", delte: keep", "26: error: 'delte' is not a key of an annotation; did you mean 'delete'?"),
            (", deleteRule: keep", "26: error: 'deleteRule' is not a key of an annotation; did you mean 'delete'?"),
            (" delete: keep", "25: error: a comma is missing before 'delete'; write ', delete'"),
        ]
    )
    func key(text: String, error: String) {
        #expect(errorsOf("// relationship: Author\(text)\nlet authorID: String") == ["File2.swift:3:\(error)"])
    }

    @Test("An index has no delete rule")
    func index() {
        #expect(
            errorsOf("// cache: index, delete: cascade\nlet authorID: String") == [
                "File2.swift:3:18: error: 'delete:' is not a key of an index; the only key is 'unique'"
            ]
        )
    }

    @Test(
        "A property that can't lose an identifier is an error with 'nullify' alone",
        arguments: [
            ("var authorID: String", "'authorID' can't be nil; use 'delete: cascade' or make it optional"),
            (
                "let authorID: String?",
                "'authorID' is a constant, which can't lose an identifier; "
                    + "use 'delete: cascade' or declare it with 'var'"
            ),
            (
                "let authorIDs: [String]",
                "'authorIDs' is a constant, which can't lose an identifier; "
                    + "use 'delete: cascade' or declare it with 'var'"
            ),
            (
                "private(set) var authorID: String?",
                "the generated code can't set 'authorID', so that it can't lose an identifier; "
                    + "use 'delete: cascade' or remove 'private(set)'"
            ),
        ]
    )
    func nullify(property: String, reason: String) {
        #expect(
            errorsOf("// relationship: Author, delete: nullify\n\(property)") == ["File2.swift:3:34: error: \(reason)"]
        )
        #expect(errorsOf("// relationship: Author, delete: cascade\n\(property)") == [])
        #expect(errorsOf("// relationship: Author, delete: keep\n\(property)") == [])
    }

    @Test("A public property whose setter isn't public can't lose an identifier")
    func lessAccessibleSetter() {
        let models =
            "public struct Author: Cachable { public let id: String }\npublic struct Page: Cachable { public let id: String\n"
            + "// relationship: Author, delete: nullify\npublic internal(set) var authorID: String?\n}"
        #expect(
            errors(in: [models]) == [
                "File1.swift:3:34: error: the generated code can't set 'authorID', so that it can't lose an identifier; "
                    + "use 'delete: cascade' or remove 'internal(set)'"
            ]
        )
    }

    @Test("The owner must be an entity, unless the rule is 'keep'")
    func owner() {
        let reason = "does not conform to 'Cachable', so that no cache can store it; write"
        func page(_ rule: String) -> String {
            "struct Page {\n// relationship: Author, delete: \(rule)\nvar authorID: String?\n}"
        }
        for rule in ["cascade", "nullify"] {
            #expect(
                errorsOf("", others: page(rule)) == [
                    "File2.swift:6:34: error: 'Page' (File2.swift:5) \(reason) 'struct Page: Cachable'"
                ]
            )
        }
        #expect(errorsOf("", others: page("keep")) == [])
        #expect(errorsOf("", others: page("cascade") + "\nextension Page: Cachable { var id: Int { 1 } }") == [])
        let holder = "enum Holder {\n// relationship: Author, delete: cascade\ncase author(Author.ID)\n}"
        #expect(
            errorsOf("", others: holder) == [
                "File2.swift:6:34: error: 'Holder' (File2.swift:5) \(reason) 'enum Holder: Cachable'"
            ]
        )
    }

    @Test("A case of an entity can't lose its identifier")
    func enumCase() {
        func found(_ rule: String) -> [String] {
            let annotated = "// relationship: Author, delete: \(rule)\ncase author(Author.ID)"
            return errorsOf("", others: "enum Holder: Cachable {\n\(annotated)\nvar id: Int { 1 }\n}")
        }
        #expect(
            found("nullify") == [
                "File2.swift:6:34: error: 'author' is a case of an enum, which can't lose its identifier; "
                    + "use 'delete: cascade'"
            ]
        )
        #expect(found("cascade") == [])
    }

    @Test("A type with a rule can't declare `deleteRules` itself", arguments: ["cascade", "keep"])
    func ownMember(rule: String) {
        let own = "static let deleteRules: [FlatCache.DeleteRule<Post>] = []"
        let expected =
            "File2.swift:3:34: error: 'Post' already has a member 'deleteRules', but the generated code declares one of this "
            + "name; remove it, and annotate each property"
        #expect(
            errorsOf("// relationship: Author, delete: \(rule)\nvar authorID: String?\n\(own)")
                == (rule == "keep" ? [] : [expected])
        )
    }

    @Test("An extension with an initializer that the generated code would call is an error")
    func usedMember() {
        let others = "extension FlatCache.DeleteRule { init(_ first: Int, _ second: Int, index: Int) { fatalError() } }"
        let found = errorsOf("// relationship: Author, delete: cascade\nvar authorID: String?", others: others)
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.contains("init(_:_:index:)") })
    }

    @Test("A related type of another module can be in a rule")
    func otherModule() {
        #expect(errorsOf("// relationship: People.Person, delete: nullify\nvar personID: String?") == [])
    }
}
