import FlatCache

/// An entity of the size that entities of social networks have: 96 bytes, four of its fields counted references.
struct Post: Cachable, Equatable {
    let id: String
    var title: String
    var text: String
    // relationship: Author
    var authorID: String
    var likes: Int
    var replies = 0
    var reposts = 0
    var views = 0
}

extension Post {
    init(number: Int) {
        id = "117020565693\(100_000 + number)"
        title = "The title of the post with the number \(number)"
        text = "A text that is too long to be stored in the string itself, number \(number)"
        authorID = Author.id(number: number / 10)
        likes = number
    }

    /// An identifier that no post has, as long as those that posts have.
    static func missingID(like id: String) -> String { "9" + id.dropFirst() }
}
