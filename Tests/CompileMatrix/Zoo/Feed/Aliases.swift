internal import Accounts
import FlatCache

typealias Key = Int
typealias Keys = [Key]
typealias Piece = Item
typealias Member = Accounts.User
typealias MaybeKey = Key?
typealias Entity = Cachable & Equatable

nonisolated protocol Stored: Cachable {}

/// Relationships by type aliases, of an entity by way of a protocol of the target.
struct Box: Stored {
    typealias Content = Item
    let id: Key
    // relationship: Piece
    var pieceID: Key
    // relationship: Content, name: contents
    var contentIDs: Keys
    // relationship: Member
    var memberID: Member.ID
    // relationship: Item, name: lid
    let lidID: MaybeKey
    // relationship: Box
    var boxIDs: [MaybeKey]
}
