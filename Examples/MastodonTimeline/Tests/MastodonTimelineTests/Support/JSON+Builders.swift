extension JSON {
    /// An account with further members or other ones.
    static func account(_ id: String, name: String = "", _ members: [String: JSON] = [:]) -> JSON {
        let usual: [String: JSON] = [
            "id": .string(id), "username": .string(id), "acct": .string(id), "display_name": .string(name),
        ]
        return .object(usual.merging(members) { _, other in other })
    }

    /// A status by an account, with further members or other ones.
    static func status(_ id: String, by accountID: String = "ana", _ members: [String: JSON] = [:]) -> JSON {
        let usual: [String: JSON] = [
            "id": .string(id), "content": "<p>Hello</p>", "account": .account(accountID),
            "created_at": "2026-03-14T12:00:00.000Z", "visibility": "public", "spoiler_text": "", "sensitive": false,
            "media_attachments": [], "tags": [], "mentions": [],
            "replies_count": 0, "reblogs_count": 0, "favourites_count": 0,
        ]
        return .object(usual.merging(members) { _, other in other })
    }

    /// An account as a status mentions it.
    static func mention(_ id: String, handle: String? = nil) -> JSON {
        ["id": .string(id), "username": .string(id), "acct": .string(handle ?? id), "url": "https://example.org"]
    }

    /// A poll that is open, with further members or other ones.
    static func poll(_ id: String, _ members: [String: JSON] = [:]) -> JSON {
        let usual: [String: JSON] = [
            "id": .string(id), "options": [], "votes_count": 0, "multiple": false, "expired": false,
        ]
        return .object(usual.merging(members) { _, other in other })
    }
}
