/// The command that the arguments name.
enum Command {
    case help(HelpText)
    case generate(GenerateCommand)
    case review(ReviewCommand)
    case record(RecordCommand)
    case explain(ExplainCommand)
    case graph(GraphCommand)

    /// Reads the arguments.
    init(_ written: [String]) throws(CommandError) {
        guard let first = written.first else { throw .usage("a command is missing") }
        if ["help", "--help", "-h"].contains(first) {
            self = .help(written.dropFirst().first.flatMap(HelpText.init(rawValue:)) ?? .overview)
            return
        }
        guard let name = Name(rawValue: first) else {
            throw .usage(
                "'\(first)' is not a command"
                    + Suggestion.behind(first, from: Name.allCases.map(\.rawValue), otherwise: "")
            )
        }
        let written = Array(written.dropFirst())
        let arguments = try ResponseFile.expand(written)
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help(name.help)
            return
        }
        do throws(CommandError) {
            switch name {
            case .generate: self = .generate(try GenerateCommand(arguments))
            case .review: self = .review(try ReviewCommand(arguments, written: written))
            case .record: self = .record(try RecordCommand(arguments))
            case .explain: self = .explain(try ExplainCommand(arguments))
            case .graph: self = .graph(try GraphCommand(arguments))
            }
        } catch {
            throw error.of(name.rawValue)
        }
    }

    /// The names of the commands.
    private enum Name: String, CaseIterable {
        case generate, review, record, explain, graph

        var help: HelpText { HelpText(rawValue: rawValue) ?? .overview }
    }

    func run() throws(CommandError) -> Outcome {
        switch self {
        case .help(let text): Outcome(output: text.text)
        case .generate(let command): try command.run()
        case .review(let command): try command.run()
        case .record(let command): try command.run()
        case .explain(let command): try command.run()
        case .graph(let command): try command.run()
        }
    }
}
