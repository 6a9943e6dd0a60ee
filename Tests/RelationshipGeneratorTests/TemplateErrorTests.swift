import SeededRandom
import Testing

@testable import RelationshipGenerator

@Suite("Errors of templates")
struct TemplateErrorTests {
    static let values: TemplateValue = [
        "name": "Ada", "yes": true, "letters": .texts(["a", "b"]), "none": .list([]), "empty": [:],
        "author": ["name": "Bob", "address": ["city": "Rome", "zip": "1"]],
    ]

    @Test(
        "An error in a template has its location",
        arguments: [
            ("a\n {{#yes}}", "2:2: error: section 'yes' is not closed; close it with {{/yes}}"),
            ("{{=<% %>=}}\n<%^ a.b %>", "2:1: error: section 'a.b' is not closed; close it with <%/a.b%>"),
            ("{{#yes}}{{#no}}{{/no}}", "1:1: error: section 'yes' is not closed; close it with {{/yes}}"),
            ("{{/yes}}", "1:1: error: no section 'yes' is open; remove this tag"),
            ("{{#yes}}{{/yes}} {{/yes}}", "1:18: error: no section 'yes' is open; remove this tag"),
            ("{{#yes}}\n{{#no}}\n{{/yes}}", "3:1: error: 'no', opened in line 2, must be closed before 'yes'"),
            ("{{#a.b}}{{/a}}", "1:9: error: 'a.b', opened in line 1, must be closed before 'a'"),
            ("a {{name", "1:3: error: tag is not closed; close it with }}"),
            ("a {{name} b {{name}}", "1:3: error: tag is not closed; close it with }}"),
            ("{{{name}}", "1:1: error: tag is not closed; close it with }}}"),
            ("{{={ }}", "1:1: error: tag is not closed; close it with =}}"), ("{{", "1:1: error: \(unclosed)"),
            ("{{! {{name}", "1:1: error: tag is not closed; close it with }}"),
            ("{{ }}", "1:1: error: tag has no name; write one, as in {{name}}"),
            ("{{#}}{{/}}", "1:1: error: tag has no name; write one, as in {{name}}"),
            ("{{=| |=}}|>|", "1:10: error: tag has no name; write one, as in |name|"),
            ("{{a b}}", "1:1: error: 'a b' is not a name, because it contains spaces; write a name without them"),
            ("{{a..b}}", "1:1: error: 'a..b' is not a name; write a name between two dots"),
            ("{{.a}}", "1:1: error: '.a' is not a name; write a name between two dots"),
            ("{{=1=}}", "1:1: error: \(delimiters)"), ("{{===}}", "1:1: error: \(delimiters)"),
            ("{{=<% = %>=}}", "1:1: error: \(delimiters)"), ("{{=<= =>=}}", "1:1: error: \(delimiters)"),
        ]
    )
    func mistakes(template: String, message: String) {
        let error = #expect(throws: TemplateError.self) { try Template(template, path: "A.mustache") }
        #expect(error?.description == "A.mustache:\(message)")
    }

    static let unclosed = "tag is not closed; close it with }}"
    static let delimiters = "write new delimiters as {{=<% %>=}}, with a space between, and without '=' in them"

    @Test(
        "An unknown name is an error with its location",
        arguments: [
            ("\n{{nam}}", "2:1: error: 'nam' is unknown here; did you mean 'name'?"),
            ("{{#unheardOf}}{{/unheardOf}}", "1:1: error: 'unheardOf' is unknown here"),
            ("{{^unheardOf}}{{/unheardOf}}", "1:1: error: 'unheardOf' is unknown here"),
            ("{{#author}}{{cty}}{{/author}}", "1:12: error: 'cty' is unknown here"),
            (
                "{{#author.address}}{{cty}}{{/author.address}}",
                "1:20: error: 'cty' is unknown here; did you mean 'city'?"
            ),
            ("{{author.street}}", "1:1: error: 'street' is unknown in 'author.street'"),
            ("{{author.nam}}", "1:1: error: 'nam' is unknown in 'author.nam'; did you mean 'name'?"),
            ("{{letters.count}}", "1:1: error: 'count' is unknown in 'letters.count', because \(noNames)"),
            ("{{author.name.first}}", "1:1: error: 'first' is unknown in 'author.name.first', because \(noNames)"),
            ("{{letters}}", "1:1: error: 'letters' is a list; write it as a section, {{#letters}}"),
            ("{{none}}", "1:1: error: 'none' is a list; write it as a section, {{#none}}"),
            (
                "{{author}}",
                "1:1: error: 'author' has no text; write the name of one of its values, as in {{author.address}}"
            ),
            (
                "{{#author}}{{.}}{{/author}}",
                "1:12: error: '.' has no text; write the name of one of its values, as in {{address}}"
            ),
            ("{{empty}}", "1:1: error: 'empty' has no text; write the name of one of its values"),
            ("{{> p}}", "1:1: error: there is no template 'p' to include; did you mean 'q'?"),
            ("{{> other}}", "1:1: error: there is no template 'other' to include"),
        ]
    )
    func unknownNames(template: String, message: String) throws {
        let template = try Template(template, path: "A.mustache")
        let error = #expect(throws: TemplateError.self) { try template.render(Self.values, partials: ["q": template]) }
        #expect(error?.description == "A.mustache:\(message)")
    }

    static let noNames = "the name before it has a value without names"

    @Test(
        "A line ends at a line feed, a carriage return or both, and columns count characters",
        arguments: [
            ("a\nb\n {{/x}}", 3, 2), ("a\r\nb\r\n {{/x}}", 3, 2), ("a\rb\r{{/x}}", 3, 1), ("\n\r{{/x}}", 3, 1),
            ("é👩‍👩‍👧e\u{301}{{/x}}", 1, 4), ("\u{FEFF}{{/x}}", 1, 1), ("{{! a\nb }}{{/x}}", 2, 5),
        ]
    )
    func places(template: String, line: Int, column: Int) {
        let error = #expect(throws: TemplateError.self) { try Template(template) }
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test(
        "An error inside a partial has its location in the partial, and an error after it has its location in the template"
    )
    func partials() throws {
        let partials = [
            "outer": try Template("{{> inner}}\n", path: "Outer.mustache"),
            "inner": try Template("\n  {{#yes}}{{wrong}}{{/yes}}", path: "Inner.mustache"),
            "fine": try Template("{{name}}", path: "Fine.mustache"),
        ]
        let broken = try Template("{{> outer}}", path: "A.mustache")
        let inside = #expect(throws: TemplateError.self) { try broken.render(Self.values, partials: partials) }
        #expect(inside?.description == "Inner.mustache:2:11: error: 'wrong' is unknown here")
        let template = try Template("{{> fine}}\n{{wrong}}", path: "A.mustache")
        let behind = #expect(throws: TemplateError.self) { try template.render(Self.values, partials: partials) }
        #expect(behind?.description == "A.mustache:2:1: error: 'wrong' is unknown here")
    }

    @Test(
        "A check finds errors in sections that are not rendered",
        arguments: [
            "{{^yes}}{{wrong}}{{/yes}}", "{{^letters}}{{wrong}}{{/letters}}", "{{#no}}{{wrong}}{{/no}}",
            "{{#blank}}{{wrong}}{{/blank}}", "{{#letters}}{{wrong}}{{/letters}}", "{{#no}}{{> p}}{{/no}}",
            "{{#no}}{{letters}}{{/no}}",
        ]
    )
    func check(text: String) throws {
        let values: TemplateValue = ["yes": true, "no": false, "blank": "", "letters": .texts(["a", "b"])]
        let template = try Template(text)
        #expect(throws: TemplateError.self) { try template.check(values) }
        let correct = text.replacing("wrong", with: "yes").replacing("> p", with: "yes")
        guard correct != text else { return }
        #expect(throws: Never.self) { try Template(correct).check(values) }
    }

    @Test("A template that includes itself endlessly is an error", arguments: ["{{> p}}", "{{> q}}{{> p}}"])
    func endlessInclusion(text: String) throws {
        let template = try Template("{{#yes}}\(text){{/yes}}")
        let error = #expect(throws: TemplateError.self) {
            try template.render(Self.values, partials: ["p": template, "q": template])
        }
        #expect(error?.message.hasSuffix("includes itself; remove this tag") == true)
    }

    @Test("Sections can be nested a hundred deep, and no deeper")
    func deepSections() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "{{#yes}}", count: count) + "a" + String(repeating: "{{/yes}}", count: count)
        }
        #expect(try Template(nested(100)).render(Self.values) == "a")
        let error = #expect(throws: TemplateError.self) { try Template(nested(10_000)) }
        #expect(error?.description == "template:1:801: error: sections are nested deeper than 100; nest them less")
    }

    @Test("No text makes the parser crash or hang", arguments: Seeds.first(200))
    func anyText(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "{{", "}}", "{", "}", "#", "^", "/", "a", ".", " ", "\n", "\r\n", "=", "<% %>", "!", ">", "&", "é",
        ]
        let text = (0..<random.below(60)).map { _ in random.pick(from: pieces) }.joined()
        do throws(TemplateError) {
            let template = try Template(text)
            _ = try template.render(Self.values, options: .specification)
        } catch {
            let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
            #expect((1...lines.count).contains(error.line), "\(error) in \(text.debugDescription)")
            #expect((1...lines[error.line - 1].count).contains(error.column), "\(error) in \(text.debugDescription)")
        }
    }
}
