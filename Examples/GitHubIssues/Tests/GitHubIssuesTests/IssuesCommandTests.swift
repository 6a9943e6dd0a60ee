import Foundation
import Testing

@testable import GitHubIssues

@Suite("The program")
struct IssuesCommandTests {
    private func run(_ arguments: String...) -> IssuesCommand.Outcome { IssuesCommand(arguments).run() }

    @Test("shows issues by state and label, with all that is known")
    func board() throws {
        let bug = #"{"id": 1, "name": "bug", "color": "ff0000"}"#
        let wish = #"{"id": 2, "name": "a wish", "color": "00ff00"}"#
        let bo = #"{"id": 8, "login": "bo", "type": "User", "site_admin": false}"#
        let milestone = #"{"id": 3, "number": 1, "title": "1.0", "state": "open", "creator": 8}"#
        let json = """
            [\(issue(1, #""labels": [\#(bug), \#(wish)], "assignees": [\#(bo), 7], "milestone": \#(milestone)"#)),
             \(issue(2, #""labels": [1], "comments": 1"#)), \(issue(3, #""labels": [], "pull_request": {}"#)),
             \(issue(4, #""comments": 2"#)), \(issue(5, #""labels": [], "state": "closed", "user": 9"#))]
            """
        try Fixtures.withFile(json) { path in
            let expected = """
                open: 4

                  a wish
                    #1 Issue 1
                         by ada, for bo and ada, in 1.0

                  bug
                    #1 Issue 1
                         by ada, for bo and ada, in 1.0
                    #2 Issue 2
                         by ada, 1 comment

                  no labels
                    #3 Issue 3 (pull request)
                         by ada

                  labels unknown
                    #4 Issue 4
                         by ada, 2 comments

                closed: 1

                  no labels
                    #5 Issue 5
                         by an unknown user


                """
            #expect(run(path) == .init(output: expected))
        }
    }

    @Test("counts the entities of several files, each once")
    func summary() throws {
        try Fixtures.withFile("[\(issue(1, #""labels": []"#)), \(issue(2, #""labels": []"#))]") { first in
            try Fixtures.withFile("[\(issue(2, #""labels": [{"id": 1, "name": "bug", "color": "f"}]"#))]") { second in
                let counts = "2 issues\n0 pull requests\n1 user\n0 milestones\n1 label\n"
                #expect(run("--summary", first, second) == .init(output: counts))
            }
        }
    }

    @Test("reports a part that can't be read, and shows the rest")
    func problems() throws {
        try Fixtures.withFile("[\(issue(1, #""title": 5"#)), 7, \(issue(2, #""labels": []"#))]") { path in
            let outcome = run("--summary", path)
            #expect(outcome.output.hasPrefix("1 issue\n"))
            #expect(outcome.errors.split(separator: "\n").count == 2)
            #expect(outcome.errors.hasPrefix("issues: \(path): [0].title: can't read Resource: Expected to decode "))
            #expect(outcome.exitCode == 1)
        }
    }

    @Test(
        "says in one sentence why a file can't be shown",
        arguments: [
            ("", "is empty."), ("<html>", "is not valid JSON."), (#"[{"id": 1"#, "is not valid JSON."),
            ("{}", "has neither issues nor labels nor normalized entities."),
            ("7", "has neither issues nor labels nor normalized entities."),
        ]
    )
    func unreadable(contents: String, reason: String) throws {
        try Fixtures.withFile(contents) { path in
            #expect(run(path) == .init(errors: "issues: \(path) \(reason)\n", exitCode: 1))
        }
    }

    @Test("says in one sentence that a file is missing or a folder, and shows the others")
    func missing() throws {
        try Fixtures.withFile("[\(issue(1, #""labels": []"#))]") { path in
            let outcome = run("/nowhere.json", path, "/")
            #expect(outcome.output == run(path).output)
            #expect(outcome.errors == "issues: /nowhere.json does not exist.\nissues: / is a folder.\n")
            #expect(outcome.exitCode == 1)
        }
    }

    @Test("points to its help if it is used wrongly")
    func usage() {
        #expect(run() == .init(errors: "issues: Name a file. See issues --help.\n", exitCode: 64))
        #expect(run("-x") == .init(errors: "issues: -x is not an option. See issues --help.\n", exitCode: 64))
        #expect(run("--help") == .init(output: IssuesCommand.help))
        #expect(IssuesCommand.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
