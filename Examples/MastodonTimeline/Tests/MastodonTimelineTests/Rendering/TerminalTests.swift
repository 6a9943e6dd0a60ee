import Testing

@testable import MastodonTimeline

@Suite("The terminal")
struct TerminalTests {
    @Test(
        "is as wide as its window or as the environment says, within reason",
        arguments: [
            ([:], nil, 80), ([:], 60, 60), ([:], 300, 100), (["COLUMNS": "40"], 60, 40), (["COLUMNS": "500"], nil, 100),
            (["COLUMNS": "5"], nil, 20), (["COLUMNS": "0"], nil, 80), (["COLUMNS": "wide"], 60, 60),
        ] as [([String: String], Int?, Int)]
    )
    func width(environment: [String: String], columns: Int?, width: Int) {
        #expect(Terminal(environment: environment, isInteractive: false, columns: columns).width == width)
    }

    @Test(
        "shows colours to a person who didn't forbid them",
        arguments: [
            ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
            (["TERM": "dumb"], true, false),
        ] as [([String: String], Bool, Bool)]
    )
    func colors(environment: [String: String], isInteractive: Bool, showsColors: Bool) {
        let terminal = Terminal(environment: environment, isInteractive: isInteractive)
        #expect(terminal.showsColors == showsColors)
        #expect(terminal.styled("x", .bold) == (showsColors ? "\u{1B}[1mx\u{1B}[0m" : "x"))
        #expect(terminal.styled("x", .plain) == "x")
    }

    @Test("indents and styles each line of a text")
    func lines() {
        let terminal = Terminal(environment: ["COLUMNS": "20"], isInteractive: true)
        #expect(
            terminal.lines("a text that is too long\n\nend", .faint, indentation: 2) == [
                "  \u{1B}[2ma text that is too\u{1B}[0m", "  \u{1B}[2mlong\u{1B}[0m", "", "  \u{1B}[2mend\u{1B}[0m",
            ]
        )
    }
}
