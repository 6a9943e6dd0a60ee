import Foundation
import MastodonTimeline

@main
struct Timeline {
    static func main() async {
        let command = TimelineCommand(
            CommandLine.arguments.dropFirst(),
            token: ProcessInfo.processInfo.environment["MASTODON_TOKEN"],
            terminal: .standardOutput
        )
        let outcome = await command.run { FileHandle.standardOutput.write(Data($0.utf8)) }
        FileHandle.standardOutput.write(Data(outcome.output.utf8))
        FileHandle.standardError.write(Data(outcome.errors.utf8))
        exit(outcome.exitCode)
    }
}
