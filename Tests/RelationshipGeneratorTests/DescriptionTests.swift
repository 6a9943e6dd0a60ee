import Testing

@Suite("Descriptions of relationships")
struct DescriptionTests {
    /// The part of the output that describes the relationships of an owner, without comments.
    private func description(of sources: String, owner: String = "Post") throws -> [Substring] {
        let lines = try generate(OutputTests.author + sources).split(separator: "\n")
        return Array(
            lines.drop { !$0.hasPrefix("nonisolated extension \(owner): FlatCache.RelationshipOwner {") }
                .drop { !$0.contains("static var relationships") }
        )
    }

    @Test(
        "A description has the kind, reads the property, and sets it if it can be set",
        arguments: [
            ("var authorID: String", "ToOne"), ("var authorID: String?", "ToOptional"),
            ("var authorIDs: [String]", "ToMany"), ("var authorIDs: [String?]", "ToMany"),
            ("var authorIDs: Set<String>", "ToMany"), ("var authorIDs: Set<String>?", "ToOptionalMany"),
            ("var authorIDs: [String?]?", "ToOptionalMany"), ("let authorID: String", "ToOne"),
            ("let authorIDs: [String]?", "ToOptionalMany"),
        ]
    )
    func shapes(property: String, kind: String) throws {
        let lines = try description(of: "struct Post: Cachable {\n// relationship: Author\n\(property)\n}")
        let name = property.dropFirst(4).prefix { $0 != ":" }
        let setter = property.hasPrefix("var") ? " set: { $0.\(name) = $1 }" : ""
        #expect(
            lines == [
                "    static var relationships: Relationships { Relationships() }",
                "    nonisolated struct Relationships: Swift.Sendable {",
                "        var author\(name.hasSuffix("s") ? "s" : ""): _\(kind)<Author> { "
                    + ".init(\"Post.\(name)\") { $0.\(name) }\(setter) }",
                "    }", "}",
            ]
        )
    }

    @Test(
        "A description sets only properties whose setters have the access level of the getter",
        arguments: [
            ("public struct Post", "public var", true), ("public struct Post", "public internal(set) var", false),
            ("public struct Post", "public package(set) var", false),
            ("public struct Post", "public private(set) var", false),
            ("public struct Post", "package internal(set) var", false),
            ("public struct Post", "internal(set) var", true), ("public struct Post", "package package(set) var", true),
            ("struct Post", "public internal(set) var", true), ("struct Post", "private(set) var", false),
            ("struct Post", "fileprivate(set) var", false), ("package struct Post", "public package(set) var", true),
        ]
    )
    func setters(type: String, property: String, isSettable: Bool) throws {
        let lines = try description(
            of: "\(type): Cachable {\n// relationship: Author\n\(property) authorID: String?\n}"
        )
        #expect(lines.contains { $0.hasSuffix(" { $0.authorID } set: { $0.authorID = $1 } }") } == isSettable)
        #expect(lines.contains { $0.hasSuffix("\") { $0.authorID } }") } == !isSettable)
    }

    @Test(
        "A description has the access level of its owner, and each relationship has the level of its accessor",
        arguments: [
            ("public struct Post", "public let", "public ", "public "),
            ("public struct Post", "package let", "public ", "package "),
            ("public struct Post", "let", "public ", ""), ("package struct Post", "public let", "package ", "package "),
            ("struct Post", "public let", "", ""),
        ]
    )
    func access(type: String, property: String, ofOwner: String, ofRelationship: String) throws {
        let lines = try description(of: "\(type): Cachable {\n// relationship: Author\n\(property) authorID: String\n}")
        #expect(
            lines == [
                "    \(ofOwner)static var relationships: Relationships { Relationships() }",
                "    \(ofOwner)nonisolated struct Relationships: Swift.Sendable {",
                "        \(ofRelationship)var author: _ToOne<Author> { .init(\"Post.authorID\") { $0.authorID } }",
                "    }", "}",
            ]
        )
    }

    @Test(
        "Each owner that can be copied has a description, entity or not",
        arguments: [
            ("struct Post: Cachable", "", true), ("struct Post", "", true),
            ("struct Post<T>", "extension Post: Cachable where T: Sendable {}", true),
            ("struct Post: ~Copyable", "", false),
            ("struct Post: ~Swift.Copyable", "", false), ("struct Post: ~Copyable, ~Escapable", "", false),
            ("struct Post: ~Escapable", "", false),
            ("struct Post<T: ~Copyable>: ~Copyable", "extension Post: Copyable where T: Copyable {}", false),
            ("struct Post<T: ~Copyable>", "", true),
            // A protocol that suppresses 'Copyable' doesn't make its conforming types noncopyable.
            ("struct Post: Named", "protocol Named: ~Copyable {}", true),
            ("struct Post: Named, ~Copyable", "protocol Named: ~Copyable {}", false),
        ]
    )
    func owners(type: String, other: String, isDescribed: Bool) throws {
        let source = "\(type) {\n// relationship: Author\nvar authorID: String?\n}\n\(other)"
        #expect(try !description(of: source).isEmpty == isDescribed)
        let output = try generate(OutputTests.author + source)
        #expect(output.contains("nonisolated extension Post\(isDescribed ? ": FlatCache.RelationshipOwner" : "") {\n"))
        // The accessors are generated nevertheless.
        for accessor in ["var author: Author? {", "func author(in", "func fetchAuthor(", "mutating func setAuthor("] {
            #expect(output.contains(" \(accessor)"))
        }
    }

    @Test("One extension has the accessors of all properties and their descriptions, in order")
    func oneExtension() throws {
        let output = try generate(
            OutputTests.author + "struct Post: Cachable {\n// relationship: Author\nlet writerID: String\n"
                + "// relationship: Post\nlet parentID: String?\n}"
        )
        #expect(output.ranges(of: "extension ").count == 1)
        let names = output.split(separator: "\n").filter { $0.contains(": _To") }
            .map { $0.drop { $0 == " " }.prefix { $0 != "{" } }
        #expect(names == ["var writer: _ToOne<Author> ", "var parent: _ToOptional<Post> "])
    }

    @Test("If a nested type shadows the related type, the related type is qualified with the module")
    func shadowing() throws {
        let lines = try description(
            of: """
                struct Relationships: Cachable { let id: String }
                struct Post: Cachable {
                    struct Post {}
                    // relationship: Author
                    let authorID: String
                    // relationship: Relationships, name: links
                    let linkIDs: [String]
                }
                """
        )
        #expect(lines.contains { $0.contains("    var author: _ToOne<Author> { ") })
        #expect(lines.contains { $0.contains("    var links: _ToMany<Blog.Relationships> { ") })
    }
}
