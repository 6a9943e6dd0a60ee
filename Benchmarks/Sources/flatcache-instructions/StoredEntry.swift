import FlatCache
import FlatCacheStore

/// An ``Entry`` that a store keeps.
///
/// It is a type of its own, so that what the other operations work on stays as it is.
struct StoredEntry: Storable, Codable {
    static let storedName = "Entry"

    let id: String
    var title: String
    var text: String
    var authorID: String
    var likes: Int
    var replies = 0
    var reposts = 0
    var views = 0

    init(number: Int) {
        let entry = Entry(number: number)
        id = entry.id
        title = entry.title
        text = entry.text
        authorID = entry.authorID
        likes = entry.likes
    }
}
