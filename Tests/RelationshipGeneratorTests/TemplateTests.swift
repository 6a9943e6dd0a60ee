import RelationshipGenerator
import Testing

@Suite("Templates")
struct TemplateTests {
    static let values: [String: TemplateValue] = [
        "name": "Ada", "yes": true, "no": false, "letters": .texts(["a", "b"]), "none": .list([]),
        "author": .object(["name": "Bob", "address": .object(["city": "Rome"])]), "html": "<&>",
    ]

    @Test(
        "Tags are replaced",
        arguments: [
            ("{{name}}", "Ada"), ("{{ name }}", "Ada"), ("{{{html}}}{{&html}}{{html}}", "<&><&><&>"),
            ("{{author.address.city}}", "Rome"), ("{{#yes}}1{{/yes}}{{#no}}2{{/no}}", "1"),
            ("{{^yes}}1{{/yes}}{{^no}}2{{/no}}{{^none}}3{{/none}}", "23"),
            ("{{#letters}}<{{.}}>{{/letters}}", "<a><b>"),
            ("{{#author}}{{name}} {{yes}}{{/author}}", "Bob true"), ("{{#name}}{{.}}{{/name}}", "Ada"),
            ("a{{! a comment }}b", "ab"), ("{{=<% %>=}}<%name%>{{name}}<%={{ }}=%>{{name}}", "Ada{{name}}Ada"),
            ("{{#letters}}{{#letters}}{{.}}{{/letters}}-{{/letters}}", "ab-ab-"), ("{ {{name}} }", "{ Ada }"),
        ]
    )
    func tags(template: String, output: String) throws {
        #expect(try Template(template).render(.object(Self.values)) == output)
    }

    @Test(
        "Tags that are alone on a line go with the line",
        arguments: [
            ("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"), ("a\n  {{#yes}}  \n  b\n  {{/yes}}\nc", "a\n  b\nc"),
            ("a\r\n{{#no}}\r\nb\r\n{{/no}}\r\nc", "a\r\nc"), ("{{! c }}\na", "a"), ("a\n{{! c }}", "a\n"),
            ("a {{#yes}}\nb{{/yes}}\n", "a \nb\n"), ("{{#yes}}\n{{/yes}}\n", ""), ("  {{name}}\n", "  Ada\n"),
        ]
    )
    func standaloneLines(template: String, output: String) throws {
        #expect(try Template(template).render(.object(Self.values)) == output)
    }

    @Test(
        "A name means what the innermost section around it says",
        arguments: [
            ("{{#author}}{{name}}{{/author}}{{name}}", "BobAda"), ("{{#author}}{{html}}{{/author}}", "<&>"),
            ("{{#author.address}}{{city}} {{name}}{{/author.address}}", "Rome Ada"),
            ("{{#author}}{{#address}}{{city}} {{name}}{{/address}}{{/author}}", "Rome Bob"),
            ("{{^author.address}}none{{/author.address}}", ""),
            ("{{#yes}}{{#author}}{{name}}{{/author}}{{/yes}}", "Bob"),
            ("{{#rows}}{{#.}}{{.}}{{/.}};{{/rows}}", "12;3;"), ("{{#rows}}{{^.}}none{{/.}}{{/rows}}", ""),
            ("{{#people}}{{name}} {{author.name}},{{/people}}", "Cleo Bob,Dan Bob,"),
        ]
    )
    func contexts(template: String, output: String) throws {
        var values = Self.values
        values["rows"] = .list([.texts(["1", "2"]), .texts(["3"])])
        values["people"] = .list([.object(["name": "Cleo"]), .object(["name": "Dan"])])
        #expect(try Template(template).render(.object(values)) == output)
    }

    @Test(
        "Delimiters change where a tag says so, and for the template that has the tag alone",
        arguments: [
            ("{{=| |=}}|name|{{name}}", "Ada{{name}}"), ("{{= <<  >> =}}<<#yes>>1<</yes>>", "1"),
            ("{{#yes}}{{=| |=}}|name||/yes||name|", "AdaAda"), ("a\n  {{=| |=}}  \nb", "a\nb"),
            ("{{=| |=}}|>p| |={{ }}=|{{>p}}", "Ada Ada"), ("{{=<% %>=}}<%! a }} b %>c", "c"),
        ]
    )
    func delimiters(template: String, output: String) throws {
        #expect(try Template(template).render(.object(Self.values), partials: ["p": Template("{{name}}")]) == output)
    }

    @Test("A partial may include itself, as deep as the values go")
    func recursion() throws {
        let tree = try Template("{{name}}\n{{#children}}\n  {{> tree}}\n{{/children}}\n")
        let values: [String: TemplateValue] = [
            "name": "a",
            "children": .list([
                .object(["name": "b", "children": .list([.object(["name": "c", "children": .list([])])])]),
                .object(["name": "d", "children": .list([])]),
            ]),
        ]
        #expect(try tree.render(.object(values), partials: ["tree": tree]) == "a\n  b\n    c\n  d\n")
    }

    @Test("What stands in a value is not indented, and not read as a template")
    func values() throws {
        let values: [String: TemplateValue] = ["name": "{{#x}}\n  {{/x}}"]
        #expect(try Template("{{name}}").render(.object(values)) == "{{#x}}\n  {{/x}}")
        #expect(
            try Template("  {{> p}}").render(.object(values), partials: ["p": Template("[{{name}}]\n")])
                == "  [{{#x}}\n  {{/x}}]\n"
        )
    }

    @Test("Partials are included, indented as they stand")
    func partials() throws {
        let partials = ["p": try Template("{{name}}\n{{#letters}}\n- {{.}}\n{{/letters}}\n")]
        #expect(
            try Template("x\n  {{> p}}\ny{{>p}}z").render(.object(Self.values), partials: partials)
                == "x\n  Ada\n  - a\n  - b\nyAda\n- a\n- b\nz"
        )
    }

    @Test(
        "Mistakes in a template are told with their place",
        arguments: [
            ("a\n {{#yes}}", "2:2: error: the section 'yes' is not closed; close it with {{/yes}}"),
            ("{{/yes}}", "1:1: error: there is no section 'yes' to close here"),
            ("{{#yes}}\n{{#no}}\n{{/yes}}", "3:1: error: 'no', opened in line 2, must be closed before 'yes'"),
            ("a {{name", "1:3: error: this tag is not closed; close it with }}"),
            ("{{ }}", "1:1: error: this tag has no name"),
            ("{{=1=}}", "1:1: error: write new delimiters as {{=<% %>=}}, with a space between"),
        ]
    )
    func mistakes(template: String, message: String) {
        let error = #expect(throws: TemplateError.self) { try Template(template) }
        #expect(error?.description == message)
    }

    @Test(
        "Names that the values don't have are told with their place",
        arguments: [
            ("\n{{nam}}", "2:1: error: 'nam' is unknown here; did you mean 'name'?"),
            ("{{#unheardOf}}{{/unheardOf}}", "1:1: error: 'unheardOf' is unknown here"),
            ("{{author.street}}", "1:1: error: 'street' is unknown in 'author.street'"),
            ("{{letters}}", "1:1: error: 'letters' is not a text; use it as a section: {{#letters}}"),
            ("{{> p}}", "1:1: error: there is no template 'p' to include"),
        ]
    )
    func unknownNames(template: String, message: String) throws {
        let template = try Template(template)
        let error = #expect(throws: TemplateError.self) { try template.render(.object(Self.values)) }
        #expect(error?.description == message)
    }

    @Test("A template that includes itself is told, not followed for ever")
    func endlessInclusion() throws {
        let template = try Template("{{> p}}")
        let error = #expect(throws: TemplateError.self) { try template.render([:], partials: ["p": template]) }
        #expect(error?.message == "'p' includes itself without end")
    }
}
