import FlatCache
import FlatCacheStore
import Foundation

/// A post, or one account's boost of another's post.
///
/// What the API nests in a status (its author, the boosted status, its poll and so on) is an entity of its own here, and
/// a status refers to it by identifier. The comments say so, and a payload reads the nested entity where the identifier is.
struct Status: Storable, Codable, Equatable {
    static let storedName = "Status"

    let id: String

    // relationship: Account, backlink: statuses
    let accountID: Account.ID

    /// The boosted status; a status that boosts another has no content of its own.
    // relationship: Status
    var reblogID: Status.ID?

    var quote: Quote?

    // relationship: Status
    var repliedToStatusID: Status.ID?

    // relationship: Account
    var repliedToAccountID: Account.ID?

    // relationship: Poll
    var pollID: Poll.ID?

    // relationship: MediaAttachment
    let mediaAttachmentIDs: [MediaAttachment.ID]

    // relationship: Tag
    let tagIDs: [Tag.ID]

    /// The accounts that the text names.
    // relationship: Account
    let mentionIDs: [Account.ID]

    var card: Card?
    let createdAt: Date
    var editedAt: Date?
    let visibility: Visibility

    /// The text as HTML.
    let content: String
    /// What the author warns of; empty when there is no warning.
    let contentWarning: String
    let isSensitive: Bool

    /// Left out by servers before 2018.
    var repliesCount: Int?
    var reblogsCount: Int
    var favouritesCount: Int
    /// Whether the person who reads has favourited it.
    ///
    /// A server leaves it out for those who aren't signed in.
    var isFavourited: Bool?
    /// Whether the person who reads has boosted it; left out as the one before.
    var isBoosted: Bool?
    /// The key with which an app has posted it.
    ///
    /// The server of the sample returns it. Mastodon's servers leave it out.
    var idempotencyKey: String?

    /// The keys as `convertFromSnakeCase` makes them of the API's names.
    enum CodingKeys: String, CodingKey {
        case id, accountID, reblogID, quote, pollID, mediaAttachmentIDs, tagIDs, mentionIDs, card, createdAt, editedAt
        case visibility, content, repliesCount, reblogsCount, favouritesCount, idempotencyKey
        case repliedToStatusID = "inReplyToId"
        case repliedToAccountID = "inReplyToAccountId"
        case contentWarning = "spoilerText"
        case isSensitive = "sensitive"
        case isFavourited = "favourited"
        case isBoosted = "reblogged"
    }
}

extension Status {
    /// Who can see a status.
    enum Visibility: String, CodableWithUnknown {
        case `public`, unlisted, `private`, direct, unknown
    }

    /// A request to quote another status, and its state.
    struct Quote: Codable, Equatable {
        /// `accepted`, `pending`, `revoked` and the like; `nil` from servers that had quotes before Mastodon.
        let state: String?

        // relationship: Status
        let quotedStatusID: Status.ID?
    }

    /// A preview of a page that the text links to.
    struct Card: Codable, Equatable {
        struct Author: Codable, Equatable {
            // relationship: Account
            let accountID: Account.ID?
        }

        let authors: [Author]?
    }

    /// Adds the reader's favourite or takes it back, unless that has been done.
    mutating func setFavourited(_ isFavourited: Bool) {
        guard isFavourited != (self.isFavourited ?? false) else { return }
        self.isFavourited = isFavourited
        favouritesCount = max(0, favouritesCount + (isFavourited ? 1 : -1))
    }

    /// Adds the reader's boost or takes it back, unless that has been done.
    mutating func setBoosted(_ isBoosted: Bool) {
        guard isBoosted != (self.isBoosted ?? false) else { return }
        self.isBoosted = isBoosted
        reblogsCount = max(0, reblogsCount + (isBoosted ? 1 : -1))
    }
}
