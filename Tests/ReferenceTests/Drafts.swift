public import FlatCache

/// A decodable entity, whose keys payloads read.
public struct Draft: Cachable, Codable, Equatable {
    /// The identifier.
    public let id: String
    /// The text.
    public var text: String?
    /// The numbers of views and of likes.
    public private(set) var views, likes: Int?
    /// The keywords, which are never absent.
    @Listed public var keywords: [String]
    private var secret: [String: Int]? = nil
    let version = 1
    /// Whether the draft is shown in full, which no response says.
    public var isExpanded = false
    // relationship: Writer
    /// The identifier of the author.
    public let writerID: Writer.ID
    // relationship: Draft, name: repliedTo
    /// The identifier of the draft that it replies to.
    public var inReplyTo: String?
    // relationship: Writer, name: readers
    var readerIDs: [String]?
    #if DEBUG
    var trace: String?
    #endif

    enum CodingKeys: String, CodingKey {
        case id, text, views
        case likes = "favourites_count"
        case keywords, secret, writerID
        case inReplyTo = "in_reply_to_id"
        case readerIDs = "reader_ids"
        #if DEBUG
        case trace = "trace\u{20}\"id\""
        #endif
    }
}

/// A decodable entity without relationships.
public struct Writer: Cachable, Codable, Equatable {
    /// The identifier.
    public let id: String
    var name: String
}

/// A property wrapper that decodes null as an empty array.
@propertyWrapper
public struct Listed: Codable, Equatable, Sendable {
    /// The array.
    public var wrappedValue: [String]

    /// Creates a wrapper.
    public init(wrappedValue: [String]) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes an array or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? [] : try container.decode([String].self)
    }
}
