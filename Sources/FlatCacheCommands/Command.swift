/// A command of a program.
///
/// Each program has a list of commands. The tool of the build plugin has only one, because every build with the plugin compiles
/// the tool.
package struct Command {
    /// The name of the command, which is the first argument.
    let name: String
    /// The name with the arguments, if they aren't those of all commands on sources.
    let usage: String?
    /// The line about the command in the help on all commands.
    let summary: String
    /// The text that `--help` prints.
    let help: String
    /// Whether `@FILE` is replaced by the lines of the file.
    private let expandsFiles: Bool
    private let body: (_ arguments: [String], _ written: [String]) throws(CommandError) -> Outcome

    /// Creates a command on the sources of targets.
    ///
    /// - Parameters:
    ///   - name: The name, which no other command has.
    ///   - summary: The line about the command in the help on all commands.
    ///   - help: The text that `--help` prints before the arguments that all commands on sources have.
    ///   - body: Runs the command with the arguments after its name, and the same as they were written, with `@FILE`.
    package init(
        name: String,
        summary: String,
        help: String,
        body: @escaping (_ arguments: [String], _ written: [String]) throws(CommandError) -> Outcome
    ) {
        self.name = name
        usage = nil
        self.summary = summary
        self.help = help + HelpText.arguments
        expandsFiles = true
        self.body = body
    }

    /// Creates a command on something else.
    ///
    /// - Parameters:
    ///   - name: The name, which no other command has.
    ///   - usage: The name with the arguments.
    ///   - summary: The line about the command in the help on all commands.
    ///   - help: The text that `--help` prints.
    ///   - body: Runs the command with the arguments after its name. `@FILE` isn't replaced in them.
    package init(
        name: String,
        usage: String,
        summary: String,
        help: String,
        body: @escaping (_ arguments: [String]) throws(CommandError) -> Outcome
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.help = help
        expandsFiles = false
        self.body = { arguments, _ throws(CommandError) in try body(arguments) }
    }

    /// Runs the command that the arguments of a program name.
    @_optimize(none)
    static func run(_ written: [String], of commands: [Command]) throws(CommandError) -> Outcome {
        guard let first = written.first else { throw .usage("a command is missing") }
        let written = Array(written.dropFirst())
        if ["help", "--help", "-h"].contains(first) {
            let topic = commands.first { $0.name == written.first }
            return Outcome(output: topic?.help ?? HelpText.overview(of: commands))
        }
        guard let command = commands.first(where: { $0.name == first }) else {
            let suggestion = Suggestion.behind(first, from: commands.map(\.name), otherwise: "")
            throw .usage("'\(first)' is not a command" + suggestion)
        }
        return try command.run(written)
    }

    private func run(_ written: [String]) throws(CommandError) -> Outcome {
        do throws(CommandError) {
            let arguments = expandsFiles ? try ResponseFile.expand(written) : written
            if arguments.contains("--help") || arguments.contains("-h") { return Outcome(output: help) }
            return try body(arguments, written)
        } catch {
            throw error.of(name)
        }
    }
}
