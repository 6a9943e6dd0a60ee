#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The command line tool: arguments, files in, files out.
@main
enum FlatCacheTool {
    static func main() {
        let outcome = run(Array(CommandLine.arguments.dropFirst()))
        print(outcome.output, terminator: "")
        var standardError = StandardError()
        print(outcome.errors, terminator: "", to: &standardError)
        exit(outcome.status.rawValue)
    }

    /// The exit codes.
    enum Status: Int32 {
        case success = 0
        /// The sources have errors, or a file can't be read or written.
        case failure = 1
        /// The command line can't be understood.
        case usage = 64
    }

    /// What a run prints, and how it ends.
    struct Outcome {
        var status = Status.success
        var output = ""
        var errors = ""
    }

    static func run(_ arguments: [String]) -> Outcome {
        do throws(CommandError) {
            switch try Command(arguments) {
            case .help: return Outcome(output: Command.helpText)
            case .generate(let command):
                try command.run()
                return Outcome()
            }
        } catch {
            return Outcome(status: error.status, errors: error.message + "\n")
        }
    }
}

/// Why a command could not be carried out.
struct CommandError: Error {
    var status: FlatCacheTool.Status
    var message: String

    /// The command line can't be understood.
    static func usage(_ message: String) -> CommandError {
        CommandError(status: .usage, message: "error: \(message); 'flatcache --help' lists what can be written")
    }

    static func failure(_ message: String) -> CommandError {
        CommandError(status: .failure, message: message)
    }
}

/// Where errors are printed.
private struct StandardError: TextOutputStream {
    mutating func write(_ string: String) {
        var rest = Array(string.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
                #elseif canImport(Glibc)
                Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
                #elseif canImport(Musl)
                Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
                #endif
            }
            // Nobody is left to be told that errors can't be told.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
