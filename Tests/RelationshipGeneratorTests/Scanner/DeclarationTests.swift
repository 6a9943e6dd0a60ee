import Testing

@testable import RelationshipGenerator

@Suite("Declarations")
struct DeclarationTests {
    func scan(_ source: String) -> ScannedFile { Scanner.scan(Array(source.utf8), path: "File.swift") }

    @Test(
        "Stored properties are distinguished from computed ones, and their types are read",
        arguments: [
            ("var a: Int", ["a: Int"]), ("let a: Int = 1", ["a: Int"]), ("var a: Int { 1 }", []),
            ("var a: Int { get { 1 } set {} }", []), ("var a: Int { didSet { print(a) } }", ["a: Int"]),
            ("var a: Int = 1 { willSet {} }", ["a: Int"]), ("var a: Int { mutating get { 1 } }", []),
            ("var a = 1", ["a: -"]),
            ("lazy var a: Int = { 1 }()", ["a: Int"]), ("weak var a: AnyObject?", ["a: AnyObject?"]),
            ("@Published var a: Int", ["a: Int"]), ("@Wrapper(x: { 1 }) public private(set) var a: Int", ["a: Int"]),
            ("static var a: Int", []), ("let a: Int, b: Int", []), ("let (a, b): (Int, Int)", []),
            ("var a: Dictionary<String, [Int]> = [:]", ["a: Dictionary<String, [Int]>"]),
            ("var a: [String:Int]", ["a: [String: Int]"]),
            ("var a: Set< String >?", ["a: Set<String>?"]),
            ("var a: Set<Int>=[]\nlet b: Int", ["a: Set<Int>", "b: Int"]),
            ("var a: Array<Set<Int>>=[], b: Int", []),
            ("var a: Set<Int>?=nil\nlet b: Int", ["a: Set<Int>?", "b: Int"]),
            ("var a: Int?=nil\nvar b: Int!=nil", ["a: Int?", "b: Int!"]),
            ("var a: Set< String >\nlet b: Int", ["a: Set<String>", "b: Int"]),
            ("var a:Int;var b:Int", ["a: Int", "b: Int"]),
            ("var a: (Int) -> Void", ["a: (Int) -> Void"]),
            ("let a: Int = if x { 1 } else { 2 }\nlet b: Int", ["a: Int", "b: Int"]),
            ("let a: Int = switch x {\ncase 1: 2\ndefault: 3\n}\nlet b: Int", ["a: Int", "b: Int"]),
            ("let a = b\n    .map { $0 }\n    .filter { _ in true }\nlet c: Int", ["a: -", "c: Int"]),
            ("let a = 1 +\n    2\nlet c: Int", ["a: -", "c: Int"]),
            ("let a:\n    Int\nlet c: Int", ["a: Int", "c: Int"]),
            ("nonisolated(unsafe) var a: Int", ["a: Int"]), ("unowned(safe) let a: A", ["a: A"]),
            ("let `class`: Int", ["class: Int"]),
            ("var a: any P & Q", ["a: any P & Q"]), ("@available(*, deprecated) var a: A.B", ["a: A.B"]),
            ("func f() { let x: Int = 1 }\nvar a: Int", ["a: Int"]),
            ("init() {}\nsubscript(i: Int) -> Int { 1 }\nvar a: Int", ["a: Int"]),
            (
                "var a: Int = 1 { @storageRestrictions(initializes: _a) init(new) { _a = new } get { _a } }\nvar b: Int",
                ["b: Int"]
            ),
            ("var a = 1 { init { } get { 1 } }\nvar b: Int", ["b: Int"]),
            ("var a = f { @MainActor in 1 }\nvar b: Int", ["a: -", "b: Int"]),
            ("var _: Int = 1\nvar b: Int", ["b: Int"]),
            ("var a: @MainActor\n    P\nvar b: Int", ["a: @MainActor P", "b: Int"]),
            ("var a: [3 of Int]", ["a: [3 of Int]"]), ("var a: [M::A: B]", ["a: [M::A: B]"]),
            ("@Outer<A, B>.W(1) var a: Int", ["a: Int"]), ("@M::W var a: Int", ["a: Int"]),
        ]
    )
    func storedProperties(members: String, found: [String]) {
        #expect(properties(of: "struct S {\n\(members)\n}") == found)
    }

    @Test("Types are found with their nesting, kind, parameters, conformances and access")
    func types() {
        let file = scan(
            """
            public struct Outer<Element: Sendable>: Cachable, Codable where Element: Hashable {
                enum Inner: String { case a, b; struct Deep {} }
            }
            fileprivate extension Outer.Inner: Other { class Late {} }
            final class Model { func f() { struct Local {} } }
            protocol Entity: Cachable {}
            actor Store {}
            typealias Key = Tagged<Int, String>
            """
        )
        let described = file.types.map { "\($0.kind.rawValue) \($0.qualifiedName)" }
        #expect(
            described == [
                "struct Outer", "enum Outer.Inner", "struct Outer.Inner.Deep", "extension Outer.Inner",
                "class Outer.Inner.Late",
                "class Model", "struct Model.Local", "protocol Entity", "actor Store", "typealias Key",
            ]
        )
        #expect(file.types[0].genericParameters == "<Element: Sendable>")
        #expect(file.types[0].inheritedTypes == ["Cachable", "Codable"])
        #expect(file.types[0].genericWhereClause == "Element: Hashable")
        #expect(file.types[0].access == .public)
        #expect(file.types[3].access == .fileprivate)
        #expect(file.types[2].parent == 1)
        #expect(file.types.map(\.isLocal) == [false, false, false, false, false, false, true, false, false, false])
        #expect(file.types[9].aliasedType == "Tagged<Int, String>")
    }

    @Test("Conditional compilation is known for types, properties and imports, with the branches before")
    func conditions() {
        let file = scan(
            """
            #if canImport(UIKit) && !DEBUG // comment
            import UIKit
            #endif
            #if A
            struct S {
                #if B
                var a: Int
                #elseif C
                var b: Int
                #else
                var c: Int
                #endif
                var d: Int
            }
            #endif
            """
        )
        #expect(file.imports.map(\.conditions) == [[ConditionalBranch(directives: ["#if canImport(UIKit) && !DEBUG"])]])
        #expect(file.types[0].conditions == [ConditionalBranch(directives: ["#if A"])])
        #expect(
            file.types[0].properties.map(\.conditions) == [
                [ConditionalBranch(directives: ["#if B"])], [ConditionalBranch(directives: ["#if B", "#elseif C"])],
                [ConditionalBranch(directives: ["#if B", "#elseif C", "#else"])], [],
            ]
        )
    }

    @Test(
        "Conditions are kept as written, with the spaces that Swift needs",
        arguments: [
            "compiler(>=6.2) && (os(macOS) || os(Linux))", "(A) || !(B)", "!(A && B) && !C", "(A||B)&&(C)",
            "((A) && ((B)))", "canImport(UIKit, _version: 1.2.3)", "swift(>=5.9) || $Feature",
        ]
    )
    func conditionText(condition: String) {
        let file = scan("#if \(condition)\nstruct S {}\n#endif")
        #expect(file.types[0].conditions == [ConditionalBranch(directives: ["#if \(condition)"])])
    }

    @Test("Members are known by the names that overload resolution uses")
    func memberNames() {
        let file = scan(
            """
            struct S {
                var a: Int { 1 }
                static let b = 1
                func c() {}
                func d(_ x: Int, in y: Dictionary<String, Int> = [:], with closure: (Int, Int) -> Void) {}
                func e<T>(label name: T) where T: P {}
                static func f() {}
                class G {}
                let h: Int, i: Int
            }
            """
        )
        #expect(
            file.types[0].memberNames.map { ($0.isStatic ? "static " : "") + $0.name } == [
                "a", "static b", "c()", "d(_:in:with:)", "e(label:)", "static f()", "static G", "h", "i",
            ]
        )
    }

    @Test(
        "An inherited type can be on another line than its attributes and modifiers",
        arguments: [
            ("@unchecked\n    Sendable", ["@unchecked Sendable"]),
            ("@preconcurrency\nM.P, Q", ["@preconcurrency M.P", "Q"]),
            ("P, nonisolated\nQ\n", ["P", "nonisolated Q"]), ("~\nCopyable", ["~Copyable"]),
            ("@M::A\nP", ["@M::A P"]), ("@\npreconcurrency\nP", ["@preconcurrency P"]),
            ("P\n& Q", ["P & Q"]), ("@A<\nInt>\nP", ["@A<Int> P"]),
        ]
    )
    func inheritedTypes(written: String, read: [String]) {
        let file = scan("struct S: \(written) {\nlet a: Int\n}\nstruct T {}")
        #expect(file.types.map(\.name) == ["S", "T"])
        #expect(file.types.first?.inheritedTypes == read)
        #expect(file.types.first?.properties.map(\.name) == ["a"])
    }

    @Test(
        "A declaration on the line after an operator's is found",
        arguments: [
            "prefix operator +++", "infix operator +++: AdditionPrecedence", "postfix operator ¬", "infix operator ++ ",
            "prefix operator <", "infix operator >",
        ]
    )
    func operators(declaration: String) {
        for next in ["@available(*, deprecated)\nstruct S", "public struct S", "@A struct S", "/// A.\nstruct S"] {
            #expect(scan("\(declaration)\n\(next) { let a: Int }").types.map(\.name) == ["S"])
        }
    }

    @Test(
        "An actor can have its words on several lines",
        arguments: ["public actor\nA\n{", "actor\nA {", "@available(*, deprecated) actor\n  A: P\n{", "actor A\n{"]
    )
    func actors(head: String) {
        let file = scan("\(head)\nvar a: Int\n}")
        #expect(file.types.map(\.kind) == [.actor])
        #expect(file.types.first?.properties.map(\.name) == ["a"])
    }

    @Test(
        "A condition ends with its line, except in parentheses",
        arguments: [
            ("#if canImport(\n    Foundation)", "#if canImport(Foundation)"),
            ("#if (A\n&& B)", "#if (A && B)"), ("#if canImport(Foundation\n) // comment", "#if canImport(Foundation)"),
            ("#if swift(\n>=6.0)", "#if swift(>=6.0)"), ("#if A &&\nB", "#if A && B"),
            ("#if A || (!B)", "#if A || (!B)"),
            ("#if A > 10", "#if A > 10"), ("#if canImport(", "#if canImport("),
        ]
    )
    func conditions(written: String, read: String) {
        let file = scan("struct S {\n\(written)\nvar a: Int\n#endif\n}")
        #expect(file.types.first?.properties.map(\.name) == ["a"])
        #expect(file.types.first?.properties.first?.conditions.map(\.directives) == [[read]])
    }

    @Test("The attributes of a local type in a getter don't belong to an accessor")
    func localTypeInGetter() {
        let file = scan("struct S {\nvar a: Int { @A struct L { let b: Int }\nreturn 1 }\nlet c: Int\n}")
        #expect(file.types.map { "\($0.name) \($0.isLocal)" } == ["S false", "L true"])
        #expect(file.types.map { $0.properties.map(\.name) } == [["c"], ["b"]])
    }

    @Test("A generic operator can have its parameters on another line")
    func genericOperator() {
        let file = scan("struct S {\nstatic func ==<\nT>(a: S, b: T) {}\n}")
        #expect(file.types.first?.memberNames.map(\.name) == ["==(a:b:)"])
    }

    @Test("An import can continue on the next line, unless a declaration begins there")
    func importOnLines() {
        let file = scan(
            "import\nstruct Foundation.Data\nimport // A.\nclass\nB::C\nimport\nstruct S { let a: Int }\nimport\nextension A.B {}"
        )
        #expect(file.imports.map(\.text) == ["import struct Foundation.Data", "import class B::C"])
        #expect(file.types.map(\.name) == ["S", "A.B"])
    }

    @Test("Imports are read with attributes, access level, kind and path")
    func imports() {
        let file = scan("import A\n@testable import B\npublic import struct C.D\n@_exported import E.F\n")
        #expect(
            file.imports.map(\.text) == [
                "import A", "@testable import B", "public import struct C.D", "@_exported import E.F",
            ]
        )
        #expect(file.imports.map(\.module) == ["A", "B", "C", "E"])
        #expect(file.imports.map(\.access) == [nil, nil, .public, nil])
    }

    @Test(
        "An error in one declaration doesn't affect the next",
        arguments: [
            "struct Broken<T {\n}\n", "let x: = \n", "struct {\n}\n", "var\n", "}\n}\n",
            "extension\n", "@\n",
            "enum E { case }\n", "import\n",
        ]
    )
    func recovery(broken: String) {
        let file = scan(broken + "struct S {\n    let a: Int\n}\n")
        #expect(file.types.last?.name == "S")
        #expect(file.types.last?.properties.map(\.name) == ["a"])
    }

    @Test("A function type can have its effects on another line")
    func effects() {
        let file = scan("typealias T = (Int)\n    async throws -> Void")
        #expect(file.types.first?.aliasedType == "(Int) async throws -> Void")
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

    @Test("An import keeps its unconditional attributes")
    func importAttributes() {
        let file = scan("@testable\n#if X\n@preconcurrency\n#endif\nimport A")
        #expect(file.imports.map(\.text) == ["@testable import A"])
    }
}
