extension Response {
    /// Members that only a status has, and that tell one from the mere mention of its identifier.
    static let statusMembers: Set<String> = [
        "content", "reblog", "spoiler_text", "visibility", "in_reply_to_id", "media_attachments",
        "replies_count", "reblogs_count", "favourites_count",
    ]

    /// Members that only an account has.
    static let accountMembers: Set<String> = ["acct", "username", "display_name", "followers_count", "statuses_count"]

    /// Reads a document, or an element of a list; what can't be read is left out and the rest stays.
    ///
    /// The API doesn't name the kinds of its documents. Each is known by members that only it has, and the first match is
    /// the right one: a scheduled status, for example, shares members with a status.
    mutating func read(_ document: JSON) {
        if case .array(let elements) = document {
            for element in elements { read(element) }
        } else if document.hasMember(among: ["ancestors", "descendants"]) {
            readContext(document)
        } else if document.hasMember(among: ["last_status"]) {
            readConversation(document)
        } else if document.hasMember(among: ["scheduled_at"]) {
            return  // Not a status before its time.
        } else if document.hasMember(among: ["statuses", "hashtags"]) {
            readSearchResults(document)
        } else if document.hasMember(among: Response.statusMembers) {
            readListedStatus(document)
        } else if document.hasMember(among: ["options", "votes_count"]) {
            collectPoll(from: document)
        } else if document.hasMember(among: Response.accountMembers) {
            collectAccount(from: document)
        } else if document.hasMember(among: ["status", "account"]) {
            readNotification(document)
        } else {
            unreadableCount += 1
        }
    }

    private mutating func readContext(_ document: JSON) {
        for status in document["ancestors"].elements + document["descendants"].elements { readListedStatus(status) }
    }

    private mutating func readConversation(_ document: JSON) {
        for account in document["accounts"].elements { collectAccount(from: account) }
        readListedStatus(document["last_status"])
    }

    private mutating func readNotification(_ document: JSON) {
        collectAccount(from: document["account"])
        readListedStatus(document["status"])
    }

    private mutating func readSearchResults(_ document: JSON) {
        for account in document["accounts"].elements { collectAccount(from: account) }
        for status in document["statuses"].elements { readListedStatus(status) }
        for tag in document["hashtags"].elements { collectTag(from: tag) }
    }

    private mutating func readListedStatus(_ document: JSON) {
        if let id = collectStatus(from: document) { list(id) }
    }
}
