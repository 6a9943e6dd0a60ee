import Testing

@testable import RelationshipGenerator

@Suite("Module selectors")
struct ModuleSelectorTests {
    private static let author = "struct Author: FlatCache::Cachable { let id: Swift::String }\n"

    @Test(
        "A module selector doesn't change the meaning of a type",
        arguments: [
            ("var authorID: Swift::String", "Author"), ("var authorIDs: [Swift::String]", "Author"),
            ("var authorID: Swift::Optional<Swift::String>", "Author"),
            ("var authorIDs: Swift::Set<String>?", "Author"),
            ("var authorIDs: Swift::Array<Blog::Author.ID>", "Author"), ("var authorID: String", "Blog::Author"),
            ("@Blog::Wrapper var authorID: String", "Author"), ("@Blog::Wrapper(1) var authorID: String", "Author"),
            ("var authorID: Blog\n::Author.ID", "Author"), ("var authorID: String", "Post.Blog::Inner"),
        ]
    )
    func types(member: String, target: String) {
        let source = """
            \(Self.author)struct Post: Cachable {
            let id: String
            // relationship: \(target)
            \(member)
            struct Inner: Cachable { let id: String }
            }
            """
        #expect(errors(in: [source]).isEmpty)
    }

    @Test("A module selector skips nested types, and a type with the name of the module")
    func toTheTop() throws {
        let nested = "struct Author: Cachable { let id: Int }"
        let output = try generate(
            """
            import FlatCache
            \(Self.author)struct Post: Cachable {
                let id: String
                \(nested)
                // relationship: Blog::Author
                var authorID: String
            }
            """
        )
        #expect(output.contains("Blog.Author?"))
        let hidden =
            "enum Blog { \(nested) }\nstruct Post: Cachable {\nlet id: String\n// relationship: Blog::Author\nvar authorID: String\n}"
        #expect(try generate(Self.author + hidden).contains("var author: Author?"))
    }

    @Test("An extension that qualifies a type with the module adds to that type")
    func extensions() throws {
        let output = try generate(
            """
            \(Self.author)struct Post: Cachable { let id: String }
            extension Blog::Post {
                struct In: Cachable {
                    let id: String
                    // relationship: Author
                    var authorID: String
                }
            }
            """
        )
        #expect(output.contains("extension Post.In: FlatCache.RelationshipOwner {"))
    }

    @Test("A related type of another module keeps its module selector")
    func otherModule() throws {
        let source =
            "import Accounts\nstruct Post: Cachable {\nlet id: Int\n// relationship: Accounts::User\nvar userID: Int\n}"
        #expect(try generate(source).contains("var user: Accounts::User?"))
        #expect(errors(in: [source.replacing("import Accounts\n", with: "")]).first?.contains("'Accounts'") == true)
    }

    @Test("An import of a declaration can have a module selector")
    func imports() {
        let file = Scanner.scan(Array("import struct Accounts::User\nimport A".utf8), path: "File.swift")
        #expect(file.imports.map(\.text) == ["import struct Accounts::User", "import A"])
        #expect(file.imports.map(\.module) == ["Accounts", "A"])
    }

    @Test("An invalid type with a single colon is looked up once")
    func invalidType() {
        let source = "struct Post: Cachable {\nlet id: Int\n// relationship: Post\nlet aID:     let aID: Post.ID\n}"
        #expect(errors(in: [source]).isEmpty)
    }
}
