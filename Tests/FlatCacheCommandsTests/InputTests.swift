import Foundation
import TestThreads
import Testing

@Suite("The sources of a command", .mayBlock)
struct InputTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The commands with the arguments that they need besides sources.
    static let commands: [[String]] = [
        ["generate", "--output", "Out.swift"], ["review", "--copy", "Out.swift"], ["record", "--copy", "Out.swift"],
        ["explain"], ["graph"],
    ]

    private func run(_ command: [String], _ sources: [String]) throws -> Tool.Outcome {
        try Tool.run(command + ["--target", "Blog"] + sources, in: folder.url)
    }

    @Test("All unreadable sources are reported with their paths, and nothing is written", arguments: commands)
    func unreadable(command: [String]) throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Folder.swift"),
            withIntermediateDirectories: false
        )
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Dangling.swift"),
            withDestinationPath: "nowhere.swift"
        )
        _ = try folder.write("hello", to: "notes.txt")
        let outcome = try run(command, ["Missing.swift", "Folder.swift", "Dangling.swift", "notes.txt"])
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors == """
                Missing.swift: error: file does not exist
                Folder.swift: error: path is a directory; name the files in it
                Dangling.swift: error: file does not exist
                notes.txt: error: file is not a Swift file

                """
        )
        #expect(folder.text(of: "Out.swift") == nil)
    }

    @Test("A source without read permission is reported with its path", arguments: commands)
    func forbidden(command: [String]) throws {
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.path("Author.swift"))
        // The superuser can read it without permission.
        let isReadable = FileManager.default.isReadableFile(atPath: folder.path("Author.swift"))
        let outcome = try run(command, ["Author.swift"])
        #expect(outcome.errors.hasPrefix("Author.swift: error: file can't be read\n") == !isReadable)
    }

    @Test("Generated files are skipped, so that accessors can be among the models", arguments: commands)
    func generatedSource(command: [String]) throws {
        let models = GenerateTests.author + GenerateTests.post("// relationship: Author")
        _ = try folder.write(models, to: "Models.swift")
        for _ in 1...2 {
            #expect(try run(["generate", "--output", "Out.swift"], ["Models.swift"]).status == 0)
            let alone = try run(command, ["Models.swift"])
            #expect(alone.status == 0)
            #expect(try run(command, ["Models.swift", "Out.swift"]) == alone)
        }
        // A file that begins in the same way is still a source.
        _ = try folder.write("// Accessors for the relationships of Blog\n" + models, to: "Out.swift")
        #expect(try run(command, ["Models.swift", "Out.swift"]).status != 0)
        #expect(folder.text(of: "Out.swift")?.hasSuffix(models) == true)
    }

    #if os(Linux)
    @Test("A source that fails to be read is reported with its path", arguments: commands)
    func unreadableBytes(command: [String]) throws {
        // Reading the first page of a process's memory fails for every user.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Memory.swift"),
            withDestinationPath: "/proc/self/mem"
        )
        let outcome = try run(command, ["Memory.swift"])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "Memory.swift: error: file can't be read\n")
    }
    #endif

    @Test("No source and an empty source are valid", arguments: commands, [[], ["Empty.swift"]])
    func empty(command: [String], sources: [String]) throws {
        _ = try folder.write("", to: "Empty.swift")
        if command[0] == "review" { _ = try run(["record", "--copy", "Out.swift"], sources) }
        let outcome = try run(command, sources)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
    }

    @Test("A source that is given twice is read once", arguments: commands)
    func duplicate(command: [String]) throws {
        _ = try folder.write(GenerateTests.author + GenerateTests.post("// relationship: Author"), to: "Post.swift")
        if command[0] == "review" { _ = try run(["record", "--copy", "Out.swift"], ["Post.swift"]) }
        let once = try run(command, ["Post.swift"])
        let written = folder.text(of: "Out.swift")
        #expect(once.status == 0)
        // The second recording reports that the copy is up to date.
        if command[0] != "record" { #expect(try run(command, ["Post.swift", "Post.swift"]) == once) }
        #expect(try run(command, ["Post.swift", "Post.swift"]).status == 0)
        #expect(folder.text(of: "Out.swift") == written)
    }

    @Test("A file can contain arguments, one a line, without special characters", arguments: ["\n", "\r\n"])
    func responseFile(lineEnd: String) throws {
        // Other line separators of Unicode belong to the name.
        let name = "@My\u{2028} Post.swift"
        _ = try folder.write(GenerateTests.author + GenerateTests.post("// relationship: Author"), to: name)
        let lines = ["--target", "Blog", "", "--output=Out put.swift", name, ""]
        _ = try folder.write(lines.joined(separator: lineEnd), to: "arguments")
        let outcome = try Tool.run(["generate", "@arguments"], in: folder.url)
        #expect(outcome == Tool.Outcome(status: 0, output: "", errors: ""))
        #expect(folder.text(of: "Out put.swift")?.contains("extension Post: FlatCache.RelationshipOwner {") == true)
    }

    @Test("An unreadable file of arguments is reported with its path")
    func missingResponseFile() throws {
        let outcome = try Tool.run(["generate", "@arguments"], in: folder.url)
        #expect(outcome == Tool.Outcome(status: 1, output: "", errors: "arguments: error: file does not exist\n"))
    }
}
