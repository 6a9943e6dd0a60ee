import Testing

@testable import RelationshipGenerator

@Suite("Documentation of accessors")
struct DocumentationTests {
    @Test(
        "A name is documented as words, in lower case except for acronyms",
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
        #expect(Inflector.phrase(of: name) == phrase)
    }

    @Test(
        "A name is documented as code where its words can't follow an article",
        arguments: [
            "repliedTo", "inReplyTo", "writtenBy", "related", "quoted", "the author", "a, b", "a*b", "x→y", "__",
        ]
    )
    func names(name: String) {
        #expect(Inflector.phrase(of: name) == nil)
    }

    /// The documentation of the accessors of a property.
    private func comments(_ property: String, _ annotation: String = "Author") throws -> [Substring] {
        let output = try generate(
            OutputTests.author + "struct Post: Cachable {\n// relationship: \(annotation)\n\(property)\n}"
        )
        return output.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("///") }
    }

    @Test(
        "Each getter has a sentence that describes the result and the missing value",
        arguments: [
            (
                "var writerID: String", "The writer, or `nil` if ¤ doesn't hold it.", "the writer"
            ),
            (
                "let writerID: String?", "The writer, or `nil` if there is none or ¤ doesn't hold it.",
                "the writer"
            ),
            (
                "var writerIDs: [String]", "The writers that ¤ holds, in the order of `writerIDs`.", "the writers"
            ),
            ("let writerIDs: Set<String>", "The writers that ¤ holds.", "the writers"),
            (
                "let writerIDs: [String?]?",
                "The writers that ¤ holds, in the order of `writerIDs`; `nil` if `writerIDs` is `nil`.", "the writers"
            ),
        ]
    )
    func sentences(property: String, found: String, noun: String) throws {
        let name = property.dropFirst(4).prefix { $0 != ":" }
        let orNil = property.hasSuffix("?") ? "; `nil` if `\(name)` is `nil`" : ""
        let sets =
            property.hasPrefix("var")
            ? " and sets `\(name)`." : "; throws for other identifiers than `\(name)`, which can't be set."
        #expect(
            try comments(property) == [
                "/// \(found.replacing("¤", with: "the cache"))", "/// \(found.replacing("¤", with: "`cache`"))",
                "/// Returns \(noun), fetched according to `policy`\(orNil).", "/// Stores \(noun)\(sets)",
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
