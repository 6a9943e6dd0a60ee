import FlatCache
import Foundation

struct Post: Cachable, Equatable {
    let id: String
    var title: String
    // relationship: Author
    var authorID: Author.ID
    var details: PostDetails?
}

struct PostDetails: Equatable {
    // relationship: Author
    var authorID: Author.ID
}

struct RowContents: Equatable {
    let title: String?
    let author: String?
}

extension FlatCache {
    /// Stands for a method of Apple platforms.
    func publisher<Value: Sendable>(_ compute: @escaping @Sendable () -> Value) -> AnyObject { leftOut() }
}

var post: Cached<Post> { leftOut() }
var newestPage: [Post] { leftOut() }
var newerPage: [Post] { leftOut() }
var olderPage: [Post] { leftOut() }
var title: String? {
    get { leftOut() }
    set {}
}

func showProfile(of author: Author?) {}
