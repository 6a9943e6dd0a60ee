/// What a run prints, and how it ends.
struct Outcome {
    /// The exit codes.
    enum Status: Int32 {
        case success = 0
        /// The sources have errors, a copy is not up to date, or a file can't be read or written.
        case findings = 1
        /// The command line can't be understood.
        case usage = 64
    }

    var status = Status.success
    /// Bytes, because a diff shows files as they are.
    var output: [UInt8] = []
    var errors: [String] = []

    init() {}

    init(output: String) { self.output = Array(output.utf8) }
}

/// Why a command could not be carried out.
struct CommandError: Error {
    private(set) var status: Outcome.Status
    private(set) var messages: [String]

    /// The command line can't be understood.
    static func usage(_ message: String) -> CommandError {
        CommandError(status: .usage, messages: ["error: \(message)"])
    }

    static func failure(_ messages: [String]) -> CommandError {
        CommandError(status: .findings, messages: messages)
    }

    /// A file can't be used.
    static func file(_ path: String, _ message: String) -> CommandError {
        failure(["\(path): error: \(message)"])
    }

    /// The error as one of a command, whose help tells more.
    func of(_ command: String) -> CommandError {
        var error = self
        error.command = command
        return error
    }

    /// What is printed.
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
