import RelationshipGenerator

/// `flatcache explain`: prints what annotations stand on and what is derived from them, or what is wrong with them.
struct ExplainCommand {
    private enum Format: String, CaseIterable {
        case text, json
    }

    private let targets: [TargetSources]
    private let format: Format
    private let output: String?

    init(_ arguments: [String]) throws(CommandError) {
        let arguments = try Arguments(arguments, knowing: [.format, .only, .output, .template])
        targets = arguments.targets
        format = try arguments.format(Format.self, default: .text)
        output = arguments[.output]
    }

    func run() throws(CommandError) -> Outcome {
        let reports = try targets.reports()
        let explanation = Explanation(reports)
        var outcome = try Outcome(of: format == .json ? explanation.json : explanation.text, writtenTo: output)
        let errors = reports.reduce(0) { $0 + $1.errors.count }
        if errors > 0 {
            outcome.status = .findings
            outcome.errors = ["error: annotations can't be followed: \(explanation.summary)"]
        }
        return outcome
    }
}

extension Outcome {
    /// What a command prints, or writes to a file if that is asked for.
    init(of text: String, writtenTo file: String?) throws(CommandError) {
        self.init()
        guard let file else {
            output = Array(text.utf8)
            return
        }
        try File.write(Array(text.utf8), to: file)
    }
}
