#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The command line tool.
package enum CommandLineTool {
    /// Runs the command that the arguments of the process name, and exits.
    ///
    /// - Parameter commands: The commands of the program, in the order of the help on all of them.
    package static func main(_ commands: [Command]) -> Never {
        let outcome = run(Array(CommandLine.arguments.dropFirst()), commands)
        write(outcome.output, to: STDOUT_FILENO)
        write(outcome.messages.flatMap { Array("\($0)\n".utf8) }, to: STDERR_FILENO)
        exit(outcome.status.rawValue)
    }

    private static func run(_ arguments: [String], _ commands: [Command]) -> Outcome {
        do throws(CommandError) {
            return try Command.run(arguments, of: commands)
        } catch {
            return error.outcome
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                Darwin.write(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Glibc)
                Glibc.write(file, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                Musl.write(file, bytes.baseAddress, bytes.count)
                #endif
            }
            // An error of standard output or standard error can't be reported.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
