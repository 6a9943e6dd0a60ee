import RelationshipGenerator
import Testing

/// What the comparison with swift-syntax has found, once each.
@Suite("Findings of the oracle")
struct OracleFindingTests {
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

    @Test("A function type can have its effects on another line")
    func effects() {
        let file = scan("typealias T = (Int)\n    async throws -> Void")
        #expect(file.types.first?.aliasedType == "(Int) async throws -> Void")
    }

    @Test("A type alias without a space before '=' keeps its parameters and its type")
    func unspacedAlias() {
        let file = scan("typealias A<T>=Set<T>")
        #expect(file.types.first?.genericParameters == "<T>")
        #expect(file.types.first?.aliasedType == "Set<T>")
    }

    @Test(
        "Extensions of arrays, optionals and specialised types have members",
        arguments: [
            ("[Int]", "[Int]", ""), ("[String: Int]", "[String: Int]", ""), ("Int?", "Int?", ""),
            ("Foo<A>", "Foo", "<A>"),
            ("Foo<A>.Bar", "Foo.Bar", "<A>"), ("any P", "any P", ""), ("(any P)?", "(any P)?", ""),
        ]
    )
    func extensions(type: String, name: String, parameters: String) {
        let file = scan("extension \(type): Q where A: B {\nstruct Inner {}\nfunc f() {}\n}")
        #expect(file.types.map(\.qualifiedName) == [name, name + ".Inner"])
        #expect(file.types.first?.genericParameters == parameters)
        #expect(file.types.first?.inheritedTypes == ["Q"])
        #expect(file.types.allSatisfy { !$0.isLocal })
    }

    @Test("Generic parameters that are values can begin a line")
    func valueParameters() {
        let source = "struct S<\n    let count: Int,\n    let other: Int\n> {\nlet a: Int\n}\nstruct T<A\nlet b: Int"
        let file = scan(source)
        #expect(file.types.map(\.genericParameters) == ["<let count: Int, let other: Int>", "<A"])
        #expect(file.types.first?.properties.map(\.name) == ["a"])
    }

    @Test("Generic operators, and the names in a pattern, are members")
    func members() {
        let file = scan(
            "struct S {\nstatic func ==<T>(a: T, b: Int) {}\nstatic func <<=<T: P<Q>>(a: T) {}\nlet (x, (y, _)) = f()\n}"
        )
        #expect(
            file.types.first?.memberNames.map { ($0.isStatic ? "static " : "") + $0.name } == [
                "static ==(a:b:)", "static <<=(a:)", "x", "y",
            ]
        )
    }

    @Test("A parameter named actor is not a declaration")
    func actorParameter() {
        #expect(scan("func f() { g { actor in\n h(actor)\n} }\nstruct S {}").types.map(\.name) == ["S"])
    }

    @Test(
        "Attributes in #if belong to the next declaration",
        arguments: [
            "// relationship: A\n#if X\n@Wrapper\n#endif\nlet aID: Int",
            "// relationship: A\n#if X\n@Wrapper\n#else\n@Other\n#endif\npublic let aID: Int",
            "#if X\n// relationship: A\n@Wrapper\n#endif\nlet aID: Int",
            "@Other\n// relationship: A\n#if X\n@Wrapper\n#endif\nlet aID: Int",
            "#if X\n@Wrapper\n#endif\n// relationship: A\nlet aID: Int",
        ]
    )
    func conditionalAttributes(members: String) throws {
        let file = scan("struct S {\nlet other: Int\n\(members)\n}")
        #expect(file.annotations.map(\.attachment) == [.property(type: 0, property: 1)])
        #expect(file.types.first?.properties.last?.conditions.isEmpty == true)
    }

    @Test("An import keeps its unconditional attributes")
    func imports() {
        let file = scan("@testable\n#if X\n@preconcurrency\n#endif\nimport A")
        #expect(file.imports.map(\.text) == ["@testable import A"])
    }

    @Test("Four slashes begin a documentation comment, as in the compiler")
    func fourSlashes() {
        #expect(scan("//// relationship: A\nlet a: Int").annotations.map(\.style) == [.documentationLine])
    }

    @Test("A raw string that begins with quotes and ends on its line is a single-line string")
    func rawString() {
        let file = scan("struct S {\nlet a = ###\"\"\"abc\"###\nlet b: Int\n}")
        #expect(file.types.first?.properties.map(\.name) == ["a", "b"])
    }
}
