/// A member as a plain structure, as one decodes it without a cache.
struct PlainMember: Codable {
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

/// A message as a plain structure, with its sender.
struct PlainMessage: Codable {
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
    var sender: PlainMember
}

extension PlainMember {
    /// The entity, by hand.
    var entity: Member {
        Member(
            id: id,
            username: username,
            displayName: displayName,
            isLocked: isLocked,
            isBot: isBot,
            createdAt: createdAt,
            note: note,
            page: page,
            picture: picture,
            followers: followers,
            following: following,
            messages: messages
        )
    }
}

extension PlainMessage {
    /// The entity, by hand.
    var entity: Message {
        Message(
            id: id,
            createdAt: createdAt,
            text: text,
            warning: warning,
            visibility: visibility,
            uri: uri,
            page: page,
            replies: replies,
            shares: shares,
            likes: likes,
            isSensitive: isSensitive,
            language: language,
            isLiked: isLiked,
            isShared: isShared,
            isMuted: isMuted,
            isPinned: isPinned,
            senderID: sender.id
        )
    }
}

/// A JSON:API document of messages as plain structures, as one decodes it without a library.
struct PlainDocument: Decodable {
    struct Resource<Attributes: Decodable>: Decodable {
        let type: String
        let id: String
        let attributes: Attributes
        let relationships: Relationships?
    }

    struct Relationships: Decodable {
        struct Linkage: Decodable {
            struct Identifier: Decodable {
                let type: String
                let id: String
            }

            let data: Identifier
        }

        let sender: Linkage
    }

    struct MessageAttributes: Decodable {
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
    }

    struct MemberAttributes: Decodable {
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

    let data: [Resource<MessageAttributes>]
    let included: [Resource<MemberAttributes>]
}

extension PlainDocument.Resource<PlainDocument.MemberAttributes> {
    /// The entity, by hand.
    var entity: Member {
        Member(
            id: id,
            username: attributes.username,
            displayName: attributes.displayName,
            isLocked: attributes.isLocked,
            isBot: attributes.isBot,
            createdAt: attributes.createdAt,
            note: attributes.note,
            page: attributes.page,
            picture: attributes.picture,
            followers: attributes.followers,
            following: attributes.following,
            messages: attributes.messages
        )
    }
}

extension PlainDocument.Resource<PlainDocument.MessageAttributes> {
    /// The entity, by hand, or `nil` if the sender is missing.
    var entity: Message? {
        guard let sender = relationships?.sender.data else { return nil }
        return Message(
            id: id,
            createdAt: attributes.createdAt,
            text: attributes.text,
            warning: attributes.warning,
            visibility: attributes.visibility,
            uri: attributes.uri,
            page: attributes.page,
            replies: attributes.replies,
            shares: attributes.shares,
            likes: attributes.likes,
            isSensitive: attributes.isSensitive,
            language: attributes.language,
            isLiked: attributes.isLiked,
            isShared: attributes.isShared,
            isMuted: attributes.isMuted,
            isPinned: attributes.isPinned,
            senderID: sender.id
        )
    }
}
