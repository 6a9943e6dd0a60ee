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
        let sources = [
            try folder.write(GenerateTests.author, to: "Author.swift"),
            try folder.write(GenerateTests.post("// relationship: Author"), to: "Post.swift"),
        ]
        let template = try folder.write(template, to: "Own.mustache")
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
        "A broken template is told with its place, and the output stays as it is",
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

    @Test("A template that is missing is told by its path")
    func missingTemplate() throws {
        let arguments = ["generate", "--target", "Blog", "--output", folder.path("Output.swift")]
        let outcome = try Tool.run(arguments + ["--template", folder.path("None.mustache")])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "\(folder.path("None.mustache")): error: there is no such file\n")
    }
}
