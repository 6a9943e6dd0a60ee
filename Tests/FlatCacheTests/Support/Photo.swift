import FlatCache

/// An entity with keys of several kinds.
struct Photo: Cachable, Equatable {
    let id: Int
    var ownerID = "a"
    var albumID: Int?
    var tagIDs: [String] = []
    var place: Place = .init(name: "")
    var likes = 0

    /// A key with a comparison of its own.
    struct Place: Hashable, Sendable {
        var name: String

        static func == (lhs: Place, rhs: Place) -> Bool { lhs.name == rhs.name }

        func hash(into hasher: inout Hasher) { hasher.combine(name.count) }
    }

    var owner: String { FlatCache.current.get(Author.self, id: ownerID)?.name ?? "" }
}
