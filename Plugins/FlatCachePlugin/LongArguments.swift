import Foundation

/// Arguments that may be too long for a command line.
enum LongArguments {
    /// Half of the smallest limit of a command line.
    ///
    /// Linux limits a single argument to 128 KiB, such as the command of a shell. It limits all arguments with the
    /// environment to the same size if the stack is small, and to 2 MiB by default; macOS limits them to 1 MiB.
    private static let limit = 64 * 1024

    /// Returns the arguments, or if they are long a single argument with the path of a file that contains them.
    ///
    /// The file is an input of the build, and is only written when its contents change.
    ///
    /// - Parameter directory: Where to write the file.
    /// - Returns: The arguments and the additional inputs.
    /// - Throws: The error of the system when the file can't be written.
    static func fitting(_ arguments: [String], in directory: URL) throws -> (arguments: [String], inputs: [URL]) {
        guard arguments.reduce(0, { $0 + $1.utf8.count + 1 }) > limit else { return (arguments, []) }
        let file = directory.appending(path: "arguments")
        let lines = Data(arguments.joined(separator: "\n").utf8)
        if FileManager.default.contents(atPath: file.path) != lines { try lines.write(to: file, options: .atomic) }
        return (["@\(file.path)"], [file])
    }
}
