import FlatCache

/// An entity of which the version with the newer stamp counts.
struct StampedNote: Cachable, Codable, Equatable {
    let id: Int
    var title = ""
    var updatedAt = 0
    var tags: [String] = []

    static let merge: Merge<StampedNote> = .newest(by: \.updatedAt)
}

/// An entity that keeps the tags of all versions.
struct TaggedNote: Cachable, Codable, Equatable {
    let id: Int
    var title = ""
    var tags: [String] = []

    static let merge: Merge<TaggedNote> = .union(of: \.tags)
}

/// An entity whose members can be copied one by one.
struct Toot: Cachable, Codable, Equatable {
    var id: String
    var text = ""
    var likes = 0
    var isFavourite = false
    var isBookmarked = false
}

/// An entity whose members can't be copied one by one.
struct PlainToot: Cachable, Equatable {
    let id: Int
    var text = ""
    var likes = 0
}

extension FlatCache {
    func note(_ id: Int = 1) -> StampedNote? { get(StampedNote.self, id: id) }

    /// The toot that readers see.
    func toot(_ id: String = "1") -> Toot? { get(Toot.self, id: id) }

    /// The toot without pending changes.
    func confirmedToot(_ id: String = "1") -> Toot? { confirmed { get(Toot.self, id: id) } }
}

/// An entity that payloads have.
struct MemoSheet: Cachable, Equatable, Codable {
    let id: String
    var title = ""
}
