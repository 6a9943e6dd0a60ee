import Foundation
import RelationshipGenerator
import RelationshipTemplates
import Testing

@Suite("Tables of keys")
struct PayloadTableTests {
    private static let header = "static var payloadKeys: [_PayloadKey] {"

    /// The body of the table of a type `Post` with members, the lines joined by spaces; `nil` if there is no table.
    private func table(
        _ members: String,
        type: String = "struct Post: Cachable, Codable",
        others: String = ""
    ) throws -> String? {
        try body(in: generate("import FlatCache\n\(type) {\nlet id: String\n\(members)\n}\n\(others)"))
    }

    private func body(in output: String) -> String? {
        guard let type = output.range(of: "extension Post: FlatCache.Payload"),
            let start = output.range(of: Self.header, range: type.upperBound..<output.endIndex)?.upperBound
        else { return nil }
        let lines = output[start...].split(separator: "\n").prefix { $0 != "    }" }
        return lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    }

    static let author = "struct Author: Cachable, Codable { let id: String }"

    @Test("An entity that is decodable has a table, and one without relationships needs only the import")
    func whole() throws {
        let output = try generate(
            "import Foundation\nimport FlatCache\nstruct Post: Cachable, Codable { let id: String; var text = \"\"; let date: Date }"
        )
        #expect(
            output.hasSuffix(
                """
                // swift-format-ignore-file

                import FlatCache

                nonisolated extension Post: FlatCache.PayloadDecodable {
                    static var payloadKeys: [_PayloadKey] {
                        [.init("id", \\.id), .init("text", \\.text), .init("date", \\.date)]
                    }
                }

                """
            )
        )
    }

    @Test(
        "A type has a table if the sources show both conformances, without conditions, and it has none of its own",
        arguments: [
            ("struct Post: Cachable, Codable", "", true), ("struct Post: Cachable & Decodable", "", true),
            ("struct Post: FlatCache.Cachable, Swift.Decodable", "", true), ("struct Post: Cachable", "", false),
            ("struct Post: Cachable, Encodable", "", false), ("struct Post: Codable", "", false),
            ("struct Post", "extension Post: Cachable, Decodable {}", true),
            ("struct Post: Cachable", "extension Post: Decodable {}", true),
            ("struct Post: Entity", "protocol Entity: Cachable, Decodable {}", true),
            ("struct Post: Entity, Decodable", "protocol Entity: Model {}\nprotocol Model: Cachable {}", true),
            ("struct Post: Model", "typealias Model = Cachable & Codable", true),
            ("struct Post: Cachable, Codable", "protocol Codable {}", false),
            ("struct Post<C: Sendable>: Cachable", "extension Post: Decodable where C: Decodable {}", false),
            ("struct Post<C: Codable & Sendable>: Cachable, Codable", "", true),
            ("struct Post: Cachable, Codable", "extension Post: FlatCache.PayloadDecodable {}", false),
            ("struct Post: Cachable, Codable", "extension Post { static let payloadKeys = 1 }", false),
            ("struct Post: Cachable, Codable", "extension Post { var payloadKeys: Int { 1 } }", true),
            ("private struct Post: Cachable, Codable", "", false),
            ("struct Post: Cachable, Codable", "class FlatCache {}", false),
            ("@MainActor struct Post: Cachable, Codable", "", false),
            ("final class Post: Cachable, Codable", "", false), ("enum Post: Cachable, Codable", "", false),
        ]
    )
    func conformances(type: String, others: String, hasTable: Bool) throws {
        #expect(try (table("", type: type, others: others) != nil) == hasTable)
    }

    @Test(
        "There is an entry for each property that decoding sets, in order",
        arguments: [
            ("var a: Int\nlet b: String?", #".init("a", \.a), .init("b", \.b)"#),
            ("let a = 1\nvar b = 1", #".init("b", \.b)"#), ("lazy var a = 1\nstatic var b = 1\nvar c: Int { 1 }", ""),
            ("var a: Int { didSet {} }", #".init("a", \.a)"#),
            ("let a, b: Int\nvar c: Int", #".init("a", \.a), .init("b", \.b), .init("c", \.c)"#),
            ("let a = 1, b: Int", #".init("b", \.b)"#),
            ("let (a, b): (Int, Int)", #".init("a", \.a), .init("b", \.b)"#),
            ("var `class`: Int\nvar `init`: Int", #".init("class", \.`class`), .init("init", \.`init`)"#),
            ("private(set) var a: Int", #".init("a", \.a)"#), ("@Clamped var a: Int", #".init("a", wrapped: \.a)"#),
            ("@Clamped<Int>(1) public var a: Int", #".init("a", wrapped: \.a)"#),
            ("@available(*, deprecated) @usableFromInline var a: Int", #".init("a", \.a)"#),
            ("private var a: [String: Int]?", #".init("a", [String: Int]?.self)"#),
            ("fileprivate let a: Int!", #".init("a", Int?.self)"#),
            ("private var a = 1.5", #".init("a", Double.self)"#),
            ("private var a = make()", ""), ("@Clamped private var a = 1", ""),
            ("@MainActor var a: Int", #".init("a", Int.self)"#),
            ("private var a: any Shape & Sendable", #".init("a", (any Shape & Sendable).self)"#),
        ]
    )
    func entries(members: String, entries: String) throws {
        let id = #".init("id", \.id)"#
        #expect(try table(members) == "[\(entries.isEmpty ? id : "\(id), \(entries)")]")
    }

    @Test(
        "Keys are the raw values of the coding keys; a variable without a case is local",
        arguments: [
            ("String, CodingKey { case id, a = \"A\" }", #".init("id", \.id), .init("A", \.a), .init(local: \.b)"#),
            ("CodingKey { case id, a, b }", #".init("id", \.id), .init("a", \.a), .init("b", \.b)"#),
            ("Int, CodingKey { case id = 1, b }", #".init("id", \.id), .init(local: \.a), .init("b", \.b)"#),
            ("String, CodingKey { case a = #\"\"\\\"# }", #".init("\"\\", \.a), .init(local: \.b)"#),
            ("String, CodingKey { case a = \"\\0\\n\\u{1}é\" }", #".init("\u{0}\n\u{1}é", \.a), .init(local: \.b)"#),
            ("CodingKey { case b }\ninit(from decoder: any Decoder) throws {}", #".init("b", \.b)"#),
        ]
    )
    func keys(codingKeys: String, entries: String) throws {
        #expect(try table("var a: Int?\nvar b: Int?\nprivate enum CodingKeys: \(codingKeys)") == "[\(entries)]")
    }

    @Test(
        "The table of a decodable structure that isn't an entity has only its relationships",
        arguments: [
            ("struct Post: Codable", true), ("struct Post: EntityPatch, Decodable", true),
            ("struct Post: Encodable", false),
        ]
    )
    func structures(type: String, hasTable: Bool) throws {
        let members = """
            private let state: String
            var author: String?
            // relationship: Author, name: writer
            let authorID: Author.ID?
            """
        let entry = #".init("authorID", to: Author.self, "authorId", "writer")"#
        #expect(try table(members, type: type, others: Self.author) == (hasTable ? "[\(entry)]" : nil))
        #expect(try table("var name: String", type: type, others: Self.author) == nil)
    }

    @Test("A variable without a coding key is in the table, unless an initializer is written by hand")
    func locals() throws {
        let keys = "enum CodingKeys: CodingKey { case id }"
        #expect(
            try table("var isOpen = false; let one = 1\n\(keys)") == #"[.init("id", \.id), .init(local: \.isOpen)]"#
        )
        #expect(
            try table("#if DEBUG\nvar isOpen = false\n#endif\n\(keys)")
                == #"var keys: [_PayloadKey] = [.init("id", \.id)] #if DEBUG keys += [.init(local: \.isOpen)] #endif return keys"#
        )
        let initializer = "init(from decoder: any Decoder) throws { id = \"\" }"
        #expect(try table("var isOpen = false\n\(keys)\n\(initializer)") == #"[.init("id", \.id)]"#)
    }

    @Test("The identifier is marked where its key has another name")
    func identifier() throws {
        let keys = "let number: Int\nenum CodingKeys: String, CodingKey { case id = \"uuid\", number = \"id\" }"
        #expect(try table(keys) == #"[.init(id: "uuid", \.id), .init("id", \.number)]"#)
    }

    @Test("An alias of an enum is followed, and keys of another name have no effect on a custom initializer's table")
    func otherKeys() throws {
        let keys = "var a: Int?\nenum Keys: String, CodingKey { case id = \"ID\" }\n"
        #expect(try table(keys + "typealias CodingKeys = Keys") == #"[.init(id: "ID", \.id), .init(local: \.a)]"#)
        let initializer = "init(from decoder: any Decoder) throws {}"
        #expect(try table(keys + initializer) == #"[.init("id", \.id), .init("a", \.a)]"#)
    }

    @Test("Coding keys can be in an extension in another file; those of other types don't matter")
    func keysElsewhere() throws {
        let output = try generate(
            "import FlatCache\nstruct Post: Cachable, Codable { let id: String; struct Inner { enum CodingKeys: String, CodingKey { case x } } }",
            "extension Post { fileprivate enum CodingKeys: String, CodingKey { case id = \"_id\" } }\nenum CodingKeys {}"
        )
        #expect(body(in: output) == #"[.init(id: "_id", \.id)]"#)
    }

    @Test("Keys under conditions are statements under the same conditions")
    func conditions() throws {
        let output = try generate(
            """
            import FlatCache
            struct Post: Cachable, Codable {
                #if A
                var early: Int
                #endif
                let id: String
                #if A
                var a: Int
                var b: Int
                #else
                var c: Int
                #endif
                var d: Int
                enum CodingKeys: String, CodingKey {
                    case id, early, c
                    #if A
                    case a
                    #if B
                    case b = "bee"
                    #endif
                    #endif
                    case d
                }
            }
            """
        )
        #expect(
            output.hasSuffix(
                """
                    static var payloadKeys: [_PayloadKey] {
                        var keys: [_PayloadKey] = []
                        #if A
                        keys += [.init("early", \\.early)]
                        #endif
                        keys += [.init("id", \\.id)]
                        #if A
                        keys += [.init("a", \\.a)]
                        #endif
                        #if (A) && (B)
                        keys += [.init("bee", \\.b)]
                        #endif
                        #if !(A)
                        keys += [.init("c", \\.c)]
                        #endif
                        keys += [.init("d", \\.d)]
                        return keys
                    }
                }

                """
            )
        )
    }

    @Test(
        "Without coding keys in a branch, the names of the properties are the keys",
        arguments: [
            (
                "#if A\nenum CodingKeys: String, CodingKey { case id = \"ID\" }\n#endif",
                #"#if A keys += [.init(id: "ID", \.id)] #endif #if !(A) keys += [.init("id", \.id)] #endif"#
            ),
            (
                "#if A\nenum CodingKeys: String, CodingKey { case id = \"ID\" }\n#else\nenum CodingKeys: CodingKey { case id }\n#endif",
                #"#if A keys += [.init(id: "ID", \.id)] #endif #if !(A) keys += [.init("id", \.id)] #endif"#
            ),
            (
                "#if A\nenum CodingKeys: CodingKey { case id }\n#elseif B\nenum CodingKeys: CodingKey { case id }\n#endif",
                #"#if A keys += [.init("id", \.id)] #endif #if !(A) && (B) keys += [.init("id", \.id)] #endif "#
                    + #"#if !(((A)) || (!(A) && (B))) keys += [.init("id", \.id)] #endif"#
            ),
        ]
    )
    func conditionalCodingKeys(codingKeys: String, statements: String) throws {
        #expect(try table(codingKeys) == "var keys: [_PayloadKey] = [] \(statements) return keys")
    }

    @Test("A table has the conditions, the availability and the access level of its type and of its conformances")
    func conditionsOfTypes() throws {
        let output = try generate(
            """
            public import FlatCache
            #if A
            @available(macOS 26, *)
            public struct Post: Cachable {
                public let id: String
                @available(*, deprecated) public var old: Int
            }
            #if B
            extension Post: Decodable {}
            #endif
            #endif
            """
        )
        #expect(
            output.hasSuffix(
                """

                #if A
                public import FlatCache
                #endif
                #if A
                #else
                import FlatCache
                #endif

                #if A
                #if B
                @available(macOS 26, *)
                nonisolated extension Post: FlatCache.PayloadDecodable {
                    @available(*, deprecated) public static var payloadKeys: [_PayloadKey] {
                        [.init("id", \\.id), .init("old", \\.old)]
                    }
                }
                #endif
                #endif

                """.replacing("#if A\npublic", with: "#if (A) && (B)\npublic").replacing(
                    "#if A\n#else",
                    with: "#if (A) && (B)\n#else"
                )
            )
        )
    }

    @Test(
        "A relationship lists the other keys of its related entities",
        arguments: [
            ("authorID: String", "", #"["authorId", "author"]"#), ("author_id: String", "", #"["author"]"#),
            ("authorID: String", ", name: writer", #"["authorId", "writer", "author"]"#),
            ("replyToID: String?", ", name: repliedTo", #"["replyToId", "repliedTo", "replyTo"]"#),
            ("authorIDs: [String]", "", #"["authorIds", "authors"]"#),
            ("storyIDs: [String]", "", #"["storyIds", "stories"]"#),
            ("authorIdentifier: String", "", #"["author"]"#),
            ("GUID: String", ", name: author", #"["author"]"#),
            ("writer: String", ", name: author", #"["author"]"#),
            ("mediaAttachmentIDs: [String]", "", #"["mediaAttachmentIds", "mediaAttachments"]"#),
        ]
    )
    func alternatives(property: String, key: String, expected: String) throws {
        let name = property.prefix { $0 != ":" }
        let list = expected.dropFirst().dropLast()
        #expect(
            try table("// relationship: Author\(key)\nvar \(property)", others: Self.author)
                == #"[.init("id", \.id), .init("\#(name)", \.\#(name), Author.self, \#(list))]"#
        )
    }

    @Test("The alternatives of a written key are its own, and the accessor's name in both cases")
    func alternativesOfCodingKeys() throws {
        let output = try table(
            """
            // relationship: Author, name: mainAuthor
            var a: String
            // relationship: Author
            var mediaAuthorIDs: [String]
            // relationship: Author, name: reply
            var c: String
            // relationship: Author, name: other
            var d: String
            var text: String
            enum CodingKeys: String, CodingKey {
                case id, a = "in_reply_to_id", mediaAuthorIDs = "media_author_ids", c = "text_id", d = "reply_id", text
            }
            """,
            others: Self.author
        )
        #expect(
            output == #"[.init("id", \.id), "#
                + #".init("in_reply_to_id", \.a, Author.self, "mainAuthor", "main_author", "in_reply_to"), "#
                + #".init("media_author_ids", \.mediaAuthorIDs, Author.self, "mediaAuthors", "media_authors"), "#
                + #".init("text_id", \.c, Author.self, "reply"), .init("reply_id", \.d, Author.self, "other"), "#
                + #".init("text", \.text)]"#
        )
    }

    @Test(
        "Types are named so that they mean the same in the table",
        arguments: [
            (
                "// relationship: Author, name: Author\nvar authorID: String",
                #".init("authorID", \.authorID, FlatCache._Type<Author>.self, "authorId", "Author", "author")"#
            ),
            (
                "// relationship: Author\nvar authorID: String\nfunc Author() {}",
                #".init("authorID", \.authorID, FlatCache._Type<Author>.self, "authorId", "author")"#
            ),
            ("struct Tag: Codable {}\nprivate var tag: [Tag: Blog.Tag]", #".init("tag", [Post.Tag: Blog.Tag].self)"#),
            ("private var kind: Author.Kind", #".init("kind", Author.Kind.self)"#),
            ("private var int: Int\nstatic let Int = 1", #".init("int", FlatCache._Type<Int>.self)"#),
            (
                "// relationship: People.Person\nlet personID: String",
                #".init("personID", \.personID, People.Person.self, "personId", "person")"#
            ),
        ]
    )
    func types(members: String, entry: String) throws {
        let output = try generate(
            "import People\nimport FlatCache\nstruct Post: Cachable, Codable {\nlet id: String\n\(members)\n}\n"
                + "\(Self.author)\nextension Author { enum Kind {} }\nstruct Tag {}"
        )
        #expect(body(in: output)?.contains(entry) == true)
    }

    @Test("Only a table that names types of other modules imports what the file with its type imports")
    func imports() throws {
        let post =
            "import Foundation\nimport FlatCache\nstruct Post: Cachable, Codable {\nlet id: String\nvar date: Date\n}\n"
        #expect(try !generate(post).contains("import Foundation"))
        #expect(try generate(post.replacing("var", with: "private var")).contains("import Foundation\n"))
    }

    @Test("Long tables have several keys in a line of at most 120 columns")
    func wrapping() throws {
        let members = (1...20).map { "var property\($0): Int" }.joined(separator: "\n")
        let long = "var \(String(repeating: "long", count: 40)): Int"
        let output = try generate(
            "import FlatCache\nstruct Post: Cachable, Codable {\nlet id: String\n\(members)\n\(long)\nvar last: Int\n}"
        )
        let lines = try #require(output.components(separatedBy: Self.header).last).split(separator: "\n")
        #expect(lines.filter { $0.count > 120 }.count == 2)
        #expect(lines.count == 12)
        #expect(lines[0].hasPrefix("        [.init"))
        #expect(lines.dropFirst().prefix(5).allSatisfy { $0.hasPrefix("         .init(") })
    }

    @Test("An entry that is longer than a line is broken before its arguments")
    func longEntry() throws {
        let name = String(repeating: "theQuoted", count: 4)
        let output = try generate(
            "import FlatCache\nstruct Post: Cachable, Codable {\nlet id: String\n// relationship: Post\nlet \(name)ID: String?\n}"
        )
        let lines = try #require(output.components(separatedBy: Self.header).last).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 120 })
        #expect(
            lines.prefix(3).joined(separator: "\n") == """
                        [.init("id", \\.id),
                         .init("\(name)ID", \\.\(name)ID, Post.self,
                             "\(name)Id", "\(name)")]
                """
        )
    }

    @Test("The getters alone have no table, and a template can use the tables")
    func templates() throws {
        let source = [UInt8]("import FlatCache\n\(Self.author)".utf8)
        func output(_ template: String) throws -> String {
            try RelationshipGenerator(
                target: "Blog",
                template: Array(template.utf8),
                templatePath: "T.mustache",
                partials: Templates.all
            ).generate(from: [.init(path: "Author.swift", text: source)])
        }
        #expect(try !output("{{> Getters}}").contains("Author"))
        #expect(try output("{{> Relationships}}").contains("extension Author: FlatCache.PayloadDecodable"))
        #expect(
            try output("{{#payloadTables}}{{owner}}: {{#keys}}{{.}}{{/keys}}{{/payloadTables}}")
                == #"Author: [.init("id", \.id)]"#
        )
    }
}
