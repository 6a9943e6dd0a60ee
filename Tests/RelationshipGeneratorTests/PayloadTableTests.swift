import Foundation
import RelationshipGenerator
import RelationshipTemplates
import Testing

@Suite("Tables of keys")
struct PayloadTableTests {
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
            ("struct Post: Storable, Codable", "import FlatCacheStore", true),
            ("struct Post: FlatCacheStore.Storable, Codable", "import FlatCacheStore", true),
            ("struct Post: Codable", "import FlatCacheStore\nextension Post: Storable {}", true),
            ("struct Post: Storable, Codable", "import Other", false),
            ("struct Post: Storable, Codable", "import FlatCacheStore\nprotocol Storable {}", false),
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
        #expect(try (payloadTable("", type: type, others: others) != nil) == hasTable)
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
            ("@Clamped<Int>(1) public var a: Int", #".init("a", wrapped: \.a, as: Clamped<Int>.self)"#),
            ("@Clamped<(Int) -> Int>(1) var a: Int", #".init("a", wrapped: \.a, as: (Clamped<(Int) -> Int>).self)"#),
            ("@Clamped @Other<Int> var a: Int", #".init("a", wrapped: \.a)"#),
            ("@Omittable var a: Int?", #".init("a", omittable: \.a)"#),
            ("@FlatCache.Omittable<Int> var a: Int?", #".init("a", omittable: \.a)"#),
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
        #expect(try payloadTable(members) == "[\(entries.isEmpty ? id : "\(id), \(entries)")]")
    }

    @Test(
        "The type of a property wrapper is in the entry if the sources show it",
        arguments: [
            ("@Bounded", ", as: Bounded.self"), ("@Kit.Bounded", ", as: Kit.Bounded.self"),
            ("@Short", ", as: Short.self"),
            ("@Own", ", as: Post.Own.self"), ("@Box", ""), ("@Box<Int>", ", as: Box<Int>.self"), ("@Unbound", ""),
            ("@Secret", ""),
            ("@Builder", ""), ("@Pair<Int>.Whole", ", as: Pair<Int>.Whole.self"), ("@Pair<Int>.Part", ""),
            ("@Pair<Int>.Part<Int>", ", as: Pair<Int>.Part<Int>.self"), ("@Pair.Whole", ""), ("@Box<_>", ""),
            ("@Box<Secret>", ""),
        ]
    )
    func wrappers(attribute: String, type: String) throws {
        let others = """
            @propertyWrapper struct Bounded: Codable {}
            enum Kit { @propertyWrapper struct Bounded: Codable {} }
            typealias Short = Bounded
            @propertyWrapper struct Box<Value>: Codable {}
            typealias Unbound = Box
            @propertyWrapper private struct Secret: Codable {}
            @resultBuilder struct Builder {}
            enum Pair<First> {
                @propertyWrapper struct Whole: Codable {}
                @propertyWrapper struct Part<Second>: Codable {}
            }
            extension Post { @propertyWrapper struct Own: Codable {} }
            """
        #expect(
            try payloadTable("\(attribute) var a: Int", others: others)
                == #"[.init("id", \.id), .init("a", wrapped: \.a\#(type))]"#
        )
        #expect(
            try payloadTable("@Omittable var a: Int?", others: "struct Omittable {}")
                == #"[.init("id", \.id), .init("a", wrapped: \.a)]"#
        )
    }

    @Test(
        "A relationship with a property wrapper has its related type and its alternatives",
        arguments: [
            ("@Clamped", "wrapped: \\.authorID"), ("@Clamped<Int>", "wrapped: \\.authorID, as: Clamped<Int>.self"),
            ("@Omittable", "omittable: \\.authorID"),
        ]
    )
    func wrappedRelationship(attribute: String, property: String) throws {
        #expect(
            try payloadTable("// relationship: Author\n\(attribute) var authorID: String?", others: authorSource)
                == #"[.init("id", \.id), .init("authorID", \#(property), Author.self, "authorId", "author")]"#
        )
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
        #expect(try payloadTable(members, type: type, others: authorSource) == (hasTable ? "[\(entry)]" : nil))
        #expect(try payloadTable("var name: String", type: type, others: authorSource) == nil)
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
                + "\(authorSource)\nextension Author { enum Kind {} }\nstruct Tag {}"
        )
        #expect(payloadTable(in: output)?.contains(entry) == true)
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
        let lines = try #require(output.components(separatedBy: payloadTableHeader).last).split(separator: "\n")
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
        let lines = try #require(output.components(separatedBy: payloadTableHeader).last).split(separator: "\n")
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
        let source = [UInt8]("import FlatCache\n\(authorSource)".utf8)
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
