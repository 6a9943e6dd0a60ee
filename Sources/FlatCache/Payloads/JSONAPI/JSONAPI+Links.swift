extension JSONAPI {
    /// The links of a document, a resource, a relationship or an error, by name.
    ///
    ///     if let next = document.links["next"] { load(next.href) }
    ///
    /// A link that is null is left out.
    public struct Links: Hashable, Sendable, Codable, PayloadLeaf {
        /// All links by name.
        public let byName: [String: Link]

        /// The link with a name, or `nil` if there is none.
        public subscript(name: String) -> Link? { byName[name] }

        init() { byName = [:] }

        /// Decodes links.
        ///
        /// - Throws: The error of the decoder if a link is neither a string, a link object nor null.
        public init(from decoder: any Decoder) throws {
            byName = try decoder.singleValueContainer().decode([String: Link?].self).compactMapValues { $0 }
        }

        /// Encodes the links as an object.
        ///
        /// - Throws: The error of the encoder.
        public func encode(to encoder: any Encoder) throws { try byName.encode(to: encoder) }
    }

    /// A link, which a document has as a string or as an object.
    public struct Link: Hashable, Sendable, Codable, PayloadLeaf {
        /// The address.
        public let href: String
        /// The relation of the link, by RFC 8288.
        public let rel: String?
        /// The title for people.
        public let title: String?
        /// The media type of the linked document.
        public let type: String?
        /// The languages of the linked document.
        public let languages: [String]
        /// Meta information about the link.
        public let meta: Value?
        /// A structure can't contain itself.
        private let descriptions: [Link]

        /// The link to a description of the linked document.
        public var describedBy: Link? { descriptions.first }

        private enum CodingKeys: String, CodingKey {
            case href, rel, title, type, hreflang, meta, describedby
        }

        /// Decodes a string or a link object.
        ///
        /// - Throws: The error of the decoder if it has another value, or an object without an address.
        public init(from decoder: any Decoder) throws {
            if let href = try? decoder.singleValueContainer().decode(String.self) {
                self.href = href
                (rel, title, type, languages, meta, descriptions) = (nil, nil, nil, [], nil, [])
                return
            }
            let members = try decoder.container(keyedBy: CodingKeys.self)
            href = try members.decode(String.self, forKey: .href)
            rel = try members.decodeIfPresent(String.self, forKey: .rel)
            title = try members.decodeIfPresent(String.self, forKey: .title)
            type = try members.decodeIfPresent(String.self, forKey: .type)
            meta = try members.decodeIfPresent(Value.self, forKey: .meta)
            descriptions = try members.decodeIfPresent(Link.self, forKey: .describedby).map { [$0] } ?? []
            languages =
                if let language = try? members.decodeIfPresent(String.self, forKey: .hreflang) {
                    [language]
                } else {
                    try members.decodeIfPresent([String].self, forKey: .hreflang) ?? []
                }
        }

        /// Encodes a link object.
        ///
        /// - Throws: The error of the encoder.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(href, forKey: .href)
            try members.encodeIfPresent(rel, forKey: .rel)
            try members.encodeIfPresent(title, forKey: .title)
            try members.encodeIfPresent(type, forKey: .type)
            if !languages.isEmpty { try members.encode(languages, forKey: .hreflang) }
            try members.encodeIfPresent(meta, forKey: .meta)
            try members.encodeIfPresent(describedBy, forKey: .describedby)
        }
    }
}

extension JSONAPI.Links: CustomStringConvertible, CustomReflectable {
    /// A line with the names: `JSONAPI.Links: next, self`.
    public var description: String { Summary.line("JSONAPI.Links", nil, byName.keys.sorted()) }

    /// The addresses by name.
    public var customMirror: Mirror { Mirror(self, children: ["byName": byName.mapValues { $0.href }]) }
}

extension JSONAPI.Link: CustomStringConvertible, CustomReflectable {
    /// A line with the address: `JSONAPI.Link: https://example.com/posts/1`.
    public var description: String { Summary.line("JSONAPI.Link", nil, [href]) }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
