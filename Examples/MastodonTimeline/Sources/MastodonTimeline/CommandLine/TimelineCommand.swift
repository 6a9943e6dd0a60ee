import FlatCache
import FlatCacheStore

/// The program without its process: arguments in, text and exit code out.
package struct TimelineCommand: Sendable {
    /// What a run of the program gives.
    package struct Outcome: Equatable, Sendable {
        /// The text for standard output.
        package var output = ""
        /// The text for standard error.
        package var errors = ""
        /// 0, or 1 when a source gives nothing to show or less than it was asked for, or a server refuses a change, or 64 when the
        /// command line can't be understood.
        package var exitCode: Int32 = 0
    }

    private let arguments: [String]
    private let token: String?
    private let terminal: Terminal

    /// Creates a run of the program.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the name of the program.
    ///   - token: The access token of the reader.
    ///   - terminal: Where the output is going to be shown.
    package init(_ arguments: some Sequence<String>, token: String? = nil, terminal: Terminal) {
        self.arguments = Array(arguments)
        self.token = token
        self.terminal = terminal
    }

    /// Does what the arguments ask for; a failure is part of the outcome.
    ///
    /// - Parameter show: Shows text at once that comes before the output of the outcome.
    package func run(showing show: @Sendable (String) -> Void) async -> Outcome {
        do {
            let arguments = try Arguments(arguments, token: token)
            return arguments.showsHelp ? Outcome(output: Arguments.help) : try await run(arguments, showing: show)
        } catch let error as UsageError {
            return Outcome(errors: "timeline: \(error) See timeline --help.\n", exitCode: 64)
        } catch {
            return Outcome(errors: "timeline: \(error)\n", exitCode: 1)
        }
    }

    private func run(
        _ arguments: Arguments,
        showing show: @Sendable (String) -> Void
    ) async throws(LoadingError) -> Outcome {
        // A cache for this run: the identifiers of one server mean nothing on another.
        let cache: FlatCache
        if let folder = arguments.folder {
            cache = try await FlatCache.kept(in: folder, of: arguments.sources)
        } else {
            cache = FlatCache()
        }
        var loader = SourceLoader(pageCount: arguments.pageCount, token: arguments.token, in: cache)
        let keptCount = loader.list.count
        for source in arguments.sources { await loader.load(source) }
        var log = ActionLog(of: arguments.actions, by: loader.reader, in: loader.list, of: cache, terminal: terminal)
        show(TimelineCommand.text(await log.begin()))

        let answers = await log.end()

        var lines: [String] = []
        if let folder = arguments.folder, keptCount > 0 {
            lines = terminal.lines("\(folder) has kept \(keptCount.counted("post", "posts")).", .faint)
        }
        if arguments.showsSummaryOnly {
            if !loader.reports.isEmpty || keptCount > 0 { lines = Summary(of: loader.cache).lines }
        } else {
            if arguments.sources == [.sample] {
                lines +=
                    try await Tour(terminal: terminal).lines() + [""]
                    + terminal.lines("The timeline, as it was before the tour", .bold) + [""]
            }
            lines += Page(of: loader, rowLimit: arguments.showsAll ? nil : Page.usualRowLimit, terminal: terminal).lines
        }
        do { try await cache.store?.close() } catch {
            throw .unwritable(arguments.folder ?? "", reason: "\(error)")
        }
        let failures = loader.failures + log.failures
        let notes = loader.reports.compactMap(TimelineCommand.note) + failures.map { "\($0)" }
        return Outcome(
            output: TimelineCommand.text(answers + lines),
            errors: notes.map { "timeline: \($0)\n" }.joined(),
            exitCode: failures.isEmpty ? 0 : 1
        )
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private static func note(about report: SourceLoader.Report) -> String? {
        report.leftOut.map { "\(report.source.name): left out \($0)." }
    }
}
