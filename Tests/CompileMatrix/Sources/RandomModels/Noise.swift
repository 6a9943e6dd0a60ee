import SeededRandom

/// Members that hold what looks like an annotation and is none, and what else is hard to read.
enum Noise {
    static func member(_ number: Int, _ numbers: inout SeededGenerator) -> String {
        let name = "noise\(number)"
        return numbers.pick(
            "var \(name): String { \"// relationship: Nothing\" }",
            "var \(name): String { #\"\\(1) \" // relationship: Nothing\"# }",
            "var \(name): String {\n\"\"\"\n// relationship: Nothing\n\\(\"}\" + \"\"\"\n  {{ \"\n  \"\"\")\n\"\"\"\n}",
            "/* see // relationship: Nothing /* nested */ } */ var \(name): Int { 1 /*{*/ }",
            "// relationship between this and that\nfunc \(name)() -> Int { let local = 1; return local }",
            "// see the relationship: it is prose\nstatic var \(name): Int { 1 }",
            "/// Relations are told by a `// relationship: Type` above.\nstatic var \(name): Int { 2 }",
            "func \(name)(_ a: Int = 1, b: (Int) -> Int = { $0 }) -> Int { b(a) } // relationships are elsewhere",
            "enum Noise\(number) { case a, b(Int), c(text: String) }",
            "func \(name)(a: Int, b: Int) -> Bool { a < b && b > a || a / b / 2 > 1 }",
            "typealias Noise\(number) = Dictionary<String, [Int?]>",
            "struct Noise\(number) { let authorID = \"// relationship: Nothing\"; var other: Int { 1 } }",
            "subscript(\(name) index: Int) -> Int { index }",
            "func \(name)<T>(_ value: T) -> Bool where T: Comparable { value > value }",
            "var \(name): Swift.Character { \"}\" }",
            "let \(name): (Int, [String: (Int, Swift.Set<Int>)]?)? = nil"
        )
    }

    static func betweenDeclarations(_ numbers: inout SeededGenerator) -> String {
        numbers.pick(
            "",
            "\n\n",
            "// MARK: - relationships",
            "/* relationship with // lines */",
            "// http://relationship:80/Author",
            "//",
            "/**/",
            "/***/",
            "/* /* */ */",
            "#if NEVER\n// nothing\n#endif"
        )
    }
}
