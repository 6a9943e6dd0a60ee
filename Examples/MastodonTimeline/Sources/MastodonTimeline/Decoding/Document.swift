/// A response of the API, whichever it is, or an element of one.
///
/// The program shows saved responses, and the API doesn't name their kinds. So each kind is recognised by the members that
/// all responses of the kind have. A single member isn't enough. For example, a tag featured on a profile has a
/// `statuses_count`, as accounts do. The source text of a status has the `id` and the `spoiler_text` of the status.
struct Document: Decodable, Sendable {
    /// The statuses that the document lists, in its order; those that are only nested in others are not among them.
    let statusIDs: [Status.ID]

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let elements = try? value.decode([Document].self) {
            statusIDs = elements.flatMap(\.statusIDs)
            return
        }
        let members = Set(try decoder.container(keyedBy: Member.self).allKeys.map(\.stringValue))
        guard let kind = Document.kinds.first(where: { members.isSuperset(of: $0.members) }) else {
            throw UnexpectedDocument(noun: nil)
        }
        statusIDs = try kind.read(value)
    }

    /// Any member of an object.
    private struct Member: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// The error of a document that resembles others, but has nothing that can be shown.
struct UnexpectedDocument: Error {
    /// The name of its kind; `nil` where that is unknown.
    let noun: String?
}

/// A structure around entities: a context, search results, a notification, a conversation, a report and the like.
private struct Envelope: Decodable {
    let account, targetAccount: Account?
    let accounts: [Account]?
    let ancestors, descendants, statuses: [Status]?
    let status, lastStatus: Status?
    let hashtags: [Tag]?
    let report: Report?

    /// A report in a notification, of which nothing is listed.
    struct Report: Decodable {
        let targetAccount: Account?
        let statuses: [Status]?
    }

    var statusIDs: [Status.ID] {
        let single = [status, lastStatus].compactMap { $0 }
        return ((ancestors ?? []) + (descendants ?? []) + single + (statuses ?? [])).map(\.id)
    }
}

extension Document {
    /// The kinds of documents, each before those that have its members, too.
    private static let kinds: [Kind] =
        [
            Kind(["id", "content", "account"], Status.self) { [$0.id] },
            Kind(["id", "acct"], Account.self),
            Kind(["id", "options", "votesCount"], Poll.self),
            Kind(["id", "type", "description"], MediaAttachment.self),
            // Tags that are trending or followed, and tags featured on a profile.
            Kind(["name", "url", "history"], Tag.self),
            Kind(["name", "url", "statusesCount"], Tag.self),
            Kind(["id", "text", "spoilerText"], "status source"),
            Kind(["id", "scheduledAt", "params"], "scheduled status"),
            Kind(["content", "account", "createdAt"], "status edit"),
            Kind(["content", "detectedSourceLanguage"], "translation"),
            Kind(["id", "content", "reactions"], "announcement"),
            Kind(["error"], "error message"),
        ] + envelopes.map { Kind($0, Envelope.self, \.statusIDs) }

    private static let envelopes: [Set<String>] = [
        ["ancestors", "descendants"],  // The context of a status.
        ["accounts", "statuses"],  // Search results, notifications in groups.
        ["id", "accounts"],  // Conversations, followers whom the reader knows.
        ["type", "account"],  // Notifications.
        ["account", "lastStatus"],  // Requests of notifications.
        ["account", "source"],  // Suggestions of accounts.
        ["account", "email"],  // Accounts as moderators see them.
        ["targetAccount", "actionTaken"],  // Reports.
    ]

    /// A kind of documents.
    private struct Kind: Sendable {
        let members: Set<String>
        /// Reads a document, and returns the statuses that it lists.
        let read: @Sendable (any SingleValueDecodingContainer) throws -> [Status.ID]

        init<Value: Decodable & SendableMetatype>(
            _ members: Set<String>,
            _ type: Value.Type,
            _ statusIDs: @escaping @Sendable (Value) -> [Status.ID] = { _ in [] }
        ) {
            self.members = members
            read = { statusIDs(try $0.decode(Value.self)) }
        }

        /// A kind of which nothing can be shown.
        init(_ members: Set<String>, _ noun: String) {
            self.members = members
            read = { _ in throw UnexpectedDocument(noun: noun) }
        }
    }
}
