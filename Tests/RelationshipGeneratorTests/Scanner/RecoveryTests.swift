import Testing

@testable import RelationshipGenerator

@Suite("Recovery")
struct RecoveryTests {
    func scan(_ source: String) -> ScannedFile { Scanner.scan(Array(source.utf8), path: "File.swift") }

    @Test(
        "An error in one member doesn't affect the next member and its annotation",
        arguments: [
            "func f(a: Int", "func f(a: Int {\n}", "func f(\n", "func f(a: [Int) {}", "func f(a: (Int)", "init(a: Int",
            "subscript(i: Int", "@Wrapper(1", "@Wrapper({ $0 }", "@Wrapper([1)", "private(set", "unowned(safe",
            "let (a, b", "let (a, b)", "let a: (Int", "let a: [Int", "let a: Set<Int", "let a: Array<Int>\n",
            "let a = \"never closed", "let a = \"\\(x", "let", "var", "func", "@", "let a: Int =", "let a = b +",
            "let a = b <", "let a = Foo<A, B", "case a(Int", "case", "typealias", "typealias T =", "typealias T = [Int",
            "struct", "struct T<A", "extension", "enum E { case a(Int }", "#if X", "#endif", "#else", ")", "]",
            "func ==<T(",
        ]
    )
    func member(broken: String) throws {
        let file = scan(
            "struct S {\n\(broken)\n// relationship: A\nlet aID: Int\nlet last: Int\n}\nstruct T { let b: Int }\n"
        )
        let annotation = try #require(file.annotations.first)
        guard case .property(let type, let property) = annotation.attachment else {
            Issue.record("\(broken): \(annotation.attachment)")
            return
        }
        #expect(file.types[type].name == "S")
        #expect(file.types[type].properties[property].name == "aID")
        #expect(file.types[type].properties.last?.name == "last")
        #expect(file.types.last?.qualifiedName == "T")
        #expect(file.types.last?.properties.map(\.name) == ["b"])
    }

    @Test("An unclosed body ends with its conditional branch")
    func bodyInBranch() {
        let file = scan("#if X\nstruct S {\nfunc f() {\nlet a: Int\n#endif\nstruct T { let b: Int }")
        #expect(file.types.map(\.qualifiedName) == ["S", "T"])
        #expect(file.types.last?.conditions.isEmpty == true)
    }

    @Test("An unclosed conditional branch ends with its body")
    func branchInBody() {
        let file = scan("struct S {\n#if X\nlet a: Int\n}\nstruct T { let b: Int }")
        #expect(file.types.map(\.conditions.count) == [0, 0])
        #expect(file.types.first?.properties.map(\.conditions.count) == [1])
    }

    @Test("An unmatched #endif after attributes doesn't change the next declaration")
    func branchWithoutBeginning() {
        let file = scan("let a = 1\n@testable\n#else\nimport Foundation\n")
        #expect(file.imports.map(\.location.line) == [2])
    }
}
