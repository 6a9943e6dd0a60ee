import Foundation
import Testing

@testable import MastodonTimeline

@Suite("The program")
struct TimelineCommandTests {
    @Test("counts the entities of the sample timeline")
    func sampleSummary() async {
        #expect(
            await run("--summary").output == """
                42 statuses
                8 accounts
                2 polls
                5 media attachments
                9 tags

                """
        )
    }

    @Test("uses the singular for one, and leaves out other types than statuses and accounts when there are none")
    func smallSummary() async throws {
        try await withFile(#"[{"id": "1", "content": "", "account": {"id": "ana", "acct": "ana"}}]"#) { path in
            #expect(await run("--summary", path).output == "1 status\n1 account\n")
        }
        try await withFile("[]") { path in
            #expect(await run("--summary", path).output == "0 statuses\n0 accounts\n")
        }
    }

    @Test("shows the statuses of several files as one timeline, each once")
    func severalFiles() async throws {
        let first = #"[{"id": "1", "content": "<p>First</p>"}, {"id": "2", "content": "<p>Second</p>"}]"#
        let second = #"[{"id": "2", "content": "<p>Second</p>"}, {"id": "3", "content": "<p>Third</p>"}]"#
        try await withFile(first) { first in
            try await withFile(second) { second in
                let lines = await run(first, second).output.split(separator: "\n")
                #expect(lines.filter { $0.hasPrefix("  ") } == ["  First", "  Second", "  Third"])
                #expect(lines.last == "3 statuses by 0 accounts.")
            }
        }
    }

    @Test(
        "says of a response without statuses what it holds instead",
        arguments: [
            (#"{"ancestors": [], "descendants": []}"#, "."),
            (#"{"id": "p", "options": []}"#, ", but 1 poll."),
            (#"[{"id": "1", "acct": "ana"}, {"id": "2", "acct": "bo"}]"#, ", but 2 accounts."),
        ]
    )
    func noStatuses(json: String, ending: String) async throws {
        try await withFile(json) { path in
            let outcome = await run(path)
            #expect(outcome.output.replacing("\n", with: " ") == "\(path) holds no statuses\(ending) ")
            #expect(outcome.exitCode == 0)
        }
    }

    @Test("mentions elements that it leaves out")
    func leavingOut() async throws {
        try await withFile(#"[{"id": "1", "content": ""}, 7]"#) { path in
            let outcome = await run("--summary", path)
            #expect(outcome.output == "1 status\n0 accounts\n")
            #expect(outcome.errors == "timeline: \(path): left out 1 element of unknown kind or without identifier.\n")
            #expect(outcome.exitCode == 0)
        }
    }

    @Test(
        "says in one sentence why a file gives nothing",
        arguments: [
            ("", "is empty."), (" \n", "is empty."), ("<html>", "is not JSON."), (#"[{"id": "1"#, "is not JSON."),
        ]
    )
    func badFiles(contents: String, reason: String) async throws {
        try await withFile(contents) { path in
            #expect(await run(path) == .init(errors: "timeline: \(path) \(reason)\n", exitCode: 1))
        }
    }

    @Test("says in one sentence that a file is missing or a folder")
    func noFiles() async {
        let folder = FileManager.default.temporaryDirectory.path
        #expect(await run("/nowhere.json") == .init(errors: "timeline: /nowhere.json does not exist.\n", exitCode: 1))
        #expect(await run(folder) == .init(errors: "timeline: \(folder) can't be read: it is a folder.\n", exitCode: 1))
    }

    @Test("says in one sentence that a server can't be reached")
    func noServer() async {
        let outcome = await run("http://127.0.0.1:1")
        let sentence = "http://127.0.0.1:1/api/v1/timelines/public can't be reached: the server refuses connections."
        #expect(outcome == .init(errors: "timeline: \(sentence)\n", exitCode: 1))
    }

    @Test("points to its help when it is used wrongly")
    func usage() async {
        let sentence = "timeline: --sumary is not an option. See timeline --help.\n"
        #expect(await run("--sumary") == .init(errors: sentence, exitCode: 64))
        #expect(await run("--help") == .init(output: Arguments.help))
    }

    @Test("fills no more columns than there are", arguments: [20, 33, 40, 72, 80, 100])
    func width(columns: Int) async {
        let lines = await run(width: columns).output.split(separator: "\n")
        #expect(lines.allSatisfy { String($0).columns <= columns }, "\(lines.filter { String($0).columns > columns })")
    }

    @Test("fits its help into a terminal of 80 columns")
    func helpWidth() {
        #expect(Arguments.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    private func run(_ arguments: String..., width: Int = 80) async -> TimelineCommand.Outcome {
        await TimelineCommand(arguments, terminal: Terminal(width: width)).run()
    }

    private func withFile(_ contents: String, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "timeline-\(UUID()).json")
        try Data(contents.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }
}
