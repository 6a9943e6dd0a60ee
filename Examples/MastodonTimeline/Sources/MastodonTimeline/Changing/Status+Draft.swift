import Foundation

extension Status {
    /// A post as it is shown before the server has it.
    init(draft id: ID, text: String, by accountID: Account.ID, at time: Date) {
        self.init(
            id: id,
            accountID: accountID,
            mediaAttachmentIDs: [],
            tagIDs: [],
            mentionIDs: [],
            createdAt: time,
            visibility: .public,
            content: "<p>\(text.escapedForHTML)</p>",
            contentWarning: "",
            isSensitive: false,
            repliesCount: 0,
            reblogsCount: 0,
            favouritesCount: 0,
            idempotencyKey: id
        )
    }
}

extension String {
    fileprivate var escapedForHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\n", with: "<br>")
    }
}
