import Foundation
import MastodonTimeline

@main
struct Timeline {
    static func main() async {
        let command = TimelineCommand(CommandLine.arguments.dropFirst(), terminal: .standardOutput)
        let result = await command.run()
        FileHandle.standardOutput.write(Data(result.output.utf8))
        FileHandle.standardError.write(Data(result.errors.utf8))
        exit(result.exitCode)
    }
}
