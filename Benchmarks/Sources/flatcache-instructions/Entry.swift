import FlatCache

/// The entity of this program: 96 bytes, four of its fields counted references.
///
/// It stays as it is, because the committed figures are about it.
struct Entry: Cachable, Equatable {
    let id: String
    var title: String
    var text: String
    var authorID: String
    var likes: Int
    var replies = 0
    var reposts = 0
    var views = 0
}

extension Entry {
    init(number: Int) {
        id = "117020565693\(100_000 + number)"
        title = "The title of the entry with the number \(number)"
        text = "A text that is too long to be stored in the string itself, number \(number)"
        authorID = "117020566092\(100_000 + number / 10)"
        likes = number
    }
}

/// An entry of which the newest version is stored.
struct VersionedEntry: Cachable, Equatable {
    let entry: Entry
    var version = -1
    var id: String { entry.id }

    static let merge: Merge<VersionedEntry> = .newest(by: \.version)

    init(_ entry: Entry) {
        self.entry = entry
    }
}
