import RelationshipGenerator
import RelationshipTemplates
import Testing

@Suite("Getters.mustache")
struct TemplateGettersTests {
    private func getters(_ source: String) throws -> String {
        try RelationshipGenerator(target: "Blog", template: Templates.getters).generate(
            from: [.init(path: "Post.swift", text: Array(source.utf8))]
        )
    }

    @Test("Without annotations only the header is written")
    func header() throws {
        let output = try getters("struct Post { let authorID: String }")
        #expect(output.split(separator: "\n").count == 3)
        #expect(output.split(separator: "\n").allSatisfy { $0.hasPrefix("// ") })
    }

    @Test("The library is imported publicly only where a getter is public", arguments: ["", "public "])
    func imports(access: String) throws {
        let output = try getters(
            """
            import FlatCache
            public struct Author: Cachable { public let id: String }
            public struct Post: Cachable {
                public let id: String
                // relationship: Author
                \(access)var authorID: String
            }
            """
        )
        #expect(output.contains("\n\(access)import FlatCache\n"))
        #expect(output.contains("    \(access)var author: Author? {"))
    }

    @Test("There are two getters for a relationship, and nothing else")
    func nothingElse() throws {
        let output = try getters(
            """
            struct Post: Cachable {
                let id: String
                // relationship: Post
                var parentID: String?
                // relationship: Post
                var replyIDs: [String]
            }
            """
        )
        let declarations = output.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("//") }
        #expect(
            declarations == [
                "import FlatCache", "nonisolated extension Post {",
                "var parent: Post? { FlatCache._related(self.parentID, of: Self.self) }",
                "func parent(in cache: FlatCache) -> Post? { FlatCache._related(self.parentID, in: cache, of: Self.self) }",
                "var replies: [Post] { FlatCache._related(self.replyIDs, of: Self.self) }",
                "func replies(in cache: FlatCache) -> [Post] { FlatCache._related(self.replyIDs, in: cache, of: Self.self) }",
                "}",
            ]
        )
    }
}
