import FlatCacheReports
import RelationshipGenerator
import TestThreads
import Testing

@Suite("Graph", .mayBlock)
struct GraphTests {
    private func graph(_ targets: [(String, String)]) -> RelationshipGraph {
        RelationshipGraph(
            targets.map { target, text in
                RelationshipGenerator(target: target, template: "").report(on: [
                    .init(path: "A.swift", text: Array(text.utf8))
                ])
            }
        )
    }

    private func edges(_ targets: (String, String)...) -> [String] {
        graph(targets).mermaid.split(separator: "\n").dropFirst().map { $0.trimmingPrefix("    ").description }
    }

    @Test("Each cardinality of identifiers has its multiplicity")
    func multiplicities() {
        let edges = edges(
            (
                "Blog",
                """
                struct Tag: Cachable { let id: Int }
                struct Post: Cachable {
                    let id: Int
                    // relationship: Tag
                    let aID: Int
                    // relationship: Tag
                    let bID: Int?
                    // relationship: Tag
                    let cIDs: [Int]
                    // relationship: Tag
                    let dIDs: Set<Int>?
                }
                """
            )
        )
        #expect(
            edges == [
                #""Post" }o--|| "Tag" : "aID""#, #""Post" }o--o| "Tag" : "bID""#, #""Post" }o--o{ "Tag" : "cIDs""#,
                #""Post" }o--o{ "Tag" : "dIDs""#,
            ]
        )
    }

    @Test("Collections of collections and dictionaries are several, and a case is at most one")
    func shapes() {
        let edges = edges(
            (
                "Blog",
                """
                struct Tag: Cachable { let id: Int }
                struct Post: Cachable {
                    let id: Int
                    // relationship: Tag
                    let aIDs: [[Int]]
                    // relationship: Tag
                    let bIDs: [String: Int]
                }
                enum Owner {
                    // relationship: Tag
                    case tag(Tag.ID)
                    // relationship: Tag
                    case tags([Tag.ID])
                }
                """
            )
        )
        #expect(
            edges == [
                #""Owner" }o--o| "Tag" : "tag""#, #""Owner" }o--o{ "Tag" : "tags""#, #""Post" }o--o{ "Tag" : "aIDs""#,
                #""Post" }o--o{ "Tag" : "bIDs""#,
            ]
        )
    }

    @Test("A type is one node under all names that annotations use for it")
    func names() {
        let edges = edges(
            (
                "Blog",
                """
                typealias Writer = Author
                struct Author: Cachable { let id: Int }
                struct Post: Cachable {
                    struct Comment: Cachable {
                        let id: Int
                        // relationship: Post
                        let postID: Int
                        // relationship: Comment
                        let parentID: Int
                    }
                    let id: Int
                    // relationship: Writer
                    let writerID: Int
                    // relationship: Blog.Author
                    let authorID: Int
                    // relationship: Self
                    let nextID: Int
                }
                """
            )
        )
        #expect(
            edges == [
                #""Post" }o--|| "Author" : "writerID""#, #""Post" }o--|| "Author" : "authorID""#,
                #""Post" }o--|| "Post" : "nextID""#, #""Post.Comment" }o--|| "Post" : "postID""#,
                #""Post.Comment" }o--|| "Post.Comment" : "parentID""#,
            ]
        )
    }

    @Test("Targets share the node of a type, and modules are named where types have the same name")
    func targets() {
        let models =
            "public struct Author: Cachable { public let id: Int }\npublic struct Tag: Cachable { public let id: Int }"
        let app = """
            import Models
            import Other
            struct Tag: Cachable { let id: Int }
            struct Post: Cachable {
                let id: Int
                // relationship: Models.Author
                let authorID: Int
                // relationship: Models.Tag
                let aID: Int
                // relationship: Tag
                let bID: Int
                // relationship: Other.Thing
                let cID: Int
            }
            """
        let expected = [
            #""Post" }o--|| "Author" : "authorID""#, #""Post" }o--|| "Models.Tag" : "aID""#,
            #""Post" }o--|| "App.Tag" : "bID""#, #""Post" }o--|| "Other.Thing" : "cID""#,
        ]
        #expect(edges(("App", app), ("Models", models)) == expected)
        #expect(edges(("Models", models), ("App", app)) == expected)
    }

    @Test("Two inverse relationships are one edge, whichever side names the inverse")
    func inverses() {
        func models(_ author: String, _ post: String) -> String {
            """
            struct Author: Cachable {
                let id: Int
                // relationship: Post\(author)
                let postIDs: [Int]
                // relationship: Author, inverse: partnerID
                let partnerID: Int?
            }
            struct Post: Cachable {
                let id: Int
                // relationship: Author\(post)
                let authorID: Int
                // relationship: Author
                let editorID: Int?
            }
            """
        }
        let expected = [
            #""Author" ||--o{ "Post" : "postIDs / authorID""#, #""Author" |o--o| "Author" : "partnerID""#,
            #""Post" }o--o| "Author" : "editorID""#,
        ]
        #expect(edges(("Blog", models("", ", inverse: postIDs"))) == expected)
        #expect(edges(("Blog", models(", inverse: authorID", ""))) == expected)
        #expect(edges(("Blog", models(", inverse: authorID", ", inverse: postIDs"))) == expected)
        #expect(
            graph([("Blog", models(", inverse: authorID", ""))]).dot.contains(
                #""Author" -> "Post" [label="postIDs / authorID", headlabel="*", taillabel="1", dir=both];"#
            )
        )
    }

    @Test("All loops of a type are one edge for Mermaid, which draws no more")
    func loops() {
        let models = (
            "Blog",
            """
            struct Post: Cachable {
                let id: Int
                // relationship: Post
                let originalID: Int?
                // relationship: Tag
                let tagID: Int
                // relationship: Post, inverse: answerIDs
                let parentID: Int?
                // relationship: Post
                let answerIDs: [Int]
                // relationship: Post
                let copyIDs: [Int]
            }
            struct Tag: Cachable {
                let id: Int
                // relationship: Tag
                let synonymIDs: [Int]
                // relationship: Tag
                let antonymIDs: [Int]
            }
            """
        )
        let several =
            #""Post" }o--o{ "Post" : "originalID (0..1), parentID / answerIDs (0..1 / *), copyIDs (*)""#
        #expect(
            edges(models) == [
                several, #""Post" }o--|| "Tag" : "tagID""#, #""Tag" }o--o{ "Tag" : "synonymIDs, antonymIDs""#,
            ]
        )
        #expect(graph([models]).dot.ranges(of: #""Post" -> "Post""#).count == 3)
    }

    @Test("A relationship that several conditional branches declare is drawn once")
    func conditions() {
        let edges = edges(
            (
                "Blog",
                """
                struct Post: Cachable {
                    let id: Int
                    #if DEBUG
                    // relationship: Post
                    let nextID: Int?
                    #else
                    // relationship: Post
                    let nextID: Int?
                    #endif
                }
                """
            )
        )
        #expect(edges == [#""Post" }o--o| "Post" : "nextID""#])
    }

    @Test("Characters with a special meaning are escaped")
    func escaping() {
        let graph = graph([
            (
                "Blog",
                """
                struct `A "b" % #1; <c>`: Cachable {
                    let id: Int
                    // relationship: Self
                    let `next 🙂 ID`: Int
                }
                """
            )
        ])
        #expect(
            graph.mermaid == """
                erDiagram
                    "#96;A #34;b#34; #37; #35;1#59; #60;c#62;#96;" }o--|| "#96;A #34;b#34; #37; #35;1#59; #60;c#62;#96;" : "next 🙂 ID"

                """
        )
        #expect(
            graph.dot == #"""
                digraph relationships {
                    node [shape=box];
                    "`A \"b\" % #1; <c>`";
                    "`A \"b\" % #1; <c>`" -> "`A \"b\" % #1; <c>`" [label="next 🙂 ID", headlabel="1"];
                }

                """#
        )
    }

    @Test("A graph without relationships is valid")
    func empty() {
        #expect(graph([]).mermaid == "erDiagram\n")
        #expect(graph([("Blog", "struct A {}")]).dot == "digraph relationships {\n    node [shape=box];\n}\n")
    }
}
