import Testing

@Suite("The command line")
struct UsageTests {
    @Test(
        "Help is printed on standard output, wherever it is asked for",
        arguments: [["--help"], ["-h"], ["help"], ["generate", "--help"], ["generate", "--target", "Blog", "-h"]]
    )
    func help(arguments: [String]) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 0)
        let usage = "USAGE: flatcache generate --target NAME --output FILE [--template FILE] [SOURCE …]"
        #expect(outcome.output.contains(usage))
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "What can't be understood is told with exit code 64 and the way to help",
        arguments: [
            ([], "a command is missing"),
            (["explode"], "'explode' is not a command"),
            (["generate"], "'--target NAME' is missing"),
            (["generate", "--output", "o.swift"], "'--target NAME' is missing"),
            (["generate", "--target", "Blog"], "'--output FILE' is missing"),
            (["generate", "--target"], "the value of '--target' is missing"),
            (["generate", "--target", "Blog", "--target", "Page"], "'--target' is there twice"),
            (["generate", "--template"], "the value of '--template' is missing"),
            (
                ["generate", "--target", "Blog", "--output", "a.swift", "--template", "a.swift"],
                "'a.swift' can't be the output and the template"
            ),
            (["generate", "--colour", "red"], "'--colour' is not an option"),
            (
                ["generate", "--target", "Blog", "--output", "a.swift", "b.swift", "a.swift"],
                "'a.swift' can't be the output and a source"
            ),
        ] as [([String], String)]
    )
    func usage(arguments: [String], message: String) throws {
        let outcome = try Tool.run(arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors == "error: \(message); 'flatcache --help' lists what can be written\n")
        #expect(outcome.output.isEmpty)
    }
}
