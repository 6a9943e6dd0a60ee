import Testing

@Suite("Properties that hold entities")
struct StoredEntityTests {
    @Test(
        "A property that holds an entity is an error that names the property to declare",
        arguments: [
            Mistake(
                "entity",
                "    // relationship: Author\n    var author: Author",
                "5:5 'author' holds an entity, not its identifier; declare 'authorID: Author.ID'"
            ),
            Mistake(
                "optional entity with a name for the accessor",
                "    // relationship: Author, name: writer\n    let author: Blog.Author?",
                "5:5 'author' holds an entity, not its identifier; declare 'authorID: Author.ID?'"
            ),
            Mistake(
                "entity in a property that is named like an identifier",
                "    typealias Writer = Author\n    // relationship: Author\n    let authorID: Writer",
                "6:5 'authorID' holds an entity, not its identifier; declare 'authorID: Author.ID'"
            ),
            Mistake(
                "handle",
                "    // relationship: Author\n    let author: FlatCache.Cached<Author>?",
                "5:5 'author' holds an entity, not its identifier; declare 'authorID: Author.ID?'"
            ),
            Mistake(
                "entities",
                "    // relationship: Comment\n    var comments: [Comment]",
                "5:5 'comments' holds entities, not their identifiers; declare 'commentIDs: [Comment.ID]'"
            ),
            Mistake(
                "entities in a set, some of them missing",
                "    // relationship: Comment\n    var replies: Set<Comment?>?",
                "5:5 'replies' holds entities, not their identifiers; declare 'replyIDs: Set<Comment.ID?>?'"
            ),
            Mistake(
                "entities with an irregular plural",
                "    // relationship: Post\n    var children: [Post]",
                "5:5 'children' holds entities, not their identifiers; declare 'postIDs: [Post.ID]', "
                    + "and write '// relationship: Post, name: children'"
            ),
            Mistake(
                "entity of the type itself",
                "    // relationship: Self\n    var parents: Array<Post>",
                "5:5 'parents' holds entities, not their identifiers; declare 'parentIDs: [Self.ID]'"
            ),
        ]
    )
    func entities(mistake: Mistake) {
        #expect(errorsOfPost(mistake.source) == mistake.printed)
    }

    @Test("An entity can be its own identifier")
    func identifiers() {
        let color = "enum Color: String, Cachable {\ncase red\nvar id: Color { self }\n}\n"
        let post = "struct Post: Cachable {\nlet id: Int\n// relationship: Color\nlet colorID: Color\n}"
        #expect(errors(in: ["import FlatCache\n" + color + post]) == [])
    }
}
