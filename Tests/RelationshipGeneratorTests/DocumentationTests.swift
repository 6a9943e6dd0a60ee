import Testing

@testable import RelationshipGenerator

@Suite("Documentation of accessors")
struct DocumentationTests {
    @Test(
        "A name is documented in its words, in lower case but for acronyms",
        arguments: [
            ("author", "author"), ("quotedStatus", "quoted status"), ("htmlURL", "html URL"),
            ("URLString", "URL string"),
            ("userIDCard", "user ID card"), ("htmlURLs", "html URLs"), ("URLsOfPages", "URLs of pages"),
            ("Author", "author"), ("anA", "an a"), ("item2Author", "item2 author"), ("2ndPosts", "2nd posts"),
            ("quoted_status", "quoted status"), ("_author", "author"), ("HTML_page", "HTML page"),
            ("größeÄnderung", "größe änderung"),
            ("作者", "作者"), ("default", "default"), ("embed", "embed"), ("feed", "feed"), ("red", "red"),
        ]
    )
    func words(name: String, phrase: String) {
        #expect(NameRules.phrase(of: name) == phrase)
    }

    @Test(
        "A name is documented as it is where its words make no sense behind an article",
        arguments: [
            "repliedTo", "inReplyTo", "writtenBy", "related", "quoted", "the author", "a, b", "a*b", "x→y", "__",
        ]
    )
    func names(name: String) {
        #expect(NameRules.phrase(of: name) == nil)
    }

    /// The documentation of the accessors of a property.
    private func comments(_ property: String, _ annotation: String = "Author") throws -> [Substring] {
        let output = try generate(
            OutputTests.author + "struct Post: Cachable {\n// relationship: \(annotation)\n\(property)\n}"
        )
        return output.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("///") }
    }

    @Test(
        "Each accessor has a sentence, which says what is found, and what is not",
        arguments: [
            (
                "var writerID: String", "The writer, or `nil` if ¤ doesn't hold it.", "the writer",
                "sets `writerID`"
            ),
            (
                "let writerID: String?", "The writer, or `nil` if there is none or ¤ doesn't hold it.",
                "the writer", "another identifier"
            ),
            (
                "var writerIDs: [String]", "The writers that ¤ holds, in the order of `writerIDs`.", "the writers",
                "sets `writerIDs`"
            ),
            ("let writerIDs: Set<String>", "The writers that ¤ holds.", "the writers", "other identifiers"),
            (
                "let writerIDs: [String?]?",
                "The writers that ¤ holds, in the order of `writerIDs`; `nil` where `writerIDs` is.", "the writers",
                "other identifiers"
            ),
        ]
    )
    func sentences(property: String, found: String, noun: String, setter: String) throws {
        let name = property.dropFirst(4).prefix { $0 != ":" }
        let orNil = property.hasSuffix("?") ? "; `nil` where `\(name)` is" : ""
        let sets =
            property.hasPrefix("var")
            ? " and \(setter)." : "; throws if `\(name)`, which can't be set, holds \(setter)."
        #expect(
            try comments(property) == [
                "/// \(found.replacing("¤", with: "the cache"))", "/// \(found.replacing("¤", with: "`cache`"))",
                "/// Returns \(noun), fetched as `policy` says\(orNil).", "/// Stores \(noun)\(sets)",
            ]
        )
    }

    @Test("A name without words is documented as an entity, or several")
    func entities() throws {
        #expect(
            try comments("var replyToID: String?", "Author, name: repliedTo")[0]
                == "/// The `repliedTo` entity, or `nil` if there is none or the cache doesn't hold it."
        )
        #expect(
            try comments("var partIDs: Set<String>", "Author, name: `a, b`")[3]
                == "/// Stores the `a, b` entities and sets `partIDs`."
        )
        #expect(try comments("var defaultID: String")[3] == "/// Stores the default and sets `defaultID`.")
        #expect(
            try comments("var `post author ID`: String")[0]
                == "/// The `post author` entity, or `nil` if the cache doesn't hold it."
        )
    }
}
