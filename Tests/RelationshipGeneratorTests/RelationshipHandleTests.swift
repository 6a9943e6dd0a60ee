import Foundation
import Testing

@testable import RelationshipGenerator

@Suite("Names of members of handles")
struct RelationshipHandleTests {
    /// A post in `File1.swift` with an annotation in line 4.
    private static func post(_ annotation: String = "Author", type: String = "struct Post: Cachable") -> String {
        OutputTests.author + "\(type) {\n// relationship: \(annotation)\nlet authorID: String\n}\n"
    }

    @Test(
        "A member that the target adds to the handles of a type collides with a relationship",
        arguments: [
            "extension Cached where Value == Post { var author: Int { 1 } }",
            "extension FlatCache.Cached<Post> { func author() {} }",
            "typealias Entry = Post\nextension Cached<Entry> { func author(_ a: Int) {} }",
            "typealias Handle = FlatCache.Cached<Post>\nextension Handle { var author: Int { 1 } }",
            "extension Cached where Value: Sendable, Value == Post { var author: Int { 1 } }",
            "extension Cached where Value == Post, Value.ID == String { var author: Int { 1 } }",
            "extension Cached { var author: Int { 1 } }",
        ]
    )
    func handles(source: String) {
        #expect(
            errors(in: [Self.post(), source]) == [
                "File1.swift:4:1: error: handles of 'Post' already have a member 'author'; "
                    + "write '// relationship: Author, name: …'"
            ]
        )
    }

    @Test(
        "Members of other handles, static members, and members named like setters and fetches don't collide",
        arguments: [
            "extension Cached<Author> { var author: Int { 1 } }",
            "extension Cached where Value == Author { func author() {} }",
            "extension Cached<Post> { static var author: Int { 1 } }",
            "extension Cached<Post> { func setAuthor(_ a: Int) {}\nfunc fetchAuthor() {} }",
            "extension Cached { var writer: Int { 1 } }",
        ]
    )
    func otherHandles(source: String) {
        #expect(errors(in: [Self.post(), source]) == [])
    }

    @Test("A type that isn't an entity has no handles, so its relationships can have the names of their members")
    func noHandles() {
        let others = "extension Cached { var author: Int { 1 } }"
        #expect(errors(in: [Self.post(type: "struct Post"), others]) == [])
        #expect(errors(in: [Self.post("Author, name: value", type: "struct Post")]) == [])
    }

    @Test(
        "A relationship of an entity can't have the name of a member of handles",
        arguments: AccessorNames.handleMembers
    )
    func membersOfHandles(name: String) {
        #expect(
            errors(in: [Self.post("Author, name: \(name)")]) == [
                "File1.swift:4:1: error: every handle already has a member '\(name)'; "
                    + "write '// relationship: Author, name: …'"
            ]
        )
    }

    @Test(
        "A property that a member of handles shadows is noted at its declaration",
        arguments: ["let status: String", "var status: String { \"\" }", "@Wrapped public var status = 1"]
    )
    func shadowedProperties(property: String) throws {
        let note =
            "note: every handle has a member 'status', so that 'handle.status' does not read this property; "
            + "write 'handle[\\.status]'"
        func expected(_ file: Int, _ source: String) throws -> [String] {
            let name = try #require(source.firstRange(of: "status"))
            return ["File\(file).swift:1:\(source[..<name.lowerBound].utf8.count + 1): \(note)"]
        }
        let owner = "struct Post: Cachable { \(property)\n// relationship: Author\nlet authorID: String\n}\n"
        #expect(try notes(OutputTests.author, owner) == expected(2, owner))
        let related = "struct Author: Cachable { let id: String; \(property) }\n"
        #expect(try notes(related, Self.page) == expected(1, related))
        let inExtension = "extension Author { \(property) }"
        #expect(try notes(OutputTests.author, Self.page, inExtension) == expected(3, inExtension))
    }

    @Test(
        "A property is not noted if it can be read, is private, or its type has no handles that are in use",
        arguments: [
            "let id: String", "let title: String", "private let status: String", "fileprivate var status = 1",
            "static let status = 1", "func status() {}", "struct status {}",
        ]
    )
    func readableProperties(property: String) throws {
        let author = property.contains(" id:") ? "" : "let id: String; "
        #expect(try notes("struct Author: Cachable { \(author)\(property) }", Self.page) == [])
    }

    @Test("A property of a type without relationships, or that is no entity, is not noted")
    func otherTypes() throws {
        let page = "struct Page { let status: Int\n// relationship: Author\nlet authorID: String\n}"
        #expect(try notes(OutputTests.author, page, "struct Tag: Cachable { let id: Int; let status: Int }") == [])
    }

    private static let page = "struct Page {\n// relationship: Author\nlet authorID: String\n}"

    private func notes(_ sources: String...) throws -> [String] {
        try RelationshipGenerator(target: "Blog", template: "").generateWithNotes(
            from: sources.enumerated().map { .init(path: "File\($0 + 1).swift", text: Array($1.utf8)) }
        ).notes.map(\.description)
    }

    @Test("The list of handle members is complete")
    func allMembersOfHandles() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/FlatCache")
        var members: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
            let text = String(decoding: try Data(contentsOf: sources.appending(path: path)), as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let types = Scanner.scan(Array(text.utf8), path: path).types
            for member in types.filter({ $0.qualifiedName == "Cached" }).flatMap(\.memberNames) where !member.isStatic {
                let name = member.name.prefix { $0 != "(" }
                if lines[member.location.line - 1].contains("public "), !["init", "subscript"].contains(name) {
                    members.insert(String(name))
                }
            }
        }
        // Handles have these by protocols of the language.
        #expect(members.union(["hashValue"]).sorted() == AccessorNames.handleMembers.sorted())
    }

    @Test(
        "A type that shadows the library or the language is an error",
        arguments: [
            ("struct FlatCache {}", "struct Post", "FlatCache", " (File2.swift:1)"),
            ("", "struct Post<Swift>", "Swift", ""),
            ("extension Post { enum _Concurrency {} }", "struct Post", "_Concurrency", " (File2.swift:1)"),
        ]
    )
    func shadowed(other: String, type: String, name: String, place: String) {
        #expect(
            errors(in: [Self.post(type: "\(type): Cachable"), other]) == [
                "File1.swift:4:1: error: accessors refer to '\(name)', but another type has this name here\(place); "
                    + "rename that type"
            ]
        )
    }

    @Test("A collection with the name of a type of the target is an error")
    func shadowedCollections() {
        let post = "struct Post: Cachable {\n// relationship: Author\nlet authorIDs: Set<String>?\n}\n"
        #expect(
            errors(in: [OutputTests.author + post, "struct Set<Element>: Cachable {}"]) == [
                "File1.swift:4:1: error: 'Set' is also a type of this target; "
                    + "write 'Swift.Set<…>' in the type of 'authorIDs'"
            ]
        )
    }

    @Test("A generic parameter is not an entity")
    func genericParameter() {
        let source = "struct Page<Author: Sendable> {\n// relationship: Author\nlet authorID: String\n}"
        #expect(
            errors(in: [OutputTests.author + source]) == [
                "File1.swift:4:18: error: 'Author' is a generic parameter of 'Page' here; write the type of one entity, "
                    + "or a type alias for it if it has this name"
            ]
        )
    }

    @Test(
        "Members can have the names of generated types, and of accessors of earlier versions",
        arguments: [
            "func require() {}", "func cached(a: Int) {}", "var missing: Int { 1 }", "var cachedAuthor: Int { 1 }",
            "func requireAuthor() throws {}", "func missingAuthorIDs() {}",
        ]
    )
    func otherMembers(member: String) {
        #expect(errors(in: [Self.post(), "extension Post { \(member) }"]) == [])
    }
}
