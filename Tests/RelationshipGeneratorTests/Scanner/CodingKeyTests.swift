import Testing

@testable import RelationshipGenerator

@Suite("Coding keys")
struct CodingKeyTests {
    private func scan(_ source: String) -> ScannedFile { Scanner.scan(Array(source.utf8), path: "File.swift") }

    private func keys(_ cases: String, _ declaration: String = "enum CodingKeys: String, CodingKey") -> [String] {
        let types = scan("struct S {\n\(declaration) {\n\(cases)\n}\n}").types
        return types.flatMap(\.codingKeys).map { key in
            switch key.rawValue {
            case .none: key.name
            case .number: "\(key.name) = number"
            case .string(let text): "\(key.name) = \(text)"
            case .unreadable: "\(key.name) = ?"
            }
        }
    }

    @Test(
        "The cases of an enum of coding keys are read with their raw values",
        arguments: [
            ("case a", ["a"]), ("case a, b, c", ["a", "b", "c"]), ("case a; case b", ["a", "b"]),
            ("case a = \"A\"", ["a = A"]), ("case a=\"A\",b=\"B\"", ["a = A", "b = B"]),
            ("case a = \"A\", b\ncase c = \"C\"", ["a = A", "b", "c = C"]),
            ("case a\n    , b =\n    \"B\",\n    c", ["a", "b = B", "c"]),
            ("case a = \"A\" // of a\n    , b /* b = */ = /* \"X\" */ \"B\"", ["a = A", "b = B"]),
            ("/// The keys.\ncase `default`, `class` = \"kind\"", ["default", "class = kind"]),
            ("indirect case a", ["a"]), ("@available(macOS 10, *) case a = \"A\"", ["a = A"]),
            ("case a = #\"A\"B\\n\"#", ["a = A\"B\\n"]), ("case a = ##\"\\##n\"##", ["a = \n"]),
            ("case a = \"\\\"\\\\\\t\\r\\n\\0\\'\"", ["a = \"\\\t\r\n\0'"]),
            ("case a = \"\\u{1F600}\\u{41}\"", ["a = 😀A"]),
            ("case a = \"\"", ["a = "]), ("case a = \"é\u{301}\"", ["a = é\u{301}"]),
            ("case a = \"\"\"\nA\n\"\"\"", ["a = ?"]), ("case a = \"\\u{110000}\"", ["a = ?"]),
            ("case a = \"\\(1)\"", ["a = ?"]), ("case a = 1, b = -2, c", ["a = number", "b = number", "c"]),
            ("case a = #line", ["a = ?"]), ("case a = true", ["a = ?"]),
            ("case a\nvar stringValue: String { switch self { case .a: \"A\" } }\ncase b", ["a", "b"]),
            ("func f() { switch self { case .a: break } }\ncase a", ["a"]),
        ]
    )
    func cases(members: String, found: [String]) {
        #expect(keys(members) == found)
    }

    @Test(
        "Enums of coding keys are recognised by their name or their protocol; other enums are not read",
        arguments: [
            ("private enum CodingKeys: String, CodingKey", true), ("enum CodingKeys", true),
            ("enum Keys: String, CodingKey", true), ("enum Keys: Swift.CodingKey", true),
            ("enum CodingKeys: String, ServerKey", true), ("enum Kind: String", false),
            ("struct CodingKeys: CodingKey", false),
        ]
    )
    func declarations(declaration: String, isRead: Bool) {
        #expect(keys("case a", declaration) == (isRead ? ["a"] : []))
    }

    @Test("A type doesn't have the coding keys of the types nested in it")
    func nesting() {
        let file = scan(
            """
            struct S {
                enum CodingKeys: String, CodingKey { case a; enum Kind { case x } case b }
                struct Inner { enum CodingKeys: String, CodingKey { case c } }
            }
            extension S.Inner { struct Deep { enum CodingKeys: CodingKey { case d } } }
            """
        )
        let found = file.types.filter { !$0.codingKeys.isEmpty }.map { type in
            "\(type.qualifiedName): \(type.codingKeys.map(\.name).joined(separator: ", "))"
        }
        #expect(
            found == ["S.CodingKeys: a, b", "S.Inner.CodingKeys: c", "S.Inner.Deep.CodingKeys: d"]
        )
    }

    @Test("A case has the conditions inside its enum, and the enum the conditions around it")
    func conditions() {
        let file = scan(
            """
            struct S {
                #if A
                enum CodingKeys: String, CodingKey {
                    case a
                    #if B
                    case b
                    #else
                    case b = "c"
                    #endif
                }
                #endif
            }
            """
        )
        #expect(file.types[1].conditions == [ConditionalBranch(directives: ["#if A"])])
        #expect(
            file.types[1].codingKeys.map(\.conditions) == [
                [], [ConditionalBranch(directives: ["#if B"])], [ConditionalBranch(directives: ["#if B", "#else"])],
            ]
        )
    }

    @Test(
        "An initializer that decodes is told from one with the same label",
        arguments: [
            ("init(from decoder: any Decoder) throws {}", true), ("init(from decoder: Decoder) {}", true),
            ("public init(from d: inout Swift.Decoder) {}", true), ("init(from: any Decoder) {}", true),
            ("init(from other: Status.Decoded) {}", false), ("init(from decoder: JSONDecoder) {}", false),
            ("init(_ decoder: any Decoder) {}", false), ("init(from a: Int, to decoder: any Decoder) {}", false),
            ("struct Inner { init(from decoder: any Decoder) {} }", false),
        ]
    )
    func initializer(member: String, decodes: Bool) {
        #expect(scan("struct S {\n\(member)\n}").types[0].hasDecodingInitializer == decodes)
    }

    @Test(
        "Properties that share a declaration are stored properties, too",
        arguments: [
            ("let a: Int, b: String", ["a: Int", "b: String"]), ("var a, b: Int", ["a: Int", "b: Int"]),
            ("var a = 1, b: Int", ["a: - =", "b: Int"]), ("var a: Int = 1, b = 2", ["a: Int =", "b: - ="]),
            ("var a, b: Int, c = 1, d: String", ["a: Int", "b: Int", "c: - =", "d: String"]),
            ("let (a, b): (Int, Int)", ["a: -", "b: -"]), ("let (a, _) = (1, 2)", ["a: - ="]),
            ("var a = f<A, B>(1)", []), ("var a = f<A, B>(1), b: Int", ["a: - =", "b: Int"]),
            ("static let a: Int, b: Int", []), ("var a: Int", []),
        ]
    )
    func jointProperties(member: String, found: [String]) {
        let properties = scan("struct S {\n\(member)\n}").types[0].jointProperties
        #expect(properties.map { "\($0.name): \($0.type ?? "-")\($0.hasInitialValue ? " =" : "")" } == found)
    }

    @Test(
        "A property has its attributes, and is known to have an initial value",
        arguments: [
            ("@Published var a: Int = 1", ["@Published"], true),
            ("@Clamped(min: 1) @Wrapped var a: Int", ["@Clamped(min: 1)", "@Wrapped"], false),
            ("let a = 1", [], true), ("var a: Int { didSet {} }", [], false), ("var a: Set<Int>=[]", [], true),
            ("var a: Int = 1 { didSet {} }", [], true),
        ]
    )
    func attributes(member: String, attributes: [String], hasInitialValue: Bool) {
        let property = scan("struct S {\n\(member)\n}").types[0].properties.first
        #expect(property?.attributes == attributes)
        #expect(property?.hasInitialValue == hasInitialValue)
    }
}
