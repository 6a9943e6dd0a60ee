import RelationshipGenerator
import Testing

@Suite("Accessors of arrays of arrays, dictionaries and cases")
struct ShapeTests {
    private func lines(of source: String, with text: String) throws -> [String] {
        try generate(modelsOfPost + source).split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter {
            $0.contains(text)
        }
    }

    @Test(
        "The number of lines is at most that of a collection",
        arguments: [
            "struct Post {\n// relationship: Author\nvar tagIDs: [[String]]\n}",
            "struct Post {\n// relationship: Author\nvar tagIDs: [Int: String]\n}",
            "struct Post {\n// relationship: Author\nvar tagIDs: [Int: Author.ID]?\n}",
            "enum Post {\n// relationship: Author\ncase author(Author.ID)\n}",
            "enum Post {\n// relationship: Author, name: tags\ncase tags([Author.ID])\n}",
        ]
    )
    func lineCount(source: String) throws {
        let toMany = try generate(modelsOfPost + "struct Post {\n// relationship: Author\nvar tagIDs: [String]\n}")
        let lines = try generate(modelsOfPost + source).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= toMany.split(separator: "\n", omittingEmptySubsequences: false).count)
    }

    @Test(
        "The type of keys has the same meaning in the accessors, which are at most as visible as it is",
        arguments: [
            ("[String: Author.ID]", "public var authors: [String: Author] {"),
            ("[Language: Author.ID]", "var authors: [Language: Author] {"),
            ("[Blog.Language: Author.ID]", "var authors: [Language: Author] {"),
            ("[Role: Author.ID]", "package var authors: [Post.Role: Author] {"),
            ("[Language.Script: Author.ID]", "var authors: [Language.Script: Author] {"),
            ("Dictionary<Swift.Int, String>", "public var authors: [Swift.Int: Author] {"),
            ("[Content: Author.ID]", "public var authors: [Content: Author] {"),
            ("[Index: Author.ID]", "var authors: [Blog.Index: Author] {"),
            ("[Locale.Region: Author.ID]?", "public var authors: [Locale.Region: Author]? {"),
        ]
    )
    func keys(type: String, getter: String) throws {
        let source = """
            import Foundation
            public struct Author: Cachable { public let id: String }
            enum Language { struct Script {} }
            struct Index {}
            public struct Post<Content: Hashable & Sendable> {
                package enum Role { case writer }
                // relationship: Author
                public var authorIDs: \(type)
            }
            """
        let output = try generate(source)
        #expect(
            output.contains("    \(getter)\n")
                || output.contains("    \(getter.replacing("Post.", with: "Post<Content>."))\n")
        )
    }

    @Test(
        "The module of a type of keys is imported with the level that the accessors need",
        arguments: [
            ("public", "UUID", "public import Foundation"), ("internal", "UUID", "import Foundation"),
            ("public", "Places.City", "public import Places"), ("public", "City", "public import Places"),
            ("public", "Int", "import Places"),
        ]
    )
    func imports(access: String, key: String, line: String) throws {
        let module = line.split(separator: " ").last ?? ""
        let source = """
            public import \(module)
            internal import FlatCache
            public struct Author: Cachable { public let id: String }
            public struct Post {
                // relationship: Author
                \(access) var authorIDs: [\(key): Author.ID]
            }
            """
        #expect(try generate(source).contains("\n\(line)\n"))
    }

    @Test("The accessors of a case have the access level of the enum")
    func accessOfCases() throws {
        let source = """
            public enum Owner {
                // relationship: Author
                case author(Author.ID)
            }
            """
        #expect(
            try lines(of: source, with: "var author").first
                == "var author: Author? { FlatCache._related(self._author) }"
        )
        let isPublic = try generate(
            "public struct Author: Cachable { public let id: String }\n\(source)"
        )
        #expect(isPublic.contains("    public var author: Author? {"))
        #expect(isPublic.contains("    fileprivate var _author: Author.ID? {"))
        #expect(isPublic.contains("        public var author: _ToOptional<Author> {"))
    }

    @Test("A case gives its own name, or that before its suffix")
    func namesOfCases() throws {
        let source = """
            enum Owner {
                // relationship: Author
                case byID(Author.ID)
                // relationship: Author
                case writerIDs([Author.ID])
                // relationship: Author
                case people(Set<Author.ID>)
                // relationship: Author, name: boss
                case head(Author.ID)
            }
            """
        let expected = ["var by: ", "var writers: ", "var people: ", "var boss: "]
        let getters = try lines(of: source, with: "{ FlatCache._related(self.").filter { $0.hasPrefix("var ") }
        #expect(zip(getters, expected).allSatisfy { $0.hasPrefix($1) } && getters.count == expected.count)
    }

    @Test("Conditions and availability of a case are those of its accessors")
    func conditions() throws {
        let source = """
            enum Owner {
                #if DEBUG
                // relationship: Author
                @available(*, deprecated) case author(Author.ID)
                #endif
            }
            """
        let output = try generate(modelsOfPost + source)
        #expect(output.contains("    #if DEBUG\n    @available(*, deprecated) fileprivate var _author: Author.ID?"))
        #expect(output.contains("    @available(*, deprecated) var author: Author? {"))
    }

    @Test("Type aliases of collections are followed")
    func aliases() throws {
        let source = """
            typealias Row = [Author.ID]
            struct Post {
                typealias Rows = [[Author.ID]]
                // relationship: Author
                var authorIDs: [Row]
                // relationship: Comment
                var commentIDs: Grid?
            }
            typealias Grid = [[Comment.ID]]
            enum Owner {
                // relationship: Author
                case authors(Post.Rows)
            }
            """
        #expect(
            try lines(of: source, with: ": _To").map { $0.prefix { $0 != "{" } } == [
                "var authors: _ToOptionalNested<Author> ", "var authors: _ToNested<Author> ",
                "var comments: _ToOptionalNested<Comment> ",
            ]
        )
    }
}
