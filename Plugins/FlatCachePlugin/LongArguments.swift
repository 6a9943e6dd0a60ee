import Foundation

/// Arguments that a command line may be too short for.
enum LongArguments {
    /// Half of the least that a command line holds: Linux gives all arguments and the environment together 128 KiB where
    /// the stack is small (2 MiB by default; macOS gives 1 MiB), and no more to one argument, such as the line of a shell.
    private static let limit = 64 * 1024

    /// The arguments themselves, or one that names a file with all of them when they are long.
    ///
    /// That file is an input of the build like any other, and is written only when it changes.
    ///
    /// - Parameter directory: Where to write the file.
    /// - Throws: What the system says when the file can't be written.
    static func fitting(_ arguments: [String], in directory: URL) throws -> (arguments: [String], inputs: [URL]) {
        guard arguments.reduce(0, { $0 + $1.utf8.count + 1 }) > limit else { return (arguments, []) }
        let file = directory.appending(path: "arguments")
        let lines = Data(arguments.joined(separator: "\n").utf8)
        if FileManager.default.contents(atPath: file.path) != lines { try lines.write(to: file, options: .atomic) }
        return (["@\(file.path)"], [file])
    }
}
