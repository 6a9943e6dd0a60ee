// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Accounts
public import FlatCache

/// An entity with relationships of every access level, some to another module.
public struct Post: Cachable, Equatable {
    public let id: String
    public var title = ""
    // relationship: Accounts.User - of another module
    public var authorID: Accounts.User.ID
    // relationship: Accounts.User, name: reviser
    public var editorID: String?
    // relationship: Comment
    public private(set) var commentIDs: [Comment.ID] = []
    // relationship: Label
    public internal(set) var labelIDs: Set<Label.ID> = []
    // relationship: Label, name: suggestions
    package var suggestedLabelIDs: [Int?]?
    // relationship: Label, name: `default`
    var defaultLabelID: Int?
    public let replyToID: String?  // relationship: Post, name: repliedTo
    // relationship: Accounts.Team
    package var teamID: Int?

    public init(id: String, authorID: String, commentIDs: [Int] = [], replyToID: String? = nil) {
        self.id = id
        self.authorID = authorID
        self.commentIDs = commentIDs
        self.replyToID = replyToID
    }
}

/// An entity that refers to others of its file before they are declared.
public struct Label: Cachable, Equatable {
    public let id: Int
    // relationship: Post
    public var pinnedPostID: Post.ID?

    public init(id: Int) { self.id = id }
}
