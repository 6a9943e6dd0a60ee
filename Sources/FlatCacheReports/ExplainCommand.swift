import FlatCacheCommands
import RelationshipGenerator

/// `flatcache explain`: prints the annotations with their properties and derived names, the keys of decodable entities,
/// and the errors.
struct ExplainCommand {
    private enum Format: String, CaseIterable {
        case text, json
    }

    private let options: ReportOptions<Format>

    init(_ arguments: [String]) throws(CommandError) {
        options = try ReportOptions(arguments, default: .text, flags: [.strict])
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
        let notes = explanation.payloadNotes.count
        if options.flags.contains(.strict), notes > 0 {
            outcome.status = .findings
            outcome.messages.append(
                "error: payloads can't keep all properties: \(notes) note\(notes == 1 ? "" : "s") on keys"
            )
        }
        return outcome
    }
}

extension ExplainCommand {
    /// The command for the programs that have it.
    static var command: Command {
        Command(
            name: "explain",
            summary: "prints each annotation with its property and its accessors, and the keys of decodable entities",
            help: help
        ) { arguments, _ throws(CommandError) in
            try ExplainCommand(arguments).run()
        }
    }

    private static let help = """
        Prints each annotation with its property and the names of its accessors, the keys of decodable entities, and the
        errors.

        USAGE: flatcache explain {--target NAME [SOURCE …]} …

          --format FORMAT   'text' (the default) or 'json'
          --only NAME       explains only this target; can be repeated
          --output FILE     the file to write; without it, or with '-', the explanation is printed
          --strict          ends with exit code 1 if payloads can't keep or read a property

        """
}
