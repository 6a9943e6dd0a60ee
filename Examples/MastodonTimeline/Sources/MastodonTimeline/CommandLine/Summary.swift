import FlatCache

/// How many entities of each type there are.
struct Summary {
    private let counts: [(count: Int, singular: String, plural: String)]

    /// Statuses, accounts, and the other types of which there is an entity.
    var lines: [String] {
        counts.enumerated().filter { $0 < 2 || $1.count > 0 }.map { $1.count.counted($1.singular, $1.plural) }
    }

    /// The types of which there is an entity, if there is no status.
    var linesWithoutStatuses: [String]? {
        counts[0].count > 0 ? nil : counts.filter { $0.count > 0 }.map { $0.counted($1, $2) }
    }

    var isEmpty: Bool { counts.allSatisfy { $0.count == 0 } }

    /// Counts the entities of a cache.
    init(of cache: FlatCache) {
        self.init(
            cache.count(of: Status.self),
            cache.count(of: Account.self),
            cache.count(of: Poll.self),
            cache.count(of: MediaAttachment.self),
            cache.count(of: Tag.self),
            quotes: cache.allValues(of: Status.self).count { $0.quote != nil }
        )
    }

    /// Counts the stored entities of a response.
    init<Root>(of stored: StoredPayload<Root>) {
        self.init(
            stored.ids(of: Status.self).count,
            stored.ids(of: Account.self).count,
            stored.ids(of: Poll.self).count,
            stored.ids(of: MediaAttachment.self).count,
            stored.ids(of: Tag.self).count
        )
    }

    private init(_ statuses: Int, _ accounts: Int, _ polls: Int, _ media: Int, _ tags: Int, quotes: Int = 0) {
        counts = [
            (statuses, "status", "statuses"), (accounts, "account", "accounts"), (polls, "poll", "polls"),
            (media, "media attachment", "media attachments"), (tags, "tag", "tags"), (quotes, "quote", "quotes"),
        ]
    }
}
