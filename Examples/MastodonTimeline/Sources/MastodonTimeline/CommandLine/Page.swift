import FlatCache

/// The statuses of a list, as the program prints them.
struct Page {
    /// How many statuses are enough to see what they look like.
    static let usualRowLimit = 5

    private let loader: SourceLoader
    private let rowLimit: Int?
    private let terminal: Terminal

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - loader: What has loaded the statuses.
    ///   - rowLimit: The most statuses to show; `nil` for all.
    ///   - terminal: Where the page is going to be shown.
    init(of loader: SourceLoader, rowLimit: Int?, terminal: Terminal) {
        self.loader = loader
        self.rowLimit = rowLimit
        self.terminal = terminal
    }

    var lines: [String] {
        let renderer = StatusRenderer(terminal: terminal)
        let rule = terminal.styled(String(repeating: "─", count: terminal.width), .faint)
        let rows = FlatCache.withCurrent(loader.cache) { loader.list.ids.map(renderer.lines(showing:)) }
            .filter { !$0.isEmpty }
        let shown = rows.prefix(rowLimit ?? .max)
        let hidden = rows.count - shown.count
        let rest = hidden > 0 ? terminal.lines("… and \(hidden) more; --all shows them.", .faint) : []
        let total = rows.isEmpty ? [] : terminal.lines(total)
        return shown.flatMap { $0 + [rule] } + rest + total + loader.reports.flatMap(absence)
    }

    private var total: String {
        let statuses = loader.cache.allValues(of: Status.self)
        let authors = Set(statuses.map(\.accountID)).count.counted("account", "accounts")
        return "\(statuses.count.counted("status", "statuses")) by \(authors)."
            + (loader.isWhole ? " There are no older ones." : "")
    }

    /// What to say about a response that has nothing to show.
    private func absence(in report: SourceLoader.Report) -> [String] {
        guard let others = report.contents.linesWithoutStatuses else { return [] }
        let rest = others.isEmpty ? "" : ", but \(others.joined(separator: " and "))"
        return terminal.lines("\(report.source.name) holds no statuses\(rest).")
    }
}
