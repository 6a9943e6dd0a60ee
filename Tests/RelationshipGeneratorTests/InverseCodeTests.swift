import Foundation
import RelationshipGenerator
import Testing

@Suite("Code of inverses")
struct InverseCodeTests {
    /// The lines about inverses in the generated code, without indentation.
    private func lines(_ author: String, _ post: String, afterAuthor: String = "") throws -> [String] {
        let output = try generate(
            """
            import FlatCache
            public struct Author: Cachable { public let id: String
            \(author)
            }
            \(afterAuthor)
            struct Post: Cachable { let id: String
            \(post)
            }
            """
        )
        return output.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }

    private func inverses(_ author: String, _ post: String) throws -> [String] {
        try lines(author, post).filter { $0.contains("inverses") }
    }

    @Test(
        "Both types describe an inverse, whichever annotation names it",
        arguments: [
            ("", ", inverse: authorID"), (", inverse: postIDs", ""), (", inverse: postIDs", ", inverse: authorID"),
        ]
    )
    func bothSides(ofPost: String, ofAuthor: String) throws {
        let code = try inverses(
            "// relationship: Post\(ofAuthor)\nvar postIDs: [String]",
            "// relationship: Author\(ofPost)\nvar authorID: String"
        )
        #expect(
            code == [
                #"public static var inverses: _Inverses { [.init(\.posts, \.author)] }"#,
                #"static var inverses: _Inverses { [.init(\.author, \.posts)] }"#,
            ]
        )
    }

    @Test("A type lists its inverses in the order of its properties, a property that is its own inverse once")
    func severalInverses() throws {
        let code = try lines(
            "",
            """
            // relationship: Post, inverse: twinID
            var twinID: String?
            // relationship: Post
            var parentID: String?
            // relationship: Post, inverse: parentID, name: `switch`
            var childIDs: Set<String>?
            """
        )
        #expect(
            code.contains(
                #"static var inverses: _Inverses { [.init(\.twin, \.twin), .init(\.parent, \.`switch`), .init(\.`switch`, \.parent)] }"#
            )
        )
    }

    @Test("Inverses under conditions are added under both conditions")
    func conditions() throws {
        let code = try lines(
            "#if A\n// relationship: Post\nvar postIDs: [String]\n#endif",
            """
            // relationship: Post, inverse: twinID
            var twinID: String?
            #if B
            // relationship: Author, inverse: postIDs
            var authorID: String
            #else
            // relationship: Author, inverse: postIDs
            var authorID: String?
            #endif
            """
        )
        func block(from start: String) -> [String] {
            Array(code.drop { $0 != start }.prefix { $0 != "return inverses" })
        }
        let ofPost = [
            "static var inverses: _Inverses {", #"var inverses: _Inverses = [.init(\.twin, \.twin)]"#,
            "#if B", "#if A", #"inverses += [.init(\.author, \.posts)]"#, "#endif", "#endif",
            "#if B", "#else", "#if A", #"inverses += [.init(\.author, \.posts)]"#, "#endif", "#endif",
        ]
        #expect(block(from: ofPost[0]) == ofPost)
        let ofAuthor = [
            "public static var inverses: _Inverses {", "var inverses: _Inverses = []",
            "#if A", "#if B", #"inverses += [.init(\.posts, \.author)]"#, "#endif", "#endif",
            "#if A", "#if B", "#else", #"inverses += [.init(\.posts, \.author)]"#, "#endif", "#endif",
        ]
        #expect(block(from: ofAuthor[0]) == ofAuthor)
    }

    @Test("The property is deprecated if one of its relationships is")
    func deprecation() throws {
        let code = try inverses(
            "// relationship: Post\n@available(*, deprecated)\nvar postIDs: [String]",
            "// relationship: Author, inverse: postIDs\nvar authorID: String"
        )
        #expect(code.count == 2)
        #expect(code.allSatisfy { $0.hasPrefix("@available(*, deprecated) ") })
    }

    @Test("The setter of a copy says that handles change the other side, if they can")
    func setters() throws {
        func setter(_ author: String, _ post: String) throws -> String? {
            try lines(
                "// relationship: Post\n\(author) postIDs: [String]",
                "// relationship: Author, inverse: postIDs\n\(post) authorID: String"
            )
            .first { $0.hasPrefix("/// Stores the author") }
        }
        let copy = "/// Stores the author and sets `authorID` of this copy."
        #expect(try setter("var", "var") == copy + " The `set` of a handle also changes `Author.postIDs`.")
        #expect(try setter("let", "var") == copy)
        #expect(try setter("private(set) var", "var") == copy)
        #expect(
            try lines("", "// relationship: Author\nvar authorID: String").contains(
                copy.replacing(" of this copy", with: "")
            )
        )
    }

    @Test("A type with an inverse can't declare `inverses` itself")
    func ownMember() {
        func found(_ inverse: String) -> [String] {
            errors(in: [
                "struct Post: Cachable { let id: String\n// relationship: Post\(inverse)\nvar twinID: String?\nstatic let inverses = 1\n}"
            ])
        }
        #expect(found("") == [])
        #expect(
            found(", inverse: twinID") == [
                "File1.swift:2:1: error: 'Post' already has a member 'inverses', but the generated code declares one of this "
                    + "name; rename that member"
            ]
        )
    }
}
