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
    /// The lines for standard error.
    var messages: [String] = []

    init() {}

    init(output: String) { self.output = Array(output.utf8) }
}
