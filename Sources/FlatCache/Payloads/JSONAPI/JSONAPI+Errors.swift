extension JSONAPI {
    /// The error that decoding a document throws if the server reports errors.
    ///
    ///     do { … } catch let document as JSONAPI.ErrorDocument {
    ///         show(document.errors.compactMap(\.detail))
    ///     }
    ///
    /// It can also be decoded by itself. A member of the wrong kind is `nil`, so that it doesn't hide the others.
    public struct ErrorDocument: Error, Decodable, Hashable {
        /// The errors, in the order of the document.
        public let errors: [ErrorObject]
        /// The links of the document.
        public let links: Links
        /// Meta information about the document.
        public let meta: Value?
        /// The version of the specification that the server uses.
        public let jsonapi: Implementation?

        /// Decodes a document with errors.
        ///
        /// - Throws: The error of the decoder if the document has no array of errors.
        public init(from decoder: any Decoder) throws {
            try self.init(try decoder.container(keyedBy: AnyCodingKey.self))
        }

        init(_ members: KeyedDecodingContainer<AnyCodingKey>) throws {
            errors = try members.decode([ErrorObject].self, forKey: .errors)
            links = members.lenient(.links) ?? Links()
            meta = members.lenient(.meta)
            jsonapi = members.lenient(.jsonapi)
        }
    }

    /// One error in a document.
    public struct ErrorObject: Decodable, Hashable, Sendable {
        /// The identifier of this occurrence.
        public let id: String?
        /// The links: `about` for this occurrence, `type` for the kind of error.
        public let links: Links
        /// The HTTP status code.
        public let status: String?
        /// The server's code of the kind of error.
        public let code: String?
        /// The summary of the kind of error.
        public let title: String?
        /// The explanation of this occurrence.
        public let detail: String?
        /// The part of the request that has caused the error.
        public let source: Source?
        /// Meta information about the error.
        public let meta: Value?

        /// The part of a request that has caused an error.
        public struct Source: Decodable, Hashable, Sendable {
            /// The JSON Pointer to the value in the request's document.
            public let pointer: String?
            /// The name of the query parameter.
            public let parameter: String?
            /// The name of the request header.
            public let header: String?

            /// Decodes the members that are strings.
            public init(from decoder: any Decoder) {
                let members = try? decoder.container(keyedBy: AnyCodingKey.self)
                pointer = members?.lenient("pointer")
                parameter = members?.lenient("parameter")
                header = members?.lenient("header")
            }
        }

        /// Decodes the members that have the right kind.
        public init(from decoder: any Decoder) {
            let members = try? decoder.container(keyedBy: AnyCodingKey.self)
            id = members?.text(.id)
            links = members?.lenient(.links) ?? Links()
            status = members?.text("status")
            code = members?.text("code")
            title = members?.lenient("title")
            detail = members?.lenient("detail")
            source = members?.lenient("source")
            meta = members?.lenient(.meta)
        }
    }
}

extension JSONAPI.ErrorDocument: CustomStringConvertible, CustomReflectable {
    /// The errors in one line.
    public var description: String {
        errors.isEmpty ? "the server reports errors" : errors.map { $0.description }.joined(separator: "; ")
    }

    /// The errors.
    public var customMirror: Mirror { Mirror(self, children: ["errors": errors]) }
}

extension JSONAPI.ErrorObject: CustomStringConvertible, CustomReflectable {
    /// The status, the title, the detail and the place.
    public var description: String {
        let texts = [status ?? code, title, detail].compactMap { $0 }.joined(separator: ": ")
        let place = source?.pointer ?? source?.parameter ?? source?.header
        return (texts.isEmpty ? "an error" : texts) + (place.map { " (\($0))" } ?? "")
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AnyCodingKey: ExpressibleByStringLiteral {
    init(stringLiteral name: String) { self.init(name) }
}

extension KeyedDecodingContainer<AnyCodingKey> {
    /// The value of a member, or `nil` if it is absent, null or of another kind.
    fileprivate func lenient<Value: Decodable>(_ key: AnyCodingKey) -> Value? { try? decode(Value.self, forKey: key) }

    /// The text of a member, which some servers send as a number.
    fileprivate func text(_ key: AnyCodingKey) -> String? {
        lenient(key) ?? (lenient(key) as Int?).map { String($0) }
    }
}
