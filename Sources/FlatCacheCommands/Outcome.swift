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

    init() {}

    package init(output: String) { self.output = Array(output.utf8) }
}
