import Foundation
import TestThreads
import Testing

@Suite("flatcache generate", .mayBlock)
struct GenerateTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    static let author = "import FlatCache\nstruct Author: Cachable { let id: String }\n"

    static func post(_ annotation: String) -> String {
        "import FlatCache\nstruct Post: Cachable {\n    let id: String\n    \(annotation)\n    var authorID: String\n}\n"
    }

    private func generate(_ sources: [String], output: String = "Blog+Relationships.swift") throws -> Tool.Outcome {
        try Tool.run(["generate", "--target", "Blog", "--output", folder.path(output)] + sources)
    }

    @Test("The accessors of all sources are written without a message, and missing folders are created")
    func output() throws {
        let sources = [
            try folder.write(Self.author, to: "Author.swift"),
            try folder.write(Self.post("// relationship: Author"), to: "My post, “draft”.swift"),
        ]
        let outcome = try generate(sources, output: "new/folder/Blog.swift")
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.isEmpty)
        #expect(folder.text(of: "new/folder/Blog.swift")?.contains("extension Post: FlatCache.") == true)
        #expect(folder.text(of: "new/folder/Blog.swift")?.contains(folder.url.path) == false)
    }

    @Test("A note is printed to standard error, and the accessors are written")
    func note() throws {
        let post = Self.post("// relationship: Author").replacing("let id", with: "let status, id")
        let path = try folder.write(post, to: "Post.swift")
        let outcome = try generate([path, try folder.write(Self.author, to: "Author.swift")])
        #expect(outcome.status == 0)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors == "\(path):3:9: note: every handle has a member 'status', so that 'handle.status' does not "
                + "read this property; write 'handle[\\.status]'\n"
        )
        #expect(folder.text(of: "Blog+Relationships.swift")?.contains("var author: Author?") == true)
    }

    @Test("An output is written also when nothing is annotated or there are no sources")
    func nothingAnnotated() throws {
        #expect(try generate([folder.write(Self.author, to: "Author.swift")]).status == 0)
        let header = folder.text(of: "Blog+Relationships.swift")
        #expect(header?.hasPrefix("// Accessors for the relationships of Blog") == true)
        #expect(try generate([], output: "Empty.swift").status == 0)
        #expect(folder.text(of: "Empty.swift") == header)
    }

    @Test("An up-to-date output is not touched")
    func unchangedOutput() throws {
        let source = try folder.write(Self.author + Self.post("// relationship: Author"), to: "Post.swift")
        #expect(try generate([source]).status == 0)
        let written = try folder.fileNumber(of: "Blog+Relationships.swift")
        _ = try folder.write(Self.author + Self.post("// relationship: Author - the writer"), to: "Post.swift")
        #expect(try generate([source]).status == 0)
        #expect(try folder.fileNumber(of: "Blog+Relationships.swift") == written)
        _ = try folder.write(Self.author + Self.post("// relationship: Author, name: writer"), to: "Post.swift")
        #expect(try generate([source]).status == 0)
        #expect(try folder.fileNumber(of: "Blog+Relationships.swift") != written)
    }

    @Test("All errors of all sources are printed to standard error, and the output is not changed")
    func errors() throws {
        let first = try folder.write(Self.post("// Relationship: Author"), to: "First.swift")
        let second = try folder.write(Self.author + Self.post("// relationship: Authr"), to: "Second.swift")
        _ = try folder.write("before", to: "Blog+Relationships.swift")
        let outcome = try generate([second, first])
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors == """
                \(first):4:5: error: 'Relationship:' looks like an annotation; write 'relationship:' in lower case
                \(second):6:22: error: 'Authr' is not a type of this target; did you mean 'Author'?

                """
        )
        #expect(folder.text(of: "Blog+Relationships.swift") == "before")
    }

    @Test("The output can be printed, and can be written to a link or a device, which is kept")
    func outputElsewhere() throws {
        let source = try folder.write(Self.author + Self.post("// relationship: Author"), to: "Post.swift")
        #expect(try generate([source], output: "Real.swift").status == 0)
        let text = folder.text(of: "Real.swift")
        let printed = try Tool.run(["generate", "--target", "Blog", "--output", "-", source], in: folder.url)
        #expect(printed == Tool.Outcome(status: 0, output: text ?? "", errors: ""))
        #expect(folder.text(of: "-") == nil)
        _ = try folder.write("before", to: "Linked.swift")
        for (link, destination) in [("Link.swift", "Linked.swift"), ("Device", "/dev/stdout")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: destination)
            let outcome = try generate([source], output: link)
            #expect(outcome.status == 0)
            #expect(link == "Device" ? outcome.output == text : folder.text(of: destination) == text)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(link)) == destination)
        }
    }

    @Test("An output that can't be written is reported with its path")
    func unwritableOutput() throws {
        _ = try folder.write("not a folder", to: "file")
        let outcome = try generate([], output: "file/Blog.swift")
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("\(folder.path("file/Blog.swift")): error: file can't be written: "))
    }

    @Test(
        "Bytes that are not UTF-8 hide no annotation",
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0]] as [[UInt8]]
    )
    func invalidBytes(bytes: [UInt8]) throws {
        let url = folder.url.appending(path: "Post.swift")
        let text = Self.author + "// "
        try (Data(text.utf8) + bytes + Data("\n\(Self.post("// relationship: Author"))".utf8)).write(to: url)
        #expect(try generate([url.path]).status == 0)
        #expect(
            folder.text(of: "Blog+Relationships.swift")?.contains("extension Post: FlatCache.RelationshipOwner {")
                == true
        )
    }
}
