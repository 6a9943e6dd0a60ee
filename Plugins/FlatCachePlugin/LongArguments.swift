import Foundation

/// Arguments that a command line may be too short for.
enum LongArguments {
    /// What fits everywhere, with the environment: the limit is 1 MiB on macOS, 2 MiB on Linux.
    private static let limit = 256 * 1024

    /// The arguments themselves, or a file that has them all when they are long.
    ///
    /// That file is an input of the build like any other, and is written only when it changes. Fewer arguments don't need
    /// it, and are better off without: it is gone when the folder is cleaned before the plugin runs again.
    ///
    /// - Parameter directory: Where to write the file.
    static func fitting(
        _ arguments: [String],
        in directory: URL
    ) throws -> (arguments: [String], inputs: [URL]) {
        guard arguments.reduce(0, { $0 + $1.utf8.count + 1 }) > limit else { return (arguments, []) }
        let file = directory.appending(path: "arguments")
        let lines = Data(arguments.joined(separator: "\n").utf8)
        if FileManager.default.contents(atPath: file.path) != lines { try lines.write(to: file, options: .atomic) }
        return (["@\(file.path)"], [file])
    }
}
