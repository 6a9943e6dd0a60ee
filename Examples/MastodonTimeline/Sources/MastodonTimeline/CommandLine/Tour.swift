import FlatCache

/// A demonstration of what the cache is for: three changes, and what two screens are told of each.
///
/// Every number comes from the screens. They share nothing but the cache, and nobody tells the one what happened on the
/// other.
struct Tour {
    private let cache: FlatCache
    private let terminal: Terminal
    private let renderer: StatusRenderer
    private let home: Screen
    private let profile: Screen
    private let author: Account
    private let newest: Status
    private let oldest: Status

    /// The columns to the left of a row, which hold a word about it.
    private static let margin = 11

    /// Opens the two screens.
    ///
    /// - Returns: `nil` when no account has two statuses in the timeline, which is too little to show anything.
    init?(of timeline: [Status.ID], in cache: FlatCache, terminal: Terminal) {
        let authored = cache.get(Status.self, ids: timeline).filter { $0.reblogID == nil && $0.accountID != nil }
        let byAuthor = Dictionary(grouping: authored, by: \.accountID)
        let most = byAuthor.max { ($0.value.count, $0.key ?? "") < ($1.value.count, $1.key ?? "") }?.value ?? []
        guard let newest = most.first, let oldest = most.dropFirst().last, let author = newest.account(in: cache) else {
            return nil
        }
        self.cache = cache
        self.terminal = terminal
        self.author = author
        self.newest = newest
        self.oldest = oldest
        renderer = StatusRenderer(terminal: terminal.narrower(by: Tour.margin))
        home = Screen(.home(timeline), in: cache, renderer: renderer)
        profile = Screen(.profile(author.id), in: cache, renderer: renderer)
    }

    /// Makes the changes, and returns the story of what happened.
    func lines() -> [String] {
        let opening = terminal.lines("Two screens are open. They know nothing of each other and read the same cache.")
        let ending = terminal.lines("Each change was one write, and the cache told the screens that show the entity.")
        let sizes = [home, profile].flatMap { indented("\($0.title): \($0.rows.count.counted("post", "posts"))") }
        return Array([opening + sizes, favouriting(), renaming(), deleting(), ending].joined(separator: [""]))
    }

    // MARK: The changes

    private func favouriting() -> [String] {
        let change = change(of: newest, on: profile) { home.toggleFavourite(newest.id) }
        return heading("1. You favourite a post on the home screen.") + excerpt(of: newest) + change + reports()
    }

    private func renaming() -> [String] {
        let change = change(of: newest, on: home) {
            newest.cachedAccount(in: cache)?.update { $0.displayName = $0.name + " 🌻" }
        }
        return heading("2. \(author.name) puts a flower behind the name.") + change + reports()
    }

    private func deleting() -> [String] {
        cache.remove(Status.self, id: oldest.id)
        return heading("3. A post by \(author.name) is deleted.") + excerpt(of: oldest) + reports()
    }

    /// Makes a change, and returns the lines of a status's row that differ: as they were and as they are.
    private func change(of status: Status, on screen: Screen, by change: () -> Void) -> [String] {
        let before = screen.lines(of: status.id)
        change()
        return zip(before, screen.lines(of: status.id)).filter { $0 != $1 }.flatMap { before, after in
            ["   before  " + before.drop { $0 == " " }, "   after   " + after.drop { $0 == " " }]
        }
    }

    // MARK: The words

    private func heading(_ text: String) -> [String] { terminal.lines(text, .bold) }

    private func excerpt(of status: Status) -> [String] {
        indented(renderer.excerpt(of: status))
    }

    private func indented(_ text: String) -> [String] { terminal.lines(text, indentation: 3) }

    private func reports() -> [String] {
        [home, profile].flatMap { indented("\($0.title) \($0.takeUpdates().report(remaining: $0.rows.count))") }
    }
}

extension Screen {
    fileprivate func lines(of id: Status.ID) -> [String] {
        rows.first { $0.id == id }?.lines ?? []
    }
}
