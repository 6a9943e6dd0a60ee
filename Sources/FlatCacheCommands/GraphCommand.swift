import RelationshipGenerator

/// `flatcache graph`: prints the relationships of models as a diagram.
struct GraphCommand {
    private enum Format: String, CaseIterable {
        case mermaid, dot
    }

    private let options: ReportOptions<Format>

    init(_ arguments: [String]) throws(CommandError) {
        options = try ReportOptions(arguments, default: .mermaid)
    }

    func run() throws(CommandError) -> Outcome {
        let reports = try options.targets.reports()
        let errors = reports.flatMap(\.errors)
        // A diagram without the invalid relationships would be mistaken for a complete one.
        guard errors.isEmpty else { throw .failure(errors.map(\.description)) }
        let graph = RelationshipGraph(reports)
        return try Outcome(of: options.format == .dot ? graph.dot : graph.mermaid, writtenTo: options.output)
    }
}
