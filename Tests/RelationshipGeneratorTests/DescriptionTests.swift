import Testing

@Suite("Descriptions of relationships")
struct DescriptionTests {
    /// The part of the output that describes the relationships of `Post`, without comments.
    private func description(of sources: String) throws -> [Substring] {
        let lines = try generate(OutputTests.author + sources).split(separator: "\n")
        return Array(lines.drop { !$0.hasPrefix("nonisolated extension Post: FlatCache.RelationshipOwner {") })
            .filter { !$0.contains("///") }
    }

    @Test(
        "A description gives the identifiers of a property of any shape",
        arguments: [
            ("authorID: String", ".toOne { $0.authorID }"), ("authorID: String?", ".toOne { $0.authorID }"),
            ("authorIDs: [String]", ".toMany { $0.authorIDs }"),
            ("authorIDs: Set<String>?", ".toMany { $0.authorIDs }"),
            ("authorIDs: [String?]", ".toMany { $0.authorIDs.compactMap { $0 } }"),
            ("authorIDs: [String?]?", ".toMany { $0.authorIDs?.compactMap { $0 } }"),
        ]
    )
    func shapes(property: String, closure: String) throws {
        let lines = try description(of: "struct Post: Cachable {\n// relationship: Author\nlet \(property)\n}")
        #expect(lines.contains { $0.contains(": FlatCache.Relationship<Post, Author> { \(closure) }") })
    }

    @Test(
        "It is as visible as its owner, and each relationship in it as its accessor",
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
                "nonisolated extension Post: FlatCache.RelationshipOwner {",
                "    \(ofOwner)nonisolated struct Relationships: Swift.Sendable {",
                "        \(ofRelationship)var author: FlatCache.Relationship<Post, Author> { .toOne { $0.authorID } }",
                "    }",
                "    \(ofOwner)static var relationships: Relationships { Relationships() }",
                "}",
            ]
        )
    }

    @Test(
        "Entities have one, generic ones too, but not where they are entities under conditions only",
        arguments: [
            ("struct Post: Cachable", "", true), ("struct Post", "", false),
            ("struct Post", "extension Post: Cachable {}", true),
            ("struct Post<T: Sendable>: Cachable", "", true), ("struct Post<T>: Cachable where T: Sendable", "", true),
            ("struct Post<T>", "extension Post: Cachable where T: Sendable {}", false),
        ]
    )
    func owners(type: String, other: String, isDescribed: Bool) throws {
        let lines = try description(of: "\(type) {\n// relationship: Author\nlet authorID: String\n}\n\(other)")
        #expect(!lines.isEmpty == isDescribed)
    }

    @Test("Where nested types hide the owner, or the related type, they are named with the module")
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
        #expect(lines.contains { $0.contains("var author: FlatCache.Relationship<Blog.Post, Author>") })
        #expect(lines.contains { $0.contains("var links: FlatCache.Relationship<Blog.Post, Blog.Relationships>") })
    }
}
