/// The texts that `--help` prints, as far as commands share them.
enum HelpText {
    /// The text on all commands.
    @_optimize(none)
    static func overview(of commands: [Command]) -> String {
        let usages = commands.compactMap(\.usage).map { "\n       flatcache \($0)" }.joined()
        let summaries = commands.map { command in
            "  \(command.name)\(String(repeating: " ", count: max(1, 11 - command.name.count)))\(command.summary)"
        }.joined(separator: "\n")
        return """
            Generates accessors for the relationships that comments in Swift sources declare, and tables of keys for decoding.

            USAGE: flatcache COMMAND --target NAME [SOURCE …]\(usages)

            \(summaries)

            'flatcache COMMAND --help' describes a command. In a package, 'swift package flatcache review', 'explain' and 'graph'
            pass all targets with their sources, and so does 'swift package flatcache-record'. There, --target NAME selects one.

            \(exitCodes)

            """
    }

    /// The arguments of all commands on sources.
    static let arguments = """
          --target NAME     the name of the target's module
          --template FILE   the Mustache template of the preceding target; replaces the shipped one
          SOURCE …          all Swift files of the target
          @FILE             is replaced by the lines of FILE, one argument each; write ./@NAME for a source named so

        \(exitCodes)

        """

    private static let exitCodes =
        "EXIT CODES: 0 success, 1 errors, differences, or a file that can't be read or written, 64 wrong arguments"
}
