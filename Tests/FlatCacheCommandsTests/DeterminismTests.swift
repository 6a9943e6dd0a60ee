import Foundation
import SeededRandom
import TestThreads
import Testing

@Suite("Determinism", .mayBlock)
struct DeterminismTests {
    static let commands: [[String]] = [
        ["generate", "--output", "Out.swift"], ["review", "--copy", "Out.swift"], ["record", "--copy", "Out.swift"],
        ["explain"], ["explain", "--format", "json"], ["graph"], ["graph", "--format", "dot"],
    ]

    /// Models in several files, with so many relationships that a hash table is unlikely to have them in order.
    private func write(to folder: TemporaryFolder) throws -> [String] {
        try (0..<12).map { number in
            let related = (1...4).map { "Model\((number * $0 + $0) % 12)" }
            let properties = related.enumerated().map { index, type in
                index % 2 == 0
                    ? "    // relationship: \(type), name: one\(index)\n    var one\(index)ID: Int?\n"
                    : "    // relationship: \(type), name: many\(index)\n    let many\(index)IDs: [Int]\n"
            }
            let name = "Model\(number).swift"
            _ = try folder.write(
                "import FlatCache\nstruct Model\(number): Cachable {\n    let id: Int\n\(properties.joined())}\n",
                to: name
            )
            return name
        }
    }

    @Test(
        "Five runs from two checkouts with reordered sources produce the same bytes",
        arguments: commands
    )
    func bytes(command: [String]) throws {
        let checkouts = [try TemporaryFolder(), try TemporaryFolder()]
        let sources = try checkouts.map(write)[0]
        var results: Set<String> = []
        let seed = Seeds.one
        var generator = SeededGenerator(seed: seed)
        for run in 0..<5 {
            let checkout = checkouts[run % 2]
            var paths = sources.shuffled(using: &generator)
            // The paths as plugins pass them.
            if run > 2 { paths = paths.map(checkout.path) }
            let outcome = try Tool.run(command + ["--target", "Blog"] + paths, in: checkout.url)
            // Only the suggested command depends on the arguments.
            let errors = outcome.errors.components(separatedBy: "; run: ")[0]
            let written = checkout.text(of: "Out.swift") ?? ""
            try? FileManager.default.removeItem(atPath: checkout.path("Out.swift"))
            #expect(!outcome.output.isEmpty || !written.isEmpty)
            results.insert("\(outcome.status)\n\(outcome.output)\n\(errors)\n\(written)")
        }
        #expect(results.count == 1, "FLATCACHE_SEED=\(seed)")
    }
}
