import FlatCache
import FlatCacheStore

/// A hashtag.
struct Tag: Storable, Codable, Equatable {
    static let storedName = "Tag"

    /// The name as its author wrote it, without the number sign.
    let name: String

    /// The name in lowercase, because `#Gardening` and `#gardening` are the same tag.
    ///
    /// The API gives tags no identifiers.
    var id: String { name.lowercased() }
}
