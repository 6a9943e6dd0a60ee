/// The output and the exit code of a run.
struct Outcome {
    /// The exit codes.
    enum Status: Int32 {
        case success = 0
        /// The sources have errors, a copy is not up to date, or a file can't be read or written.
        case findings = 1
        /// The arguments are wrong.
        case usage = 64
    }

    var status = Status.success
    /// The output as bytes, because a diff contains the bytes of files.
    var output: [UInt8] = []
    var errors: [String] = []

    init() {}

    init(output: String) { self.output = Array(output.utf8) }
}

/// The error that ends a command.
struct CommandError: Error {
    private(set) var status: Outcome.Status
    private(set) var messages: [String]

    /// The error for wrong arguments.
    static func usage(_ message: String) -> CommandError {
        CommandError(status: .usage, messages: ["error: \(message)"])
    }

    static func failure(_ messages: [String]) -> CommandError {
        CommandError(status: .findings, messages: messages)
    }

    /// The error for a file that can't be used.
    static func file(_ path: String, _ message: String) -> CommandError {
        failure(["\(path): error: \(message)"])
    }

    /// The error with the name of the command, whose help it mentions.
    func of(_ command: String) -> CommandError {
        var error = self
        error.command = command
        return error
    }

    /// The outcome that reports the error.
    var outcome: Outcome {
        var outcome = Outcome()
        outcome.status = status
        outcome.errors = messages
        if status == .usage {
            let help = (["flatcache"] + [command].compactMap { $0 } + ["--help"]).joined(separator: " ")
            outcome.errors = messages.map { message in
                "\(message)\(message.hasSuffix("?") ? "" : ";") '\(help)' lists what can be written"
            }
        }
        return outcome
    }

    private var command: String?

    private init(status: Outcome.Status, messages: [String]) {
        self.status = status
        self.messages = messages
    }
}
