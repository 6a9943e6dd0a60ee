import FlatCache

/// An entity of the size that entities of social networks have.
struct Post: Cachable, Equatable {
    let id: String
    var title: String
    var text: String
    var authorID: String
    var likes: Int

    init(number: Int, likes: Int = 0) {
        id = "117020565693\(1_000_000 + number)"
        title = "The title of the post with the number \(number)"
        text = "A text that is too long to be stored in the string itself, number \(number)"
        authorID = "117020566092\(number / 10)"
        self.likes = likes
    }
}
