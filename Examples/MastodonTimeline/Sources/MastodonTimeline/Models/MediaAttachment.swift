import FlatCache
import FlatCacheStore

/// A picture, video or sound attached to a status.
struct MediaAttachment: Storable, Codable, Equatable {
    /// What kind of file it is.
    enum Kind: String, CodableWithUnknown {
        case image, video, audio
        case animation = "gifv"
        case unknown
    }

    static let storedName = "MediaAttachment"

    let id: String
    let kind: Kind
    /// The text for people who can't see or hear the attachment; `nil` or empty when the author wrote none.
    var description: String?

    enum CodingKeys: String, CodingKey {
        case id, description
        case kind = "type"
    }
}
