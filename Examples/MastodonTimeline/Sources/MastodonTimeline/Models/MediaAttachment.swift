import FlatCache

/// A picture, video or sound attached to a status.
struct MediaAttachment: Cachable, Decodable, Equatable {
    /// What kind of file it is.
    enum Kind: String, DecodableWithUnknown {
        case image, video, audio
        case animation = "gifv"
        case unknown
    }

    let id: String
    let kind: Kind
    /// What can be seen or heard, for those who can't; `nil` or empty when the author wrote nothing.
    var description: String?

    enum CodingKeys: String, CodingKey {
        case id, description
        case kind = "type"
    }
}
