import FlatCache

struct Conversation: Cachable, Equatable {
    let id: Int
    // relationship: Message
    var messageIDs: [Message.ID] = []
}

struct Message: Cachable, Equatable {
    let id: String
    var text = ""
    let conversationID: Int  // relationship: Conversation
    // relationship: Person, name: sender
    var personID: Person.ID?
}

/// A decodable entity.
struct Attachment: Cachable, Codable, Equatable {
    let id: String
    var name: String?
    let messageID: String  // relationship: Message

    private enum CodingKeys: String, CodingKey {
        case id, name
        case messageID = "message_id"
    }
}

/// A decodable entity with identifiers in rows, in a dictionary and in an enum.
struct Archive: Cachable, Codable, Equatable {
    let id: Int
    // relationship: Attachment
    var attachmentIDs: [[Attachment.ID]] = []
    // relationship: Attachment
    var coverIDs: [Size: Attachment.ID]?
    var origin: Origin?

    enum Size: String, Codable, CodingKeyRepresentable {
        case small, large
    }

    enum Origin: Codable, Equatable {
        // relationship: Conversation
        case conversation(Conversation.ID)
        case upload
    }
}
