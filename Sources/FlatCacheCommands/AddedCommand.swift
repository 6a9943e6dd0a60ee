/// A command that only one of the programs has, because it needs modules that the others don't link.
package struct AddedCommand {
    /// The name of the command, which is the first argument.
    let name: String
    /// The name with the arguments.
    let usage: String
    /// The line about the command in the help on all commands.
    let summary: String
    /// The text that `--help` prints.
    let help: String
    private let body: ([String]) throws(CommandError) -> Outcome

    /// Creates a command.
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
        body: @escaping ([String]) throws(CommandError) -> Outcome
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.help = help
        self.body = body
    }

    func run(_ arguments: [String]) throws(CommandError) -> Outcome {
        do throws(CommandError) { return try body(arguments) } catch { throw error.of(name) }
    }
}
