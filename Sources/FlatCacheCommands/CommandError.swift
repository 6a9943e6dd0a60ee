/// The error that ends a command.
package struct CommandError: Error {
    private(set) var status: Outcome.Status
    package private(set) var messages: [String]

    /// The error for wrong arguments.
    package static func usage(_ message: String) -> CommandError {
        CommandError(status: .usage, messages: ["error: \(message)"])
    }

    package static func failure(_ messages: [String]) -> CommandError {
        CommandError(status: .findings, messages: messages)
    }

    /// The error for a file that can't be used.
    package static func file(_ path: String, _ message: String) -> CommandError {
        failure(["\(path): error: \(message)"])
    }

    /// The error with the name of the command, whose help it mentions.
    func of(_ command: String) -> CommandError {
        var error = self
        error.command = command
        return error
    }

    /// The outcome that reports the error.
    @_optimize(none)
    var outcome: Outcome {
        var outcome = Outcome()
        outcome.status = status
        outcome.messages = messages
        if status == .usage {
            let help = (["flatcache"] + [command].compactMap { $0 } + ["--help"]).joined(separator: " ")
            outcome.messages = messages.map { message in
                "\(message)\(message.hasSuffix("?") ? "" : ";") '\(help)' lists the arguments"
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
