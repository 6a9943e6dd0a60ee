import Foundation
import TestThreads
import Testing

@Suite("flatcache review and record", .mayBlock)
struct ReviewTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write(annotation: "// relationship: Author")
    }

    private static let copy = "Blog+Relationships.swift"

    private func write(annotation: String, to name: String = "Post.swift") throws {
        _ = try folder.write(GenerateTests.author + GenerateTests.post(annotation), to: name)
    }

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Outcome {
        try Tool.run(arguments, in: folder.url, environment: environment)
    }

    private func review(_ options: [String] = [], environment: [String: String] = [:]) throws -> Tool.Outcome {
        try Tool.run(
            ["review", "--copy", Self.copy, "--target", "Blog", "Post.swift"] + options,
            in: folder.url,
            environment: environment
        )
    }

    private func record() throws -> Tool.Outcome {
        try run("record", "--copy", Self.copy, "--target", "Blog", "Post.swift")
    }

    @Test("An up-to-date copy prints nothing")
    func upToDate() throws {
        #expect(try record() == Tool.Outcome(status: 0, output: "\(Self.copy): written\n", errors: ""))
        let number = try folder.fileNumber(of: Self.copy)
        #expect(try review() == Tool.Outcome(status: 0, output: "", errors: ""))
        #expect(try record() == Tool.Outcome(status: 0, output: "\(Self.copy): up to date\n", errors: ""))
        #expect(try folder.fileNumber(of: Self.copy) == number)
        #expect(try run("generate", "--output", "Generated.swift", "--target", "Blog", "Post.swift").status == 0)
        #expect(folder.text(of: "Generated.swift") == folder.text(of: Self.copy))
    }

    @Test("A difference is printed as a diff with the command that mends it, and the copy is not changed")
    func drift() throws {
        _ = try record()
        let before = folder.text(of: Self.copy)
        try write(annotation: "// relationship: Author, name: writer")
        let outcome = try review()
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.prefix(2) == ["--- a/\(Self.copy)", "+++ b/\(Self.copy)"])
        #expect(lines.dropFirst(2).allSatisfy { ["@", " ", "-", "+"].contains($0.first) })
        #expect(lines.contains("-    var author: Author? { FlatCache._related(self.authorID, of: Self.self) }"))
        #expect(lines.contains("+    var writer: Author? { FlatCache._related(self.authorID, of: Self.self) }"))
        let command = "flatcache record --copy \(Self.copy) --target Blog Post.swift"
        #expect(
            outcome.errors
                == "\(Self.copy): error: the copy differs from the accessors that the sources of 'Blog' generate; run: \(command)\n"
        )
        #expect(folder.text(of: Self.copy) == before)
        #expect(
            try Tool.run(Array(command.split(separator: " ").dropFirst().map(String.init)), in: folder.url).status == 0
        )
        #expect(try review().status == 0)
    }

    @Test("The suggested command is quoted for a shell, and can be replaced")
    func remedy() throws {
        try write(annotation: "// relationship: Author", to: "It's my post.swift")
        let outcome = try run(
            "review",
            "--copy=A copy.swift",
            "--format",
            "text",
            "--target",
            "Blog",
            "It's my post.swift"
        )
        #expect(
            outcome.errors.hasSuffix(
                "; run: flatcache record '--copy=A copy.swift' --target Blog 'It'\\''s my post.swift'\n"
            )
        )
        #expect(try review(["--mend", "make copies"]).errors.hasSuffix("; run: make copies\n"))
        #expect(
            try review(["--mend", "make copies", "--only", "Blog"]).errors.hasSuffix(
                "; run: make copies --target Blog\n"
            )
        )
    }

    @Test("A missing copy is a difference, and the diff creates it")
    func missingCopy() throws {
        let outcome = try review()
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("--- /dev/null\n+++ b/\(Self.copy)\n@@ -0,0 +1,"))
        #expect(
            outcome.errors.hasPrefix(
                "\(Self.copy): error: the copy of the accessors of 'Blog' is missing; run: "
            )
        )
        #expect(folder.text(of: Self.copy) == nil)
    }

    @Test("All errors of the sources are reported, and nothing is compared or written")
    func errors() throws {
        _ = try record()
        let before = folder.text(of: Self.copy)
        try write(annotation: "// relationship: Authr")
        let errors = "Post.swift:6:22: error: 'Authr' is not a type of this target; did you mean 'Author'?\n"
        #expect(try review() == Tool.Outcome(status: 1, output: "", errors: errors))
        #expect(try record() == Tool.Outcome(status: 1, output: "", errors: errors))
        #expect(folder.text(of: Self.copy) == before)
    }

    @Test(
        "A copy among the sources is an error, because it would be compiled with them",
        arguments: ["review", "record"]
    )
    func copyAmongSources(command: String) throws {
        let outcome = try run(command, "--copy", "Post.swift", "--target", "Blog", "Post.swift")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "Post.swift: error: the copy is one of the sources; keep it in a folder that the target excludes\n"
        )
    }

    @Test("The copy is compared with the output of the target's own template, whose errors have their location")
    func ownTemplate() throws {
        _ = try folder.write("{{> Getters}}\n", to: "Own.mustache")
        #expect(try record().status == 0)
        #expect(try review(["--template", "Own.mustache"]).status == 1)
        let own = ["record", "--copy", Self.copy, "--target", "Blog", "--template", "Own.mustache", "Post.swift"]
        #expect(try Tool.run(own, in: folder.url).status == 0)
        #expect(try review(["--template", "Own.mustache"]) == Tool.Outcome(status: 0, output: "", errors: ""))
        _ = try folder.write("{{> Getter}}\n", to: "Own.mustache")
        #expect(
            try review(["--template", "Own.mustache"]).errors
                == "Own.mustache:1:1: error: there is no template 'Getter' to include; did you mean 'Getters'?\n"
        )
    }

    // MARK: A folder of copies

    private static let two = [
        "--copies", "Generated", "--target", "Blog", "Post.swift", "--target", "Plain", "Plain.swift",
    ]

    private func prepareFolder() throws {
        _ = try folder.write(GenerateTests.author, to: "Plain.swift")
        #expect(
            try Tool.run(["record"] + Self.two, in: folder.url)
                == Tool.Outcome(status: 0, output: "Generated/Blog+Relationships.swift: written\n", errors: "")
        )
    }

    @Test("A folder has a copy for each target that has annotations")
    func folderOfCopies() throws {
        try prepareFolder()
        #expect(folder.text(of: "Generated/Plain+Relationships.swift") == nil)
        #expect(try Tool.run(["review"] + Self.two, in: folder.url) == Tool.Outcome(status: 0, output: "", errors: ""))
    }

    @Test("A copy without a target or without annotations is a difference, and recording removes it")
    func obsoleteCopies() throws {
        try prepareFolder()
        _ = try folder.write("old\n", to: "Generated/Gone+Relationships.swift")
        _ = try folder.write("old", to: "Generated/Plain+Relationships.swift")
        _ = try folder.write("not a copy", to: "Generated/README.md")
        let outcome = try Tool.run(["review"] + Self.two, in: folder.url)
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                --- a/Generated/Gone+Relationships.swift
                +++ /dev/null
                @@ -1 +0,0 @@
                -old
                --- a/Generated/Plain+Relationships.swift
                +++ /dev/null
                @@ -1 +0,0 @@
                -old
                \\ No newline at end of file

                """
        )
        let remedy = "run: flatcache record \(Self.two.joined(separator: " "))"
        #expect(
            outcome.errors == """
                Generated/Gone+Relationships.swift: error: the sources of 'Gone' generate no accessors any more; \(remedy)
                Generated/Plain+Relationships.swift: error: the sources of 'Plain' generate no accessors any more; \(remedy)

                """
        )
        #expect(
            try Tool.run(["record"] + Self.two, in: folder.url).output == """
                Generated/Blog+Relationships.swift: up to date
                Generated/Gone+Relationships.swift: removed
                Generated/Plain+Relationships.swift: removed

                """
        )
        #expect(folder.text(of: "Generated/README.md") == "not a copy")
        #expect(try Tool.run(["review"] + Self.two, in: folder.url).status == 0)
    }

    @Test("A single target can be reviewed and recorded in a folder with other copies")
    func oneTarget() throws {
        try prepareFolder()
        _ = try folder.write("old", to: "Generated/Gone+Relationships.swift")
        #expect(try Tool.run(["review"] + Self.two + ["--only", "Blog"], in: folder.url).status == 0)
        #expect(try Tool.run(["record"] + Self.two + ["--only", "Blog"], in: folder.url).status == 0)
        #expect(folder.text(of: "Generated/Gone+Relationships.swift") == "old")
    }

    @Test("The errors of one target don't hide the differences of another")
    func errorsBesideDrift() throws {
        try prepareFolder()
        try write(annotation: "// relationship: Author, name: writer")
        _ = try folder.write(GenerateTests.post("// relationship: Authr"), to: "Plain.swift")
        let outcome = try Tool.run(["review"] + Self.two, in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("+    var writer: Author? {"))
        #expect(outcome.errors.hasPrefix("Plain.swift:4:22: error: 'Authr' is not a type of this target"))
        #expect(outcome.errors.contains("\nGenerated/Blog+Relationships.swift: error: the copy differs from"))
    }

    // MARK: GitHub

    @Test("For GitHub, a difference is a workflow annotation at the first changed line, after a group with the diff")
    func workflowAnnotations() throws {
        _ = try record()
        let text = try #require(folder.text(of: Self.copy))
        _ = try folder.write(text.replacing("// Do not edit", with: "// Don't edit"), to: Self.copy)
        let outcome = try review(["--format", "github", "--mend", "make: 100%, done"])
        #expect(outcome.status == 1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "::group::Changes in \(Self.copy)")
        #expect(lines.dropFirst().first == "--- a/\(Self.copy)")
        #expect(
            lines.suffix(2) == [
                "::endgroup::",
                "::error file=\(Self.copy),line=2,title=Out of date::the copy differs from the accessors "
                    + "that the sources of 'Blog' generate; run: make: 100%25, done",
            ]
        )
        #expect(outcome.errors.hasPrefix("\(Self.copy): error: the copy differs from"))
    }

    @Test("For GitHub, errors of the sources are workflow annotations with special characters escaped")
    func escapedAnnotations() throws {
        try write(annotation: "// relationship: 100%", to: "a,b:c%.swift")
        let outcome = try run(
            "review",
            "--format",
            "github",
            "--copy",
            Self.copy,
            "--target",
            "Blog",
            "a,b:c%.swift"
        )
        #expect(outcome.status == 1)
        #expect(
            outcome.output
                == "::error file=a%2Cb%3Ac%25.swift,line=6,col=22,title=Relationship::'100%25' is not the name of a type; "
                + "write the type of one entity, as in '// relationship: Author'\n"
        )
    }

    @Test("For GitHub, paths are relative to the checkout in any working directory")
    func workspace() throws {
        let workspace = folder.url.deletingLastPathComponent().path
        let outcome = try review(["--format", "github"], environment: ["GITHUB_WORKSPACE": workspace])
        #expect(
            outcome.output.contains(
                "\n::error file=\(folder.url.lastPathComponent)/\(Self.copy),line=1,title=Out of date::"
            )
        )
        #expect(try review(["--format", "github"]).output.contains("\n::error file=\(Self.copy),line=1,"))
    }
}
