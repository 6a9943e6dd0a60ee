/// The kinds of documents that the API gives, and of elements in its lists, each known by members that all of the kind have.
///
/// The API doesn't name them. Kinds resemble each other, and a single member tells little: a tag featured on a profile has
/// a `statuses_count` as an account has, and what an author typed for a status has its `id` and `spoiler_text`.
enum Shape {
    typealias Members = Set<String>

    static let status: Members = ["id", "content", "account"]
    /// A mention has `acct`, too, and no more than half of an account.
    static let account: Members = ["id", "acct", "display_name"]
    static let poll: Members = ["id", "options", "votes_count"]
    static let mediaAttachment: Members = ["id", "type", "description"]
    /// Tags that are trending or followed, and tags featured on a profile.
    static let tags: [Members] = [["name", "url", "history"], ["name", "url", "statuses_count"]]
    static let quote: Members = ["state"]

    /// Documents around statuses, accounts and tags.
    static let containers: [Members] = [
        ["ancestors", "descendants"],  // The context of a status.
        ["accounts", "statuses"],  // Search results, notifications in groups.
        ["id", "accounts"],  // Conversations, followers whom the reader knows.
        ["type", "account"],  // Notifications.
        ["account", "last_status"],  // Requests of notifications.
        ["account", "source"],  // Suggestions of accounts.
        ["account", "email"],  // Accounts as moderators see them.
        ["target_account", "action_taken"],  // Reports.
    ]

    /// Documents that resemble statuses and are none, and refusals.
    static let others: [(noun: String, members: Members)] = [
        ("status source", ["id", "text", "spoiler_text"]),
        ("scheduled status", ["id", "scheduled_at", "params"]),
        ("status edit", ["content", "account", "created_at"]),
        ("translation", ["content", "detected_source_language"]),
        ("announcement", ["id", "content", "reactions"]),
        ("error message", ["error"]),
    ]
}
