import Foundation
import Testing

@testable import RelationshipGenerator

@Suite("Names beside those of the library")
struct RelationshipHandleTests {
    /// A post in `File1.swift` with an annotation in line 4.
    private static func post(_ annotation: String = "Author", type: String = "struct Post: Cachable") -> String {
        OutputTests.author + "\(type) {\n// relationship: \(annotation)\nlet authorID: String\n}\n"
    }

    @Test(
        "A member that the target itself adds to the handles of a type",
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
        "Members of other handles, static ones, and those with the names of setters and fetches are no hindrance",
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

    @Test("What is no entity has no handles, and its relationships may be called as theirs are")
    func noHandles() {
        let others = "extension Cached { var author: Int { 1 } }"
        #expect(errors(in: [Self.post(type: "struct Post"), others]) == [])
        #expect(errors(in: [Self.post("Author, name: value", type: "struct Post")]) == [])
    }

    @Test(
        "No relationship of an entity can have the name of a member of handles",
        arguments: AccessorNames.handleMembers
    )
    func membersOfHandles(name: String) {
        #expect(
            errors(in: [Self.post("Author, name: \(name)")]) == [
                "File1.swift:4:1: error: every handle has a member '\(name)' already; "
                    + "write '// relationship: Author, name: …'"
            ]
        )
    }

    @Test("All members of handles are known that the library declares")
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
        "A type that hides the library or the language from the accessors",
        arguments: [
            ("struct FlatCache {}", "struct Post", "FlatCache", " (File2.swift:1)"),
            ("", "struct Post<Swift>", "Swift", ""),
            ("extension Post { enum _Concurrency {} }", "struct Post", "_Concurrency", " (File2.swift:1)"),
        ]
    )
    func hidden(other: String, type: String, name: String, place: String) {
        #expect(
            errors(in: [Self.post(type: "\(type): Cachable"), other]) == [
                "File1.swift:4:1: error: the accessors need '\(name)', which is the name of another type here\(place); "
                    + "rename that type"
            ]
        )
    }

    @Test("A collection that may be a type of the target is reported")
    func hiddenCollections() {
        let post = "struct Post: Cachable {\n// relationship: Author\nlet authorIDs: Set<String>?\n}\n"
        #expect(
            errors(in: [OutputTests.author + post, "struct Set<Element>: Cachable {}"]) == [
                "File1.swift:4:1: error: 'Set' is a type of this target too; "
                    + "write 'Swift.Set<…>' in the type of 'authorIDs'"
            ]
        )
    }

    @Test("A generic parameter is no entity")
    func genericParameter() {
        let source = "struct Page<Author: Sendable> {\n// relationship: Author\nlet authorID: String\n}"
        #expect(
            errors(in: [OutputTests.author + source]) == [
                "File1.swift:4:18: error: 'Author' is a generic parameter of 'Page' here; name the type of the entities, "
                    + "by a type alias if it has the same name"
            ]
        )
    }

    @Test(
        "Members may be called like what every relationship has by its name, and like accessors that there were once",
        arguments: [
            "func require() {}", "func cached(a: Int) {}", "var missing: Int { 1 }", "var cachedAuthor: Int { 1 }",
            "func requireAuthor() throws {}", "func missingAuthorIDs() {}",
        ]
    )
    func otherMembers(member: String) {
        #expect(errors(in: [Self.post(), "extension Post { \(member) }"]) == [])
    }
}
