/// The output and the exit code of a run.
package struct Outcome {
    /// The exit codes.
    package enum Status: Int32 {
        case success = 0
        /// The sources have errors, a copy is not up to date, a store is damaged, or a file can't be read or written.
        case findings = 1
        /// The arguments are wrong.
        case usage = 64
    }

    package var status = Status.success
    /// The output as bytes, because a diff contains the bytes of files.
    package var output: [UInt8] = []
    /// The lines for standard error.
    package var messages: [String] = []

    package init() {}

    package init(output: String) { self.output = Array(output.utf8) }

    /// Creates an outcome that prints a text, or writes it to a file other than `-`.
    package init(of text: String, writtenTo file: String?) throws(CommandError) {
        self.init()
        guard let file, file != "-" else {
            output = Array(text.utf8)
            return
        }
        try File.write(Array(text.utf8), to: file)
    }
}
