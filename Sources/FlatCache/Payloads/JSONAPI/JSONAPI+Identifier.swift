extension JSONAPI {
    /// The identification of a resource in a document.
    ///
    /// A property of an entity that relates to resources of several types has this type, or an array of it, at the name
    /// of the relationship.
    public struct Identifier: Hashable, Sendable, Codable, PayloadLeaf {
        /// The name of the resource's type.
        public let type: String
        /// The identifier on the server, or `nil` if the resource has only a local one.
        public let id: String?
        /// The identifier in the document, which the client has made, or `nil`.
        public let lid: String?
        /// Meta information about this identification.
        public let meta: Value?

        init(_ members: KeyedDecodingContainer<AnyCodingKey>) throws {
            type = try members.decode(String.self, forKey: .type)
            id = try members.decodeIfPresent(String.self, forKey: .id)
            lid = try members.decodeIfPresent(String.self, forKey: .lid)
            meta = try members.decodeIfPresent(Value.self, forKey: .meta)
        }

        /// This identification with the identifier that the server has for it.
        func with(id: String?) -> Identifier { Identifier(type: type, id: id, lid: lid, meta: meta) }

        init(type: String, id: String?, lid: String?, meta: Value? = nil) {
            self.type = type
            self.id = id
            self.lid = lid
            self.meta = meta
        }
    }

    /// A relationship of a resource with its links and meta information.
    ///
    /// A property of an entity with this type, at the name of the relationship, keeps them:
    ///
    ///     let comments: JSONAPI.Relationship?
    ///     comments?.links["related"]?.href
    public struct Relationship: Hashable, Sendable, Codable, PayloadLeaf {
        /// The related resources, or `nil` if the document doesn't say which they are.
        ///
        /// A relationship to one resource has one element, or none if it is null.
        public let identifiers: [Identifier]?
        /// The links of the relationship.
        public let links: Links
        /// Meta information about the relationship.
        public let meta: Value?

        private enum CodingKeys: String, CodingKey { case data, links, meta }

        /// Decodes a relationship object.
        ///
        /// - Throws: The error of the decoder if a member has the wrong kind.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            links = try members.decodeIfPresent(Links.self, forKey: .links) ?? Links()
            meta = try members.decodeIfPresent(Value.self, forKey: .meta)
            identifiers =
                if !members.contains(.data) {
                    nil
                } else if try members.decodeNil(forKey: .data) {
                    []
                } else if let one = try? members.decode(Identifier.self, forKey: .data) {
                    [one]
                } else {
                    try members.decode([Identifier].self, forKey: .data)
                }
        }

        /// Encodes a relationship object, whose identifiers are an array.
        ///
        /// - Throws: The error of the encoder.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(identifiers, forKey: .data)
            try members.encode(links, forKey: .links)
            try members.encodeIfPresent(meta, forKey: .meta)
        }
    }

    /// The version of the specification that a server uses, with its extensions.
    public struct Implementation: Hashable, Sendable, Codable, PayloadLeaf {
        /// The highest version that the server supports.
        public let version: String?
        /// The addresses of the applied extensions.
        public let ext: [String]?
        /// The addresses of the applied profiles.
        public let profile: [String]?
        /// Meta information about the server.
        public let meta: Value?
    }
}

extension AnyCodingKey {
    static let type = AnyCodingKey("type")
    static let id = AnyCodingKey("id")
    static let lid = AnyCodingKey("lid")
    static let meta = AnyCodingKey("meta")
    static let data = AnyCodingKey("data")
    static let included = AnyCodingKey("included")
    static let errors = AnyCodingKey("errors")
    static let links = AnyCodingKey("links")
    static let jsonapi = AnyCodingKey("jsonapi")
    static let attributes = AnyCodingKey("attributes")
    static let relationships = AnyCodingKey("relationships")
}

extension JSONAPI.Identifier: CustomStringConvertible, CustomReflectable {
    /// The type and the identifier: `posts 1`, or `posts with lid a`.
    public var description: String { "\(type) \(id ?? lid.map { "with lid \($0)" } ?? "")" }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension JSONAPI.Relationship: CustomStringConvertible, CustomReflectable {
    /// A line with the number of identifiers: `JSONAPI.Relationship: 2 identifiers`.
    public var description: String {
        let count = identifiers.map { Summary.count($0.count, "identifier") }
        return Summary.line("JSONAPI.Relationship", nil, [count ?? "no data"])
    }

    /// The identifiers.
    public var customMirror: Mirror { Mirror(self, children: ["identifiers": identifiers as Any]) }
}

extension JSONAPI.Implementation: CustomStringConvertible, CustomReflectable {
    /// A line with the version: `JSONAPI.Implementation: version 1.1`.
    public var description: String { Summary.line("JSONAPI.Implementation", nil, [version.map { "version \($0)" }]) }

    /// The version, the extensions and the profiles.
    public var customMirror: Mirror {
        Mirror(self, children: ["version": version as Any, "ext": ext as Any, "profile": profile as Any])
    }
}
