import Testing

@testable import RelationshipGenerator

@Suite("Names")
struct NameTests {
    @Test(
        "The ending of a property is stripped at a word boundary",
        arguments: [
            ("authorID", "author", false), ("authorId", "author", false), ("author_id", "author", false),
            ("authorIdentifier", "author", false), ("authorIDs", "author", true), ("authorIds", "author", true),
            ("author_ids", "author", true), ("authorIdentifiers", "author", true), ("author2ID", "author2", false),
            ("inReplyToID", "inReplyTo", false), ("author_ID", "author", false), ("HTML_IDs", "HTML", true),
        ]
    )
    func stems(property: String, stem: String, isPlural: Bool) {
        #expect(NameRules.stem(of: property)?.stem == stem)
        #expect(NameRules.stem(of: property)?.isPlural == isPlural)
    }

    @Test(
        "Other endings are none",
        arguments: ["id", "ID", "ids", "GUID", "UUIDs", "paid", "author", "_id", "identifier"]
    )
    func noStems(property: String) {
        #expect(NameRules.stem(of: property) == nil)
    }

    @Test(
        "Plurals by rule",
        arguments: [
            ("comment", "comments"), ("story", "stories"), ("day", "days"), ("bus", "buses"), ("box", "boxes"),
            ("quiz", "quizes"), ("match", "matches"), ("wish", "wishes"), ("mediaAttachment", "mediaAttachments"),
            ("y", "ys"),
        ]
    )
    func plurals(singular: String, plural: String) {
        #expect(NameRules.plural(of: singular) == plural)
    }

    @Test(
        "Irregular words are found as the last word of a name",
        arguments: [
            ("child", true), ("grandChild", true), ("grand_child", true), ("series", true), ("childPost", false),
            ("woman", true), ("human", false), ("mediaFile", false),
        ]
    )
    func irregularWords(name: String, isIrregular: Bool) {
        #expect(NameRules.isIrregular(name) == isIrregular)
    }

    @Test(
        "What a type says about identifiers",
        arguments: [
            ("String", "String", false, false, false), ("Author.ID?", "Author.ID", false, true, false),
            ("Optional<Int>", "Int", false, true, false), ("[String]", "String", true, false, false),
            ("Array<Post.ID>?", "Post.ID", true, true, false), ("[Int?]", "Int", true, false, true),
            ("Swift.Optional<[String]>", "String", true, true, false), ("Set<UUID>", "UUID", true, false, false),
        ]
    )
    func shapes(type: String, identifier: String, isToMany: Bool, isOptional: Bool, hasOptionalElements: Bool) throws {
        let shape = try #require(IdentifierShape(type))
        #expect(shape.identifier == identifier)
        #expect(shape.isToMany == isToMany)
        #expect(shape.isOptional == isOptional)
        #expect(shape.hasOptionalElements == hasOptionalElements)
    }

    @Test(
        "Types that can't hold identifiers",
        arguments: [
            "[String: Int]", "[[String]]", "(String, Int)", "() -> String", "Set<[String]>", "String??", "",
        ]
    )
    func otherShapes(type: String) {
        #expect(IdentifierShape(type) == nil)
    }

    @Test(
        "The nearest word is suggested, if one is near",
        arguments: [
            ("Authr", "Author"), ("author", "Author"), ("Atuhor", "Author"), ("Coment", "Comment"), ("Subscriber", nil),
        ]
    )
    func suggestions(word: String, suggestion: String?) {
        #expect(EditDistance.suggestion(for: word, from: ["Author", "Comment", "Tag"]) == suggestion)
    }
}
