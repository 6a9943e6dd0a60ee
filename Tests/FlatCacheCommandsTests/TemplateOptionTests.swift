import Foundation
import Testing

@Suite("flatcache generate --template")
struct TemplateOptionTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Generates from two models, one of which is annotated, with a template.
    private func generate(template: String) throws -> Tool.Outcome {
        _ = try folder.write(template, to: "Own.mustache")
        return try generate()
    }

    /// The same with the template that is in the folder.
    private func generate() throws -> Tool.Outcome {
        let sources = [
            try folder.write(GenerateTests.author, to: "Author.swift"),
            try folder.write(GenerateTests.post("// relationship: Author"), to: "Post.swift"),
        ]
        let template = folder.path("Own.mustache")
        let output = folder.path("Output.swift")
        return try Tool.run(["generate", "--target", "Blog", "--output", output, "--template", template] + sources)
    }

    @Test("The output is what the template says")
    func ownTemplate() throws {
        let template =
            "{{target}}: {{#owners}}{{#relationships}}{{owner}}.{{name}}: {{type}}{{/relationships}}{{/owners}}\n"
        let outcome = try generate(template: template)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(folder.text(of: "Output.swift") == "Blog: Post.author: Author?\n")
    }

    @Test(
        "A template of one line selects one of the tool",
        arguments: [("Relationships", "func setAuthor", true), ("Getters", "func setAuthor", false)]
    )
    func shippedTemplates(name: String, text: String, isThere: Bool) throws {
        #expect(try generate(template: "{{> \(name)}}\n").status == 0)
        #expect(folder.text(of: "Output.swift")?.contains(text) == isThere)
        #expect(folder.text(of: "Output.swift")?.contains("func author(in cache: FlatCache)") == true)
    }

    @Test(
        "A broken template is reported with its place, and the output stays as it is",
        arguments: [
            ("a\n  {{#owners}}", "2:3: error: the section 'owners' is not closed; close it with {{/owners}}"),
            ("{{> Getter}}", "1:1: error: there is no template 'Getter' to include; did you mean 'Getters'?"),
            ("{{#owners}}\n{{ownr}}{{/owners}}", "2:1: error: 'ownr' is unknown here; did you mean 'owner'?"),
            (
                "{{#hasRelationships}}{{^hasRelationships}}\n{{ownr}}{{/hasRelationships}}{{/hasRelationships}}",
                "2:1: error: 'ownr' is unknown here; did you mean 'owners'?"
            ),
        ]
    )
    func brokenTemplate(template: String, error: String) throws {
        _ = try folder.write("before", to: "Output.swift")
        let outcome = try generate(template: template)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "\(folder.path("Own.mustache")):\(error)\n")
        #expect(folder.text(of: "Output.swift") == "before")
    }

    @Test(
        "A template that is empty or not UTF-8 is reported with its place, and the output stays as it is",
        arguments: [
            ([], "1:1: error: this template is empty; "),
            (Array(" \n\t\r\n".utf8), "1:1: error: this template is empty; "),
            ([0xEF, 0xBB, 0xBF, 0x0A], "1:1: error: this template is empty; "),
            (Array("é\n{{target}} ".utf8) + [0xFF], "2:12: error: what stands here is not UTF-8; "),
            (Array("{{target}}".utf8) + [0xC3], "1:11: error: what stands here is not UTF-8; "),
            ([0xFF, 0xFE, 0x7B, 0x00], "1:1: error: what stands here is not UTF-8; "),
        ] as [([UInt8], String)]
    )
    func bytes(template: [UInt8], error: String) throws {
        _ = try folder.write("before", to: "Output.swift")
        try Data(template).write(to: URL(fileURLWithPath: folder.path("Own.mustache")))
        let outcome = try generate()
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("\(folder.path("Own.mustache")):\(error)"))
        #expect(folder.text(of: "Output.swift") == "before")
    }

    @Test("A byte order mark before a template, and characters that stand for unreadable ones, are fine")
    func byteOrderMark() throws {
        #expect(try generate(template: "\u{FEFF}{{target}} \u{FFFD}\n").status == 0)
        #expect(folder.text(of: "Output.swift") == "Blog \u{FFFD}\n")
    }

    @Test("A directory in the place of a template is reported with its path")
    func directory() throws {
        let path = folder.path("Own.mustache")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let outcome = try generate()
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("\(path): error: this is a directory"))
    }

    @Test("A template that its permissions keep from being read is reported with its path")
    func forbidden() throws {
        let path = try folder.write("{{target}}", to: "Own.mustache")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        // Nothing keeps the superuser from reading it.
        let isReadable = FileManager.default.isReadableFile(atPath: path)
        #expect((try generate().errors == "\(path): error: the file can't be read\n") == !isReadable)
    }

    #if os(Linux)
    @Test("A template whose bytes can't be had is reported with its path")
    func unreadableBytes() throws {
        // Reading the first page of the memory of a process fails, whoever reads it.
        let path = folder.path("Own.mustache")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/mem")
        let outcome = try generate()
        #expect(outcome.status == 1)
        #expect(outcome.errors == "\(path): error: the file can't be read\n")
    }
    #endif

    @Test("A template that is missing is reported with its path")
    func missingTemplate() throws {
        let arguments = ["generate", "--target", "Blog", "--output", folder.path("Output.swift")]
        let outcome = try Tool.run(arguments + ["--template", folder.path("None.mustache")])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "\(folder.path("None.mustache")): error: there is no such file\n")
    }
}
