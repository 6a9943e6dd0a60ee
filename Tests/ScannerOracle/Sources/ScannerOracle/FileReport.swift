import Foundation

/// What came out for one file.
struct FileReport: Sendable {
    var path: String
    var lines = 0
    var hasError = false
    var commentsInInterpolations = 0
    var facts: [Fact.Topic: Int] = [:]
    /// How many annotations were put into the file in each layout.
    var injections: [String: Int] = [:]
    /// What is wrong, one line each.
    var findings: [String] = []

    /// Of how many files one gets annotations.
    private static let injectEvery: UInt64 = 6

    init(of file: Corpus.File, seed: UInt64) {
        path = file.name
        guard let data = FileManager.default.contents(atPath: file.path) else {
            findings = ["\(file.name): error: can't be read"]
            return
        }
        let text = Array(data)
        lines = text.count { $0 == 0x0A }
        let syntax = compare(text, as: file.name)
        hasError = syntax.hasError
        commentsInInterpolations = syntax.commentsInInterpolations
        for fact in syntax.all { facts[fact.topic, default: 0] += 1 }
        // Other bits of the hash choose the files here.
        guard !hasError, (file.hash >> 20) % Self.injectEvery == 0 else { return }
        inject(into: text, file, seed: seed)
    }

    /// Compares what the two say of a text.
    ///
    /// - Returns: What swift-syntax says.
    private mutating func compare(_ text: [UInt8], as name: String) -> Facts {
        let syntax = SyntaxFacts.of(text)
        let differences = Difference.between(scanner: ScannerFacts.of(text), syntax: syntax)
        if !differences.isEmpty {
            let lines = LineTable(text)
            findings += differences.map {
                "\(name):\(lines.line(of: $0.fact.offset) + 1): only \($0.side) says: \($0.fact.topic) \($0.fact.text)"
            }
        }
        return syntax
    }

    private mutating func inject(into text: [UInt8], _ file: Corpus.File, seed: UInt64) {
        // A part of the files gets other line ends, which change neither declarations nor what comments stand on.
        let usesReturns = (file.hash >> 40) % 4 == 0 && !text.contains(0x0D)
        let injection = Injection(text, seed: seed ^ file.hash, lineEnd: usesReturns ? "\r\n" : "\n")
        for injected in injection.injected { injections[injected.layout, default: 0] += 1 }
        if usesReturns { injections["in a file with CRLF", default: 0] += injection.injected.count }
        let injectedText = injection.text
        let syntax = compare(injectedText, as: "\(file.name) with annotations, seed \(seed)")
        if syntax.hasError { findings.append("\(file.name): the annotations broke the file, seed \(seed)") }
        let lines = LineTable(injectedText)
        findings += injection.failures().map {
            """
            \(file.name) with annotations, seed \(seed):\(lines.line(of: $0.offset) + 1): \($0.injected.target) \
            \($0.injected.layout) must give \($0.injected.expectation), and gives \($0.said)
            """
        }
    }
}

/// What came out for all files.
struct Summary {
    private var files = 0
    private(set) var lines = 0
    private var erroneous: [String] = []
    private var commentsInInterpolations = 0
    private var facts: [Fact.Topic: Int] = [:]
    private var injections: [String: Int] = [:]
    private var findings: [String] = []

    var isClean: Bool { findings.isEmpty }

    mutating func add(_ report: FileReport) {
        files += 1
        lines += report.lines
        if report.hasError { erroneous.append(report.path) }
        commentsInInterpolations += report.commentsInInterpolations
        facts.merge(report.facts, uniquingKeysWith: +)
        injections.merge(report.injections, uniquingKeysWith: +)
        findings += report.findings
    }

    func describe(seed: UInt64, seconds: Double) {
        for finding in findings { print(finding) }
        print("\(files) files, \(lines) lines")
        print("compared for comments only, for swift-syntax finds errors: \(erroneous.count)")
        for path in erroneous { print("    \(path)") }
        for topic in Fact.Topic.allCases { print("\(topic): \(facts[topic] ?? 0)") }
        print("comments in interpolations: \(commentsInInterpolations)")
        let inCRLF = injections["in a file with CRLF"] ?? 0
        print("annotations put in with seed \(seed): \(injections.values.reduce(0, +) - inCRLF)")
        for (layout, count) in injections.sorted(by: { $0.key < $1.key }) { print("    \(layout): \(count)") }
        print("differences: \(findings.count)")
        print("seconds: \(Int(seconds.rounded()))")
    }
}
