import Testing

@Suite("Related types")
struct RelatedTypeTests {
    static let post =
        "struct Post: Cachable {\n    let id: String\n    // relationship: Author\n    let authorID: Author.ID\n}\n"

    static let missing =
        "File1.swift:3:22: error: 'Author' (File2.swift:1) does not conform to 'Cachable', so that no cache can store it; "

    @Test(
        "A type that is known not to be an entity is an error with a remedy",
        arguments: [
            ("struct Author { let id: String }", "write 'struct Author: Cachable'"),
            ("struct Author: Codable, Identifiable, Sendable { let id: String }", "write 'struct Author: Cachable'"),
            ("final class Author: @unchecked Sendable {}", "write 'struct Author: Cachable'"),
            ("@MainActor enum Author: Swift.String, Swift.Equatable { case a }", "write 'enum Author: Cachable'"),
            ("struct Author: ~Copyable {}\nprotocol Cachable {}", "write 'struct Author: Cachable'"),
            ("struct Author: Named {}\nprotocol Named: Sendable {}\nextension Author: Equatable {}", ""),
            ("struct Author: Model {}\ntypealias Model = Codable & Sendable", ""),
        ]
    )
    func noEntity(author: String, advice: String) throws {
        let printed = errors(in: [Self.post, author])
        #expect(printed.count == 1)
        #expect(printed.first?.hasPrefix(Self.missing) == true)
        #expect(printed.first?.hasSuffix(advice) == true)
    }

    @Test(
        "A type that is an entity, or may be one as far as the sources show",
        arguments: [
            "struct Author {}\nextension Author: Cachable {}",
            "struct Author {}\n#if DEBUG\nextension Author: Cachable {}\n#else\nextension Author: Cachable {}\n#endif",
            "struct Author: Model {}\ntypealias Model = Codable & Cachable",
            "struct Author: Model {}\ntypealias Model = Entity & Sendable\nprotocol Entity: FlatCache.Cachable {}",
            "final class Author: Base, @unchecked Sendable {}\nclass Base: Cachable {}",
            "struct Author: Core.Entity {}", "struct Author: Entity {}", "@Model struct Author {}",
            "struct Author: @unchecked Sendable, @retroactive Cachable {}",
            "struct Person: Cachable {}\ntypealias Author = Person",
            "typealias Author = Core.Person", "struct Author: FlatCache.RelationshipOwner {}",
            "struct Author {}\ntypealias Writer = Author\nextension Writer: Cachable {}",
            "struct Author {}\nextension Blog.Author: Cachable {}",
        ]
    )
    func entity(author: String) {
        #expect(errors(in: ["import Core\n" + Self.post, author]) == [])
    }

    @Test("A conditional entity is an error that names the condition")
    func conditional() {
        let tree =
            "struct Tree<T>: Sendable where T: Sendable {\n// relationship: Tree\nlet parentID: String\n}\n"
            + "extension Tree: Cachable where T: Hashable {}"
        #expect(
            errors(in: [tree]) == [
                "File1.swift:2:18: error: 'Tree' conforms to 'Cachable' only where 'T: Hashable', which accessors can't repeat; "
                    + "write the condition on 'struct Tree' itself"
            ]
        )
    }

    @Test("An extension of an alias adds its members and nested types to the type")
    func aliasedExtension() {
        let blog =
            "enum Blog2 { struct Entry: Cachable { let id: Int\n// relationship: Entry\nlet parentID: Int } }\n"
            + "typealias Entry = Blog2.Entry\nextension Entry { func setParent(_ a: Int, in b: Int) {} }"
        #expect(
            errors(in: [blog]) == [
                "File1.swift:2:1: error: 'Blog2.Entry' already has a member 'setParent(_:in:)'; "
                    + "write '// relationship: Blog2.Entry, name: …'"
            ]
        )
    }

    @Test(
        "A type outside of the target is an error that says how to write it",
        arguments: [
            (
                "import Models\nimport Foundation\nimport FlatCache", "Author",
                "'Author' is not a type of this target; qualify a type of an imported module with the module, "
                    + "as in 'Models.Author'"
            ),
            (
                "import struct Models.Author\npublic import People", "Author",
                "'Author' is not a type of this target; qualify a type of an imported module with the module, "
                    + "as in 'Models.Author' or 'People.Author'"
            ),
            ("import Models", "Pst", "'Pst' is not a type of this target; did you mean 'Post' or 'Models.Pst'?"),
            (
                "import Models", "Model.Author",
                "this file does not import a module 'Model'; did you mean 'Models.Author'?"
            ),
            (
                "", "Other.Author",
                "'Other' is imported in 'File2.swift', but not in this file; write 'import Other' here, too"
            ),
            (
                "", "Third.Author",
                "'Third' is neither a type of this target nor a module that this file imports; write 'import Third'"
            ),
            ("", "Post.Page", "'Post.Page' is not a type of this target; did you mean 'Page'?"),
            ("", "Blog.Pst", "'Blog.Pst' is not a type of this target; did you mean 'Post'?"),
            (
                "", "Post.Author",
                "'Post.Author' is not a type of this target; write its module or enclosing types as they are declared"
            ),
        ]
    )
    func unknown(imports: String, name: String, message: String) {
        let post = "struct Post: Cachable {\n// relationship: \(name)\nlet authorID: String\n}"
        let line = imports.split(separator: "\n").count + 2
        #expect(
            errors(in: [imports + (imports.isEmpty ? "" : "\n") + post, "import Other\nstruct Page {}"])
                == ["File1.swift:\(line):18: error: \(message)"]
        )
    }

    @Test(
        "A name that may mean several types is an error that lists them",
        arguments: [
            ("Item", "'Shop.Item', 'Store.Item' or 'Store.Shelf.Item'"), ("Shop.Itm", "'Shop.Item'"),
            ("Itexs", "'Items' or 'Itens'"), ("Post.Item", "'Shop.Item', 'Store.Item' or 'Store.Shelf.Item'"),
        ]
    )
    func ambiguous(name: String, candidates: String) {
        let items =
            "enum Shop { struct Item: Cachable { let id: Int } }\nenum Store { struct Item: Cachable { let id: Int }\n"
            + "enum Shelf { struct Item: Cachable { let id: Int } } }\nstruct Items {}\nstruct Itens {}"
        let post = "struct Post: Cachable {\n// relationship: \(name)\nlet itemID: Int\n}"
        #expect(
            errors(in: [post, items]) == [
                "File1.swift:2:18: error: '\(name)' is not a type of this target; did you mean \(candidates)?"
            ]
        )
    }

    @Test(
        "Identifiers of another type are an error where the sources show both types",
        arguments: [
            ("let id = UUID()", "String", "UUID"), ("var id = 1", "String", "Int"), ("let id = \"a\"", "Int", "String"),
            ("typealias ID = Int\n    let id: ID", "String", "Int"), ("typealias ID = Int", "UUID", "Int"),
            ("struct ID: Hashable {}\n    let id: ID", "String", "Author.ID"),
            ("let id: Swift.String", "Foundation.UUID", "String"), ("let id: Key", "Tag.ID", "Author.Key"),
            ("let id: String", "Tag.ID", "String"), ("let id: String", "[Tag.ID?]?", "String"),
        ]
    )
    func identifiers(id: String, type: String, expected: String) throws {
        let author =
            "struct Author: Cachable {\n    struct Key {}\n    \(id)\n}\nstruct Tag: Cachable { let id: Int }\n"
        let name = type.hasPrefix("[") ? "authorIDs" : "authorID"
        let post = "struct Post: Cachable {\n// relationship: Author\nlet \(name): \(type)\n}"
        let written = type.filter { !"[]?".contains($0) }
        #expect(
            errors(in: [post, author]) == [
                "File1.swift:2:1: error: '\(name)' holds identifiers of type '\(written)', but 'Author' is identified by '\(expected)'; "
                    + "write 'Author.ID'"
            ]
        )
    }

    @Test(
        "An identifier type from a requirement of a protocol",
        arguments: [
            "protocol Entity: Cachable where ID == Int {}", "protocol Entity: Cachable { var id: Int { get } }",
            "protocol Entity: Cachable {}\nextension Entity { var id: Int { 1 } }",
            "protocol Entity: Cachable { typealias Key = Int\nvar id: Key { get } }",
        ]
    )
    func identifierOfProtocol(entity: String) {
        let source = "struct Post: Cachable {\n// relationship: Author\nlet authorID: String\n}\n" + entity
        #expect(
            errors(in: [source, "struct Author: Entity {}"]) == [
                "File1.swift:2:1: error: 'authorID' holds identifiers of type 'String', but 'Author' is identified by 'Int'; write 'Author.ID'"
            ]
        )
    }

    @Test(
        "Identifiers with a matching type, or a type that the sources don't show",
        arguments: [
            ("let id = UUID().uuidString", "String"), ("let id = makeID()", "UUID"), ("let id = UUID()", "Author.ID"),
            ("let id: Tagged<Author, String>", "String"), ("let id: Key", "String"), ("let id: Int", "Tag.ID"),
            ("let id = \"a\" + \"b\".description.hashValue", "Int"), ("let id: ID", "String"),
            ("typealias ID = Int\n let id: Int", "Author.ID"), ("let id: Foundation.UUID", "UUID"),
        ]
    )
    func fittingIdentifiers(id: String, type: String) {
        let author = "struct Author: Cachable { \(id) }\nstruct Tag: Cachable { let id: Int }\n"
        #expect(
            errors(in: ["struct Post: Cachable {\n// relationship: Author\nlet authorID: \(type)\n}", author]) == []
        )
    }
}
