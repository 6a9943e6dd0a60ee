import FlatCache
import Foundation

/// An entity with a key that the app makes and the server returns.
struct Letter: Cachable, Codable, Equatable, RelationshipOwner {
    var id: String
    var clientKey: String?
    var text = ""
    var parentID: String?
    var updatedAt = 0

    struct Relationships: Sendable {
        var parent: FlatCache.Relationship<Letter, FlatCache.ToOptional<Letter>> {
            .init("Letter.parentID", { $0.parentID }, set: { $0.parentID = $1 })
        }
    }

    static let relationships = Relationships()
    static var allRelationships: _All { [.init(\.parent)] }
    static var indexes: [FlatCache.Index<Letter>] { [.init(\.text)] }
}

/// The same with a merge.
struct StampedLetter: Cachable, Codable, Equatable {
    var id: String
    var clientKey: UUID
    var text = ""
    var updatedAt = 0

    static let merge: Merge<StampedLetter> = .newest(by: \.updatedAt)
}
