import RelationshipGenerator
import SeededRandom
import Testing

@Suite("Errors of templates")
struct TemplateErrorTests {
    static let values: TemplateValue = [
        "name": "Ada", "yes": true, "letters": .texts(["a", "b"]), "none": .list([]), "empty": [:],
        "author": ["name": "Bob", "address": ["city": "Rome", "zip": "1"]],
    ]

    @Test(
        "Mistakes in a template are reported with their place",
        arguments: [
            ("a\n {{#yes}}", "2:2: error: the section 'yes' is not closed; close it with {{/yes}}"),
            ("{{=<% %>=}}\n<%^ a.b %>", "2:1: error: the section 'a.b' is not closed; close it with <%/a.b%>"),
            ("{{#yes}}{{#no}}{{/no}}", "1:1: error: the section 'yes' is not closed; close it with {{/yes}}"),
            ("{{/yes}}", "1:1: error: there is no section 'yes' to close here"),
            ("{{#yes}}{{/yes}} {{/yes}}", "1:18: error: there is no section 'yes' to close here"),
            ("{{#yes}}\n{{#no}}\n{{/yes}}", "3:1: error: 'no', opened in line 2, must be closed before 'yes'"),
            ("{{#a.b}}{{/a}}", "1:9: error: 'a.b', opened in line 1, must be closed before 'a'"),
            ("a {{name", "1:3: error: this tag is not closed; close it with }}"),
            ("a {{name} b {{name}}", "1:3: error: this tag is not closed; close it with }}"),
            ("{{{name}}", "1:1: error: this tag is not closed; close it with }}}"),
            ("{{={ }}", "1:1: error: this tag is not closed; close it with =}}"), ("{{", "1:1: error: \(unclosed)"),
            ("{{! {{name}", "1:1: error: this tag is not closed; close it with }}"),
            ("{{ }}", "1:1: error: this tag has no name; write one, as in {{name}}"),
            ("{{#}}{{/}}", "1:1: error: this tag has no name; write one, as in {{name}}"),
            ("{{=| |=}}|>|", "1:10: error: this tag has no name; write one, as in |name|"),
            ("{{a b}}", "1:1: error: 'a b' is not a name, for it has spaces; write one name"),
            ("{{a..b}}", "1:1: error: 'a..b' is not a name; write one name between any two dots"),
            ("{{.a}}", "1:1: error: '.a' is not a name; write one name between any two dots"),
            ("{{=1=}}", "1:1: error: \(delimiters)"), ("{{===}}", "1:1: error: \(delimiters)"),
            ("{{=<% = %>=}}", "1:1: error: \(delimiters)"), ("{{=<= =>=}}", "1:1: error: \(delimiters)"),
        ]
    )
    func mistakes(template: String, message: String) {
        let error = #expect(throws: TemplateError.self) { try Template(template, path: "A.mustache") }
        #expect(error?.description == "A.mustache:\(message)")
    }

    static let unclosed = "this tag is not closed; close it with }}"
    static let delimiters = "write new delimiters as {{=<% %>=}}, with a space between, and without '=' in them"

    @Test(
        "Names that the values don't have are reported with their place",
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
            ("{{letters.count}}", "1:1: error: 'count' is unknown in 'letters.count', for \(noNames)"),
            ("{{author.name.first}}", "1:1: error: 'first' is unknown in 'author.name.first', for \(noNames)"),
            ("{{letters}}", "1:1: error: 'letters' is a list; use it as a section: {{#letters}}"),
            ("{{none}}", "1:1: error: 'none' is a list; use it as a section: {{#none}}"),
            ("{{author}}", "1:1: error: 'author' is not a text; write what of it is meant, as in {{author.address}}"),
            (
                "{{#author}}{{.}}{{/author}}",
                "1:12: error: '.' is not a text; write what of it is meant, as in {{address}}"
            ),
            ("{{empty}}", "1:1: error: 'empty' is not a text; write what of it is meant"),
            ("{{> p}}", "1:1: error: there is no template 'p' to include; did you mean 'q'?"),
            ("{{> other}}", "1:1: error: there is no template 'other' to include"),
        ]
    )
    func unknownNames(template: String, message: String) throws {
        let template = try Template(template, path: "A.mustache")
        let error = #expect(throws: TemplateError.self) { try template.render(Self.values, partials: ["q": template]) }
        #expect(error?.description == "A.mustache:\(message)")
    }

    static let noNames = "what stands before it has no names in it"

    @Test(
        "A line ends at a line feed, a carriage return, or both, and a column is a character",
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

    @Test("A mistake inside of a partial has the place in the partial, and one behind it the place in the template")
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
        "A check finds mistakes in sections that would not be rendered",
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

    @Test("A template that includes itself is reported", arguments: ["{{> p}}", "{{> q}}{{> p}}"])
    func endlessInclusion(text: String) throws {
        let template = try Template("{{#yes}}\(text){{/yes}}")
        let error = #expect(throws: TemplateError.self) {
            try template.render(Self.values, partials: ["p": template, "q": template])
        }
        #expect(error?.message.hasSuffix("includes itself without end") == true)
    }

    @Test("Sections may be nested a hundred deep, and no deeper")
    func deepSections() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "{{#yes}}", count: count) + "a" + String(repeating: "{{/yes}}", count: count)
        }
        #expect(try Template(nested(100)).render(Self.values) == "a")
        let error = #expect(throws: TemplateError.self) { try Template(nested(10_000)) }
        #expect(error?.description == "template:1:801: error: sections are nested deeper than 100; nest them less")
    }

    @Test("No text makes the parser crash or wait", arguments: Seeds.first(200))
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
