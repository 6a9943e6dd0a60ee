import FlatCacheCommands
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

extension GraphCommand {
    /// The command for the programs that have it.
    static var command: Command {
        Command(name: "graph", summary: "prints the relationships as a diagram", help: help) {
            arguments,
            _ throws(CommandError) in
            try GraphCommand(arguments).run()
        }
    }

    private static let help = """
        Prints a diagram of the types, the relationships between them, and the number of entities at each end.

        USAGE: flatcache graph {--target NAME [SOURCE …]} …

          --format FORMAT   'mermaid' (the default) or 'dot'
          --only NAME       draws only the relationships of this target; can be repeated
          --output FILE     the file to write; without it, or with '-', the diagram is printed

        """
}
