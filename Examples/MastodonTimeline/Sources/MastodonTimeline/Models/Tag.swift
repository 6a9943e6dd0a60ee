import FlatCache

/// A hashtag.
struct Tag: Cachable, Equatable {
    /// The name as its author wrote it, without the number sign.
    let name: String

    /// Tags have no identifier in the API. Their names serve, because `#Gardening` and `#gardening` are the same tag.
    var id: String { Tag.id(ofName: name) }

    static func id(ofName name: String) -> String { name.lowercased() }
}
