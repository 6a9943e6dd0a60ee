import Foundation
import Testing

@Suite("The sources that a command is given")
struct InputTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The commands with what they need beside sources.
    static let commands: [[String]] = [
        ["generate", "--output", "Out.swift"], ["review", "--copy", "Out.swift"], ["record", "--copy", "Out.swift"],
        ["explain"], ["graph"],
    ]

    private func run(_ command: [String], _ sources: [String]) throws -> Tool.Outcome {
        try Tool.run(command + ["--target", "Blog"] + sources, in: folder.url)
    }

    @Test("Sources that can't be read are all reported with their paths, and nothing is written", arguments: commands)
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
                Missing.swift: error: there is no such file
                Folder.swift: error: this is a directory; name the files in it
                Dangling.swift: error: there is no such file
                notes.txt: error: this is not a Swift file

                """
        )
        #expect(folder.text(of: "Out.swift") == nil)
    }

    @Test("A source that its permissions keep from being read is reported with its path", arguments: commands)
    func forbidden(command: [String]) throws {
        _ = try folder.write(GenerateTests.author, to: "Author.swift")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.path("Author.swift"))
        // Nothing keeps the superuser from reading it.
        let isReadable = FileManager.default.isReadableFile(atPath: folder.path("Author.swift"))
        let outcome = try run(command, ["Author.swift"])
        #expect(outcome.errors.hasPrefix("Author.swift: error: the file can't be read\n") == !isReadable)
    }

    @Test("What the tool wrote is no source, so that accessors can stand among the models", arguments: commands)
    func generatedSource(command: [String]) throws {
        let models = GenerateTests.author + GenerateTests.post("// relationship: Author")
        _ = try folder.write(models, to: "Models.swift")
        for _ in 1...2 {
            #expect(try run(["generate", "--output", "Out.swift"], ["Models.swift"]).status == 0)
            let alone = try run(command, ["Models.swift"])
            #expect(alone.status == 0)
            #expect(try run(command, ["Models.swift", "Out.swift"]) == alone)
        }
        // A file that only begins like one is.
        _ = try folder.write("// Accessors for the relationships of Blog\n" + models, to: "Out.swift")
        #expect(try run(command, ["Models.swift", "Out.swift"]).status != 0)
        #expect(folder.text(of: "Out.swift")?.hasSuffix(models) == true)
    }

    #if os(Linux)
    @Test("A source whose bytes can't be had is reported with its path", arguments: commands)
    func unreadableBytes(command: [String]) throws {
        // Reading the first page of the memory of a process fails, whoever reads it.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Memory.swift"),
            withDestinationPath: "/proc/self/mem"
        )
        let outcome = try run(command, ["Memory.swift"])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "Memory.swift: error: the file can't be read\n")
    }
    #endif

    @Test("No source, and an empty one, are fine", arguments: commands, [[], ["Empty.swift"]])
    func empty(command: [String], sources: [String]) throws {
        _ = try folder.write("", to: "Empty.swift")
        if command[0] == "review" { _ = try run(["record", "--copy", "Out.swift"], sources) }
        let outcome = try run(command, sources)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
    }

    @Test("A source that is named twice counts once", arguments: commands)
    func duplicate(command: [String]) throws {
        _ = try folder.write(GenerateTests.author + GenerateTests.post("// relationship: Author"), to: "Post.swift")
        if command[0] == "review" { _ = try run(["record", "--copy", "Out.swift"], ["Post.swift"]) }
        let once = try run(command, ["Post.swift"])
        let written = folder.text(of: "Out.swift")
        #expect(once.status == 0)
        // What is recorded again is up to date, and says so.
        if command[0] != "record" { #expect(try run(command, ["Post.swift", "Post.swift"]) == once) }
        #expect(try run(command, ["Post.swift", "Post.swift"]).status == 0)
        #expect(folder.text(of: "Out.swift") == written)
    }

    @Test("Arguments can stand in a file, one a line, and mean themselves there", arguments: ["\n", "\r\n"])
    func responseFile(lineEnd: String) throws {
        // What other programs take for the end of a line is a character of a name here.
        let name = "@My\u{2028} Post.swift"
        _ = try folder.write(GenerateTests.author + GenerateTests.post("// relationship: Author"), to: name)
        let lines = ["--target", "Blog", "", "--output=Out put.swift", name, ""]
        _ = try folder.write(lines.joined(separator: lineEnd), to: "arguments")
        let outcome = try Tool.run(["generate", "@arguments"], in: folder.url)
        #expect(outcome == Tool.Outcome(status: 0, output: "", errors: ""))
        #expect(folder.text(of: "Out put.swift")?.contains("extension Post: FlatCache.RelationshipOwner {") == true)
    }

    @Test("A file of arguments that can't be read is reported with its path")
    func missingResponseFile() throws {
        let outcome = try Tool.run(["generate", "@arguments"], in: folder.url)
        #expect(outcome == Tool.Outcome(status: 1, output: "", errors: "arguments: error: there is no such file\n"))
    }
}
