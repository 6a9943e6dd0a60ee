import Foundation
import RelationshipGenerator
import Testing

@Suite("Backlinks")
struct BacklinkTests {
    /// The lines of an extension, without the documentation.
    static func code(of type: String, in output: String) throws -> [String] {
        let begin = try #require(output.range(of: "extension \(type)"))
        let lines = output[begin.lowerBound...].split(separator: "\n", omittingEmptySubsequences: true)
        let body = lines.prefix { $0 != "}" }
        return body.map { String($0.drop { $0 == " " }) }.filter { !$0.hasPrefix("///") }
    }

    private func author(
        _ property: String,
        type: String = "struct Author: Cachable { let id: String }"
    ) throws -> [String] {
        try Self.code(
            of: "Author",
            in: try generate("import FlatCache\n\(type)\nstruct Post: Cachable {\nlet id: String\n\(property)\n}")
        )
    }

    @Test("A related type without annotations has the accessors and a description")
    func wholeExtension() throws {
        let code = try author("// relationship: Author, backlink: posts\nvar authorID: String")
        #expect(
            code == [
                "extension Author: FlatCache.RelationshipOwner {",
                "var posts: [Post] { _found(._where(\\.authorID, is: id)) }",
                "func posts(in cache: FlatCache) -> [Post] { _found(._where(\\.authorID, is: id), cache) }",
                "static var relationships: Relationships { Relationships() }",
                "nonisolated struct Relationships: Swift.Sendable {",
                "var posts: _Backlink<Post> { ._is(\\.authorID) }", "}",
            ]
        )
    }

    @Test(
        "The query depends on the type of the property",
        arguments: [
            ("authorID: String", "is"), ("authorID: Author.ID?", "is"), ("authorIDs: [String]", "contains"),
            ("authorIDs: Set<String>?", "contains"), ("authorIDs: [String?]", "contains"),
        ]
    )
    func comparisons(property: String, label: String) throws {
        let code = try author("// relationship: Author, backlink: posts\nlet \(property)")
        let name = property.prefix { $0 != ":" }
        #expect(code[1] == "var posts: [Post] { _found(._where(\\.\(name), \(label): id)) }")
        #expect(code.contains("var posts: _Backlink<Post> { ._\(label)(\\.\(name)) }"))
    }

    @Test("A backlink can be sorted by a property, of any optional type, with or without a written type")
    func sorted() throws {
        for sorted in ["rank: Int", "rank: Date?", "rank = 1", "(set) var other, rank: Int"] {
            let code = try author(
                "// relationship: Author, backlink: posts, sorted: rank\nvar authorID: String\nvar \(sorted)"
                    .replacing("var (set) var", with: "private(set) var")
            )
            #expect(code[1].contains("._where(\\.authorID, is: id)._sorted(by: \\.rank)"))
            #expect(code.contains("var posts: _Backlink<Post> { ._is(\\.authorID)._sorted(by: \\.rank) }"))
        }
    }

    @Test("The accessors have the lowest access level, and the import that they need")
    func access() throws {
        let output = try generate(
            """
            public import FlatCache
            public struct Author: Cachable { public let id: String }
            struct Reader: Cachable { let id: String }
            public struct Post: Cachable {
                public let id: String
                // relationship: Author, backlink: posts
                public private(set) var authorID: String
                // relationship: Author, name: editor, backlink: edited
                package var editorID: String?
                // relationship: Reader, backlink: read
                public var readerIDs: [String]
            }
            """
        )
        let author = try Self.code(of: "Author", in: output)
        #expect(author[1].hasPrefix("public var posts: [Post] {") && author[2].hasPrefix("public func posts(in"))
        #expect(author.contains { $0.hasPrefix("package var edited: [Post] {") })
        #expect(author.contains("public static var relationships: Relationships { Relationships() }"))
        #expect(author.contains { $0.hasPrefix("package var edited: _Backlink<Post>") })
        #expect(try Self.code(of: "Reader", in: output)[1].hasPrefix("var read: [Post] {"))
        let indexes = ".init(\\.authorID), .init(\\.editorID), .init(each: \\.readerIDs)"
        #expect(try Self.code(of: "Post", in: output).contains("[\(indexes)]"))
        #expect(output.contains("public static var indexes: [FlatCache.Index<Self>] {"))
        #expect(output.contains("public import FlatCache\n"))
    }

    @Test("Branches and availability of the referring type and the property are around the accessors")
    func conditions() throws {
        let output = try generate(
            """
            import FlatCache
            #if A
            @available(macOS 98, *)
            struct Author: Cachable { let id: String }
            @available(macOS 98, *) @available(iOS 98, *)
            struct Post: Cachable {
                let id: String
                #if B
                // relationship: Author, backlink: posts
                @available(*, deprecated)
                let authorID: String
                #endif
            }
            #endif
            """
        )
        let author = try Self.code(of: "Author", in: output)
        #expect(author[1] == "#if B")
        #expect(author[2].hasPrefix("@available(iOS 98, *) @available(*, deprecated) var posts: [Post] {"))
        #expect(author.filter { $0 == "#if B" }.count == 2)
        #expect(output.contains("#if A\n@available(macOS 98, *)\nnonisolated extension Author"))
        #expect(
            output.contains(
                """
                    @available(*, deprecated) static var indexes: [FlatCache.Index<Self>] {
                        var indexes: [FlatCache.Index<Self>] = []
                        #if B
                        indexes += [.init(\\.authorID)]
                        #endif
                        return indexes
                    }
                """
            )
        )
    }

    @Test("Each declaration of the related type has the accessors")
    func branches() throws {
        let output = try generate(
            """
            import FlatCache
            #if A
            struct Author: Cachable { let id: String }
            #else
            struct Author: Cachable { let id: String; var name = "" }
            #endif
            struct Post: Cachable {
                let id: String
                // relationship: Author, backlink: posts
                let authorID: String
            }
            """
        )
        #expect(output.ranges(of: "var posts: [Post] {").count == 2)
        #expect(output.ranges(of: "nonisolated extension Author").count == 2)
    }

    @Test("A nested type, an enum, an alias and the type itself can be related")
    func relatedTypes() throws {
        let output = try generate(
            """
            import FlatCache
            enum Press { struct Author: Cachable { let id: String; struct Post {} } }
            typealias Writer = Press.Author
            enum Kind: String, Cachable { case a; var id: String { rawValue } }
            struct Post: Cachable {
                let id: String
                // relationship: Writer, name: author, backlink: posts
                let writerID: String
                // relationship: Kind, backlink: posts
                let kindID: String
                // relationship: Self, name: parent, backlink: replies
                let parentPostID: String?
            }
            """
        )
        #expect(try Self.code(of: "Press.Author", in: output)[1].hasPrefix("var posts: [Blog.Post] {"))
        #expect(try Self.code(of: "Kind", in: output)[1].hasPrefix("var posts: [Post] {"))
        #expect(try Self.code(of: "Post", in: output).contains { $0.hasPrefix("var replies: [Post] {") })
    }

    @Test("The documentation has the property and the order")
    func documentation() throws {
        let output = try generate(
            """
            import FlatCache
            struct Post: Cachable {
                let id: String
                // relationship: Post, backlink: replies
                let parentID: String?
                // relationship: Post, name: others, backlink: `all of them`, sorted: id
                let otherIDs: [String]
            }
            """
        )
        for line in [
            "/// The replies in the cache whose `parentID` is `id`, in order of insertion.",
            "/// The `all of them` entities in the cache whose `otherIDs` contain `id`, sorted by `id`.",
        ] {
            #expect(output.contains("    \(line)\n"))
        }
        #expect(output.contains("var `all of them`: [Post] {"))
    }

    @Test("A template can use the backlinks and indexes")
    func template() throws {
        let source =
            "struct Post: Cachable { let id: String\n// relationship: Post, backlink: replies\nlet parentID: String?\n}"
        let template =
            "{{#owners}}{{#backlinks}}{{name}} of {{referrer}} by {{property}} {{comparison}};{{/backlinks}}"
            + "{{#indexes}}{{.}}{{/indexes}}{{/owners}}"
        let output = try RelationshipGenerator(target: "Blog", template: template)
            .generate(from: [.init(path: "Post.swift", text: Array(source.utf8))])
        #expect(output == "replies of Post by parentID is;[.init(\\.parentID)]")
    }
}
