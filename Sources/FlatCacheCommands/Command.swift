/// The command that the arguments name.
enum Command {
    case help(String)
    case generate(GenerateCommand)
    case review(ReviewCommand)
    case record(RecordCommand)
    case explain(ExplainCommand)
    case graph(GraphCommand)
    case added(AddedCommand, [String])

    /// Reads the arguments.
    ///
    /// - Parameters:
    ///   - written: The arguments.
    ///   - added: The commands that only this program has.
    init(_ written: [String], adding added: [AddedCommand]) throws(CommandError) {
        guard let first = written.first else { throw .usage("a command is missing") }
        let written = Array(written.dropFirst())
        if ["help", "--help", "-h"].contains(first) {
            self = .help(Self.help(on: written.first, adding: added))
            return
        }
        if let command = added.first(where: { $0.name == first }) {
            self = Self.asksForHelp(written) ? .help(command.help) : .added(command, written)
            return
        }
        guard let name = Name(rawValue: first) else {
            let names = Name.allCases.map(\.rawValue) + added.map(\.name)
            throw .usage("'\(first)' is not a command" + Suggestion.behind(first, from: names, otherwise: ""))
        }
        let arguments = try ResponseFile.expand(written)
        if Self.asksForHelp(arguments) {
            self = .help(name.help.text)
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

    /// Returns the help on a command, or on all if there is no such command.
    private static func help(on topic: String?, adding added: [AddedCommand]) -> String {
        if let command = added.first(where: { $0.name == topic }) { return command.help }
        if let topic, let name = Name(rawValue: topic) { return name.help.text }
        return HelpText.overview(adding: added)
    }

    private static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.contains("--help") || arguments.contains("-h")
    }

    /// The names of the commands that all programs have.
    private enum Name: String, CaseIterable {
        case generate, review, record, explain, graph

        var help: HelpText {
            switch self {
            case .generate: .generate
            case .review: .review
            case .record: .record
            case .explain: .explain
            case .graph: .graph
            }
        }
    }

    func run() throws(CommandError) -> Outcome {
        switch self {
        case .help(let text): Outcome(output: text)
        case .generate(let command): try command.run()
        case .review(let command): try command.run()
        case .record(let command): try command.run()
        case .explain(let command): try command.run()
        case .graph(let command): try command.run()
        case .added(let command, let arguments): try command.run(arguments)
        }
    }
}
