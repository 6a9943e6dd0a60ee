import Foundation
import TestThreads
import Testing

@Suite("flatcache generate --template", .mayBlock)
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

    @Test("The output is rendered from the template")
    func ownTemplate() throws {
        let template =
            "{{target}}: {{#owners}}{{#relationships}}{{owner}}.{{name}}: {{type}}{{/relationships}}{{/owners}}\n"
        let outcome = try generate(template: template)
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(folder.text(of: "Output.swift") == "Blog: Post.author: Author?\n")
    }

    @Test(
        "A template of one line can select a shipped template",
        arguments: [("Relationships", "func setAuthor", true), ("Getters", "func setAuthor", false)]
    )
    func shippedTemplates(name: String, text: String, isThere: Bool) throws {
        #expect(try generate(template: "{{> \(name)}}\n").status == 0)
        #expect(folder.text(of: "Output.swift")?.contains(text) == isThere)
        #expect(folder.text(of: "Output.swift")?.contains("func author(in cache: FlatCache)") == true)
    }

    @Test(
        "An error in a template has its location, and the output is not changed",
        arguments: [
            ("a\n  {{#owners}}", "2:3: error: section 'owners' is not closed; close it with {{/owners}}"),
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
        "An empty template or invalid UTF-8 is an error with its location, and the output is not changed",
        arguments: [
            ([], "1:1: error: template is empty; "),
            (Array(" \n\t\r\n".utf8), "1:1: error: template is empty; "),
            ([0xEF, 0xBB, 0xBF, 0x0A], "1:1: error: template is empty; "),
            (Array("é\n{{target}} ".utf8) + [0xFF], "2:12: error: invalid UTF-8; "),
            (Array("{{target}}".utf8) + [0xC3], "1:11: error: invalid UTF-8; "),
            ([0xFF, 0xFE, 0x7B, 0x00], "1:1: error: invalid UTF-8; "),
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

    @Test("A byte order mark and replacement characters are valid in a template")
    func byteOrderMark() throws {
        #expect(try generate(template: "\u{FEFF}{{target}} \u{FFFD}\n").status == 0)
        #expect(folder.text(of: "Output.swift") == "Blog \u{FFFD}\n")
    }

    @Test("A directory in place of a template is reported with its path")
    func directory() throws {
        let path = folder.path("Own.mustache")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let outcome = try generate()
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("\(path): error: path is a directory"))
    }

    @Test("A template without read permission is reported with its path")
    func forbidden() throws {
        let path = try folder.write("{{target}}", to: "Own.mustache")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        // The superuser can read it without permission.
        let isReadable = FileManager.default.isReadableFile(atPath: path)
        #expect((try generate().errors == "\(path): error: file can't be read\n") == !isReadable)
    }

    #if os(Linux)
    @Test("A template that fails to be read is reported with its path")
    func unreadableBytes() throws {
        // Reading the first page of a process's memory fails for every user.
        let path = folder.path("Own.mustache")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/mem")
        let outcome = try generate()
        #expect(outcome.status == 1)
        #expect(outcome.errors == "\(path): error: file can't be read\n")
    }
    #endif

    @Test("A missing template is reported with its path")
    func missingTemplate() throws {
        let arguments = ["generate", "--target", "Blog", "--output", folder.path("Output.swift")]
        let outcome = try Tool.run(arguments + ["--template", folder.path("None.mustache")])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "\(folder.path("None.mustache")): error: file does not exist\n")
    }
}
