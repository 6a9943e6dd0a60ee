import Testing

@testable import RelationshipGenerator

@Suite("Raw names")
struct RawNameTests {
    @Test(
        "A name has backticks in code if it is not an identifier, or is a keyword",
        arguments: [
            ("author", "author"), ("class", "`class`"), ("post author", "`post author`"), ("1stAuthor", "`1stAuthor`"),
            ("a1", "a1"), ("größe", "größe"), ("作者", "作者"), ("a→b", "`a→b`"), ("a\u{200E}", "`a\u{200E}`"),
            ("a$", "a$"),
            ("\u{301}a", "`\u{301}a`"), ("a\u{301}", "a\u{301}"), ("x-y", "`x-y`"), ("a.b", "`a.b`"), ("_", "_"),
        ]
    )
    func backticks(name: String, declared: String) {
        #expect(SwiftWords.declared(name) == declared)
    }

    @Test(
        "A text of operators and white space can't be a name, not even in backticks",
        arguments: [
            ("+", false), ("->", false), ("→", false), ("⚠️", false), (" ", false), ("", false), ("init", false),
            ("_", false), ("self", false), ("a+", true), ("1", true), ("#", true), ("(", true), ("作者", true),
            (" a", true),
        ]
    )
    func usableNames(name: String, isUsable: Bool) {
        #expect(SwiftWords.isUsable(name) == isUsable)
    }

    @Test("Names that need backticks have them at each use, and quotation marks are escaped")
    func rawNames() throws {
        let output = try generate(
            """
            \(OutputTests.author)struct Post: Cachable {
                let id: String
                // relationship: Author
                var `the "1st" author ID`: String
                // relationship: `Blog Post`
                var `2ndPostIDs`: [String]
            }
            struct `Blog Post`: Cachable { let id: String }
            """
        )
        for text in [
            #"var `the "1st" author`: Author? {"#, #"func `setThe "1st" author`("#, #"func `fetchThe "1st" author`("#,
            #"self.`the "1st" author ID`"#, ##".init("Post.`the \"1st\" author ID`") { $0.`the "1st" author ID` }"##,
            #" set: { $0.`the "1st" author ID` = $1 }"#, "var `2ndPosts`: [`Blog Post`] {", "func set2ndPosts(",
            "self.`2ndPostIDs`", #"/// Stores the `the "1st" author` entity and sets `"#,
        ] {
            #expect(output.contains(text))
        }
    }

    @Test("A name in redundant backticks equals the name without them")
    func needlessBackticks() throws {
        let output = try generate(
            """
            struct `Author`: `Cachable` {
                let id: `String`
                // relationship: Author, inverse: `friendIDs`
                var `friendIDs`: [`Author`.ID]
                // relationship: `In`
                var partIDs: [Int]
                struct In: Cachable { let id: Int }
            }
            extension `Author`.`In` {
                struct Deep: Cachable {
                    let id: Int
                    // relationship: `Blog`.`Author`
                    var authorID: String
                }
            }
            """
        )
        for text in ["var friends: [Author] {", "var parts: [Author.In] {", "extension Author.In.Deep: ", "Author? {"] {
            #expect(output.contains(text))
        }
        #expect(!output.contains("extension `Author`"))
    }

    @Test(
        "A keyword of types keeps its backticks",
        arguments: ["`any`", "`some`", "`Any`", "`Self`", "`Type`", "`class`", "`of`", "`a b`", "`1st`"]
    )
    func words(name: String) {
        #expect(SwiftWords.normalized(name) == name)
    }

    @Test("Periods and colons in backticks belong to the name", arguments: ["`Post v1.0`", "`A::B`", "`A: B`"])
    func qualifiedNames(name: String) throws {
        let output = try generate(
            """
            struct \(name): Cachable {
                let id: String
                // relationship: \(name), inverse: kidIDs
                var parentID: \(name).ID?
                // relationship: Blog.\(name), inverse: parentID
                var kidIDs: [\(name).ID]
                struct `In.ner`: Cachable {
                    let id: \(name).ID
                    // relationship: \(name)
                    var ownerID: String
                    // relationship: `In.ner`
                    var nextID: String
                }
            }
            """
        )
        for text in [
            "var parent: \(name)? {", "var kids: [\(name)] {", "extension \(name).`In.ner`: ",
            "var owner: \(name)? {",
            "var next: \(name).`In.ner`? {",
        ] {
            #expect(output.contains(text))
        }
    }

    @Test("The name in an annotation can be a raw one")
    func givenName() throws {
        let output = try generate(
            """
            \(OutputTests.author)struct Post: Cachable {
                let id: String
                // relationship: Author, name: `first, of two` - prose
                var authorID: String
            }
            """
        )
        #expect(output.contains("var `first, of two`: Author? {"))
        #expect(output.contains("func `fetchFirst, of two`("))
        #expect(output.contains("    /// The `first, of two` entity, or `nil` if the cache doesn't hold it.\n"))
    }
}
