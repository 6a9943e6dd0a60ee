/// What the command line asks for.
enum Command {
    case help
    case generate(GenerateCommand)

    /// Reads the arguments.
    init(_ arguments: [String]) throws(CommandError) {
        let arguments = try ResponseFile.expand(arguments)
        guard let first = arguments.first else { throw .usage("a command is missing") }
        if arguments.contains("--help") || arguments.contains("-h") || first == "help" {
            self = .help
            return
        }
        guard first == "generate" else { throw .usage("'\(first)' is not a command") }
        self = .generate(try GenerateCommand(Array(arguments.dropFirst())))
    }

    static let helpText = """
        Generates accessors for the relationships that comments of Swift sources declare.

        USAGE: flatcache generate --target NAME --output FILE [--template FILE] [SOURCE …]

          --target NAME     the target, and so the module, that the sources belong to
          --output FILE     where to write the accessors; written only if they have changed
          --template FILE   a Mustache template to render instead of the one of the tool
          SOURCE …          all Swift files of the target
          @FILE             stands for the arguments in FILE, one a line

        EXIT CODES: 0 fine, 1 the sources have errors or a file can't be read or written, 64 wrong arguments

        """
}
