import Testing

@testable import RelationshipGenerator

@Suite("Templates")
struct TemplateTests {
    static let values: [String: TemplateValue] = [
        "name": "Ada", "yes": true, "no": false, "letters": .texts(["a", "b"]), "none": .list([]),
        "author": .object(["name": "Bob", "address": .object(["city": "Rome"])]), "html": "<&>",
        "empty": "", "nothing": .nothing, "größe": "1",
    ]

    @Test(
        "Tags are replaced by values",
        arguments: [
            ("{{name}}", "Ada"), ("{{ name }}", "Ada"), ("{{{html}}}{{&html}}{{html}}", "<&><&><&>"),
            ("{{author.address.city}}", "Rome"), ("{{#yes}}1{{/yes}}{{#no}}2{{/no}}", "1"),
            ("{{^yes}}1{{/yes}}{{^no}}2{{/no}}{{^none}}3{{/none}}", "23"),
            ("{{#letters}}<{{.}}>{{/letters}}", "<a><b>"),
            ("{{#author}}{{name}} {{yes}}{{/author}}", "Bob true"), ("{{#name}}{{.}}{{/name}}", "Ada"),
            ("a{{! a comment }}b", "ab"), ("{{=<% %>=}}<%name%>{{name}}<%={{ }}=%>{{name}}", "Ada{{name}}Ada"),
            ("{{#letters}}{{#letters}}{{.}}{{/letters}}-{{/letters}}", "ab-ab-"), ("{ {{name}} }", "{ Ada }"),
            ("{{#empty}}1{{/empty}}{{^empty}}2{{/empty}}{{empty}}", "2"), ("{{{ name }}}{{& name }}", "AdaAda"),
            ("{{nothing}}{{#nothing}}1{{/nothing}}{{^nothing}}2{{/nothing}}", "2"), ("", ""), ("no tags", "no tags"),
            ("{{# yes }}1{{/ yes }}", "1"), ("{{ # yes }}1{{ /yes }}", "1"), ("{{!{{name}}", ""),
            ("{{! of\ntwo lines }}a", "a"), ("{{!}}a{{! }}}b", "a}b"), ("größe {{größe}} 👩‍👩‍👧 é", "größe 1 👩‍👩‍👧 é"),
            ("{{\n name\t}}", "Ada"), ("\u{FEFF}{{#yes}}\na\n{{/yes}}", "a\n"),
        ]
    )
    func tags(template: String, output: String) throws {
        #expect(try Template(template).render(.object(Self.values)) == output)
    }

    @Test(
        "A tag that is alone on a line is removed with the line",
        arguments: [
            ("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"), ("a\n  {{#yes}}  \n  b\n  {{/yes}}\nc", "a\n  b\nc"),
            ("a\r\n{{#no}}\r\nb\r\n{{/no}}\r\nc", "a\r\nc"), ("{{! c }}\na", "a"), ("a\n{{! c }}", "a\n"),
            ("a {{#yes}}\nb{{/yes}}\n", "a \nb\n"), ("{{#yes}}\n{{/yes}}\n", ""), ("  {{name}}\n", "  Ada\n"),
            ("a\r{{#yes}}\rb\r{{/yes}}\rc", "a\rb\rc"), ("\r\n{{! c }}\r\n\r\n", "\r\n\r\n"),
            ("{{#yes}} {{/yes}}\n", " \n"), ("a\n\t{{^yes}}\t\nb\n \t{{/yes}}", "a\n"),
            ("a\n  {{! two\n  lines }}  \nb", "a\nb"), ("{{> none}}\n{{> none}}\na", "a"),
            ("{{#yes}}\n\n{{/yes}}\n", "\n"), ("  {{{name}}}  \n  {{&name}}\n", "  Ada  \n  Ada\n"),
        ]
    )
    func standaloneLines(template: String, output: String) throws {
        #expect(try Template(template).render(.object(Self.values), partials: ["none": Template("")]) == output)
    }

    @Test(
        "A name has its value in the innermost section",
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
        "A tag changes the delimiters in the rest of its template only",
        arguments: [
            ("{{=| |=}}|name|{{name}}", "Ada{{name}}"), ("{{= <<  >> =}}<<#yes>>1<</yes>>", "1"),
            ("{{#yes}}{{=| |=}}|name||/yes||name|", "AdaAda"), ("a\n  {{=| |=}}  \nb", "a\nb"),
            ("{{=| |=}}|>p| |={{ }}=|{{>p}}", "Ada Ada"), ("{{=<% %>=}}<%! a }} b %>c", "c"),
        ]
    )
    func delimiters(template: String, output: String) throws {
        #expect(try Template(template).render(.object(Self.values), partials: ["p": Template("{{name}}")]) == output)
    }

    @Test("A partial can include itself, as deep as the values are nested")
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

    @Test("A value is neither indented nor parsed as a template")
    func values() throws {
        let values: [String: TemplateValue] = ["name": "{{#x}}\n  {{/x}}"]
        #expect(try Template("{{name}}").render(.object(values)) == "{{#x}}\n  {{/x}}")
        #expect(
            try Template("  {{> p}}").render(.object(values), partials: ["p": Template("[{{name}}]\n")])
                == "  [{{#x}}\n  {{/x}}]\n"
        )
    }

    @Test(
        "Each line of a partial that isn't empty is indented like its tag, if the tag is alone on its line",
        arguments: [
            ("  {{> p}}\nz", "a\n\nb", "  a\n\n  bz"), ("\t{{> p}}", "a\r\n\r\nb\r\n", "\ta\r\n\r\n\tb\r\n"),
            ("x  {{> p}}\n", "a\nb", "x  a\nb\n"), (" {{> p}}{{> p}}", "a\n", " a\na\n"),
            ("  {{> q}}", "a\n", "  [\n    a\n  ]\n"), ("  {{> p}}", "{{empty}}\n{{name}}\n", "\n  Ada\n"),
            ("  {{> p}}\n", "a{{^empty}}\nb{{/empty}}\n", "  a\n  b\n"),
        ]
    )
    func indentation(template: String, partial: String, output: String) throws {
        let partials = ["p": try Template(partial), "q": try Template("[\n  {{> p}}\n]\n")]
        #expect(try Template(template).render(.object(Self.values), partials: partials) == output)
    }

    @Test(
        "With the options of the specification, only double braces escape HTML, and unknown names are empty",
        arguments: [
            ("{{html}}{{{html}}}{{&html}}", "&lt;&amp;&gt;<&><&>"), ("{{quotes}}", "&quot;'&lt;\u{338}"),
            ("{{#html}}{{.}}{{/html}}", "&lt;&amp;&gt;"), ("<&>", "<&>"),
            ("[{{unknown}}{{author.unknown}}{{name.unknown}}{{unknown.name}}]", "[]"),
            ("{{#unknown}}1{{/unknown}}{{^unknown}}2{{/unknown}}{{^author.unknown}}3{{/author.unknown}}", "23"),
            ("[{{> unknown}}]", "[]"), ("{{=<% %>=}}<%{html}%><%html%>", "<&>&lt;&amp;&gt;"),
        ]
    )
    func options(template: String, output: String) throws {
        var values = Self.values
        values["quotes"] = "\"'<\u{338}"
        #expect(try Template(template).render(.object(values), options: .specification) == output)
    }

    @Test("The values can be a text or a list without names")
    func rootValues() throws {
        #expect(try Template("{{.}}").render("a") == "a")
        #expect(try Template("{{#.}}<{{.}}>{{/.}}").render(.texts(["a", "b"])) == "<a><b>")
    }

    @Test("Partials are included with the indentation of their tags")
    func partials() throws {
        let partials = ["p": try Template("{{name}}\n{{#letters}}\n- {{.}}\n{{/letters}}\n")]
        #expect(
            try Template("x\n  {{> p}}\ny{{>p}}z").render(.object(Self.values), partials: partials)
                == "x\n  Ada\n  - a\n  - b\nyAda\n- a\n- b\nz"
        )
    }
}
