import FlatCache

/// A post whose identifier is of a type of its own, as many apps have them.
struct Article: Cachable, Equatable {
    struct ID: Hashable, Sendable {
        let text: String
    }

    let id: ID
    var post: Post

    init(_ post: Post) {
        id = ID(text: post.id)
        self.post = post
    }
}
