import FlatCache

/// How many entities of each type a cache holds.
struct Summary {
    /// Statuses and accounts.
    let main: [String]
    /// The other types, without those of which there is no entity.
    let others: [String]

    var lines: [String] { main + others }

    init(of cache: FlatCache) {
        main = [
            cache.count(of: Status.self).counted("status", "statuses"),
            cache.count(of: Account.self).counted("account", "accounts"),
        ]
        let counts = [
            (cache.count(of: Poll.self), "poll", "polls"),
            (cache.count(of: MediaAttachment.self), "media attachment", "media attachments"),
            (cache.count(of: Tag.self), "tag", "tags"),
        ]
        others = counts.filter { $0.0 > 0 }.map { $0.counted($1, $2) }
    }
}
