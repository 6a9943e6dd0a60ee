import Testing

@testable import MastodonTimeline

@Suite("Text in columns")
struct StringColumnsTests {
    @Test(
        "is as wide as a terminal shows it",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("田中", 4), ("한국어", 6), ("🌻", 2), ("👩‍🚀", 2), ("🇵🇹", 2),
            ("❤️", 2),
            ("★█…", 3), ("\u{200B}", 0),
        ]
    )
    func width(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test("breaks between words, and a long word anywhere")
    func wrapping() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("one two\n\nthree".wrapped(to: 20) == ["one two", "", "three"])
        #expect("a unbreakable b".wrapped(to: 5) == ["a", "unbre", "akabl", "e b"])
        #expect("駅弁のふた".wrapped(to: 5) == ["駅弁", "のふ", "た"])
        #expect("    code".wrapped(to: 8) == ["    code"])
        #expect("".wrapped(to: 8) == [""])
    }

    @Test("shows that it was cut")
    func truncation() {
        #expect("courgette".truncated(to: 9) == "courgette")
        #expect("courgette".truncated(to: 5) == "cour…")
        #expect("田中田中".truncated(to: 5) == "田中…")
    }

    @Test("can't control the terminal")
    func printable() {
        #expect("\u{1B}[31mred\u{7}\u{9B}2J\u{202E}\r\n\tend".printable == "[31mred2J\n end")
        #expect(" two\n  words ".singleLine == "two words")
    }
}
