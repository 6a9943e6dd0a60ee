import Foundation

@main
enum ScannerOracle {
    static func main() throws {
        let paths = Corpus.files(below: Array(CommandLine.arguments.dropFirst()))
        let begin = Date()
        let results = inParallel(paths.count) { compare(paths[$0]) }
        var lines = 0
        var erroneous = 0
        var facts: [Fact.Topic: Int] = [:]
        var differences = 0
        var byTopic: [String: Int] = [:]
        for (path, result) in zip(paths, results) {
            lines += result.lines
            erroneous += result.hasError ? 1 : 0
            facts.merge(result.facts, uniquingKeysWith: +)
            differences += result.differences.count
            for difference in result.differences {
                byTopic["\(difference.fact.topic) \(difference.side)", default: 0] += 1
                print("\(path):\(difference.line): \(difference.side): \(difference.fact.topic): \(difference.fact.text)")
            }
        }
        print(paths.count, "files", lines, "lines", erroneous, "erroneous", facts, differences, byTopic)
        print(Date().timeIntervalSince(begin))
    }

    struct Comparison: Sendable {
        struct Found: Sendable {
            var side: Difference.Side
            var line: Int
            var fact: Fact
        }
        var lines = 0
        var hasError = false
        var facts: [Fact.Topic: Int] = [:]
        var differences: [Found] = []
    }

    static func compare(_ path: String) -> Comparison {
        guard let data = FileManager.default.contents(atPath: path) else { return Comparison() }
        let text = Array(data)
        let ours = ScannerFacts.of(text)
        let theirs = SyntaxFacts.of(text)
        let table = LineTable(text)
        var result = Comparison()
        result.lines = text.count { $0 == 0x0A }
        result.hasError = theirs.hasError
        for fact in theirs.all { result.facts[fact.topic, default: 0] += 1 }
        result.differences = Difference.between(scanner: ours, syntax: theirs).map {
            Comparison.Found(side: $0.side, line: table.line(of: $0.fact.offset) + 1, fact: $0.fact)
        }
        return result
    }
}
