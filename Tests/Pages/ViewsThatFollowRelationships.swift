import FlatCache

struct Post: Cachable, Equatable {
    let id: String
    var title: String
    // relationship: Author
    var authorID: Author.ID
}

struct RowContents: Equatable {
    let title: String?
    let author: String?
}

var post: Cached<Post> { leftOut() }
var newestPage: [Post] { leftOut() }
var olderPage: [Post] { leftOut() }

func showProfile(of author: Author?) {}
