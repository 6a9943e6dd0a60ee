import Foundation
import Testing

@testable import MastodonTimeline

@Suite("Posts that a folder keeps")
struct KeptTimelineTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    private func run(_ arguments: String...) async -> TimelineCommand.Outcome {
        await TimelineCommand(arguments + ["--store", folder], terminal: Terminal(width: 80)).run { _ in }
    }

    private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test("are shown when the source is gone, as they were before, also quotes and polls")
    func sourceIsGone() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sample = try await Source.sample.load()
        try await withFile(String(decoding: sample.data, as: UTF8.self)) { path in
            let first = await run("--all", path)
            #expect(first.exitCode == 0 && first.errors == "")
            try FileManager.default.removeItem(atPath: path)
            let second = await run("--all", path)
            #expect(second.exitCode == 1 && second.errors == "timeline: \(path) does not exist.\n")
            #expect(second.output == "\(folder) has kept 38 posts.\n" + first.output)
        }
    }

    @Test("aren't mixed with those of another source")
    func otherSource() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withFile("[]") { first in
            try await withFile("[]") { second in
                _ = await run(first)
                let outcome = await run(second)
                #expect(outcome.exitCode == 1)
                #expect(outcome.errors == "timeline: \(folder) has statuses of \(first); name another folder.\n")
            }
        }
    }

    @Test("can't be kept where a file is")
    func file() async throws {
        try await withFile("[]") { path in
            let outcome = await TimelineCommand([path, "--store", path], terminal: Terminal(width: 80)).run { _ in }
            #expect(outcome.exitCode == 1 && outcome.errors.hasPrefix("timeline: \(path) can't be read: "))
        }
    }
}
