import FlatCache

/// A list of statuses as an app would show it, kept up to date by the cache alone.
///
///     let home = Screen("Home", showing: cache.list("home"), in: cache, renderer: renderer)
///     let profile = Screen("Profile", showing: cache.list("profile/7"), in: cache, renderer: renderer)
///     home.toggleFavourite("1", on: server)      // Both show it at once, and neither knows of the other.
///
/// Nobody says what to observe: the screen observes the order of its list, and each row what its lines are made from,
/// whatever that is. A change renders the rows again that have read what changed, and no other.
final class Screen: Sendable {
    /// A status on the screen.
    struct Row: Equatable, Sendable {
        let id: Status.ID
        let lines: [String]
    }

    private struct State {
        var ids: [Status.ID] = []
        /// The lines of each row; none for a row that isn't shown, because its status isn't stored.
        var lines: [Status.ID: [String]] = [:]
        var update = ScreenUpdate()
        var listSubscription: CacheSubscription?
        var rowSubscriptions: [Status.ID: CacheSubscription] = [:]

        /// Puts other lines into a row; does nothing when it isn't listed any more.
        mutating func show(_ newLines: [String], for id: Status.ID) {
            guard let oldLines = lines[id] else { return }
            lines[id] = newLines
            switch (oldLines.isEmpty, newLines.isEmpty) {
            case (true, true): break
            case (true, false): update.joined.append(id)
            case (false, true): update.left.append(id)
            case (false, false): update.changed.append(id)
            }
        }
    }

    let title: String
    private let cache: FlatCache
    private let renderer: StatusRenderer
    private let state = Locked(State())

    /// Creates a screen that shows a list from now on.
    ///
    /// - Parameters:
    ///   - title: The name of the screen.
    ///   - list: The statuses to show. What is listed and not stored is not shown, until it is.
    ///   - cache: Where they are.
    ///   - renderer: Turns each into lines.
    init(_ title: String, showing list: CachedList<Status>, in cache: FlatCache, renderer: StatusRenderer) {
        self.title = title
        self.cache = cache
        self.renderer = renderer
        let subscription = cache.observe {
            Array(list.ids)
        } onChange: { [weak self] ids in
            self?.arrange(ids)
        }
        state.withLock { $0.listSubscription = subscription }
    }

    /// What the screen shows now.
    var rows: [Row] {
        state.withLock { state in
            state.ids.compactMap { id in
                let lines = state.lines[id, default: []]
                return lines.isEmpty ? nil : Row(id: id, lines: lines)
            }
        }
    }

    /// Returns the lines of a status; none when it isn't shown.
    func lines(of id: Status.ID) -> [String] {
        state.withLock { $0.lines[id, default: []] }
    }

    /// Returns what the screen did since the last call.
    func takeUpdate() -> ScreenUpdate {
        state.withLock { state in
            defer { state.update = ScreenUpdate() }
            return state.update
        }
    }

    /// Adds the reader's favourite to a status, or takes it back: here at once, and then on the server.
    ///
    /// If the server refuses, every screen shows the status again as it was.
    ///
    /// - Returns: What is sent, for those who want to know how it ends.
    @discardableResult
    func toggleFavourite(_ id: Status.ID, on server: Server) -> Mutation<StoredPayload<Status>> {
        let status = Cached<Status>(id: id, in: cache)
        let isFavourited = status.isFavourited != true
        // One after the other, so that the last tap wins on the server, too.
        return status.mutate(order: .serial("favourite \(id)")) {
            $0.setFavourite(isFavourited)
        } send: {
            try await server.answer(.favourite(id, isFavourited)).payload(of: Status.self)
        }
    }

    // MARK: Following the cache

    /// Makes rows for statuses that are new in the list, and lets go of those that have left it.
    private func arrange(_ ids: [Status.ID]) {
        let listed = Set(ids)
        let (added, removed) = state.withLock { state in
            let left = state.ids.filter { !listed.contains($0) }
            for id in left { state.show([], for: id) }
            let added = ids.filter { state.lines[$0] == nil }
            for id in added { state.lines[id] = [] }
            for id in left { state.lines[id] = nil }
            state.ids = ids
            return (added, left.map { state.rowSubscriptions.removeValue(forKey: $0) })
        }
        // Released outside the lock, as all that observes.
        withExtendedLifetime(removed) {}
        for id in added { observeRow(id) }
    }

    private func observeRow(_ id: Status.ID) {
        let subscription = cache.observe { [weak self, renderer] in
            self?.state.withLock { $0.update.rendered.append(id) }
            return renderer.lines(showing: id)
        } onChange: { [weak self] lines in
            self?.state.withLock { $0.show(lines, for: id) }
        }
        state.withLock { $0.rowSubscriptions[id] = subscription }
    }
}
