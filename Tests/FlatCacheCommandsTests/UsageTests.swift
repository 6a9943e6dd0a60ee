import TestThreads
import Testing

@Suite("The command line", .mayBlock)
struct UsageTests {
    static let commands = ["generate", "review", "record", "explain", "graph", "inspect"]

    @Test("Help without a command lists all commands", arguments: [["--help"], ["-h"], ["help"]])
    func overview(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("USAGE: flatcache COMMAND --target NAME [SOURCE …]"))
        for command in Self.commands { #expect(outcome.output.contains("\n  \(command) ")) }
        #expect(outcome.errors.isEmpty)
    }

    @Test("Help on a command is printed to standard output, for each position of --help", arguments: commands)
    func help(command: String) throws {
        let forms = [[command, "--help"], ["help", command], [command, "--target", "Blog", "-h", "--colour"]]
        for arguments in forms {
            let outcome = try Tool.run(arguments)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("USAGE: flatcache \(command) "))
            #expect(outcome.output.contains("EXIT CODES: 0 success, 1 errors"))
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test(
        "An unknown command ends with exit code 64 and mentions the help",
        arguments: [
            ([], "a command is missing"),
            (["explode"], "'explode' is not a command"),
            (["explian"], "'explian' is not a command; did you mean 'explain'?"),
            (["inspct"], "'inspct' is not a command; did you mean 'inspect'?"),
        ] as [([String], String)]
    )
    func unknownCommand(arguments: [String], message: String) throws {
        try expectUsageError(arguments, message, help: "flatcache --help")
    }

    @Test(
        "Wrong arguments end with exit code 64 and mention the help on the command",
        arguments: [
            (["generate"], "'--target NAME' is missing"),
            (["generate", "--output", "o.swift"], "'--target NAME' is missing"),
            (["generate", "--target", "Blog"], "'--output FILE' is missing"),
            (["generate", "--target"], "the value of '--target' is missing"),
            (["generate", "--target", ""], "the value of '--target' is missing"),
            (["generate", "--target="], "the value of '--target' is missing"),
            (["generate", "--target", "Blog", "--target", "Page"], "'--target' is given twice"),
            (["explain", "--target", "Blog", "--target", "Blog"], "'--target' is given twice"),
            (["generate", "--colour", "red"], "'--colour' is not an option"),
            (["generate", "--targt", "Blog"], "'--targt' is not an option; did you mean '--target'?"),
            (["graph", "--copy", "a.swift"], "'--copy' is not an option"),
            (["explain", "--strictly"], "'--strictly' is not an option; did you mean '--strict'?"),
            (
                ["graph", "--target Blog"],
                "'--target Blog' is one argument; write the value as a separate argument, and in a file on a separate line"
            ),
            (
                ["generate", "--target", "Blog", "--output", "a.swift", "b.swift", "a.swift"],
                "'a.swift' is a source, and can't be the output, too"
            ),
            (
                ["generate", "--target", "Blog", "--output", "a", "--template", "a"],
                "'a' is the template, and can't be the output, too"
            ),
            (["generate", "--target", "Blog", "--template", "a", "--template", "b"], "'--template' is given twice"),
            (["generate", "--template", "a", "--target", "Blog", "--template", "b"], "'--template' is given twice"),
            (["review", "--target", "Blog"], "'--copy FILE' or '--copies FOLDER' is missing"),
            (["record", "--target", "Blog"], "'--copy FILE' or '--copies FOLDER' is missing"),
            (
                ["review", "--target", "Blog", "--copy", "a.swift", "--copies", "b"],
                "'--copy' and '--copies' can't be combined; write one of them"
            ),
            (
                ["review", "--target", "Blog", "--target", "Page", "--copy", "a.swift"],
                "'--copy' is for one target; write '--copies FOLDER' for several"
            ),
            (
                ["explain", "a.swift", "--target", "Blog", "--target", "Page"],
                "'a.swift' precedes the first of several targets; write it after the '--target' that it belongs to"
            ),
            (["explain", "--target", "Blog", "--format", "xml"], "'xml' is not a format; write 'text' or 'json'"),
            (["inspect"], "'FOLDER' is missing"),
            (["inspect", "--json"], "'FOLDER' is missing"),
            (["inspect", "A", "B"], "'A' and 'B' are two folders; write one"),
            (["inspect", "A", "--jsn"], "'--jsn' is not an option; did you mean '--json'?"),
            (["inspect", "A", "--entity", "Post"], "the values of '--entity TYPE ID' are missing"),
            (["inspect", "A", "--entity", "Post", "1", "--entity", "Post", "2"], "'--entity' is given twice"),
            (["graph", "--target", "Blog", "--format", "json"], "'json' is not a format; write 'mermaid' or 'dot'"),
            (
                ["graph", "--target", "Blog", "--only", "Blgo"],
                "'Blgo' is not one of the targets; did you mean 'Blog'?"
            ),
            (
                ["graph", "--target", "Blog", "--target", "Page", "--only", "Something"],
                "'Something' is not one of the targets; they are 'Blog' and 'Page'"
            ),
        ] as [([String], String)]
    )
    func usage(arguments: [String], message: String) throws {
        try expectUsageError(arguments, message, help: "flatcache \(arguments[0]) --help")
    }

    private func expectUsageError(_ arguments: [String], _ message: String, help: String) throws {
        let outcome = try Tool.run(arguments)
        let separator = message.hasSuffix("?") ? "" : ";"
        #expect(outcome.status == 64)
        #expect(outcome.errors == "error: \(message)\(separator) '\(help)' lists the arguments\n")
        #expect(outcome.output.isEmpty)
    }
}
