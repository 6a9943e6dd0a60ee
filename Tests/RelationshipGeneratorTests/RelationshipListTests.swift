import RelationshipGenerator
import Testing

@Suite("Lists of all relationships")
struct RelationshipListTests {
    /// The lines of the list of a type in generated code, without indentation; empty if there is none.
    private func list(of type: String, in sources: String) throws -> [String] {
        let output = try generate("import FlatCache\nstruct Author: Cachable { let id: String }\n" + sources)
        let lines = output.split(separator: "\n").map { $0.drop { $0 == " " } }
            .drop { !$0.hasPrefix("nonisolated extension \(type): FlatCache.RelationshipOwner {") }
            .prefix { !$0.contains("var relationships") }
        return lines.drop { !$0.contains("allRelationships") }.map(String.init)
    }

    /// The elements of the list of a type, which stands in one declaration.
    private func elements(of type: String, in sources: String) throws -> String? {
        let text = try list(of: type, in: sources).joined(separator: " ")
        guard let start = text.firstRange(of: "_All { [")?.upperBound else { return nil }
        return text[start...].hasSuffix("] }") ? String(text[start...].dropLast(3)) : nil
    }

    private static let poll = "struct Poll: Hashable {\n// relationship: Author\nvar authorID: String\n}\n"

    // MARK: Relationships

    @Test(
        "A relationship of each shape is listed by its name",
        arguments: ["String", "String?", "[String]", "Set<String>?", "[[String]]", "[Int: String]?"]
    )
    func shapes(type: String) throws {
        let isToMany = type.contains { "[<".contains($0) }
        let post = "struct Post {\n// relationship: Author\nvar authorID\(isToMany ? "s" : ""): \(type)\n}"
        #expect(try elements(of: "Post", in: post) == #".init(\.author\#(isToMany ? "s" : ""))"#)
    }

    @Test("The list has the access level of the type, and is wrapped")
    func access() throws {
        let properties = ["editor", "writer", "reviewer", "translator", "illustrator"].map {
            "// relationship: Author\nlet \($0)ID: String\n"
        }
        let post = "public struct Post: Cachable { let id: Int\n\(properties.joined())}"
        #expect(
            try list(of: "Post", in: post) == [
                "public static var allRelationships: _All {",
                #"[.init(\.editor), .init(\.writer), .init(\.reviewer), .init(\.translator), .init(\.illustrator)]"#,
                "}",
            ]
        )
        let short = "package struct Post {\n// relationship: Author, name: `switch`\npublic let editorID: String\n}"
        #expect(
            try list(of: "Post", in: short)
                == [#"package static var allRelationships: _All { [.init(\.`switch`)] }"#]
        )
    }

    @Test("Cases are listed, unless they are unavailable")
    func cases() throws {
        let owner = """
            enum Owner {
            // relationship: Author
            case author(Author.ID)
            // relationship: Author
            @available(*, unavailable)
            case editor(Author.ID)
            case none
            }
            """
        #expect(try elements(of: "Owner", in: owner) == #".init(\.author)"#)
    }

    @Test("A backlink is not listed")
    func backlinks() throws {
        let post =
            "struct Post: Cachable { let id: Int\n// relationship: Author, backlink: posts\nvar authorID: String\n}"
        #expect(try list(of: "Author", in: post) == [])
        #expect(try elements(of: "Post", in: post) == #".init(\.author)"#)
    }

    @Test("Relationships and values under conditions are added under them")
    func conditions() throws {
        let post = """
            struct Post {
            // relationship: Author
            let authorID: String
            #if A
            // relationship: Author
            var editorID: String?
            // relationship: Author
            var readerIDs: [String]
            #else
            var poll: Poll
            #endif
            }
            """
        #expect(
            try list(of: "Post", in: Self.poll + post) == [
                "static var allRelationships: _All {",
                #"var allRelationships: _All = [.init(\.author)]"#,
                "#if A", #"allRelationships += [.init(\.editor), .init(\.readers)]"#, "#endif",
                "#if A", "#else", "allRelationships += [.init(within: { $0.poll })]", "#endif",
                "return allRelationships", "}",
            ]
        )
    }

    @Test("The list is deprecated if a relationship or a property with values is", arguments: [true, false])
    func deprecation(isRelationship: Bool) throws {
        let attribute = "@available(*, deprecated)\n"
        let post = """
            struct Post {
            // relationship: Author
            \(isRelationship ? attribute : "")let authorID: String
            \(isRelationship ? "" : attribute)let poll: Poll
            }
            """
        let list = try list(of: "Post", in: Self.poll + post)
        #expect(list.first?.hasPrefix("@available(*, deprecated) static var allRelationships") == true)
    }

    @Test("A type can declare the list itself")
    func ownList() throws {
        let post = "struct Post {\n// relationship: Author\nlet authorID: String\n}"
        let list = "extension Post { static var allRelationships: [FlatCache.AnyRelationship<Post>] { [] } }"
        #expect(try self.list(of: "Post", in: post + "\n" + list) == [])
        let board = "struct Board: Cachable { let id: Int\nlet poll: Poll\nstatic let allRelationships = 1 }"
        #expect(try self.list(of: "Board", in: Self.poll + board) == [])
    }

    // MARK: Values in properties

    @Test(
        "Values are read from optionals and collections",
        arguments: [
            ("Poll", "$0.poll"), ("Poll?", "$0.poll"), ("Optional<Poll>", "$0.poll"), ("Poll!", "$0.poll"),
            ("Poll??", "($0.poll ?? nil)"), ("[Poll]", "$0.poll"), ("Set<Poll>", "$0.poll"),
            ("[Poll]?", "$0.poll ?? []"), ("[Poll?]", "$0.poll.compactMap { $0 }"),
            ("[Poll?]?", "($0.poll ?? []).compactMap { $0 }"), ("[[Poll]]", "$0.poll.joined()"),
            ("[Set<Poll>]?", "($0.poll ?? []).joined()"), ("[[Poll]?]", "$0.poll.flatMap { $0 ?? [] }"),
            ("[[Poll?]]", "$0.poll.flatMap { $0.compactMap { $0 } }"), ("[String: Poll]", "$0.poll.values"),
            ("[String: Poll]?", "($0.poll ?? [:]).values"), ("[Int: Poll?]", "$0.poll.values.compactMap { $0 }"),
            ("[Int: [Poll]]", "$0.poll.values.joined()"), ("[[Int: Poll]]", "$0.poll.flatMap { $0.values }"),
            ("[Poll]??", "($0.poll ?? nil) ?? []"), ("Blog.Poll", "$0.poll"), ("Alias", "$0.poll"),
            ("Polls", "$0.poll"), ("Page<Int>", "$0.poll"), ("Page<Poll>?", "$0.poll"),
        ]
    )
    func readValues(type: String, expression: String) throws {
        let others = """
            typealias Alias = Poll
            typealias Polls = [Poll]
            struct Page<Element> {
            // relationship: Author
            var authorID: String
            }

            """
        let post = "struct Post {\n// relationship: Author\nlet authorID: String\nvar poll: \(type)\n}"
        let list = try elements(of: "Post", in: Self.poll + others + post)
        #expect(list == #".init(\.author), .init(within: { \#(expression) })"#)
    }

    @Test(
        "Properties without a value, and those that other files can't read, are left out",
        arguments: [
            "private var poll: Poll?", "fileprivate let poll: Poll", "lazy var poll: Poll = make()",
            "static let poll: Poll = make()", "var poll: Poll { make() }", "var poll = make()", "var pollID: String",
            "@MainActor var poll: Poll", "var poll: (Poll, Int)", "var poll: () -> Poll", "var poll: any Poll",
            "var poll: [Poll: Int]", "var poll: Result<Poll, Never>", "var poll: Other.Poll",
            "func poll() -> Poll { make() }",
        ]
    )
    func leftOut(property: String) throws {
        let post = "struct Post {\n// relationship: Author\nlet authorID: String\n\(property)\n}"
        #expect(try elements(of: "Post", in: Self.poll + post) == #".init(\.author)"#)
    }

    @Test(
        "All other stored properties are read",
        arguments: [
            "private(set) var poll: Poll", "var poll = Poll()", "var poll: Poll { didSet {} }",
            "@Lossy var poll: Poll?",
            "var number = 1, poll: Poll?", "public let poll: Poll", "// cache: index\nvar poll: Poll",
        ]
    )
    func readProperties(property: String) throws {
        let post = "struct Post: Cachable { let id: Int\n// relationship: Author\nlet authorID: String\n\(property)\n}"
        let list = try elements(of: "Post", in: Self.poll + post)
        #expect(list == #".init(\.author), .init(within: { $0.poll })"#)
    }

    @Test("Values of the own type and in cases are read")
    func recursion() throws {
        let comment = """
            struct Comment {
            // relationship: Author
            let authorID: String
            var `default`: [Comment]
            var answers: [Self]
            }
            """
        #expect(
            try elements(of: "Comment", in: comment)
                == #".init(\.author), .init(within: { $0.`default` }), .init(within: { $0.answers })"#
        )
        let tree = """
            indirect enum Tree {
            // relationship: Author
            case leaf(Author.ID)
            case branch([Tree]?)
            case pair(Int, right: Tree)
            case word(String), other(Tree)
            }
            """
        #expect(
            try list(of: "Tree", in: tree) == [
                "static var allRelationships: _All {",
                #"[.init(\.leaf), .init(within: { if case .branch(let held) = $0 { return held ?? [] }; return [] }),"#,
                ".init(within: { if case .pair(_, let held) = $0 { return held }; return nil })]", "}",
            ]
        )
    }

    // MARK: Containers

    @Test("An entity that holds values with relationships becomes an owner, and so do the values between them")
    func containers() throws {
        let board = """
            @available(macOS 15, *)
            public struct Board: Cachable {
            public let id: Int
            public var frame: Frame?
            }
            struct Frame {
            var inner: [Inner]
            struct Inner { let poll: Poll
            var frames: [Frame] }
            }
            """
        let output = try generate("import FlatCache\nstruct Author: Cachable { let id: String }\n" + Self.poll + board)
        #expect(
            output.contains(
                """
                @available(macOS 15, *)
                nonisolated extension Board: FlatCache.RelationshipOwner {
                    public static var allRelationships: _All { [.init(within: { $0.frame })] }
                    public static var relationships: Relationships { Relationships() }
                    public nonisolated struct Relationships: Swift.Sendable {}
                }

                nonisolated extension Frame: FlatCache.RelationshipOwner {
                    static var allRelationships: _All { [.init(within: { $0.inner })] }
                    static var relationships: Relationships { Relationships() }
                    nonisolated struct Relationships: Swift.Sendable {}
                }

                nonisolated extension Frame.Inner: FlatCache.RelationshipOwner {
                    static var allRelationships: _All { [.init(within: { $0.poll }), .init(within: { $0.frames })] }

                """
            )
        )
        #expect(output.contains("public import FlatCache\n"))
    }

    @Test("An entity in the property of another is a value, too")
    func embeddedEntity() throws {
        let post =
            "struct Post: Cachable { let id: Int\n// relationship: Author, backlink: posts\nlet authorID: String\n}\n"
        let pin = "struct Pin: Cachable { let id: Int\nvar post: Post\nvar author: Author? }"
        #expect(try elements(of: "Pin", in: post + pin) == ".init(within: { $0.post })")
    }

    @Test("A type with a backlink lists the values in its properties")
    func backlinkAndValue() throws {
        let post = """
            struct Post: Cachable { let id: Int
            // relationship: Shop, backlink: posts
            var shopID: Int
            }
            struct Shop: Cachable { let id: Int
            var poll: Poll? }
            """
        #expect(try elements(of: "Shop", in: Self.poll + post) == ".init(within: { $0.poll })")
    }

    @Test(
        "Other types aren't extended",
        arguments: [
            "struct Board { let poll: Poll }", "class Board: Cachable { let id = 1; let poll: Poll }",
            "private struct Board: Cachable { let id: Int; let poll: Poll }",
            "@MainActor struct Board: Cachable { let id: Int; let poll: Poll }",
            "struct Board: ~Copyable, Cachable { let id: Int; let poll: Poll }",
            "struct Board: Cachable { let id: Int; let poll: Poll; struct Relationships {} }",
            "struct Board: Cachable { let id: Int; let poll: Poll; static let relationships = 1 }",
            "struct Board: Cachable, RelationshipOwner { let id: Int; let poll: Poll }",
            "struct Board: Cachable { let id: Int; let poll: Poll; struct FlatCache {} }",
            "struct Outer {}\nextension Outer { public struct Board: Cachable { public let id: Int; let poll: Poll } }",
            "struct Board<Poll>: Cachable { let id: Int; let poll: Poll }",
            "struct Board: Cachable { let id: Int; let author: Author }",
            "func f() { struct Board: Cachable { let id: Int; let poll: Poll } }",
            "#if A\nstruct Board: Cachable { let id: Int; let poll: Poll }\n#else\nstruct Board: Cachable { let id: Int }\n#endif\n"
                + "struct Page: Cachable { let id: Int\nlet board: Board }",
        ]
    )
    func notExtended(source: String) throws {
        let output = try generate(
            "import FlatCache\nstruct Author: Cachable { let id: String }\n" + Self.poll + source
        )
        #expect(output.matches(of: /FlatCache.RelationshipOwner/).count == 1)
    }

    @Test("A conformance that the target states counts, in the same branches of conditional compilation")
    func statedConformance() throws {
        func list(_ conformance: String) throws -> [String] {
            try self.list(
                of: "Board",
                in: Self.poll + "struct Vote { var author: String }\n\(conformance)\n"
                    + "struct Board: Cachable { let id: Int\nvar vote: Vote }"
            )
        }
        #expect(try list("extension Vote: RelationshipOwner {}").count == 1)
        #expect(try list("extension Vote: FlatCache.RelationshipOwner {}").count == 1)
        #expect(try list("#if A\nextension Vote: RelationshipOwner {}\n#endif").isEmpty)
        #expect(try list("").isEmpty)
    }

    @Test("Declarations in branches of conditional compilation are extended each")
    func branches() throws {
        let board = """
            #if A
            struct Board: Cachable { let id: Int
            var poll: Poll }
            #else
            struct Board: Cachable { let id: Int
            var polls: [Poll] }
            #endif
            """
        let output = try generate("import FlatCache\nstruct Author: Cachable { let id: String }\n" + Self.poll + board)
        #expect(output.contains("#if A\nnonisolated extension Board: FlatCache.RelationshipOwner {\n"))
        #expect(output.contains("#if A\n#else\nnonisolated extension Board: FlatCache.RelationshipOwner {\n"))
        #expect(output.contains("{ $0.poll }") && output.contains("{ $0.polls }"))
    }

    @Test("Without an annotation in the target, nothing is generated")
    func noAnnotation() throws {
        #expect(
            try !generate("import FlatCache\nstruct Board: Cachable { let id: Int\nvar board: [Board] }")
                .contains("extension")
        )
    }
}
