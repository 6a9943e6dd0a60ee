import Foundation
import SeededRandom
import TestThreads
import Testing

@Suite("The diff of review", .mayBlock)
struct PatchTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let source = GenerateTests.author + GenerateTests.post("// relationship: Author")
        _ = try folder.write(source, to: "Post.swift")
    }

    private func run(_ command: String, _ copy: String) throws -> Tool.Outcome {
        try Tool.run([command, "--copy", copy, "--target", "Blog", "Post.swift"], in: folder.url)
    }

    private func apply(_ diff: String, with program: String) throws -> Tool.Outcome {
        _ = try folder.write(diff, to: "diff")
        return program == "git"
            ? try Tool.run(named: "git", ["apply", "diff"], in: folder.url)
            : try Tool.run(named: "patch", ["--quiet", "--strip=1", "--input=diff"], in: folder.url)
    }

    @Test(
        "Applying the diff updates a copy with any name",
        arguments: ["git", "patch"],
        ["Copy.swift", "a folder/The copy.swift", "a/“é” 🙂\".swift", "a/\\n\t.swift"]
    )
    func names(program: String, copy: String) throws {
        #expect(
            try apply(try run("review", copy).output, with: program) == Tool.Outcome(status: 0, output: "", errors: "")
        )
        #expect(try run("review", copy) == Tool.Outcome(status: 0, output: "", errors: ""))
    }

    @Test("Applying the diff updates a copy with any contents", arguments: ["git", "patch"])
    func random(program: String) throws {
        #expect(try run("record", "Copy.swift").status == 0)
        let text = try #require(folder.text(of: "Copy.swift"))
        let seed = Seeds.one
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            _ = try folder.write(Self.changed(text, using: &generator), to: "Copy.swift")
            let outcome = try run("review", "Copy.swift")
            guard outcome.status == 1 else { continue }
            #expect(
                try apply(outcome.output, with: program) == Tool.Outcome(status: 0, output: "", errors: ""),
                "FLATCACHE_SEED=\(seed)"
            )
            #expect(folder.text(of: "Copy.swift") == text, "FLATCACHE_SEED=\(seed)")
        }
    }

    /// The text with some lines removed, doubled, changed or moved, and possibly without the last line end.
    private static func changed(_ text: String, using generator: inout SeededGenerator) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            guard let index = lines.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: lines.remove(at: index)
            case 1: lines.insert(lines[index], at: index)
            case 2: lines[index] += ["\r", " changed", "\u{0}", "é"].randomElement(using: &generator) ?? ""
            case 3: lines.swapAt(index, lines.indices.randomElement(using: &generator) ?? index)
            default: lines.removeSubrange(index..<min(lines.count, index + 20))
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test("A missing line end at the end of a file is marked", arguments: ["git", "patch"])
    func noLineEnd(program: String) throws {
        #expect(try run("record", "Copy.swift").status == 0)
        let text = try #require(folder.text(of: "Copy.swift"))
        _ = try folder.write(String(text.dropLast()), to: "Copy.swift")
        let diff = try run("review", "Copy.swift").output
        #expect(diff.hasSuffix("-}\n\\ No newline at end of file\n+}\n"))
        #expect(try apply(diff, with: program).status == 0)
        #expect(folder.text(of: "Copy.swift") == text)
    }
}
