import Foundation

/// Responses of a server with messages of members, about 1.2 kB for each message.
struct Responses {
    var messageCount = 4_000
    var memberCount = 500

    /// An array of messages, with their senders nested.
    var nested: Data { nested(isPartial: false) }

    /// The same without the optional properties.
    var partial: Data { nested(isPartial: true) }

    /// The messages by identifier, and an array of the members.
    var flat: Data {
        var keyed: [String: Any] = [:]
        for message in messages(isPartial: false) { if let id = message["id"] as? String { keyed[id] = message } }
        return Self.data(["messages": keyed, "members": members])
    }

    /// A JSON:API document of the messages, which includes the members.
    var document: Data {
        Self.data([
            "data": messages(isPartial: false).map { Self.resource("messages", $0, sender: $0["senderID"]) },
            "included": members.map { Self.resource("members", $0, sender: nil) },
        ])
    }

    private var members: [[String: Any]] { (0..<memberCount).map { Self.object(Member(number: $0)) } }

    private func messages(isPartial: Bool) -> [[String: Any]] {
        (0..<messageCount).map {
            Self.object(Message(number: $0, of: Member(number: $0 % memberCount), isPartial: isPartial))
        }
    }

    private func nested(isPartial: Bool) -> Data {
        let members = members
        let nested = messages(isPartial: isPartial).enumerated().map { number, message in
            var message = message
            message["senderID"] = nil
            message["sender"] = members[number % memberCount]
            return message
        }
        return Self.data(nested)
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
        (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    }
}
