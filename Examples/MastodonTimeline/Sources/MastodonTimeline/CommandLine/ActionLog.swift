import FlatCache
import Foundation

/// Makes the changes that a command line asks for, and reports what is shown of them.
struct ActionLog {
    /// A change that was begun.
    private struct Entry {
        let title: String
        /// The status, which for a new post is the draft.
        let id: Status.ID
        let mutation: Mutation<StoredPayload<Status>>
        /// What is shown after the mutation was begun.
        let pending: String
    }

    private let actions: [Action]
    private let reader: Reader?
    private let list: CachedList<Status>
    private let cache: FlatCache
    private let renderer: StatusRenderer
    private var entries: [Entry] = []
    /// Why changes could not be made.
    private(set) var failures: [LoadingError] = []

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - actions: The changes.
    ///   - reader: Who makes the changes; `nil` if they can't be made.
    ///   - list: The list that shows new posts.
    ///   - cache: The cache of the list.
    ///   - terminal: Where the lines are going to be shown.
    init(
        of actions: [Action],
        by reader: Reader?,
        in list: CachedList<Status>,
        of cache: FlatCache,
        terminal: Terminal
    ) {
        self.actions = actions
        self.reader = reader
        self.list = list
        self.cache = cache
        renderer = StatusRenderer(terminal: terminal)
    }

    /// Begins all changes, and returns what is shown before the server has answered.
    mutating func begin() async -> [String] {
        guard let reader else { return [] }
        for action in actions {
            do throws(FetchError) {
                entries.append(try await begin(action, by: reader))
            } catch {
                failures.append(error.underlying as? LoadingError ?? .missing("The post \(action.argument)"))
            }
        }
        return lines("Shown before the server has answered", entries.map(\.pending))
    }

    /// Waits for the answers, and returns what is shown then.
    mutating func end() async -> [String] {
        var results: [String] = []
        for entry in entries {
            do {
                let status = try await entry.mutation.value.value
                let isNew = status?.id != entry.id && status?.reblogID == nil
                results.append(isNew ? "\(entry.id) → \(status?.id ?? "")" : counts(of: entry.id))
            } catch {
                failures.append(error as? LoadingError ?? .unreachable("The server", reason: "\(error)"))
                let counts = counts(of: entry.id)
                results.append(counts.isEmpty ? "taken back" : "taken back: \(counts)")
            }
        }
        return lines("Shown after the server has answered", results)
    }

    private func begin(_ action: Action, by reader: Reader) async throws(FetchError) -> Entry {
        switch action {
        case .post(let text):
            let key = "draft-\(UUID())"
            let mutation = reader.post(text, to: list, key: key)
            return Entry(
                title: "Post “\(text.singleLine)”",
                id: key,
                mutation: mutation,
                pending: "\(key): " + counts(of: key)
            )
        case .favourite(let id):
            return try await begin("Favourite", id, reader.setFavourited)
        case .boost(let id):
            return try await begin("Boost", id, reader.setBoosted)
        }
    }

    /// Changes a status, or the one that it boosts.
    private func begin(
        _ verb: String,
        _ id: Status.ID,
        _ change: (Status.ID, Bool) -> Mutation<StoredPayload<Status>>
    ) async throws(FetchError) -> Entry {
        var status = try await cache.fetch(Status.self, id: id)
        if let reblogID = status.reblogID { status = try await cache.fetch(Status.self, id: reblogID) }
        let before = counts(of: status.id)
        let mutation = change(status.id, true)
        let pending = [before, counts(of: status.id)].filter { !$0.isEmpty }.joined(separator: " → ")
        return Entry(
            title: "\(verb) \(renderer.excerpt(of: status))",
            id: status.id,
            mutation: mutation,
            pending: pending
        )
    }

    private func counts(of id: Status.ID) -> String {
        FlatCache.withCurrent(cache) { cache.get(Status.self, id: id).map(renderer.counts) ?? "" }
    }

    private func lines(_ heading: String, _ results: [String]) -> [String] {
        if entries.isEmpty { return [] }
        let terminal = renderer.terminal
        return terminal.lines(heading, .bold)
            + zip(entries, results).flatMap {
                terminal.lines($0.title, indentation: 3) + terminal.lines($1, indentation: 6)
            } + [""]
    }
}
