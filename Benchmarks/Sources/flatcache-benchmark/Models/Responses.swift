import Foundation

/// Responses of a server with 4,000 messages of 500 members, 5 MB each.
struct Responses {
    static let messageCount = 4_000
    static let memberCount = 500

    /// An array of messages, with their senders nested.
    let nested: Data
    /// The same without the optional properties.
    let partial: Data
    /// The messages by identifier, and an array of the members.
    let flat: Data
    /// A JSON:API document of the messages, which includes the members.
    let document: Data

    init() {
        let members = (0..<Self.memberCount).map { Self.object(Member(number: $0)) }
        func messages(isPartial: Bool) -> [[String: Any]] {
            (0..<Self.messageCount).map { Self.object(Message(number: $0, isPartial: isPartial)) }
        }
        func nested(isPartial: Bool) -> Data {
            let nested = messages(isPartial: isPartial).enumerated().map { number, message in
                var message = message
                message["senderID"] = nil
                message["sender"] = members[number % Self.memberCount]
                return message
            }
            return Self.data(nested)
        }
        self.nested = nested(isPartial: false)
        partial = nested(isPartial: true)
        let whole = messages(isPartial: false)
        var keyed: [String: Any] = [:]
        for message in whole { if let id = message["id"] as? String { keyed[id] = message } }
        flat = Self.data(["messages": keyed, "members": members])
        document = Self.data([
            "data": whole.map { Self.resource("messages", $0, sender: $0["senderID"]) },
            "included": members.map { Self.resource("members", $0, sender: nil) },
        ])
    }

    private static func resource(_ type: String, _ object: [String: Any], sender: Any?) -> [String: Any] {
        var attributes = object
        attributes["id"] = nil
        attributes["senderID"] = nil
        var resource: [String: Any] = ["type": type, "attributes": attributes]
        resource["id"] = object["id"]
        if let sender { resource["relationships"] = ["sender": ["data": ["type": "members", "id": sender]]] }
        return resource
    }

    private static func object(_ value: some Encodable) -> [String: Any] {
        let data = try? JSONEncoder().encode(value)
        let object = data.flatMap { try? JSONSerialization.jsonObject(with: $0) }
        return object as? [String: Any] ?? [:]
    }

    private static func data(_ object: Any) -> Data {
        (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) ?? Data()
    }
}
