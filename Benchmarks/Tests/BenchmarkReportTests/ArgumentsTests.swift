import BenchmarkReport
import Testing

@Suite("Arguments of the benchmark")
struct ArgumentsTests {
    @Test("Without arguments all rows are measured, for a table")
    func nothing() throws {
        let arguments = try Arguments([])
        #expect(arguments.rounds == 11)
        #expect(!arguments.printsJSON)
        #expect(arguments.plot == nil)
        #expect(arguments.wants("get/1k"))
    }

    @Test("All options together")
    func everything() throws {
        let words = ["--json", "--filter", "get", "--rounds", "3", "--plot", "cost.svg", "--filter", "1M"]
        let arguments = try Arguments(words)
        #expect(arguments.printsJSON)
        #expect(arguments.filters == ["get", "1M"])
        #expect(arguments.rounds == 3)
        #expect(arguments.plot == "cost.svg")
        #expect(arguments.wants("overwrite/1M"))
        #expect(!arguments.wants("miss/1k"))
    }

    @Test(
        "What is wrong is said",
        arguments: [
            (["--jsn"], "There is no option '--jsn'."),
            (["--filter"], "--filter needs a value behind it."),
            (["--rounds", "0"], "--rounds needs a whole number above 0, not '0'."),
            (["--rounds", "many"], "--rounds needs a whole number above 0, not 'many'."),
        ]
    )
    func mistakes(words: [String], message: String) {
        #expect(throws: UsageError(message)) { try Arguments(words) }
    }

    @Test("The help names each option")
    func help() throws {
        #expect(try Arguments(["--help"]).wantsHelp)
        for option in ["--json", "--filter", "--rounds", "--plot", "--help"] {
            #expect(Arguments.help.contains(option))
        }
    }
}
