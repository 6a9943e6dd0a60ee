import FlatCache

/// A picture, video or sound attached to a status.
struct MediaAttachment: Cachable, Equatable {
    /// What kind of file it is.
    enum Kind: String {
        case image, video, audio
        case animation = "gifv"
        /// The server didn't say, or said something newer than this program.
        case unknown
    }

    let id: String
    let kind: Kind
    /// What can be seen or heard, for those who can't; empty when the author wrote nothing.
    let description: String
}
