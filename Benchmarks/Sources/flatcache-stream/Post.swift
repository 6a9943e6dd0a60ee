import FlatCache
import FlatCacheStore

/// An entity of the size that entities of social networks have.
struct Post: Storable, Codable, Equatable {
    static let storedName = "Post"

    let id: String
    var title: String
    var text: String
    var authorID: String
    var likes: Int

    init(number: Int) {
        id = Self.id(number)
        title = "The title of the post with the number \(number)"
        text = "A text that is too long to be stored in the string itself, number \(number)"
        authorID = "117020566092\(number / 10)"
        likes = number
    }

    static func id(_ number: Int) -> String { "1170205656\(10_000_000 + number)" }

    /// Consecutive posts.
    static func page(_ numbers: Range<Int>) -> [Post] { numbers.map { Post(number: $0) } }
}
