import FlatCacheStore

extension Message: Storable {
    static let storedName = "Message"
}

extension Message {
    /// Messages of 500 members, with all optional properties.
    static func messages(_ count: Int) -> [Message] {
        let members = (0..<500).map { Member(number: $0) }
        return (0..<count).map { Message(number: $0, of: members[$0 % members.count], isPartial: false) }
    }
}
