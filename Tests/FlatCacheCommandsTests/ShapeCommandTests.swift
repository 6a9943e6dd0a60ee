import Foundation
import TestThreads
import Testing

@Suite("Commands on cases, arrays of arrays and dictionaries", .mayBlock)
struct ShapeCommandTests {
    @Test("Explain prints cases and collections with their types")
    func shapes() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        _ = try folder.write(
            """
            enum Owner {
                // relationship: Author
                case author(Author.ID)
                case none  // relationship: Author
            }
            struct Book: Cachable {
                let id: Int
                // relationship: Author
                let authorIDs: [String: Author.ID]
                // relationship: Author
                let readerIDs: [[Author.ID]]
            }
            """,
            to: "Owner.swift"
        )
        let outcome = try Tool.run(["explain", "--target", "Blog", "Owner.swift", "Author.swift"], in: folder.url)
        #expect(
            outcome.output == """
                Owner.swift:2:5: // relationship: Author
                    Owner.author(Author.ID) → Author?, keeps an identifier that is replaced
                    author, setAuthor(_:in:), fetchAuthor(_:in:)

                Owner.swift:4:16: // relationship: Author
                    Owner.swift:4:16: error: annotation needs a stored property of a struct or a case of an enum: the case 'none' \
                has no associated value

                Owner.swift:8:5: // relationship: Author
                    Book.authorIDs: [String: Author.ID] → [String: Author], keeps an identifier that is replaced
                    authors, setAuthors(_:in:), fetchAuthors(_:in:)

                Owner.swift:10:5: // relationship: Author
                    Book.readerIDs: [[Author.ID]] → [Author], keeps an identifier that is replaced
                    readers, setReaders(_:in:), fetchReaders(_:in:)

                4 annotations, 1 error

                """
        )
    }

    @Test("The JSON explanation says that a case is one")
    func json() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        let owner = "enum Owner {\n    // relationship: Author\n    case author(Author.ID)\n}\n"
        _ = try folder.write(owner, to: "Owner.swift")
        let arguments = ["explain", "--format", "json", "--target", "Blog", "Owner.swift", "Author.swift"]
        let lines = try Tool.run(arguments, in: folder.url).output.split(separator: "\n").map { $0.drop { $0 == " " } }
        for line in [
            "\"name\": \"author\",", "\"type\": \"(Author.ID)\",", "\"isCase\": true,", "\"isOptional\": true,",
        ] {
            #expect(lines.contains(line[...]))
        }
    }

    @Test("A recorded copy has the accessors of a case, and a review finds another case")
    func review() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        let owner = "enum Owner {\n    // relationship: Author\n    case author(Author.ID)\n}\n"
        _ = try folder.write(owner, to: "Owner.swift")
        let arguments = ["--target", "Blog", "--copy", "Copy.swift", "Owner.swift", "Author.swift"]
        #expect(try Tool.run(["record"] + arguments, in: folder.url).status == 0)
        #expect(try Tool.run(["review"] + arguments, in: folder.url).status == 0)
        _ = try folder.write(owner.replacing("case author", with: "case writer"), to: "Owner.swift")
        let outcome = try Tool.run(["review"] + arguments, in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("\n+    var writer: Author? { FlatCache._related(self._writer) }\n"))
    }
}
