import TestThreads
import Testing

@Suite("flatcache explain and graph, of both sides of relationships, and of indexes", .mayBlock)
struct BothSidesReportTests {
    @Test("An explanation names backlinks and indexes, and the graph draws them")
    func backlinks() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        _ = try folder.write(
            """
            struct Page: Cachable {
                let id: String
                // cache: index, unique
                // relationship: Author, backlink: pages, sorted: rank
                let authorID: String
                let rank: Int // cache: index
                // cache: index - of each
                let keys: [Int]
            }

            """,
            to: "Page.swift"
        )
        func run(_ arguments: [String]) throws -> Tool.Outcome { try Tool.run(arguments, in: folder.url) }
        let sources = ["--target", "Blog", "Page.swift", "Author.swift"]
        #expect(
            try run(["explain"] + sources).output == """
                Page.swift:3:5: // cache: index, unique
                    Page.authorID: String, unique index

                Page.swift:4:5: // relationship: Author, backlink: pages, sorted: rank
                    Page.authorID: String → Author?, backlink Author.pages sorted by rank, keeps an identifier that is replaced
                    author, setAuthor(_:in:), fetchAuthor(_:in:)

                Page.swift:6:19: // cache: index
                    Page.rank: Int, index

                Page.swift:7:5: // cache: index - of each
                    Page.keys: [Int], index of each

                4 annotations, 0 errors

                """
        )
        let json = try run(["explain", "--format", "json"] + sources).output
        #expect(json.contains("\"backlink\": \"pages\"") && json.contains("\"sorted\": \"rank\""))
        #expect(json.contains("\"isUnique\": true") && json.contains("\"isEach\": true"))
        #expect(
            try run(["graph"] + sources).output == """
                erDiagram
                    "Page" {
                        index authorID UK
                        index rank
                        index keys
                    }
                    "Page" }o--|| "Author" : "authorID / pages"

                """
        )
        #expect(
            try run(["graph", "--format", "dot"] + sources).output == #"""
                digraph relationships {
                    node [shape=box];
                    "Author";
                    "Page" [label="Page\nunique index authorID\nindex rank\nindex keys"];
                    "Page" -> "Author" [label="authorID / pages", headlabel="1", taillabel="*", dir=both];
                }

                """#
        )
    }

    @Test("An explanation and the graph name delete rules")
    func deleteRules() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        _ = try folder.write(
            """
            struct Page: Cachable {
                let id: String
                // relationship: Author, backlink: pages, delete: cascade
                let authorID: String
                // relationship: Author, delete: nullify
                var editorID: String?
                // relationship: Author, delete: nullify
                var readerIDs: [String]
                // relationship: Author, delete: cascade
                var ownerIDs: [String]
                // relationship: Author, delete: keep
                var criticID: String?
            }

            """,
            to: "Page.swift"
        )
        func run(_ arguments: String...) throws -> String {
            try Tool.run(arguments + ["--target", "Blog", "Page.swift", "Author.swift"], in: folder.url).output
        }
        #expect(
            try run("explain").split(separator: "\n").filter { $0.contains("→") } == [
                "    Page.authorID: String → Author?, backlink Author.pages, removed with the author, keeps an identifier that is replaced",
                "    Page.editorID: String? → Author?, loses its identifier when the editor is removed",
                "    Page.readerIDs: [String] → [Author], loses the identifiers of the readers that are removed",
                "    Page.ownerIDs: [String] → [Author], removed with any of the owners",
                "    Page.criticID: String? → Author?",
            ]
        )
        let json = try run("explain", "--format", "json")
        for (rule, count) in [("\"cascade\"", 2), ("\"nullify\"", 2), ("null", 1)] {
            #expect(json.ranges(of: "\"delete\": \(rule)").count == count)
        }
        #expect(
            try run("graph") == """
                erDiagram
                    "Page" }o--|| "Author" : "authorID (cascade) / pages"
                    "Page" }o--o| "Author" : "editorID (nullify)"
                    "Page" }o--o{ "Author" : "readerIDs (nullify)"
                    "Page" }o--o{ "Author" : "ownerIDs (cascade)"
                    "Page" }o--o| "Author" : "criticID"

                """
        )
    }

    @Test("An explanation names inverses")
    func inverse() throws {
        let folder = try TemporaryFolder()
        func run(_ arguments: [String]) throws -> Tool.Outcome { try Tool.run(arguments, in: folder.url) }
        _ = try folder.write(
            """
            struct Author: Cachable {
                let id: String
                let pageIDs: [String] // relationship: Page, inverse: authorID
            }
            struct Page: Cachable {
                let id: String
                let authorID: String // relationship: Author
                var nextID: String?  // relationship: Page, inverse: nextID
            }
            """,
            to: "Page.swift"
        )
        let text = try run(["explain", "--target", "Blog", "Page.swift"])
        #expect(
            text.output == """
                Page.swift:3:27: // relationship: Page, inverse: authorID
                    Author.pageIDs: [String] → [Page], inverse Page.authorID, keeps an identifier that is replaced
                    pages, setPages(_:in:), fetchPages(_:in:)

                Page.swift:7:26: // relationship: Author
                    Page.authorID: String → Author?, inverse Author.pageIDs, keeps an identifier that is replaced
                    author, setAuthor(_:in:), fetchAuthor(_:in:)

                Page.swift:8:26: // relationship: Page, inverse: nextID
                    Page.nextID: String? → Page?, inverse Page.nextID, kept by handles
                    next, setNext(_:in:), fetchNext(_:in:)

                3 annotations, 0 errors

                """
        )
        let json = try run(["explain", "--format", "json", "--target", "Blog", "Page.swift"])
        #expect(json.output.contains(#""inverse": "authorID""#))
        #expect(json.output.contains(#""inverse": "pageIDs""#))
    }
}
