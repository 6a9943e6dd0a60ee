import RelationshipGenerator

/// `flatcache explain`: prints the annotations with their properties and derived names, and the errors.
struct ExplainCommand {
    private enum Format: String, CaseIterable {
        case text, json
    }

    private let options: ReportOptions<Format>

    init(_ arguments: [String]) throws(CommandError) {
        options = try ReportOptions(arguments, default: .text)
    }

    func run() throws(CommandError) -> Outcome {
        let reports = try options.targets.reports()
        let explanation = Explanation(reports)
        let text = options.format == .json ? explanation.json : explanation.text
        var outcome = try Outcome(of: text, writtenTo: options.output)
        let errors = reports.reduce(0) { $0 + $1.errors.count }
        if errors > 0 {
            outcome.status = .findings
            outcome.messages = ["error: annotations are invalid: \(explanation.summary)"]
        }
        return outcome
    }
}
