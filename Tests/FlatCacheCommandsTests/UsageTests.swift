import Testing

@Suite("The command line")
struct UsageTests {
    static let commands = ["generate", "review", "record", "explain", "graph"]

    @Test("Help that is asked for without a command names all commands", arguments: [["--help"], ["-h"], ["help"]])
    func overview(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("USAGE: flatcache COMMAND --target NAME [SOURCE …]"))
        for command in Self.commands { #expect(outcome.output.contains("\n  \(command) ")) }
        #expect(outcome.errors.isEmpty)
    }

    @Test("Help on a command is printed on standard output, wherever it is asked for", arguments: commands)
    func help(command: String) throws {
        let forms = [[command, "--help"], ["help", command], [command, "--target", "Blog", "-h", "--colour"]]
        for arguments in forms {
            let outcome = try Tool.run(arguments)
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("USAGE: flatcache \(command) "))
            #expect(outcome.output.contains("EXIT CODES: 0 fine, 1 something was found"))
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test(
        "An unknown command ends with exit code 64 and the way to help",
        arguments: [
            ([], "a command is missing"),
            (["explode"], "'explode' is not a command"),
            (["explian"], "'explian' is not a command; did you mean 'explain'?"),
        ] as [([String], String)]
    )
    func unknownCommand(arguments: [String], message: String) throws {
        try expectUsageError(arguments, message, help: "flatcache --help")
    }

    @Test(
        "Arguments that can't be understood end with exit code 64 and the way to help on the command",
        arguments: [
            (["generate"], "'--target NAME' is missing"),
            (["generate", "--output", "o.swift"], "'--target NAME' is missing"),
            (["generate", "--target", "Blog"], "'--output FILE' is missing"),
            (["generate", "--target"], "the value of '--target' is missing"),
            (["generate", "--target", ""], "the value of '--target' is missing"),
            (["generate", "--target="], "the value of '--target' is missing"),
            (["generate", "--target", "Blog", "--target", "Page"], "'--target' is there twice"),
            (["explain", "--target", "Blog", "--target", "Blog"], "'--target' is there twice"),
            (["generate", "--colour", "red"], "'--colour' is not an option"),
            (["generate", "--targt", "Blog"], "'--targt' is not an option; did you mean '--target'?"),
            (["graph", "--copy", "a.swift"], "'--copy' is not an option"),
            (
                ["graph", "--target Blog"],
                "'--target Blog' is one argument; write the value as another, in a file on a line of its own"
            ),
            (
                ["generate", "--target", "Blog", "--output", "a.swift", "b.swift", "a.swift"],
                "'a.swift' can't be the output and a source"
            ),
            (
                ["generate", "--target", "Blog", "--output", "a", "--template", "a"],
                "'a' can't be the output and the template"
            ),
            (["generate", "--target", "Blog", "--template", "a", "--template", "b"], "'--template' is there twice"),
            (["generate", "--template", "a", "--target", "Blog", "--template", "b"], "'--template' is there twice"),
            (["review", "--target", "Blog"], "'--copy FILE' or '--copies FOLDER' is missing"),
            (["record", "--target", "Blog"], "'--copy FILE' or '--copies FOLDER' is missing"),
            (
                ["review", "--target", "Blog", "--copy", "a.swift", "--copies", "b"],
                "'--copy' and '--copies' can't be there both"
            ),
            (
                ["review", "--target", "Blog", "--target", "Page", "--copy", "a.swift"],
                "'--copy' is for one target; write '--copies FOLDER' for several"
            ),
            (
                ["explain", "a.swift", "--target", "Blog", "--target", "Page"],
                "'a.swift' stands before the first of several targets; name it behind the one it belongs to"
            ),
            (["explain", "--target", "Blog", "--format", "xml"], "'xml' is not a format; write 'text' or 'json'"),
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
        #expect(outcome.errors == "error: \(message)\(separator) '\(help)' lists what can be written\n")
        #expect(outcome.output.isEmpty)
    }
}
