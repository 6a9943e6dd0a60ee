import Foundation
import GitHubIssues

@main
struct Issues {
    static func main() {
        let outcome = IssuesCommand(CommandLine.arguments.dropFirst()).run()
        FileHandle.standardOutput.write(Data(outcome.output.utf8))
        FileHandle.standardError.write(Data(outcome.errors.utf8))
        exit(outcome.exitCode)
    }
}
