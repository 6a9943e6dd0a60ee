import FlatCache

/// A member of a social network, as its server sends it.
struct Member: Cachable, Codable {
    let id: String
    var username: String
    var displayName: String
    var isLocked: Bool
    var isBot: Bool
    var createdAt: String
    var note: String
    var page: String
    var picture: String
    var followers: Int
    var following: Int
    var messages: Int
}

/// A message of a social network, as its server sends it, with its sender nested.
struct Message: Cachable, Codable {
    let id: String
    var createdAt: String
    var text: String
    var warning: String
    var visibility: String
    var uri: String
    var page: String
    var replies: Int
    var shares: Int
    var likes: Int
    var isSensitive: Bool
    var language: String?
    var isLiked: Bool?
    var isShared: Bool?
    var isMuted: Bool?
    var isPinned: Bool?
    // relationship: Member
    var senderID: Member.ID
}

extension Member {
    init(number: Int) {
        id = "10995116277\(10_000 + number)"
        username = "member\(number)"
        displayName = "Member Number \(number)"
        isLocked = number.isMultiple(of: 3)
        isBot = false
        createdAt = "2024-01-02T03:04:05.000Z"
        note = "<p>A note about the member, which is a bit longer than a line of text</p>"
        page = "https://example.net/@member\(number)"
        picture = "https://example.net/pictures/original/\(number).png"
        followers = number
        following = number / 2
        messages = number * 3
    }
}

extension Message {
    /// Creates a message.
    ///
    /// - Parameters:
    ///   - number: The number of the message.
    ///   - sender: The sender.
    ///   - isPartial: Whether the optional properties are absent.
    init(number: Int, of sender: Member, isPartial: Bool) {
        id = "117020565693\(100_000 + number)"
        createdAt = "2024-01-02T03:04:05.000Z"
        text = "<p>\(String(repeating: "Some words of the text. ", count: 14))</p>"
        warning = ""
        visibility = "public"
        uri = "https://example.net/members/\(sender.username)/messages/\(number)"
        page = "\(sender.page)/\(number)"
        replies = number % 7
        shares = number % 11
        likes = number % 13
        isSensitive = false
        language = isPartial ? nil : "en"
        isLiked = isPartial ? nil : false
        isShared = isPartial ? nil : false
        isMuted = isPartial ? nil : false
        isPinned = isPartial ? nil : false
        senderID = sender.id
    }
}
