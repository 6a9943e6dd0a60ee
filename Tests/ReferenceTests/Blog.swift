public import FlatCache
import Foundation

/// An author of posts.
public struct Author: Cachable, Equatable {
    /// The identifier.
    public let id: String
    /// The name.
    public var name = ""
    // relationship: Post, inverse: authorID
    /// The posts, oldest first.
    public private(set) var postIDs: [String] = []
}

/// A post, with a relationship of every kind.
public struct Post: Cachable, Equatable {
    /// The identifier.
    public let id: String
    /// The title.
    public var title = ""
    // relationship: Author
    /// The identifier of the author.
    public var authorID: String
    // relationship: Author, name: reviser - the last editor
    /// The identifier of the last editor.
    public var editorID: Author.ID?
    /// The identifier of the post that it replies to.
    public let replyToID: String?  // relationship: Post, name: repliedTo
    // relationship: Comment, inverse: postID
    /// The comments, oldest first.
    public var commentIDs: [Comment.ID] = []
    // relationship: Tag
    var tagIDs: Set<String> = []
    // relationship: Tag, name: suggestions
    package var suggestedTagIDs: [String?]? = nil
    // relationship: Media.Attachment
    let attachmentIDs: [UUID]
    // relationship: Tag, name: fixedSuggestions
    let fixedTagIDs: [String?] = ["a", nil]
    // relationship: Tag, name: `default`, delete: nullify
    var defaultTagID: String?
    #if DEBUG
    // relationship: Author
    var debuggerID: String?
    #else
    // relationship: Author
    let debuggerID: String?
    #endif
}

struct Tag: Entity, Equatable {
    let id: String
    // relationship: Tag
    let synonymIDs: Set<String>?
}

protocol Entity: Cachable {}

extension Post {
    /// A comment on a post.
    public struct Comment: Cachable, Equatable {
        /// The identifier.
        public let id: Int
        // relationship: Author
        /// The identifier of the author.
        public let authorID: String
        // relationship: Comment
        /// The answers.
        public let answerIDs: [Int]?
        // relationship: Post, inverse: commentIDs
        var postID: String?
    }
}

enum Media {
    struct Attachment: Cachable, Equatable {
        let id: UUID
        var text = ""
    }
}

/// A type that has accessors, but no handles, because it is not an entity.
struct Page<Element: Sendable> {
    var elements: [Element] = []
    // relationship: Post
    var postIDs: [String]
}
