import Testing

@testable import RelationshipGenerator

@Suite("Cases of enums")
struct CaseTests {
    func cases(in members: String) -> [CaseDeclaration] {
        Scanner.scan(Array("enum E {\n\(members)\n}".utf8), path: "File.swift").types[0].cases
    }

    @Test(
        "A case has associated values with labels and types",
        arguments: [
            ("case a(Int)", ["- Int"]), ("case a( id : User . ID , [Int])", ["id User.ID", "- [Int]"]),
            ("case a(_: Int, _ b: Int)", ["- Int", "- Int"]), ("case a()", []),
            ("case a([String: Int], for: (Int, Int) -> Void)", ["- [String: Int]", "for (Int, Int) -> Void"]),
            ("case a(Int = 1, b: String = \", x: \")", ["- Int", "b String"]),
            ("case a(Pair<Int, Int>?, `in`: [Int: Pair<A, B>])", ["- Pair<Int, Int>?", "`in` [Int: Pair<A, B>]"]),
            ("case a(`b: c` d: Int)", ["`b: c` Int"]), ("case a(/* b: */ Int // c\n)", ["- Int"]),
            ("case a(M::T, b: M::U)", ["- M::T", "b M::U"]),
        ]
    )
    func values(members: String, values: [String]) {
        #expect(cases(in: members).map { $0.values.map { "\($0.label ?? "-") \($0.type)" } } == [values])
    }

    @Test("A case has its modifier, availability, conditions and location")
    func details() throws {
        let declarations = cases(
            in: """
                #if X
                @available(*, deprecated) indirect case `default`(E)
                #else
                case other(Int)
                #endif
                """
        )
        let first = try #require(declarations.first)
        #expect(first.name == "default")
        #expect(first.isIndirect)
        #expect(first.availability == ["@available(*, deprecated)"])
        #expect(first.location.line == 3)
        #expect(declarations.map { $0.conditions.flatMap(\.directives) } == [["#if X"], ["#if X", "#else"]])
        #expect(declarations.map(\.isIndirect) == [true, false])
    }

    @Test(
        "Unfinished cases are scanned without an end",
        arguments: ["case a(", "case a(b", "case a(b: ", "case a((((", "case a(Int", "indirect case", "case a(Int,"]
    )
    func unfinished(members: String) {
        for declaration in cases(in: members) { _ = declaration.values }
    }
}
