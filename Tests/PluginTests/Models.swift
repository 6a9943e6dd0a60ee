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
