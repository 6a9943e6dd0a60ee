import RelationshipGenerator

/// `flatcache graph`: prints the relationships of models as a diagram.
struct GraphCommand {
    private enum Format: String, CaseIterable {
        case mermaid, dot
    }

    private let targets: [TargetSources]
    private let format: Format
    private let output: String?

    init(_ arguments: [String]) throws(CommandError) {
        let arguments = try Arguments(arguments, knowing: [.format, .only, .output, .template])
        targets = arguments.targets
        format = try arguments.format(Format.self, default: .mermaid)
        output = arguments[.output]
    }

    func run() throws(CommandError) -> Outcome {
        let reports = try targets.reports()
        let errors = reports.flatMap(\.errors)
        // A diagram with relationships left out would be taken for the whole.
        guard errors.isEmpty else { throw .failure(errors.map(\.description)) }
        let graph = RelationshipGraph(reports)
        return try Outcome(of: format == .dot ? graph.dot : graph.mermaid, writtenTo: output)
    }
}
