import Testing

@Suite("Names beside those of the library")
struct RelationshipHandleTests {
    @Test(
        "A member that the target itself adds to the handles of a type",
        arguments: [
            ("extension Cached where Value == Post { var author: Int { 1 } }", "author"),
            ("extension FlatCache.Cached<Post> { func requireAuthor() {} }", "requireAuthor"),
            ("typealias Entry = Post\nextension Cached<Entry> { func setAuthor(_ a: Int) {} }", "setAuthor(_:)"),
            ("extension Cached<Post> { func fetchAuthor(_ a: Int = 1) {} }", "fetchAuthor(_:)"),
        ]
    )
    func handles(source: String, member: String) {
        let post = "struct Post: Cachable {\n// relationship: Author, throwing\nlet authorID: String\n}\n"
        #expect(
            errors(in: [OutputTests.author + post, source]) == [
                "File1.swift:4:1: error: handles of 'Post' already have a member '\(member)'; "
                    + "write '// relationship: Author, name: …'"
            ]
        )
    }

    @Test("Members of other handles, and of all handles, are no hindrance")
    func otherHandles() {
        let post = "struct Post: Cachable {\n// relationship: Author\nlet authorID: String\n}\n"
        let extensions =
            "extension Cached<Author> { var author: Int { 1 } }\nextension Cached { var author: Int { 1 } }\n"
            + "extension Cached<Post> { static var author: Int { 1 } }"
        #expect(errors(in: [OutputTests.author + post, extensions]) == [])
    }

    @Test(
        "A type that hides the library or the language from the accessors",
        arguments: [
            ("struct FlatCache {}", "struct Post", "FlatCache", " (File2.swift:1)"),
            ("", "struct Post<Swift>", "Swift", ""),
            ("extension Post { enum _Concurrency {} }", "struct Post", "_Concurrency", " (File2.swift:1)"),
        ]
    )
    func hidden(other: String, type: String, name: String, place: String) {
        let post = "\(type): Cachable {\n// relationship: Author\nlet authorID: String\n}\n"
        #expect(
            errors(in: [OutputTests.author + post, other]) == [
                "File1.swift:4:1: error: the accessors need '\(name)', which is the name of another type here\(place); "
                    + "rename that type"
            ]
        )
    }

    @Test("A type that needs the module's name, which another type has, is told")
    func hiddenModule() {
        let source =
            "enum Blog {}\nstruct Value: Cachable { let id: String }\n"
            + "struct Post: Cachable {\n// relationship: Value, name: worth\nlet valueID: String\n}"
        #expect(
            errors(in: [source]) == [
                "File1.swift:4:18: error: 'Value' can't be named in the accessors, where it needs the name of the module, "
                    + "'Blog', which is that of a type too; rename one of the types"
            ]
        )
    }

    @Test("A collection that may be one of the target is told")
    func hiddenCollections() {
        let post = "struct Post: Cachable {\n// relationship: Author\nlet authorIDs: Set<String>?\n}\n"
        #expect(
            errors(in: [OutputTests.author + post, "struct Set<Element>: Cachable {}"]) == [
                "File1.swift:4:1: error: 'Set' is a type of this target too; "
                    + "write 'Swift.Set<…>' in the type of 'authorIDs'"
            ]
        )
    }

    @Test("A generic parameter is no entity")
    func genericParameter() {
        let source = "struct Page<Author: Sendable> {\n// relationship: Author\nlet authorID: String\n}"
        #expect(
            errors(in: [OutputTests.author + source]) == [
                "File1.swift:4:18: error: 'Author' is a generic parameter of 'Page' here; name the type of the entities, "
                    + "by a type alias if it has the same name"
            ]
        )
    }

    @Test("An accessor that throws collides with a member of its name, and with that of another relationship")
    func throwing() {
        let post = "struct Post: Cachable {\n// relationship: Author, throwing\nlet authorID: String\n"
        #expect(
            errors(in: [OutputTests.author + post + "}", "extension Post { func requireAuthor() {} }"]) == [
                "File1.swift:4:1: error: 'Post' already has a member 'requireAuthor'; "
                    + "write '// relationship: Author, name: …'"
            ]
        )
        #expect(errors(in: [OutputTests.author + post + "func requireAuthor(of a: Int) {} }"]) == [])
    }
}
