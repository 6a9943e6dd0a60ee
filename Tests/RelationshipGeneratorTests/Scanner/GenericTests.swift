import Testing

@testable import RelationshipGenerator

@Suite("Generic arguments and parameters")
struct GenericTests {
    func scan(_ source: String) -> ScannedFile { Scanner.scan(Array(source.utf8), path: "File.swift") }

    @Test(
        "Generic arguments in an initial value are not bindings, and a comparison is not a generic argument",
        arguments: [
            ("let a = Foo<A, B>()", ["a"]), ("let a = Foo<A, Bar<B, C>>.empty", ["a"]),
            ("let a = Foo<\nA,\nB\n>()", ["a"]),
            ("let a = Foo<A, (B, C) -> D>()", ["a"]), ("let a = Foo<A, [B: C]>()", ["a"]),
            ("let a = x<y, b = 2", []), ("let a = x < y, b = z > y", []), ("let a = 1, b = 2", []),
            ("let a = 1, (b, c) = (2, 3)", []),
        ]
    )
    func genericArguments(member: String, stored: [String]) {
        let file = scan("struct S {\n\(member)\nlet last: Int\n}")
        #expect(file.types.first?.properties.map(\.name) == stored + ["last"])
    }

    @Test(
        "A type ends with its closing angle, which can be on a separate line",
        arguments: [
            "package let b: Int", "@Wrapper let b: Int", "final class C {}", "lazy var b: Int", "open func f() {}",
        ]
    )
    func closingAngle(next: String) {
        let property = "struct S {\nlet a: Foo<\n    A,\n    B\n>\n\(next)\n}\n"
        let file = scan(property + "typealias T = Foo<\n    A\n>\n\(next)\nstruct L {}")
        #expect(file.types.first?.properties.first?.type == "Foo<A, B>")
        #expect(file.types.first { $0.name == "T" }?.aliasedType == "Foo<A>")
        #expect(file.types.last?.name == "L")
    }

    @Test("A generic argument on a separate line can begin with an attribute")
    func attributeInAngles() {
        let file = scan("typealias T = Box<\n    @Sendable (Int) -> Void\n>")
        #expect(file.types.first?.aliasedType == "Box<@Sendable (Int) -> Void>")
    }

    @Test("A type alias without a space before '=' keeps its parameters and its type")
    func unspacedAlias() {
        let file = scan("typealias A<T>=Set<T>")
        #expect(file.types.first?.genericParameters == "<T>")
        #expect(file.types.first?.aliasedType == "Set<T>")
    }

    @Test("Generic parameters that are values can begin a line")
    func valueParameters() {
        let source = "struct S<\n    let count: Int,\n    let other: Int\n> {\nlet a: Int\n}\nstruct T<A\nlet b: Int"
        let file = scan(source)
        #expect(file.types.map(\.genericParameters) == ["<let count: Int, let other: Int>", "<A"])
        #expect(file.types.first?.properties.map(\.name) == ["a"])
    }
}
