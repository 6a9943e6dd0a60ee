@testable import MastodonTimeline

extension JSON {
    /// An account with further members or other ones.
    static func account(_ id: String, name: String = "", _ members: [String: JSON] = [:]) -> JSON {
        let usual: [String: JSON] = ["id": .string(id), "acct": .string(id), "display_name": .string(name)]
        return .object(usual.merging(members) { _, other in other })
    }

    /// A status by an account, with further members or other ones.
    static func status(_ id: String, by accountID: String = "ana", _ members: [String: JSON] = [:]) -> JSON {
        let usual: [String: JSON] = [
            "id": .string(id), "content": "<p>Hello</p>", "account": .account(accountID),
            "created_at": "2026-03-14T12:00:00.000Z",
        ]
        return .object(usual.merging(members) { _, other in other })
    }
}
