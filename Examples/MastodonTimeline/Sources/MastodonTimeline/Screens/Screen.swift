import FlatCache
import Synchronization

/// A list of statuses as an app would show it, kept up to date by the cache alone.
///
///     let home = Screen(.home(response.timeline), in: cache, renderer: renderer)
///     let profile = Screen(.profile(account.id), in: cache, renderer: renderer)
///     home.favourite("1")          // Both show it, and neither knows of the other.
///
/// A screen observes the keys of what it shows. One commit gives one notification, however many of its keys it changes,
/// and only the rows that show one of these are rendered again.
final class Screen: Sendable {
    /// A status on the screen.
    struct Row: Equatable, Sendable {
        let id: Status.ID
        /// The keys of all entities that the lines were made from.
        let keys: Set<FlatCacheKey>
        let lines: [String]
    }

    private struct State {
        var rows: [Row] = []
        var updates: [ScreenUpdate] = []
        var observedKeys: Set<FlatCacheKey> = []
        var subscription: CacheSubscription?
    }

    let feed: Feed
    private let cache: FlatCache
    private let renderer: StatusRenderer
    private let state = Mutex(State())

    /// Creates a screen that shows a feed from now on.
    ///
    /// - Parameters:
    ///   - feed: Which statuses to list.
    ///   - cache: Where they are.
    ///   - renderer: Turns each into lines.
    init(_ feed: Feed, in cache: FlatCache = .current, renderer: StatusRenderer) {
        self.feed = feed
        self.cache = cache
        self.renderer = renderer
        observe()
    }

    var title: String { FlatCache.withCurrent(cache) { feed.title } }

    /// What the screen shows now.
    var rows: [Row] { state.withLock { $0.rows } }

    /// Returns what the screen did since the last call, an element for each notification.
    func takeUpdates() -> [ScreenUpdate] {
        state.withLock { state in
            defer { state.updates = [] }
            return state.updates
        }
    }

    /// Adds the reader's favourite to a status, or takes it back.
    ///
    /// - Returns: Whether the status is there.
    @discardableResult
    func toggleFavourite(_ id: Status.ID) -> Bool {
        Cached<Status>(id: id, in: cache).update { $0.toggleFavourite() } != nil
    }

    // MARK: Following the cache

    /// Observes the keys of the screen until they are the right ones.
    ///
    /// It observes first and reads then, so that no change gets lost in between. What it reads can name further keys, such
    /// as those of a status that is new in the list.
    private func observe() {
        while let keys = keysToObserve() {
            let subscription = cache.observe(keys) { [weak self] changes in self?.apply(changes) }
            // The one before is released here, outside the lock that its closure takes.
            _ = state.withLock { state in
                state.observedKeys = keys
                return exchange(&state.subscription, with: subscription)
            }
            state.withLock { state in _ = update(&state.rows) { _ in true } }
        }
    }

    /// The keys of all that is shown; `nil` when they are observed already.
    private func keysToObserve() -> Set<FlatCacheKey>? {
        state.withLock { state in
            let keys = state.rows.reduce(into: feed.keys) { $0.formUnion($1.keys) }
            return keys == state.observedKeys ? nil : keys
        }
    }

    private func apply(_ changes: ChangeSet) {
        let changedKeys = changes.keys
        state.withLock { state in
            let update = update(&state.rows) { row in !row.keys.isDisjoint(with: changedKeys) }
            state.updates.append(update)
        }
        observe()
    }

    /// Brings rows up to date with the cache.
    ///
    /// - Parameters:
    ///   - rows: The rows to change.
    ///   - isStale: Whether a row must be rendered again.
    private func update(_ rows: inout [Row], isStale: (Row) -> Bool) -> ScreenUpdate {
        FlatCache.withCurrent(cache) {
            var update = ScreenUpdate()
            var oldRows = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
            rows = feed.statuses.map { status in
                let oldRow = oldRows.removeValue(forKey: status.id)
                if let oldRow, !isStale(oldRow) { return oldRow }
                if oldRow == nil { update.joined.append(status.id) } else { update.rendered.append(status.id) }
                return Row(id: status.id, keys: status.shownKeys, lines: renderer.lines(for: status))
            }
            update.left = Array(oldRows.keys)
            return update
        }
    }
}
