// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, OrderedImports
public import FlatCache
internal import Accounts

extension Post {
    /// An entity that is declared in an extension, in another file than what it is nested in.
    public struct Comment: Cachable, Equatable {
        public let id: Int
        // relationship: Post
        public let postID: Post.ID
        // relationship: Comment
        public var answerIDs: [Int] = []
        // relationship: Accounts.User
        let authorID: String

        public init(id: Int, postID: String, authorID: String) {
            self.id = id
            self.postID = postID
            self.authorID = authorID
        }
    }
}
