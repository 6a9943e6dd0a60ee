import Foundation

/// How much is tried with how many files.
struct Thoroughness: Sendable {
    /// Of how many files one gets annotations.
    var injectEvery: UInt64 = 6
    /// Of how many files one gets white space of a kind.
    var respaceEvery: UInt64
    /// How often a file with white space may be read until that breaks nothing.
    var attempts: Int

    static let sample = Thoroughness(respaceEvery: 40, attempts: 15)
    static let whole = Thoroughness(injectEvery: 1, respaceEvery: 1, attempts: 60)
}

/// What came out for one file.
struct FileReport: Sendable {
    var path: String
    var lines = 0
    var hasError = false
    /// Whether it is the text of a literal, of which many have errors.
    var isLiteral = false
    var commentsInInterpolations = 0
    var facts: [Fact.Topic: Int] = [:]
    /// How many annotations were put into the file in each layout.
    var injections: [String: Int] = [:]
    /// How much white space of each kind was put into the file.
    var respaced: [String: Int] = [:]
    /// What is wrong, one text each.
    var findings: [String] = []

    init(of file: Corpus.File, seed: UInt64, thoroughness: Thoroughness) {
        path = file.name
        guard let text = file.text else {
            findings = ["\(file.name): error: can't be read"]
            return
        }
        lines = text.count { $0 == 0x0A }
        let syntax = compare(text, as: file.name)
        hasError = syntax.hasError
        isLiteral = file.isLiteral
        commentsInInterpolations = syntax.commentsInInterpolations
        for fact in syntax.all { facts[fact.topic, default: 0] += 1 }
        guard !hasError else { return }
        // Other bits of the hash choose the files here.
        let isInjected = (file.hash >> 20) % thoroughness.injectEvery == 0
        let kinds = Respacing.Kind.allCases.enumerated().filter { index, _ in
            ((file.hash >> 10) &+ UInt64(index)) % thoroughness.respaceEvery == 0
        }
        guard isInjected || !kinds.isEmpty else { return }
        let places = SyntaxFacts.places(in: text)
        if isInjected { inject(into: text, places, file, seed: seed) }
        for (_, kind) in kinds {
            let attempts = thoroughness.attempts
            let respacing = Respacing(text, places, kind, seed: seed ^ file.hash, attempts: attempts)
            for result in respacing.results {
                respaced[kind.rawValue, default: 0] += result.count
                _ = compare(result.text, as: "\(file.name) with \(kind.rawValue), seed \(seed)")
            }
        }
    }

    /// Compares what the two say of a text.
    ///
    /// - Returns: What swift-syntax says.
    private mutating func compare(_ text: [UInt8], as name: String) -> Facts {
        let syntax = SyntaxFacts.of(text)
        let differences = Difference.between(scanner: ScannerFacts.of(text), syntax: syntax)
        if !differences.isEmpty {
            let lines = LineTable(text)
            findings += differences.map { difference in
                let line = lines.line(of: difference.fact.offset)
                let code = text[lines.start(of: line)...].prefix { $0 != 0x0A && $0 != 0x0D }.prefix(160)
                return """
                    \(name):\(line + 1): only \(difference.side) says: \(difference.fact.topic) \(difference.fact.text)
                        in: \(String(decoding: code, as: UTF8.self))
                    """
            }
        }
        return syntax
    }

    private mutating func inject(into text: [UInt8], _ places: Places, _ file: Corpus.File, seed: UInt64) {
        // A part of the files gets other line ends, which change neither declarations nor what comments stand on.
        let usesReturns = (file.hash >> 40) % 4 == 0 && !text.contains(0x0D)
        let injection = Injection(text, places, seed: seed ^ file.hash, lineEnd: usesReturns ? "\r\n" : "\n")
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
    private var literals = 0
    private(set) var lines = 0
    private var erroneous: [String] = []
    private var commentsInInterpolations = 0
    private var facts: [Fact.Topic: Int] = [:]
    private var injections: [String: Int] = [:]
    private var respaced: [String: Int] = [:]
    private var findings: [String]

    init(findings: [String]) { self.findings = findings }

    var isClean: Bool { findings.isEmpty }

    mutating func add(_ report: FileReport) {
        files += 1
        lines += report.lines
        if report.isLiteral { literals += 1 }
        if report.hasError, !report.isLiteral { erroneous.append(report.path) }
        commentsInInterpolations += report.commentsInInterpolations
        facts.merge(report.facts, uniquingKeysWith: +)
        injections.merge(report.injections, uniquingKeysWith: +)
        respaced.merge(report.respaced, uniquingKeysWith: +)
        findings += report.findings
    }

    func describe(seed: UInt64, seconds: Double) {
        for finding in findings { print(finding) }
        print("\(files) files, \(lines) lines, of which \(literals) files are string literals")
        print("compared for comments only, for swift-syntax finds errors: \(erroneous.count)")
        for path in erroneous { print("    \(path)") }
        for topic in Fact.Topic.allCases { print("\(topic): \(facts[topic] ?? 0)") }
        print("comments in interpolations: \(commentsInInterpolations)")
        let inCRLF = injections["in a file with CRLF"] ?? 0
        print("annotations put in with seed \(seed): \(injections.values.reduce(0, +) - inCRLF)")
        for (layout, count) in injections.sorted(by: { $0.key < $1.key }) { print("    \(layout): \(count)") }
        print("white space and comments put in with seed \(seed): \(respaced.values.reduce(0, +))")
        for (kind, count) in respaced.sorted(by: { $0.key < $1.key }) { print("    \(kind): \(count)") }
        print("differences: \(findings.count)")
        print("seconds: \(Int(seconds.rounded()))")
    }
}
