import FlatCache
import Foundation

/// A post, or one account's boost of another's post.
///
/// What the API nests in a status (its author, the boosted status, its poll and so on) is an entity of its own here, and
/// a status refers to it by identifier.
struct Status: Cachable, Equatable {
    let id: String

    // relationship: Account
    let accountID: Account.ID?

    /// The boosted status; a status that boosts another has no content of its own.
    // relationship: Status
    let reblogID: Status.ID?

    // relationship: Status
    let quotedStatusID: Status.ID?
    /// What became of the request to quote: `accepted`, `pending`, `revoked` and the like; `nil` without one.
    let quoteState: String?

    // relationship: Status
    let repliedToStatusID: Status.ID?

    // relationship: Account
    let repliedToAccountID: Account.ID?

    // relationship: Poll
    let pollID: Poll.ID?

    // relationship: MediaAttachment
    let mediaAttachmentIDs: [MediaAttachment.ID]

    // relationship: Tag
    let tagIDs: [Tag.ID]

    let mentions: [Mention]
    let createdAt: Date?
    let editedAt: Date?
    let visibility: Visibility

    /// The text as HTML.
    let content: String
    /// What the author warns of; empty when there is no warning.
    let contentWarning: String
    let isSensitive: Bool

    var repliesCount: Int
    var reblogsCount: Int
    var favouritesCount: Int
    /// Whether the person who reads has favourited it.
    var isFavourited: Bool
}

extension Status {
    /// Who can see a status.
    enum Visibility: String {
        case `public`, unlisted, `private`, direct
        /// The server didn't say, or said something newer than this program.
        case unknown
    }

    /// An account that the text names.
    ///
    /// The API tells too little of it to be stored as an ``Account``; that would replace a whole one by half of one.
    struct Mention: Equatable {
        let accountID: Account.ID
        let handle: String
    }

    /// Adds the reader's favourite, or takes it back.
    mutating func toggleFavourite() {
        isFavourited.toggle()
        favouritesCount = max(0, favouritesCount + (isFavourited ? 1 : -1))
    }
}
