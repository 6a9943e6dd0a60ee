import FlatCache
import Foundation

/// The program without its process: arguments in, text and exit code out.
package struct IssuesCommand {
    /// The result of a run of the program.
    package struct Outcome: Equatable, Sendable {
        /// The text for standard output.
        package var output = ""
        /// The text for standard error.
        package var errors = ""
        /// 0, or 1 if a file or a part of it can't be shown, or 64 if the command line is wrong.
        package var exitCode: Int32 = 0
    }

    private let arguments: [String]

    /// Creates a run of the program.
    ///
    /// - Parameter arguments: The command line without the name of the program.
    package init(_ arguments: some Sequence<String>) {
        self.arguments = Array(arguments)
    }

    static let help = """
        Shows GitHub issues by state and label.

        Usage: issues [--summary] FILE.json …

          FILE.json     issues or labels as the REST API lists them, or normalized
                        entities; several files are one board

        Options:
          --summary     count the entities of each type instead of showing them
          -h, --help    show this help

        The exit code is 1 if a file or a part of it can't be read; the rest is
        shown. It is 64 if the command line is wrong.

        """

    /// Reads the files, and shows what they have.
    package func run() -> Outcome {
        var paths: [String] = []
        var showsSummaryOnly = false
        for argument in arguments {
            switch argument {
            case "-h", "--help": return Outcome(output: Self.help)
            case "--summary": showsSummaryOnly = true
            case _ where argument.hasPrefix("-"): return wrongUsage("\(argument) is not an option.")
            default: paths.append(argument)
            }
        }
        return paths.isEmpty ? wrongUsage("Name a file.") : show(paths, asSummary: showsSummaryOnly)
    }

    private func wrongUsage(_ sentence: String) -> Outcome {
        Outcome(errors: "issues: \(sentence) See issues --help.\n", exitCode: 64)
    }

    private func show(_ paths: [String], asSummary isSummary: Bool) -> Outcome {
        // Identifiers are unique on one server, so each run has its own cache.
        let cache = FlatCache()
        var ids: [TicketID] = []
        var known: Set<TicketID> = []
        var notes: [String] = []
        var isAnyFileRead = false
        for path in paths {
            do {
                let stored = try cache.store(contentsOf: File(path).contents())
                for id in stored.value?.ticketIDs ?? [] where known.insert(id).inserted { ids.append(id) }
                notes += stored.problems.map { "\(path): \($0)" }
                isAnyFileRead = true
            } catch let error as FileError {
                notes.append("\(error)")
            } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
                notes.append("\(path) is not valid JSON.")
            } catch {
                notes.append("\(path) has neither issues nor labels nor normalized entities.")
            }
        }
        let lines = !isAnyFileRead ? [] : isSummary ? summary(of: cache) : Board(of: ids, in: cache).lines
        return Outcome(
            output: lines.map { $0 + "\n" }.joined(),
            errors: notes.map { "issues: \($0)\n" }.joined(),
            exitCode: notes.isEmpty ? 0 : 1
        )
    }

    private func summary(of cache: FlatCache) -> [String] {
        [
            (cache.count(of: Issue.self), "issue"), (cache.count(of: PullRequest.self), "pull request"),
            (cache.count(of: User.self), "user"), (cache.count(of: Milestone.self), "milestone"),
            (cache.count(of: Label.self), "label"),
        ].map { count, noun in "\(count) \(noun)\(count == 1 ? "" : "s")" }
    }
}
