import Testing

@testable import RelationshipGenerator

@Suite("Raw names")
struct RawNameTests {
    @Test(
        "A name has backticks in code where it is no identifier, or a word of Swift",
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
        "What has only operators and white space can be no name, whatever backticks are around it",
        arguments: [
            ("+", false), ("->", false), ("→", false), ("⚠️", false), (" ", false), ("", false), ("init", false),
            ("_", false), ("self", false), ("a+", true), ("1", true), ("#", true), ("(", true), ("作者", true),
            (" a", true),
        ]
    )
    func usableNames(name: String, isUsable: Bool) {
        #expect(SwiftWords.isUsable(name) == isUsable)
    }

    @Test("Names that need backticks have them wherever they are declared or used, and quotation marks are quoted")
    func rawNames() throws {
        let output = try generate(
            """
            \(OutputTests.author)struct Post: Cachable {
                let id: String
                // relationship: Author, throwing
                var `the "1st" author ID`: String
                // relationship: `Blog Post`
                var `2ndPostIDs`: [String]
            }
            struct `Blog Post`: Cachable { let id: String }
            """
        )
        for text in [
            #"var `the "1st" author`: Author? {"#, #"func `setThe "1st" author`("#, #"func `fetchThe "1st" author`("#,
            #"func `requireThe "1st" author`("#, #"var `cachedThe "1st" author`:"#, #"self.`the "1st" author ID`"#,
            ##""Post.`the \"1st\" author ID`""##, "var `2ndPosts`: [`Blog Post`] {", "func set2ndPosts(",
            "func missing2ndPostIDs(", "self.`2ndPostIDs`",
        ] {
            #expect(output.contains(text))
        }
    }
}
