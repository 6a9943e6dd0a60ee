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
                9 accounts
                2 polls
                5 media attachments
                9 tags

                """
        )
    }

    @Test("uses the singular for one, and leaves out other types than statuses and accounts when there are none")
    func smallSummary() async throws {
        try await withFile(JSON.status("1").data) { path in
            #expect(await run("--summary", path).output == "1 status\n1 account\n")
        }
        try await withFile("[]") { path in
            #expect(await run("--summary", path).output == "0 statuses\n0 accounts\n")
        }
    }

    @Test("shows the statuses of several files as one timeline, each once")
    func severalFiles() async throws {
        try await withFile(statuses("First", "Second")) { first in
            try await withFile(statuses("Second", "Third")) { second in
                let lines = await run(first, second).output.split(separator: "\n")
                #expect(lines.filter { $0.hasPrefix("  ") } == ["  First", "  Second", "  Third"])
                #expect(lines.last == "3 statuses by 1 account.")
            }
        }
    }

    @Test(
        "says of a response without statuses what it holds instead",
        arguments: [
            (#"{"ancestors": [], "descendants": []}"#, "."),
            (
                #"{"id": "p", "options": [], "votes_count": 0, "multiple": false, "expired": false}"#, ", but 1 poll."
            ),
            (
                #"[{"id": "1", "acct": "ana", "display_name": ""}, {"id": "2", "acct": "bo", "display_name": ""}]"#,
                ", but 2 accounts."
            ),
            (#"[{"id": "7", "name": "tea", "url": "", "statuses_count": 3, "last_status_at": null}]"#, ", but 1 tag."),
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
        let source: JSON = ["id": "1", "text": "First", "spoiler_text": ""]
        try await withFile(JSON.array([.status("1"), 7, [:], source]).data) { path in
            let outcome = await run("--summary", path)
            #expect(outcome.output == "1 status\n1 account\n")
            let sentence = "left out 1 status source and 2 elements of unknown kind or incomplete."
            #expect(outcome.errors == "timeline: \(path): \(sentence)\n")
            #expect(outcome.exitCode == 0)
        }
    }

    @Test(
        "refuses a response that holds nothing for a timeline, and says what it holds",
        arguments: [
            (#"{"id": "1", "text": "First", "spoiler_text": ""}"#, "1 status source"),
            (#"[{"id": "1", "scheduled_at": "4000-01-01T14:23:14.000Z", "params": {}}]"#, "1 scheduled status"),
            (#"{"error": "Record not found"}"#, "1 error message"),
            (#"{"name": "package", "version": "1.0.0"}"#, "1 element of unknown kind or incomplete"),
            (#"[{"id": "1", "title": "A list"}, 7]"#, "2 elements of unknown kind or incomplete"),
            ("7", "1 element of unknown kind or incomplete"),
        ],
        [[], ["--summary"]]
    )
    func foreignFiles(file: (json: String, contents: String), options: [String]) async throws {
        let expected = "where statuses, accounts, polls, media attachments or tags are expected."
        try await withFile(file.json) { path in
            let sentence = "timeline: \(path) holds \(file.contents), \(expected)\n"
            #expect(await run(options + [path]) == .init(errors: sentence, exitCode: 1))
        }
    }

    @Test("leaves a status as it is when a file with its source comes, too")
    func sourceOfStatus() async throws {
        try await withFile(statuses("First")) { status in
            try await withFile(#"{"id": "First", "text": "First", "spoiler_text": ""}"#) { source in
                let alone = await run(status)
                let both = await run(status, source)
                #expect(both.output == alone.output)
                #expect(both.errors.contains("holds 1 status source"))
                #expect(both.exitCode == 1)
            }
        }
    }

    @Test("names all files that it can't show, and shows the others", arguments: [[], ["--summary"]])
    func partialFailure(options: [String]) async throws {
        let failure = "timeline: /nowhere.json does not exist.\ntimeline: /not/here.json does not exist.\n"
        let missing = ["/nowhere.json", "/not/here.json"]
        #expect(await run(options + missing) == .init(errors: failure, exitCode: 1))
        try await withFile(statuses("First")) { path in
            let shown = await run(options + [path]).output
            let files = [missing[0], path, missing[1]]
            #expect(await run(options + files) == .init(output: shown, errors: failure, exitCode: 1))
        }
    }

    @Test("shows the first statuses, and all of them when it is asked to")
    func length() async throws {
        try await withFile(statuses("1", "2", "3", "4", "5", "6", "7")) { path in
            let first = await run(path).output.split(separator: "\n")
            #expect(first.filter { $0.hasPrefix("  ") } == ["  1", "  2", "  3", "  4", "  5"])
            #expect(first.suffix(2) == ["… and 2 more; --all shows them.", "7 statuses by 1 account."])
            let all = await run("--all", path).output.split(separator: "\n")
            #expect(all.filter { $0.hasPrefix("  ") }.count == 7)
            #expect(!all.contains { $0.contains("more") })
        }
    }

    @Test("begins with what the cache is for when nothing is named, and shows few posts then")
    func firstScreen() async {
        let lines = await run().output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "What the cache is for")
        #expect(lines.filter { $0.hasPrefix("──") }.count == 5)
        #expect(lines.suffix(3) == ["… and 33 more; --all shows them.", "42 statuses by 8 accounts.", ""])
        #expect(await run("--all").output.split(separator: "\n").filter { $0.hasPrefix("──") }.count == 38)
    }

    @Test(
        "says in one sentence why a file gives nothing",
        arguments: [
            ("", "is empty."), (" \n", "is empty."), ("<html>", "is not valid JSON."),
            (#"[{"id": "1"#, "is not valid JSON."),
        ]
    )
    func badFiles(contents: String, reason: String) async throws {
        try await withFile(contents) { path in
            #expect(await run(path) == .init(errors: "timeline: \(path) \(reason)\n", exitCode: 1))
        }
    }

    @Test("refuses a file that isn't Unicode rather than losing its texts")
    func otherEncoding() async throws {
        let text = try #require(statuses("café").data(using: .isoLatin1))
        try await withFile(text) { path in
            #expect(await run(path) == .init(errors: "timeline: \(path) is not valid JSON.\n", exitCode: 1))
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
        await run(arguments, width: width)
    }

    private func run(_ arguments: [String], width: Int = 80) async -> TimelineCommand.Outcome {
        await TimelineCommand(arguments, terminal: Terminal(width: width)).run { _ in }
    }

    /// A timeline of statuses with texts, which are their identifiers, too.
    private func statuses(_ texts: String...) -> String {
        let statuses = texts.map { JSON.status($0, ["content": "<p>\($0)</p>", "account": ["id": "ana"]]) }
        return String(decoding: JSON.array(statuses).data, as: UTF8.self)
    }

    private func withFile(_ contents: String, _ body: (String) async throws -> Void) async throws {
        try await withFile(Data(contents.utf8), body)
    }

    private func withFile(_ contents: Data, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "timeline-\(UUID()).json")
        try contents.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }
}
