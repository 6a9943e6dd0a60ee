import Foundation
import TestThreads
import Testing

@Suite("flatcache explain and graph", .mayBlock)
struct ExplainTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(
            """
            import FlatCache
            struct Post: Cachable {
                let id: String
                // relationship: Author
                var authorID: String
                // relationship: Comment, name: `default` - a keyword
                let commentIDs: [Comment.ID]?
            }

            """,
            to: "Post.swift"
        )
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        _ = try folder.write(
            "import FlatCache\nstruct Comment: Cachable {\n    let id: String\n    var parentID: String? // relationship: Comment\n}\n",
            to: "Comment.swift"
        )
    }

    private static let blog = ["--target", "Blog", "Post.swift", "Comment.swift", "Author.swift"]

    private func run(_ arguments: [String]) throws -> Tool.Outcome { try Tool.run(arguments, in: folder.url) }

    @Test("Each annotation is printed with its property and the names of its accessors")
    func text() throws {
        let outcome = try run(["explain"] + Self.blog)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                Comment.swift:4:27: // relationship: Comment
                    Comment.parentID: String? → Comment?
                    parent, setParent(_:in:), fetchParent(_:in:)

                Post.swift:4:5: // relationship: Author
                    Post.authorID: String → Author?
                    author, setAuthor(_:in:), fetchAuthor(_:in:)

                Post.swift:6:5: // relationship: Comment, name: `default` - a keyword
                    Post.commentIDs: [Comment.ID]? → [Comment]?, keeps an identifier that is replaced
                    `default`, setDefault(_:in:), fetchDefault(_:in:)

                3 annotations, 0 errors

                """
        )
    }

    @Test(
        "A constant is marked with what becomes of an identifier that is replaced",
        arguments: [
            ("Cachable", "keeps an identifier that is replaced"),
            ("Cachable, Decodable", "keeps an identifier that is replaced"),
            ("Cachable, Codable", "decoded again when an identifier is replaced"),
        ]
    )
    func constants(protocols: String, remark: String) throws {
        let source = """
            import FlatCache
            struct Post: \(protocols) {
                let id: String
                // relationship: Author
                let authorID: String
            }

            """
        _ = try folder.write(source, to: "Post.swift")
        let outcome = try run(["explain", "--target", "Blog", "Post.swift", "Author.swift"])
        #expect(outcome.output.contains("Post.authorID: String → Author?, \(remark)\n"))
    }

    @Test("Errors are printed beside valid annotations, and set the exit code")
    func errors() throws {
        _ = try folder.write(
            """
            struct Page {
                // relationship: Authr
                var authorID: String
                // relationship: Author

                var editorID: String
                // relationship: Author
                let ownerID: Int
            }
            /* does not end
            """,
            to: "Page.swift"
        )
        let outcome = try run(["explain", "--target", "Blog", "Page.swift", "Author.swift"])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "error: annotations are invalid: 3 annotations, 4 errors\n")
        #expect(
            outcome.output == """
                Page.swift:2:5: // relationship: Authr
                    Page.authorID: String
                    Page.swift:2:22: error: 'Authr' is not a type of this target; did you mean 'Author'?

                Page.swift:4:5: // relationship: Author
                    Page.swift:4:5: error: annotation is not attached to a property: it is followed by a blank line; write it directly above \
                a stored property, or after it on its line

                Page.swift:7:5: // relationship: Author
                    Page.ownerID: Int
                    Page.swift:7:5: error: 'ownerID' holds identifiers of type 'Int', but 'Author' is identified by 'String'; write 'Author.ID'

                Page.swift:10:1: error: unterminated comment, which would hide annotations after it; terminate it

                3 annotations, 4 errors

                """
        )
    }

    @Test("Notes are printed after the annotations, and are no errors")
    func notes() throws {
        let post = GenerateTests.post("// relationship: Author").replacing("let id", with: "let status, id")
        _ = try folder.write(post, to: "Post.swift")
        let note =
            "every handle has a member 'status', so that 'handle.status' does not read this property; "
            + "write 'handle[\\.status]'"
        let text = try run(["explain", "--target", "Blog", "Post.swift", "Author.swift"])
        #expect(text.status == 0)
        #expect(text.output.hasSuffix("\n\nPost.swift:3:9: note: \(note)\n\n1 annotation, 0 errors\n"))
        let json = try run(["explain", "--format", "json", "--target", "Blog", "Post.swift", "Author.swift"])
        #expect(json.output.contains("\"message\": \"\(note.replacing("\\", with: "\\\\"))\""))
    }

    @Test("The JSON explanation has documented keys in a fixed order")
    func json() throws {
        _ = try folder.write("struct Tag {\n    // relationship: \"Tag\\\n    let tagID: Int\n}\n", to: "Tag.swift")
        let outcome = try run([
            "explain", "--format", "json", "--target", "Blog", "Comment.swift", "--target", "Tags", "Tag.swift",
        ])
        #expect(outcome.status == 1)
        #expect(
            outcome.output == #"""
                {
                  "targets": [
                    {
                      "target": "Blog",
                      "annotations": [
                        {
                          "file": "Comment.swift",
                          "line": 4,
                          "column": 27,
                          "comment": "// relationship: Comment",
                          "property": {
                            "owner": "Comment",
                            "name": "parentID",
                            "type": "String?",
                            "isCase": false,
                            "line": 4,
                            "column": 9
                          },
                          "relationship": {
                            "related": "Comment",
                            "module": "Blog",
                            "isToMany": false,
                            "isOptional": true,
                            "inverse": null,
                            "backlink": null,
                            "sorted": null,
                            "delete": null,
                            "replacement": "set",
                            "type": "Comment?",
                            "access": "internal",
                            "names": {
                              "accessor": "parent",
                              "setter": "setParent",
                              "fetch": "fetchParent"
                            }
                          },
                          "index": null,
                          "errors": []
                        }
                      ],
                      "otherErrors": [],
                      "notes": [],
                      "payloads": []
                    },
                    {
                      "target": "Tags",
                      "annotations": [
                        {
                          "file": "Tag.swift",
                          "line": 2,
                          "column": 5,
                          "comment": "// relationship: \"Tag\\",
                          "property": {
                            "owner": "Tag",
                            "name": "tagID",
                            "type": "Int",
                            "isCase": false,
                            "line": 3,
                            "column": 9
                          },
                          "relationship": null,
                          "index": null,
                          "errors": [
                            {
                              "file": "Tag.swift",
                              "line": 2,
                              "column": 22,
                              "message": "'\"Tag\\' is not the name of a type; remove '\"' and '\\'"
                            }
                          ]
                        }
                      ],
                      "otherErrors": [],
                      "notes": [],
                      "payloads": []
                    }
                  ]
                }

                """#
        )
    }

    @Test("Keys that a decoder doesn't find after converting are marked, which isn't an error")
    func convertedKeys() throws {
        let page = """
            import FlatCache
            struct Page: Cachable, Decodable {
                let id: String
                var avatarURL, avatarUrl, htmlURLs, mainURL: String
                enum CodingKeys: String, CodingKey { case id, avatarURL, avatarUrl, htmlURLs, mainURL = "main_url" }
            }
            """
        _ = try folder.write(page, to: "Page.swift")
        let result = try run(["explain", "--strict", "--target", "Blog", "Page.swift"])
        let keys = """
                id from "id"
                avatarURL from "avatarURL", which .convertFromSnakeCase makes "avatarUrl"
                avatarUrl from "avatarUrl"
                htmlURLs from "htmlURLs", which .convertFromSnakeCase makes "htmlUrls"
                mainURL from "main_url"


            """
        #expect(result.status == 0 && result.output.contains(keys))
    }

    private static let decodable = """
        import FlatCache
        struct Page: Cachable, Decodable {
            let id: String
            // relationship: Author
            let authorID: String
            private var secret: Int
            #if DEBUG
            var trace: String
            #endif
            enum CodingKeys: String, CodingKey { case id, authorID = "author_id", secret, trace }
        }
        """

    @Test("The keys of decodable entities are printed, and the properties that payloads can't keep")
    func payloads() throws {
        _ = try folder.write(Self.decodable, to: "Page.swift")
        let arguments = ["--target", "Blog", "Page.swift", "Author.swift"]
        let note =
            "a payload without its key can't keep 'secret', because other files can't refer to it; write 'private(set)' "
            + "instead of 'private', or make 'Page' conform to 'Encodable'"
        let text = try run(["explain"] + arguments)
        #expect(text.status == 0)
        #expect(
            text.output == """
                Page.swift:4:5: // relationship: Author
                    Page.authorID: String → Author?, keeps an identifier that is replaced
                    author, setAuthor(_:in:), fetchAuthor(_:in:)

                Page.swift:2:8: keys of Page
                    id from "id"
                    authorID from "author_id", "author" → Author
                    secret from "secret"
                    trace from "trace" if DEBUG
                    Page.swift:6:17: note: \(note)

                1 annotation, 0 errors

                """
        )
        let json = try run(["explain", "--format", "json"] + arguments)
        let expected = """
                  "payloads": [
                    {
                      "type": "Page",
                      "file": "Page.swift",
                      "line": 2,
                      "column": 8,
                      "keys": [
                        {
                          "property": "id",
                          "key": "id",
                          "alternatives": [],
                          "related": null,
                          "condition": null
                        },
                        {
                          "property": "authorID",
                          "key": "author_id",
                          "alternatives": [
                            "author"
                          ],
                          "related": "Author",
                          "condition": null
                        },
            """
        #expect(json.output.contains(expected))
        #expect(json.output.contains(#""condition": "DEBUG""#))
        #expect(json.output.contains(#""message": "\#(note)""#))
    }

    @Test("With --strict, properties that payloads can't keep set the exit code")
    func strict() throws {
        _ = try folder.write(Self.decodable, to: "Page.swift")
        let arguments = ["explain", "--strict", "--target", "Blog", "Author.swift"]
        #expect(try run(arguments).status == 0)
        let outcome = try run(arguments + ["Page.swift"])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "error: payloads can't keep all properties: 1 note on keys\n")
        #expect(try outcome.output == run(["explain", "--target", "Blog", "Author.swift", "Page.swift"]).output)
        let graph = try run(["graph", "--strict", "--target", "Blog", "Page.swift"])
        #expect(graph.errors == "error: '--strict' is not an option; 'flatcache graph --help' lists the arguments\n")
    }

    @Test("The JSON explanation of any comment can be parsed, and contains the comment")
    func oddJSON() throws {
        let odd = "// relationship: A \u{1}\u{8}\t\u{1F} \"\\/ é 🙂 \u{2028} \u{7F}"
        _ = try folder.write("struct A {\n    \(odd)\n    let aID: Int\n}\n", to: "A.swift")
        let outcome = try run(["explain", "--format=json", "--target", "Blog", "A.swift"])
        let document = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        let targets = try #require(document?["targets"] as? [[String: Any]])
        let annotations = try #require(targets.first?["annotations"] as? [[String: Any]])
        #expect(annotations.first?["comment"] as? String == String(odd.prefix { !$0.isNewline }))
    }

    @Test("The graph is printed for Mermaid, or in the DOT language, or written to a file")
    func graph() throws {
        let mermaid = """
            erDiagram
                "Comment" }o--o| "Comment" : "parentID"
                "Post" }o--|| "Author" : "authorID"
                "Post" }o--o{ "Comment" : "commentIDs"

            """
        #expect(try run(["graph"] + Self.blog) == Tool.Outcome(status: 0, output: mermaid, errors: ""))
        let dot = """
            digraph relationships {
                node [shape=box];
                "Author";
                "Comment";
                "Post";
                "Comment" -> "Comment" [label="parentID", headlabel="0..1"];
                "Post" -> "Author" [label="authorID", headlabel="1"];
                "Post" -> "Comment" [label="commentIDs", headlabel="*"];
            }

            """
        #expect(try run(["graph", "--format", "dot"] + Self.blog).output == dot)
        #expect(
            try run(["graph", "--output", "new/graph.mmd"] + Self.blog)
                == Tool.Outcome(status: 0, output: "", errors: "")
        )
        #expect(folder.text(of: "new/graph.mmd") == mermaid)
        #expect(try run(["explain", "--output", "explanation"] + Self.blog).output.isEmpty)
        #expect(folder.text(of: "explanation")?.hasSuffix("3 annotations, 0 errors\n") == true)
    }

    @Test(
        "Sources with errors have no graph, because it would be incomplete",
        arguments: ["mermaid", "dot"]
    )
    func graphOfErrors(format: String) throws {
        _ = try folder.write(GenerateTests.post("// relationship: Authr"), to: "Page.swift")
        let outcome = try run(["graph", "--format", format, "--target", "Blog", "Author.swift", "Page.swift"])
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors == "Page.swift:4:22: error: 'Authr' is not a type of this target; did you mean 'Author'?\n"
        )
    }
}
