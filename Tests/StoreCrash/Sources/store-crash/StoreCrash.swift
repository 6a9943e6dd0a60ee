import FlatCacheStore
import Foundation

/// Uses stores in processes that are killed, in two processes at once, and on a full disk.
///
///     store-crash kills --folder FOLDER [--seed N] [--count N]
///     store-crash readers --folder FOLDER [--seed N] [--count N]
///     store-crash hand-over --folder FOLDER [--seed N] [--count N]
///     store-crash full-disk --folder FOLDER [--seed N] [--count N]
///     store-crash check --folder FOLDER --seed N [--least STEP]
///
/// The folder of the first four must be empty. The last one checks a store that a failure has left behind.
@main
struct StoreCrash {
    static func main() async {
        // A process whose partner has ended gets an error instead.
        signal(SIGPIPE, SIG_IGN)
        do {
            try await run(Options(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("store-crash: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ options: Options) async throws {
        switch options.command {
        case "kills":
            var check = KillCheck(options)
            try await check.run()
        case "readers": try await ReaderCheck(options: options).run()
        case "hand-over":
            var check = HandOverCheck(options)
            try await check.run()
        case "full-disk": try await FullDiskCheck(options: options).run()
        case "check":
            let bank = try await Bank(at: options.folder, options.ledger, access: .readOnly)
            print("step \(try bank.check(least: options.least).step), as it should be")
        case "writer": try await Writer(options: options).run()
        case "partner": try await Partner(options: options).run()
        default: throw Failure("'\(options.command)' is no command: kills, readers, hand-over, full-disk or check")
        }
    }
}
