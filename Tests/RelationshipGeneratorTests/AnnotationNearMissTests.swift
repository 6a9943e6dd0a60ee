import Testing

@Suite("Comments that were meant as annotations")
struct AnnotationNearMissTests {
    static func errorsOf(_ comment: String) -> [String] {
        errors(in: [
            "import FlatCache\nstruct Author: Cachable { let id: String }\nstruct Post {\n\(comment)\nlet authorID: String\n}"
        ])
    }

    @Test(
        "A near miss is an error that tells the word",
        arguments: [
            ("// relationship; Author", "relationship;"), ("// relationship = Author", "relationship ="),
            ("// relationship -> Author", "relationship ->"), ("// relation ship: Author", "relation ship:"),
            ("// relation-ship: Author", "relation-ship:"), ("// relation_ship: Author, name: a", "relation_ship:"),
            ("// Relation Ship: Author", "Relation Ship:"), ("// @relationship: Author", "@relationship:"),
            ("//: relationship: Author", ": relationship:"), ("// - relationship: Author", "- relationship:"),
            ("// * relationship: Author - prose", "* relationship:"), ("//! relationship: Author", "! relationship:"),
            ("// `relationship: Author", "`relationship:"), ("// MARK: relationship: Author", "MARK: relationship:"),
            ("// MARK: - relationship: Author", "MARK: - relationship:"),
            ("// TODO: relationship: Author", "TODO: relationship:"), ("//relationship : Author", "relationship :"),
            ("// relationship：Author", "relationship："), ("// relationship： Author", "relationship："),
            ("// relationship∶ Author", "relationship∶"), ("// relationshp: author", "relationshp:"),
            ("// realtionship: Author", "realtionship:"), ("// relationsip; Author", "relationsip;"),
            ("// rélationship: Author", "rélationship:"), ("// Relationships: Author", "Relationships:"),
            ("/// Relation: Author", "Relation:"), ("/* relation: Author */", "relation:"),
            ("/*\n * relationshp: Author\n */", "relationshp:"), ("// relationship Author", "relationship"),
            ("//\trelationship\t:\tAuthor", "relationship\t:"),
        ]
    )
    func nearMiss(comment: String, written: String) {
        let message = "'\(written)' looks like an annotation; did you mean 'relationship:'?"
        #expect(Self.errorsOf(comment) == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "Wrong case is told as such",
        arguments: [
            "// Relationship: Author", "// RELATIONSHIP: Author, name: a", "// relationShip: author",
            "/// Relationship:",
        ]
    )
    func wrongCase(comment: String) {
        let written = comment.drop { $0 == "/" || $0 == " " }.prefix { $0 != ":" }
        let message = "'\(written):' looks like an annotation; write 'relationship:' in lower case"
        #expect(Self.errorsOf(comment) == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "Letters of another alphabet are told as such",
        arguments: [
            "r\u{0435}lationship:", "relati\u{03BF}nship:", "\u{0433}\u{0435}l\u{0430}ti\u{043E}nshi\u{0440}:",
            "ｒｅｌａｔｉｏｎｓｈｉｐ:",
        ]
    )
    func lookAlikes(written: String) {
        let message =
            "'\(written)' has letters of another alphabet that look like those of 'relationship:'; type it anew"
        #expect(Self.errorsOf("// \(written) Author") == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "A character that can't be seen is told by its number",
        arguments: [
            ("//\u{A0}relationship: Author", "4:1", "U+00A0"), ("// \u{200B}relationship: Author", "4:1", "U+200B"),
            ("//\u{FEFF} relationship: Author", "4:1", "U+FEFF"), ("//\u{3000}relationshp: Author", "4:1", "U+3000"),
            ("// relationship\u{A0}: Author", "4:1", "U+00A0"), ("// relationship:\u{A0}Author", "4:17", "U+00A0"),
            ("// relationship: \u{200B}Author", "4:18", "U+200B"),
            ("// relationship: Author,\u{2009}name: a", "4:25", "U+2009"),
            ("// relationship: Author\u{A0}- prose", "4:24", "U+00A0"),
            ("// relationship: Author, name:\u{AD}a", "4:31", "U+00AD"),
            ("// relationship: Au\u{200D}thor", "4:20", "U+200D"),
            ("// relationship: Author, name: a\u{200B}", "4:33", "U+200B"),
        ]
    )
    func invisible(comment: String, place: String, number: String) {
        let message =
            "this annotation has the character \(number), which can't be told from a space or from nothing; "
            + "write it with ordinary spaces"
        #expect(Self.errorsOf(comment) == ["File1.swift:\(place): error: \(message)"])
    }

    @Test(
        "An annotation in another kind of comment is told as such",
        arguments: [
            "/// relationship: Author", "/* relationship: Author */", "/*\n    relationship: Author\n*/",
            "/**\n * relationship: Author\n */", "//// relationship: Author",
        ]
    )
    func otherComments(comment: String) {
        let message = "an annotation is written as a '//' comment: '// relationship: Author'"
        #expect(Self.errorsOf(comment) == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "An annotation has any white space, or none",
        arguments: [
            "//relationship:Author", "//\trelationship:\tAuthor", "//   relationship:   Author  ",
        ]
    )
    func spaces(comment: String) throws {
        let source = "\(OutputTests.author)struct Post {\n\(comment)\nlet authorID: String\n}"
        #expect(try generate(source).contains("var author: Author? {"))
    }

    @Test(
        "Prose stays prose",
        arguments: [
            "// relationship between posts and authors", "// Relationship between Post and Author",
            "// relationships", "// MARK: Relationships", "// MARK: - Relationships", "// Relationships:",
            "// Relationships: see below", "// Relation: see below", "/// Relationship: one post has many comments",
            "/// - relationship: The relationship", "/// - relationship: Relationship",
            "///   - relationships: All of them",
            "/** - relationship: Author */", "/// - Parameter relationship: Author", "// relationship = Author()",
            "// @Relationship(deleteRule: .cascade)", "// @Relationship var author: Author",
            "// relation.author", "// relation (see Author)", "// relational: Author", "// relationship, Author",
            "// The relationship: Author", "// relation ships: Author or not", "// TODO: relationship",
            "// \"relationship: Author\"", "// - relationship", "// @relationship", "// ------ relationship ------",
            "// 关系: Author", "// отношение: Author", "// scholarship: Author", "// leadership: Author",
            "// Relationship (1:n): Author", "//", "///", "/**/", "/* */", "// :", "// MARK:", "// TODO", "//\u{A0}",
        ]
    )
    func prose(comment: String) {
        #expect(Self.errorsOf(comment) == [])
    }
}
