import FlatCache
import Foundation

/// The contents of a file.
enum Document: Decodable {
    case resources([Resource])
    case normalized(Normalized)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let resources = try? value.decode([Resource].self) {
            self = .resources(resources)
        } else {
            self = .normalized(try value.decode(Normalized.self))
        }
    }

    /// The issues and pull requests, in the order of the file.
    var ticketIDs: [TicketID] {
        switch self {
        case .resources(let resources): resources.compactMap(\.ticketID)
        case .normalized(let normalized): normalized.result
        }
    }
}

extension FlatCache {
    /// Decodes a file, and stores its entities in one commit.
    func store(contentsOf data: Data) throws -> StoredPayload<Document> {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return store(try decoder.decode(Payload<Document>.self, from: data))
    }
}
