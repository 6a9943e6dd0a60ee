import SeededRandom
import Testing

@testable import RelationshipGenerator

@Suite("Any bytes")
struct RobustnessTests {
    static let sample = Array(
        ##"""
        #!/usr/bin/env swift
        import Foundation
        /* a /* b */ c */
        @available(macOS 15, *) public struct Post<T: Sendable>: Cachable where T: Hashable {
            // relationship: Author, name: writer - prose
            @Wrapper({ $0 }) public private(set) var authorID: String = "\(f("\(g(#"}"#))"))" { didSet { print("}") } }
            let a = #"\#(x)"#, b = """
                } \(y) "
                """
            #if DEBUG && os(Linux)
            let `class` = /[/}]{2}/ // relationship: Tag
            #else
            var tagIDs: Set<Tag.ID>? { get { nil } }
            #endif
            func load(_ x: [String: (Int) -> Void] = [:], in y: Int...) async throws -> some P { if let z = x / y / 2 {} }
            enum Kind { case a(id: Int), b; subscript(i: Int) -> Int { i } }
        }
        extension Post.Kind: P { typealias ID = Int }
        """##.utf8
    )

    @Test("Each prefix of a file is scanned to its end")
    func prefixes() {
        for length in 0...Self.sample.count {
            _ = Scanner.scan(Array(Self.sample.prefix(length)), path: "File.swift")
        }
        #expect(Scanner.scan(Self.sample, path: "File.swift").types.count == 4)
    }

    @Test(
        "A randomly changed file is scanned to its end, with all locations inside it",
        arguments: Seeds.first(8)
    )
    func mutations(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "\"\"\"", "#\"", "\\(", "{", "}", "(", ")", "/*", "*/", "//", "/", "#if X\n", "#endif\n", "\n", "\r",
            "`", "@", "<", ">", "let ", "struct S {", "// relationship: A\n", "\0",
        ]
        for _ in 0..<300 {
            var source = Self.sample
            for _ in 0...random.below(6) {
                let place = random.below(source.count)
                switch random.below(3) {
                case 0: source.remove(at: place)
                case 1: source[place] = UInt8(random.below(256))
                default: source.insert(contentsOf: Array(random.pick(from: pieces).utf8), at: place)
                }
            }
            let file = Scanner.scan(source, path: "File.swift")
            let locations = file.types.map(\.location) + file.annotations.map(\.location) + file.imports.map(\.location)
            #expect(
                locations.allSatisfy { $0.offset <= source.count && $0.line >= 1 && $0.column >= 1 },
                "FLATCACHE_SEED=\(seed)"
            )
        }
    }

    @Test("Types in more types than the compiler allows are one error", arguments: [256, 257, 50_000])
    func nestedTypes(level: Int) {
        let source =
            (1...level).map { "struct S\($0) {" }.joined(separator: "\n")
            + "\n    // relationship: S1\n    let ownerID: Int\n" + String(repeating: "}\n", count: level)
        let error =
            "File1.swift:257:8: error: 'S257' is inside 256 other types, and Swift allows one less; move it out of some"
        #expect((errors(in: [source]) == [error]) == (level > 256))
    }

    @Test(
        "Deep nesting of anything does not overflow the stack",
        arguments: ["(", "[", "{", "/*", "\"\\(", "struct S {", "#if X\n", "<", "#\"\\#("]
    )
    func nesting(piece: String) {
        let source = Array(("let a = " + String(repeating: piece, count: 20_000)).utf8)
        _ = Scanner.scan(source, path: "File.swift")
        _ = Scanner.scan(Array("struct T { let b: ".utf8) + source, path: "File.swift")
    }

    /// Each of these shapes once took quadratic time, or could: minutes for a text of this length.
    @Test(
        "Long texts of one shape are scanned to their end, with every annotation in them",
        arguments: [
            "// relationship: A\n\n", "let a = 1 /* relationship: A */;", "/* relationship: A */ let a = 1;", " /a",
            " /(",
            " /a\\/", "#/\n", "<#", "`", "#", "##\"#", "#\"\"\" ", "<<<<<<< a\n", "\"\\(\n", "let a = b + f(c) ; ",
            "{}",
        ]
    )
    func longTexts(piece: String) {
        let text = Array(String(repeating: piece, count: 300_000 / piece.utf8.count).utf8)
        let file = Scanner.scan(text, path: "File.swift")
        #expect(file.annotations.count == (piece.contains("relationship") ? 300_000 / piece.utf8.count : 0))
    }
}
