import RelationshipGenerator
import Testing

@Suite("Errors of backlinks")
struct BacklinkErrorTests {
    /// The errors of an author in `File1.swift` with members that begin in line 3, and a post in `File2.swift` with members
    /// from line 3 on.
    private func errorsOf(author: String = "", post: String, others: String = "") -> [String] {
        errors(in: [
            "import FlatCache\nstruct Author: Cachable { let id: String\n\(author)\n}",
            "import FlatCache; import People\nstruct Post: Cachable { let id: String\n\(post)\n}\n\(others)",
        ])
    }

    private let annotation = "// relationship: Author, backlink: posts\n"

    @Test(
        "A name that a member of the related type has is an error",
        arguments: [
            ("let posts: [String]", "'Author' already has a member 'posts'"),
            ("func posts() {}", "'Author' already has a member 'posts()'"),
            ("func posts(in cache: FlatCache) {}", "'Author' already has a member 'posts(in:)'"),
            (
                "// relationship: Post\nlet postIDs: [String]",
                "the relationship of 'Author.postIDs' already generates a member 'posts'"
            ),
        ]
    )
    func collision(author: String, reason: String) {
        #expect(
            errorsOf(author: author, post: annotation + "let authorID: String") == [
                "File2.swift:3:36: error: \(reason); write another name after 'backlink:'"
            ]
        )
    }

    @Test("Two backlinks of a type can't have the same name, unless they are in different branches")
    func twoBacklinks() {
        let post = annotation + "let authorID: String\n" + annotation + "let editorID: String"
        #expect(
            errorsOf(post: post) == [
                "File2.swift:5:36: error: the backlink of 'Post.authorID' (File2.swift:3) already generates a member 'posts'; "
                    + "write another name after 'backlink:'"
            ]
        )
        let branches = "#if A\n\(annotation)let authorID: String\n#else\n\(annotation)let authorID: String?\n#endif"
        #expect(errorsOf(post: branches) == [])
    }

    @Test(
        "A name that no accessor can have is an error",
        arguments: [
            ("status", "every handle already has a member 'status'"),
            ("id", "'Author' already has a member 'id'"),
            ("shown", "handles of 'Author' already have a member 'shown'"),
            ("FlatCache", "accessors refer to 'FlatCache', so that none can have this name"),
            ("`self`", "'self' can't be the name of an accessor"),
        ]
    )
    func names(name: String, reason: String) {
        #expect(
            errorsOf(
                post: "// relationship: Author, backlink: \(name)\nlet authorID: String",
                others: "extension Cached where Value == Author { var shown: Bool { true } }"
            ) == ["File2.swift:3:36: error: \(reason); write another name after 'backlink:'"]
        )
    }

    @Test("A type of another module can't have a backlink, and an unknown type has its own error")
    func otherTypes() {
        #expect(
            errorsOf(post: "// relationship: People.Person, backlink: posts\nlet personID: String") == [
                "File2.swift:3:43: error: 'People.Person' belongs to another module, whose types can't have generated "
                    + "accessors; remove 'backlink: posts'"
            ]
        )
        #expect(
            errorsOf(post: "// relationship: Authr, backlink: posts\nlet authorID: String") == [
                "File2.swift:3:18: error: 'Authr' is not a type of this target; did you mean 'Author' or 'People.Authr'?"
            ]
        )
    }

    @Test(
        "Arrays of arrays and dictionaries have no backlink",
        arguments: [("[[String]]", "an array of arrays"), ("[Int: String]", "a dictionary")]
    )
    func shapes(type: String, words: String) {
        #expect(
            errorsOf(post: annotation + "let authorIDs: \(type)") == [
                "File2.swift:3:36: error: 'authorIDs' is \(words), which can't have a backlink; remove 'backlink: posts'"
            ]
        )
    }

    @Test("A case has no backlink")
    func enumCase() {
        #expect(
            errorsOf(post: "", others: "enum Owner {\n\(annotation)case author(Author.ID)\n}") == [
                "File2.swift:6:36: error: 'author' is a case of an enum, which can't have a backlink; remove 'backlink: posts'"
            ]
        )
    }

    @Test("Neither type can be generic")
    func generics() {
        let page = "struct Page<Content: Sendable>: Cachable { let id: String\n\(annotation)let authorID: String\n}"
        #expect(
            errorsOf(post: "", others: page) == [
                "File2.swift:6:36: error: 'Page' is generic, so that a backlink has no single type; remove 'backlink: posts'"
            ]
        )
    }

    @Test("The owner must be an entity")
    func owner() {
        #expect(
            errorsOf(post: "", others: "struct Page {\n\(annotation)let authorID: String\n}") == [
                "File2.swift:6:36: error: 'Page' (File2.swift:5) does not conform to 'Cachable', so that no cache can store "
                    + "it; write 'struct Page: Cachable'"
            ]
        )
        let elsewhere = "struct Page {\n\(annotation)let authorID: String; let id: Int\n}\nextension Page: Cachable {}"
        #expect(errorsOf(post: "", others: elsewhere) == [])
        #expect(errorsOf(post: "", others: "struct Page: P {\n\(annotation)let authorID: String\n}") == [])
    }

    @Test("The related type must be a struct or an enum")
    func classes() {
        let editor = "final class Editor: Cachable { let id = 1 }"
        #expect(
            errorsOf(post: "// relationship: Editor, backlink: posts\nlet editorID: Int", others: editor) == [
                "File2.swift:3:36: error: 'Editor' is a class, and only structs and enums can have relationships; "
                    + "declare it as a struct"
            ]
        )
    }

    @Test(
        "A wrong order is an error",
        arguments: [
            ("createdAd", "'Post' has no stored property 'createdAd'; did you mean 'createdAt'?"),
            ("length", "'Post' has no stored property 'length'; write the name of one after 'sorted:'"),
            ("computed", "'Post' has no stored property 'computed'; write the name of one after 'sorted:'"),
            (
                "isPinned",
                "'isPinned' has the type 'Bool', whose values have no order; "
                    + "write a property with a 'Comparable' type after 'sorted:'"
            ),
            (
                "lines",
                "'lines' has the type '[Int]?', whose values have no order; "
                    + "write a property with a 'Comparable' type after 'sorted:'"
            ),
            (
                "secret",
                "'secret' is private, but the generated accessors are in another file; make it at least internal"
            ),
        ]
    )
    func order(name: String, message: String) {
        let others =
            "\nvar createdAt = 0\nvar isPinned: Bool\nlet lines: [Int]?\nprivate let secret: Int\nvar computed: Int { 1 }"
        #expect(
            errorsOf(
                post: "// relationship: Author, backlink: posts, sorted: \(name)\nlet authorID: String" + others
            ) == ["File2.swift:3:51: error: \(message)"]
        )
    }

    @Test("An order under another condition is an error")
    func conditionalOrder() {
        let annotation = "// relationship: Author, backlink: posts, sorted: rank\nlet authorID: String"
        #expect(
            errorsOf(post: "\(annotation)\n#if A\nlet rank: Int\n#endif") == [
                "File2.swift:3:51: error: 'rank' is compiled only under '#if A', but the annotated property without it; "
                    + "write a property after 'sorted:' that is always there"
            ]
        )
        #expect(errorsOf(post: "\(annotation)\n#if A\nlet rank: Int\n#else\nlet rank: String\n#endif") == [])
        #expect(errorsOf(post: "#if A\n\(annotation)\nlet rank: Int\n#endif") == [])
    }

    @Test("Keys that don't fit together are errors")
    func keys() {
        #expect(
            errorsOf(post: "// relationship: Author, sorted: id\nlet authorID: String") == [
                "File2.swift:3:34: error: 'sorted:' orders a backlink; write 'backlink: …', too, or remove it"
            ]
        )
        #expect(
            errorsOf(
                author: "// relationship: Post, name: works\nlet postIDs: [String]",
                post: "// relationship: Author, inverse: postIDs, backlink: posts\nlet authorID: String"
            ) == [
                "File2.swift:3:54: error: a relationship has either an inverse, which is stored, or a backlink; "
                    + "remove 'inverse:' or 'backlink:'"
            ]
        )
        #expect(
            errorsOf(post: "// relationship: Author, backlnk: posts\nlet authorID: String") == [
                "File2.swift:3:26: error: 'backlnk' is not a key of an annotation; did you mean 'backlink'?"
            ]
        )
        #expect(
            errorsOf(post: "// relationship: Author, backlink: 1st\nlet authorID: String") == [
                "File2.swift:3:36: error: '1st' is not a name; write a Swift identifier after 'backlink:'"
            ]
        )
        #expect(
            errorsOf(post: "// relationship: Author, backlink: posts, sorted: -1\nlet authorID: String") == [
                "File2.swift:3:51: error: '-1' is not a name; write a property of the type with the annotation after 'sorted:'"
            ]
        )
    }

    @Test("Members of the related type that hide what the accessors use are errors")
    func shadowing() {
        #expect(
            errorsOf(author: "struct Relationships {}", post: annotation + "let authorID: String") == [
                "File2.swift:3:36: error: 'Author' already has a member 'Relationships', but the generated code declares one "
                    + "of this name; rename that member"
            ]
        )
        #expect(
            errorsOf(author: "var FlatCache: Int { 1 }", post: annotation + "let authorID: String") == [
                "File2.swift:3:36: error: accessors refer to 'FlatCache', but a member of 'Author' has this name; "
                    + "rename that member"
            ]
        )
        #expect(
            errorsOf(author: "var _found = 1", post: annotation + "let authorID: String") == [
                "File2.swift:3:36: error: accessors refer to '_found', but a member of 'Author' has this name; "
                    + "rename that member"
            ]
        )
        for (type, member) in [("Query", "_where()"), ("Relationship", "_sorted()")] {
            #expect(
                errorsOf(
                    post: annotation + "let authorID: String",
                    others: "extension FlatCache.\(type) { func \(member) {} }"
                ) == [
                    "File2.swift:6:\(type.count + 29): error: names in 'FlatCache.\(type)' that begin with '_' are reserved "
                        + "for accessors; rename '\(member)'"
                ]
            )
        }
    }
}
