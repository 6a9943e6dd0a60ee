import Testing

@Suite("Comments that are probably meant as annotations")
struct AnnotationNearMissTests {
    static func errorsOf(_ comment: String) -> [String] {
        errors(in: [
            "import FlatCache\nstruct Author: Cachable { let id: String }\nstruct Post {\n\(comment)\nlet authorID: String\n}"
        ])
    }

    @Test(
        "A near miss is an error that names the word",
        arguments: [
            ("// relationship; Author", "relationship;"), ("// relation ship: Author", "relation ship:"),
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
            ("/*\n * relationshp: Author\n */", "relationshp:"),
            ("//\trelationship\t:\tAuthor", "relationship\t:"), ("// relationship_: Author", "relationship_:"),
            ("// ralation: Author", "ralation:"), ("// rel: Author, name: writer", "rel:"),
            ("// relat: Author", "relat:"),
            ("// note: relationship: Author", "note: relationship:"), ("// NB relationshp: Author", "NB relationshp:"),
            ("// TODO relationship: Author", "TODO relationship:"),
            ("// a_b(c): relationship; Author", "a_b(c): relationship;"),
            ("// sourcery: relationship: Author - prose", "sourcery: relationship:"),
            ("// → relationship: Author", "→ relationship:"), ("// 🔗 relationship: Author", "🔗 relationship:"),
            ("// relationshp: [Author]", "relationshp: ["), ("// relationshp: Author.", "relationshp:"),
            ("// relationshp: Author.self", "relationshp:"), ("// relationshp: Author?", "relationshp:"),
            ("// relationshp: Subscriber", "relationshp:"), ("// relationshp: Blog::Author", "relationshp:"),
        ]
    )
    func nearMiss(comment: String, written: String) {
        let message = "'\(written)' looks like an annotation; did you mean 'relationship:'?"
        #expect(Self.errorsOf(comment) == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "A near miss in another form is an error that says what to write",
        arguments: [
            ("relationship - Author", "relationship -"), ("relationship – Author", "relationship –"),
            ("relationship —Author", "relationship —"), ("relationship → Author", "relationship →"),
            ("relationship -> Author - prose", "relationship ->"), ("relationship = Author", "relationship ="),
            ("relationship(Author)", "relationship("), ("relationship (Author, name: a)", "relationship ("),
            ("relationship [Author]", "relationship ["), ("relationship<Author>", "relationship<"),
            ("relationship \"Author\"", "relationship \""), ("@Relationship(Author)", "@Relationship("),
            ("@relationship Author", "@relationship"), ("relationship. Author", "relationship."),
            ("relationship.Author", "relationship."), ("relationship, Author", "relationship,"),
            ("relationship>Author", "relationship>"), ("relationship | Author, name: writer", "relationship |"),
            ("relationshipAuthor", "relationship"), ("relationship_Author", "relationship_"),
            ("relationship Author", "relationship"), ("relationship Author, name: a - prose", "relationship"),
            ("relationshp Author", "relationshp"), ("relation Author", "relation"), ("relation(Author)", "relation("),
            ("relationship to Author", "relationship to"), ("relationship to an Author", "relationship to an"),
            ("relationship of type Author", "relationship of type"), ("relationship to: Author", "relationship to:"),
            ("relationship(of: Author)", "relationship(of:"),
        ]
    )
    func otherForms(comment: String, written: String) {
        let message = "'\(written)' looks like an annotation; write '// relationship: Author'"
        #expect(Self.errorsOf("// \(comment)") == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "The type can belong to another module, have another scope or another case",
        arguments: [
            ("relationship author", "author"), ("relationship - author", "author"), ("relationship - Writer", "Writer"),
            ("relationship - Blog.Author", "Blog.Author"), ("relationship - People.Person", "People.Person"),
            ("relationship - Blog::Author", "Blog::Author"), ("relationship People::Person", "People::Person"),
        ]
    )
    func otherNames(comment: String, name: String) {
        let written = comment.hasSuffix("- \(name)") ? "relationship -" : "relationship"
        #expect(
            errors(in: [
                "import People\nstruct Author {}\nstruct Post {\n// \(comment)\nlet authorID: String\n}\nenum Blg { struct Writer {} }"
            ]) == [
                "File1.swift:4:1: error: '\(written)' looks like an annotation; write '// relationship: \(name)'"
            ]
        )
    }

    @Test(
        "The wrong case is an error of its own",
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
        "Letters of another alphabet are an error of their own",
        arguments: [
            "r\u{0435}lationship:", "relati\u{03BF}nship:", "\u{0433}\u{0435}l\u{0430}ti\u{043E}nshi\u{0440}:",
            "ｒｅｌａｔｉｏｎｓｈｉｐ:",
        ]
    )
    func confusables(written: String) {
        let message =
            "'\(written)' contains letters of another alphabet that look like Latin ones; type 'relationship:' again"
        #expect(Self.errorsOf("// \(written) Author") == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "An invisible character is an error that names its code point",
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
            "annotation contains \(number), which is invisible or looks like a space; "
            + "remove it, or type a space instead"
        #expect(Self.errorsOf(comment) == ["File1.swift:\(place): error: \(message)"])
    }

    @Test(
        "An annotation in another kind of comment is an error of its own",
        arguments: [
            "/// relationship: Author", "/* relationship: Author */", "/*\n    relationship: Author\n*/",
            "/**\n * relationship: Author\n */", "//// relationship: Author",
        ]
    )
    func otherComments(comment: String) {
        let message = "annotation must be a '//' comment; write '// relationship: Author'"
        #expect(Self.errorsOf(comment) == ["File1.swift:4:1: error: \(message)"])
    }

    @Test(
        "An annotation can have any white space, or none",
        arguments: [
            "//relationship:Author", "//\trelationship:\tAuthor", "//   relationship:   Author  ",
        ]
    )
    func spaces(comment: String) throws {
        let source = "\(OutputTests.author)struct Post {\n\(comment)\nlet authorID: String\n}"
        #expect(try generate(source).contains("var author: Author? {"))
    }

    @Test(
        "Prose is not mistaken for an annotation",
        arguments: [
            "// relationship between posts and authors", "// Relationship between Post and Author",
            "// relationships", "// MARK: Relationships", "// MARK: - Relationships", "// Relationships:",
            "// Relationships: see below", "// Relation: see below", "/// Relationship: one post has many comments",
            "/// - relationship: The relationship", "/// - relationship: Relationship",
            "///   - relationships: All of them",
            "/** - relationship: Author */", "/// - Parameter relationship: Author", "// relationship = Author()",
            "// @Relationship(deleteRule: .cascade)", "// @Relationship var author: Author",
            "// relation.author", "// relation (see Author)", "// relational: Author",
            "// The relationship: Author", "// relation ships: Author or not", "// TODO: relationship",
            "// \"relationship: Author\"", "// - relationship", "// @relationship", "// ------ relationship ------",
            "// 关系: Author", "// отношение: Author", "// scholarship: Author", "// leadership: Author",
            "// Relationship (1:n): Author", "//", "///", "/**/", "/* */", "// :", "// MARK:", "// TODO", "//\u{A0}",
        ]
    )
    func prose(comment: String) {
        #expect(Self.errorsOf(comment) == [])
    }

    @Test(
        "Headings and sentences are not annotations, even if only a type follows",
        arguments: [
            "// MARK: Relationship ManyToMany", "// MARK: - Relationship Extensions", "// MARK: - Relationship Author",
            "// MARK: Relationship: Author", "// MARK: Relation Author", "// MARK - relationship Author",
            "// Relationship Author", "// Relationship to Author", "// Relationship with Author",
            "/// relationship to Author", "/// relationship Author", "/// relationship (Author)", "/// Relation Author",
            "// TODO: relationship to Author", "// TODO: relationship Author", "// Note: relation (Author)",
            "// relationship to Author.", "// ^ relationship to Author", "// relationship to author", "// rel Author",
            "// relationship between Author and Post", "// relationship to the Author who wrote it",
            "// Relationship: one-to-many", "// Relationship: many", "// Relationship: one Author, many posts",
            "// Relationship: Author → Post", "// Relationships: Author, Post", "// Relationships: none",
            "// relationship & Author", "// relationship + Author", "// relationship/Author", "// relation.author",
            "// relationship(Author, Post)", "// relationship Author.posts",
            "/// Relationship ::= Author", "// (relationship: Author)", "// [relationship: Author]",
            "// `relationship: Author`", "// // relationship: Author", "// related: Author", "// relative: Author",
            "// relationshipToAuthor", "// @Relationship(inverse: \\Author.posts)", "// http://relationship:80/Author",
        ]
    )
    func headings(comment: String) {
        #expect(Self.errorsOf(comment) == [])
    }

    @Test(
        "Words without a colon are an annotation only above a variable",
        arguments: ["relationship Author", "relationship to Author", "relation - Author", "Relationship (Author)"]
    )
    func wordsElsewhere(comment: String) {
        let author = "import FlatCache\nstruct Author: Cachable { let id: String }\n"
        for other in ["extension Author {}", "func f() {}", "\nlet authorID = 1", "struct Post { // \(comment)\n}"] {
            #expect(errors(in: ["\(author)// \(comment)\n\(other)"]) == [])
        }
        let written = comment.hasSuffix(")") ? comment.dropLast(7) : comment.dropLast(7)
        #expect(
            errors(in: ["\(author)// \(comment)\nlet authorID = 1"]) == [
                "File1.swift:3:1: error: '\(written)' looks like an annotation; write '// relationship: Author'"
            ]
        )
    }

    @Test("A capital and a colon are an error only before a type, or above an identifier property")
    func capital() {
        func printed(_ name: String, _ property: String) -> [String] {
            errors(in: [
                "import FlatCache\nstruct Author: Cachable { let id: Int }\nstruct Post {\n// Relationship: \(name)\n\(property)\n}"
            ])
        }
        let message = "'Relationship:' looks like an annotation; write 'relationship:' in lower case"
        for (name, property) in [
            ("Author", "func f() {}"), ("Subscriber", "let readerID: Int"), ("author", "let aID: Int"),
        ] {
            #expect(printed(name, property) == ["File1.swift:4:1: error: \(message)"])
        }
        for (name, property) in [
            ("Subscriber", "let reader: Int"), ("parent", "let parentID: Int"), ("author", "var a: Int"),
        ] {
            #expect(printed(name, property) == [])
        }
    }
}
