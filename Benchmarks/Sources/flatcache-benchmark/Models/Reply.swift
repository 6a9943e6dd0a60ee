import FlatCache

/// A reply, which its author refers to by a backlink alone.
struct Reply: Cachable, Equatable {
    let id: String
    var text: String
    // relationship: Author, backlink: writtenReplies
    var authorID: String
}

extension Reply {
    init(number: Int, authors: Int) {
        id = "117020569003\(100_000 + number)"
        text = "A reply that is too long to be stored in the string itself, number \(number)"
        authorID = Author.id(number: number % authors)
    }
}
