import Testing

@testable import RelationshipGenerator

/// The code after a member is only found if the member ends in the right place: the braces and quotes in these
/// members are unbalanced unless slashes are read as the compiler reads them.
@Suite("Regular expressions and operators")
struct RegularExpressionTests {
    @Test(
        "A slash that begins a regular expression hides the text in it",
        arguments: [
            #"let a = /"{/"#, #"let a = f(/"{/)"#, #"let a = [/"{/, /}"/]"#, #"let a = ["{": /"{/]"#,
            #"let a = { return /"{/ }"#, #"let a = x ? /"{/ : /}"/"#, #"let a = !/"{/"#, #"let a = try /"{/"#,
            #"let a = /\/"{/"#, #"let a = /[{"]/"#, #"let a = /(})"/"#, #"let a = /x y"{/"#, #"let a = x ?? /"{/"#,
            "let a = b /* } */ + /\"{/", #"let a = /"{/.b"#, #"let a = /{\)"/"#, #"func a() { /"{/.b() }"#,
            #"let a = #/"{/#"#, #"let a = ##/"/#{/##"#, "let a = #/\n  \"{ # /\n  /#", #"let a = #/ "{ /#"#,
            "let a = #/  \n  \"{\n  \\/#\n  /#", #"let a = "\(b.c(/\)"{/))""#, #"let a = "\(#/)"{/#)""#,
            #"let a = (/"{/)"#, #"let a = b(/, "{/)"#, #"let a = \.b == /"{/"#, #"let a = b && /"{/ ~= c"#,
            #"let a = /\\/; let b = "/""#,
        ]
    )
    func regularExpressions(member: String) { expectEnd(of: member) }

    @Test(
        "A slash that divides hides nothing",
        arguments: [
            #"let a = b / c; let d = "/ {""#, #"let a = b/c; let d = "/{""#, #"let a = 1/2 + 3/4; let b = "{""#,
            #"let a = (b)/c + d/"{".count"#, #"let a = b[0]/c + d/"{".count"#, #"let a = b()/c + "{/".count"#,
            #"let a = b./c + "{/""#, #"let a = b(/) + c("{/")"#,
            #"let a = b.reduce(1, /) / "{".c"#,
            #"static func / (a: Int, b: S) -> String { "}/" }"#, "prefix func /(a: S) -> String { \"}/\" }",
            #"let a = b! / c; let d = "/{""#, #"let a = b!/c + "/{""#, #"let a = `b` / c + "/{""#,
            #"let a = self / b + "/{""#, #"let a = { 1 }() / 2 + "/{".c"#, "let a = b\n        / c + \"/{\"",
            #"let a = b ?/ c + "/{""#, #"let a = b /= "/{""#, #"let a = Set<Int>/c + "/{""#,
        ]
    )
    func divisions(member: String) { expectEnd(of: member) }

    @Test(
        "A slash that can't begin a regular expression is an operator",
        arguments: [
            "let a = f(/)/2", "let a = f(/ ) / 2", "let a = b / c", "let a = #/never closed {", "let a = #/\n",
            "let a = / b {", "let a = b /c {}", "let a = / // {", "let a = /b // {",
        ]
    )
    func unfinished(member: String) { expectEnd(of: member) }

    @Test(
        "An operator ends before a comment, also inside a run of operator characters",
        arguments: [
            "let a = b +// {\n        c", "let a = b +/* { */c", "let a = b */* { */ c", "let a = b ^/* { /* } */ */ c",
            "let a = b...// {\n", "let a = -/**/b", "let a = \\S.b?.c // {", "let a = b.&c // {",
            "let a = b ≠/* { */ c",
            "let a = b→c // {", "static func ≠ (a: S, b: S) -> Bool { true }", "let a√b: Int", "let ａ｛: Int",
        ]
    )
    func comments(member: String) { expectEnd(of: member) }

    @Test(
        "Editor placeholders and raw identifiers hide the text in them",
        arguments: [
            "let a = <#b \" { #>", "let a: <#T##String#> = <#\"{#>", "let a = f(<#/*#>)", "let `a // b`: Int",
            "let `/* {`: Int", "let `\" {`: Int", "func `f() {`() {}", "let a = b < #selector(c)", "let a = 1 <#",
        ]
    )
    func placeholders(member: String) { expectEnd(of: member) }

    /// Expects that a member of a type ends in the right place, so that the code after it is found.
    private func expectEnd(of member: String, _ place: Testing.SourceLocation = #_sourceLocation) {
        let source = "struct S {\n    \(member)\n    var behind: Int\n}\nstruct Other { let no: Int }\n"
        let types = Scanner.scan(Array(source.utf8), path: "File.swift").types
        #expect(
            types.first?.properties.last.map { "\($0.name): \($0.type ?? "")" } == "behind: Int",
            sourceLocation: place
        )
        #expect(types.map(\.name) == ["S", "Other"], sourceLocation: place)
    }
}
