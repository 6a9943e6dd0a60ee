import FlatCacheReports
import SeededRandom
import Testing

@Suite("Unified diff")
struct UnifiedDiffTests {
    private func diff(_ old: String?, _ new: String?) -> String {
        String(
            decoding: UnifiedDiff(path: "f", old: old.map { Array($0.utf8) }, new: new.map { Array($0.utf8) }).text,
            as: UTF8.self
        )
    }

    /// One line for each letter.
    private func lines(_ letters: String) -> String { letters.map { "\($0)\n" }.joined() }

    @Test("Equal files have no diff", arguments: ["", "a", "a\n", "a\nb"])
    func equal(text: String) {
        #expect(diff(text, text).isEmpty)
        #expect(diff(nil, nil).isEmpty)
    }

    @Test(
        "Three lines around a change are shown, and adjacent changes share a hunk",
        arguments: [
            ("abcdefghi", "abcdXfghi", "@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n"),
            ("abc", "abcd", "@@ -1,3 +1,4 @@\n a\n b\n c\n+d\n"),
            ("abc", "Xabc", "@@ -1,3 +1,4 @@\n+X\n a\n b\n c\n"),
            ("a", "b", "@@ -1 +1 @@\n-a\n+b\n"),
            ("", "ab", "@@ -0,0 +1,2 @@\n+a\n+b\n"),
            ("ab", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"),
            ("XabcdefY", "abcdef", "@@ -1,8 +1,6 @@\n-X\n a\n b\n c\n d\n e\n f\n-Y\n"),
            (
                "XabcdefgY", "abcdefg",
                "@@ -1,4 +1,3 @@\n-X\n a\n b\n c\n@@ -6,4 +5,3 @@\n e\n f\n g\n-Y\n"
            ),
        ]
    )
    func hunks(old: String, new: String, hunks: String) {
        #expect(diff(lines(old), lines(new)) == "--- a/f\n+++ b/f\n\(hunks)")
    }

    @Test("A created or removed file is marked, even if it is empty")
    func madeAndRemoved() {
        #expect(diff(nil, "a\n") == "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n")
        #expect(diff("a\n", nil) == "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
        #expect(diff(nil, "") == "--- /dev/null\n+++ b/f\n")
    }

    @Test("A last line without a line end differs from the same line with one")
    func noLineEnd() {
        #expect(
            diff("a\nb", "a\nb\n") == "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
        )
        #expect(
            diff("a", "b")
                == "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
        )
    }

    @Test("Changes are shown between unique lines, not between equal braces")
    func anchors() {
        let old = "func a() {\n    one()\n}\n\nfunc b() {\n    two()\n}\n"
        let new = "func a() {\n    one()\n}\n\nfunc c() {\n    three()\n}\n\nfunc b() {\n    two()\n}\n"
        let expected =
            "@@ -2,6 +2,10 @@\n     one()\n }\n \n+func c() {\n+    three()\n+}\n+\n func b() {\n     two()\n }\n"
        #expect(diff(old, new) == "--- a/f\n+++ b/f\n\(expected)")
    }

    @Test(
        "The first changed line is known",
        arguments: [("abcdef", "abcdXf", 5), ("abc", "abcd", 4), ("abcd", "abc", 4), ("", "a", 1)]
    )
    func firstLine(old: String, new: String, line: Int) {
        let diff = UnifiedDiff(path: "f", old: Array(lines(old).utf8), new: Array(lines(new).utf8))
        #expect(diff.firstLine == line)
    }

    @Test("A diff turns any text into any other, with few unneeded changes")
    func random() throws {
        let seed = Seeds.one
        var generator = SeededGenerator(seed: seed)
        var shown = 0
        var necessary = 0
        for round in 0..<400 {
            let alphabet = Array("abcdefghijklmnopqrstuvwxyz".prefix(2 + round % 20))
            func text() -> [Character] {
                (0..<Int.random(in: 0...30, using: &generator)).compactMap { _ in
                    alphabet.randomElement(using: &generator)
                }
            }
            let (old, new) = (text(), text())
            let diff = diff(lines(String(old)), lines(String(new)))
            #expect(
                applied(diff, to: old) == new,
                "FLATCACHE_SEED=\(seed), round \(round): \(String(old)) → \(String(new))"
            )
            shown += diff.split(separator: "\n").dropFirst(2).count { $0.hasPrefix("-") || $0.hasPrefix("+") }
            necessary += old.count + new.count - 2 * longestCommon(old, new)
        }
        #expect(shown >= necessary, "FLATCACHE_SEED=\(seed)")
        // In unrelated texts like these, anchors cost some lines.
        #expect(Double(shown) <= 1.1 * Double(necessary), "FLATCACHE_SEED=\(seed)")
    }

    /// Applies a diff as the format is defined.
    private func applied(_ diff: String, to old: [Character]) -> [Character] {
        var new: [Character] = []
        var rest = old[...]
        for line in diff.split(separator: "\n").dropFirst(2) {
            if line.hasPrefix("@@") {
                let numbers = line.dropFirst(4).prefix { $0 != " " }.split(separator: ",").compactMap { Int($0) }
                let start = numbers.count == 2 && numbers[1] == 0 ? numbers[0] : numbers[0] - 1
                while rest.startIndex < start, let line = rest.popFirst() { new.append(line) }
            } else if line.hasPrefix("+") {
                new += line.dropFirst()
            } else {
                guard rest.first == line.last else { return [] }
                rest = rest.dropFirst()
                if line.hasPrefix(" ") { new += line.dropFirst() }
            }
        }
        return new + rest
    }

    private func longestCommon(_ first: [Character], _ second: [Character]) -> Int {
        var last = Array(repeating: 0, count: second.count + 1)
        for character in first {
            var current = [0]
            for (index, other) in second.enumerated() {
                current.append(character == other ? last[index] + 1 : max(last[index + 1], current[index]))
            }
            last = current
        }
        return last[second.count]
    }
}
