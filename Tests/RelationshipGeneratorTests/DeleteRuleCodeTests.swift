import RelationshipGenerator
import Testing

@Suite("Code of delete rules")
struct DeleteRuleCodeTests {
    /// The lines from the declaration of the rules to the relationships, without indentation.
    private func lines(_ post: String, _ head: String = "struct Post: Cachable") throws -> [String] {
        let output = try generate(
            "import FlatCache\nstruct Author: Cachable { let id: String }\n\(head) { let id: String\n\(post)\n}"
        )
        return output.split(separator: "\n").map { String($0.drop { $0 == " " }) }
            .drop { !$0.contains("deleteRules") }.prefix { !$0.contains("elationships") }.map(\.self)
    }

    @Test(
        "A rule has an index of the property where there can be one",
        arguments: [
            ("authorID: String", "cascade", #"\.author, .cascade, index: .init(\.authorID)"#),
            ("authorID: String?", "nullify", #"\.author, .nullify, index: .init(\.authorID)"#),
            ("authorIDs: [String]", "nullify", #"\.authors, .nullify, index: .init(each: \.authorIDs)"#),
            ("authorIDs: Set<String>?", "cascade", #"\.authors, .cascade, index: .init(each: \.authorIDs)"#),
            ("authorIDs: [String?]?", "nullify", #"\.authors, .nullify, index: .init(each: \.authorIDs)"#),
            ("authorIDs: [[String]]", "nullify", #"\.authors, .nullify"#),
            ("authorIDs: [Int: String]", "cascade", #"\.authors, .cascade"#),
        ]
    )
    func shapes(property: String, rule: String, entry: String) throws {
        let code = try lines("// relationship: Author, delete: \(rule)\nvar \(property)")
        let list = "[.init(\(entry))]"
        let short = ["static var deleteRules: [FlatCache.DeleteRule<Self>] { \(list) }"]
        let long = ["static var deleteRules: [FlatCache.DeleteRule<Self>] {", list, "}"]
        #expect(code == short || code == long)
    }

    @Test("A case has a rule without an index")
    func enumCase() throws {
        let output = try generate(
            "import FlatCache\nstruct Author: Cachable { let id: String }\nenum Owner: Cachable {\n"
                + "// relationship: Author, delete: cascade\ncase author(Author.ID)\nvar id: Int { 1 }\n}"
        )
        #expect(
            output.contains("static var deleteRules: [FlatCache.DeleteRule<Self>] { [.init(\\.author, .cascade)] }")
        )
    }

    @Test("`keep` generates nothing")
    func keep() throws {
        func code(_ key: String) throws -> String {
            try generate("struct Post: Cachable { let id: Int\n// relationship: Post\(key)\nvar nextID: Int?\n}")
        }
        #expect(try code(", delete: keep") == code(""))
    }

    @Test("A public type lists its rules in the order of its properties, with other keys beside them")
    func severalRules() throws {
        let code = try lines(
            """
            // relationship: Author, name: `switch`, backlink: posts, sorted: id, delete: cascade
            let authorID: String
            // relationship: Author, delete: keep
            var readerID: String?
            // relationship: Post, inverse: twinID, delete: nullify - the other one
            var twinID: String?
            """,
            "public struct Post: Cachable"
        )
        #expect(
            code == [
                "public static var deleteRules: [FlatCache.DeleteRule<Self>] {",
                #"[.init(\.`switch`, .cascade, index: .init(\.authorID)), .init(\.twin, .nullify, index: .init(\.twinID))]"#,
                "}",
            ]
        )
    }

    @Test("Rules of properties under conditions are added under them")
    func conditions() throws {
        let code = try lines(
            """
            // relationship: Author, delete: cascade
            let authorID: String
            #if A
            // relationship: Author, delete: nullify
            var editorID: String?
            #else
            // relationship: Author, delete: cascade
            let editorID: String
            #endif
            """
        )
        #expect(
            code == [
                "static var deleteRules: [FlatCache.DeleteRule<Self>] {",
                #"var deleteRules: [FlatCache.DeleteRule<Self>] = [.init(\.author, .cascade, index: .init(\.authorID))]"#,
                "#if A", #"deleteRules += [.init(\.editor, .nullify, index: .init(\.editorID))]"#, "#endif",
                "#if A", "#else", #"deleteRules += [.init(\.editor, .cascade, index: .init(\.editorID))]"#, "#endif",
                "return deleteRules", "}",
            ]
        )
    }

    @Test("The property is deprecated if one of its relationships is")
    func deprecation() throws {
        let code = try lines(
            "// relationship: Author, delete: cascade\n@available(*, deprecated)\nlet authorID: String"
        )
        #expect(code.first?.hasPrefix("@available(*, deprecated) static var deleteRules") == true)
    }
}
