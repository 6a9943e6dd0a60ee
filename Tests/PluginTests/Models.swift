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
