import FlatCache

/// A list of statuses as an app would show it, kept up to date by the cache alone.
///
///     let home = Screen("Home", showing: cache.list("home"), in: cache, renderer: renderer)
///     let profile = Screen("Profile", showing: cache.list("profile/7"), in: cache, renderer: renderer)
///     reader.setFavourited("1", true)    // Both show it, and neither knows of the other.
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
        /// The identifiers of drafts that the server has.
        var newIDs: [Status.ID: Status.ID] = [:]

        /// Lets a row have another identifier.
        mutating func rename(_ id: Status.ID, to newID: Status.ID) {
            guard newID != id, lines[newID] == nil else { return }
            ids = ids.map { $0 == id ? newID : $0 }
            lines[newID] = lines.removeValue(forKey: id)
            rowSubscriptions[newID] = rowSubscriptions.removeValue(forKey: id)
            newIDs[id] = newID
        }

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

    // MARK: Following the cache

    /// Makes rows for statuses that are new in the list, and lets go of those that have left it.
    private func arrange(_ ids: [Status.ID]) {
        let listed = Set(ids)
        let (added, removed) = state.withLock { state in
            // The row of a draft stays when the server has given it an identifier.
            for id in state.ids where !listed.contains(id) {
                state.rename(id, to: cache.currentID(of: Status.self, id))
            }
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
            self?.state.withLock { $0.show(lines, for: $0.newIDs[id] ?? id) }
        }
        state.withLock { $0.rowSubscriptions[id] = subscription }
    }
}
