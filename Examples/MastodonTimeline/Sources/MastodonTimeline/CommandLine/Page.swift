import FlatCache

/// The statuses of some responses, as the program prints them.
struct Page {
    private let responses: [(source: Source, response: Response)]
    private let cache: FlatCache
    private let terminal: Terminal

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - responses: What to show, each with where it came from.
    ///   - cache: Where the responses are stored.
    ///   - terminal: Where the page is going to be shown.
    init(of responses: [(source: Source, response: Response)], in cache: FlatCache, terminal: Terminal) {
        self.responses = responses
        self.cache = cache
        self.terminal = terminal
    }

    /// The listed statuses of all responses, each once.
    private var timeline: [Status.ID] {
        var seen: Set<Status.ID> = []
        return responses.flatMap(\.response.timeline).filter { seen.insert($0).inserted }
    }

    var lines: [String] {
        let renderer = StatusRenderer(terminal: terminal)
        let rule = terminal.styled(String(repeating: "─", count: terminal.width), .faint)
        let statuses = FlatCache.withCurrent(cache) {
            cache.get(Status.self, ids: timeline).flatMap { renderer.lines(for: $0) + [rule] }
        }
        let total = statuses.isEmpty ? [] : terminal.lines(Summary(of: cache).main.joined(separator: " by ") + ".")
        return statuses + total + responses.flatMap(absence)
    }

    var tour: [String] {
        let tour = Tour(of: timeline, in: cache, terminal: terminal)
        return tour.map { [""] + terminal.lines("What the cache is for", .bold) + [""] + $0.lines() } ?? []
    }

    /// What to say about a response that has nothing to show.
    private func absence(from source: Source, of response: Response) -> [String] {
        guard response.statuses.isEmpty else { return [] }
        let contents = FlatCache()
        response.store(in: contents)
        let accounts = contents.count(of: Account.self)
        let others = (accounts > 0 ? [accounts.counted("account", "accounts")] : []) + Summary(of: contents).others
        let rest = others.isEmpty ? "" : ", but \(others.joined(separator: " and "))"
        return terminal.lines("\(source.name) holds no statuses\(rest).")
    }
}
