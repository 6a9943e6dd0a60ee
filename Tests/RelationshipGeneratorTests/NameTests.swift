import Testing

@testable import RelationshipGenerator

@Suite("Names")
struct NameTests {
    @Test(
        "The suffix of a property is removed at a word boundary",
        arguments: [
            ("authorID", "author", false), ("authorId", "author", false), ("author_id", "author", false),
            ("authorIdentifier", "author", false), ("authorIDs", "author", true), ("authorIds", "author", true),
            ("author_ids", "author", true), ("authorIdentifiers", "author", true), ("author2ID", "author2", false),
            ("inReplyToID", "inReplyTo", false), ("author_ID", "author", false), ("HTML_IDs", "HTML", true),
            ("post author ID", "post author", false), ("1stAuthorIDs", "1stAuthor", true), (" a  ID", " a", false),
        ]
    )
    func stems(property: String, stem: String, isPlural: Bool) {
        #expect(Inflector.stem(of: property)?.stem == stem)
        #expect(Inflector.stem(of: property)?.isPlural == isPlural)
    }

    @Test(
        "Other endings are not suffixes",
        arguments: ["id", "ID", "ids", "GUID", "UUIDs", "paid", "author", "_id", "identifier"]
    )
    func noStems(property: String) {
        #expect(Inflector.stem(of: property) == nil)
    }

    @Test(
        "Plurals by rule",
        arguments: [
            ("comment", "comments"), ("story", "stories"), ("day", "days"), ("bus", "buses"), ("box", "boxes"),
            ("waltz", "waltzes"), ("café", "cafés"), ("match", "matches"), ("wish", "wishes"),
            ("mediaAttachment", "mediaAttachments"),
            ("y", "ys"),
        ]
    )
    func plurals(singular: String, plural: String) {
        #expect(Inflector.plural(of: singular) == plural)
    }

    @Test(
        "Words with an irregular plural are found as the last word of a name",
        arguments: [
            ("child", "the plural of 'child' is irregular"), ("grandChild", "the plural of 'child' is irregular"),
            ("grand_child", "the plural of 'child' is irregular"), ("series", "the plural of 'series' is irregular"),
            ("grandchild", "the plural of 'grandchild' is irregular"), ("quiz", "the plural of 'quiz' is irregular"),
            ("salesman", "the plural of 'salesman' is irregular"), ("HTTPIndex", "the plural of 'index' is irregular"),
            ("diagnosis", "the plural of 'diagnosis' is irregular"),
            ("goldfish", "the plural of 'goldfish' is irregular"),
            ("related", "'related' does not look like a noun, which a plural needs"),
            ("recentlyLiked", "'liked' does not look like a noun, which a plural needs"),
            ("comments", "'comments' already looks like a plural"),
            ("stories", "'stories' already looks like a plural"),
            ("автор", "'автор' is not an English word, so that its plural is unknown"),
            ("作者", "'作者' is not an English word, so that its plural is unknown"),
        ]
    )
    func objections(name: String, objection: String) {
        #expect(Inflector.objectionToPlural(of: name) == objection)
    }

    @Test(
        "Words with a regular plural",
        arguments: [
            "childPost", "human", "german", "talisman", "mediaFile", "feed", "newsfeed", "bed", "embed", "hundred",
            "lens",
            "status", "class", "alias", "photo", "bus", "café", "author2", "waltz", "roof", "redId", "prefix",
        ]
    )
    func noObjections(name: String) {
        #expect(Inflector.objectionToPlural(of: name) == nil)
    }

    @Test(
        "The cardinality of a type",
        arguments: [
            ("String", "String", false, false, false), ("Author.ID?", "Author.ID", false, true, false),
            ("Optional<Int>", "Int", false, true, false), ("[String]", "String", true, false, false),
            ("Array<Post.ID>?", "Post.ID", true, true, false), ("[Int?]", "Int", true, false, true),
            ("Swift.Optional<[String]>", "String", true, true, false), ("Set<UUID>", "UUID", true, false, false),
            ("[Swift::String]", "Swift::String", true, false, false), ("Swift::Set<A::B?>", "A::B", true, false, true),
            ("Swift::Optional<Swift::Array<Int>>", "Int", true, true, false),
            ("[`list of A`]", "`list of A`", true, false, false), ("[[Cell.ID]]?", "Cell.ID", true, true, false),
            ("Array<[Int]>", "Int", true, false, false), ("[String: Int]", "Int", true, false, false),
            ("[Swift::String: Swift::Int]?", "Swift::Int", true, true, false),
            ("Swift.Dictionary<Pair<A, B>, C.ID>", "C.ID", true, false, false),
        ]
    )
    func shapes(type: String, identifier: String, isToMany: Bool, isOptional: Bool, hasOptionalElements: Bool) throws {
        let shape = try #require(Cardinality(type))
        #expect(shape.identifier == identifier)
        #expect(shape.isToMany == isToMany)
        #expect(shape.isOptional == isOptional)
        #expect(shape.hasOptionalElements == hasOptionalElements)
    }

    @Test(
        "Types that can't hold identifiers",
        arguments: [
            "(String, Int)", "() -> String", "Set<[String]>", "String??", "", "[3 of String]", "[count of A.ID]?",
            "[2 of [3 of Int]]", "[[[String]]]", "[[String?]]", "[[String]?]", "[Set<String>]", "[String: Int?]",
            "[String: [Int]]", "[[String: Int]]", "Set<[String: Int]>",
        ]
    )
    func otherShapes(type: String) {
        #expect(Cardinality(type) == nil)
    }

    @Test("Any depth of brackets is understood as no identifiers", arguments: [("[", "]"), ("", "?"), ("Set<", ">")])
    func deepShapes(opening: String, closing: String) {
        let type = String(repeating: opening, count: 100_000) + "A" + String(repeating: closing, count: 100_000)
        #expect(Cardinality(type) == nil)
    }

    @Test(
        "The most similar word is suggested, if one is similar",
        arguments: [
            ("Authr", "Author"), ("author", "Author"), ("Atuhor", "Author"), ("Coment", "Comment"), ("Subscriber", nil),
        ]
    )
    func suggestions(word: String, suggestion: String?) {
        #expect(EditDistance.suggestion(for: word, from: ["Author", "Comment", "Tag"]) == suggestion)
    }
}
