import FlatCache
import FlatCacheStore

/// A person, group or bot that posts.
///
/// A status mentions accounts with a few properties. A payload that leaves the others out keeps those that are stored, so an
/// account that is known only by mentions is an entity, too. It becomes whole when the server sends the rest.
struct Account: Storable, Codable, Equatable {
    static let storedName = "Account"

    let id: String

    /// The name with the server, which is left out for accounts of the server that answers: `ines@allotment.example.net`.
    let handle: String
    /// The name that the person chose; empty without one, and `nil` while the account is known only by mentions.
    var displayName: String?

    /// The account to which the person has moved.
    // relationship: Account, name: successor
    var successorID: Account.ID?

    enum CodingKeys: String, CodingKey {
        case id, displayName
        case handle = "acct"
        case successorID = "moved"
    }
}

extension Account {
    /// The name to show: the one that the person chose, or else the one they registered.
    var name: String { displayName.flatMap { $0.isEmpty ? nil : $0 } ?? handle }

    /// Whether the server has sent no more than a mention.
    var isKnownByMentionOnly: Bool { displayName == nil }
}
