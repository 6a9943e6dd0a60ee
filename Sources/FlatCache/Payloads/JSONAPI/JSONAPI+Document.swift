extension JSONAPI {
    /// A JSON:API document, whose resources a cache can store as entities.
    ///
    ///     let document = try decoder.decode(JSONAPI.Document<[Article], Person, Comment>.self, from: data)
    ///     let articles = cache.store(document).value
    ///
    /// The first type is the primary data: an entity type, an optional one for data that can be null, or an array. The
    /// others are the types of the included resources. Resources of these types in the primary data are stored as well.
    /// A resource of another type is left out, and its type is in ``unknownTypes``.
    ///
    /// Primary data that is only identified, by `type` and `id`, is a link: it stores nothing, and the stored value has
    /// the stored entities.
    ///
    /// The `init(from:)` of an entity reads a flat object:
    ///
    /// - At the key of the identifier is the `id` of the resource. An integer is made of its text.
    /// - At the key of an attribute is the attribute, decoded with the strategies of the decoder.
    /// - At the key of a relationship, such as `authorID` or `author`, are the identifiers of its linkage. One without
    ///   `data` is absent. Null and an empty array clear the stored identifiers.
    /// - At `type` is the name of the resource's type. At `lid`, `links` and `meta` are these members, unless the
    ///   resource has such an attribute or relationship.
    ///
    /// An attribute or relationship called `createdAt` is also found as `created-at` or `created_at`. A relationship to
    /// several types has ``Identifier`` values, or a type of the app that decodes `type` and `id`.
    ///
    /// A resource without `id` can't be stored, unless the coding key of the entity's identifier is `lid`. In a
    /// linkage, a `lid` leads to the `id` of the resource with that `lid`.
    ///
    /// The rules of ``Payload`` apply to each entity. Properties that a resource leaves out keep their stored values, and
    /// null clears them. A resource that can't be read costs only itself. The rules that the document breaks are in
    /// ``problems``.
    public struct Document<Primary: Decodable & Sendable, each Included: Cachable & Decodable>: Decodable,
        PayloadConvertible
    {
        /// The entities and the problems.
        public let payload: Payload<Primary>

        /// The identifications of the primary data, in the order of the document.
        public let identifiers: [Identifier]

        /// The types of resources that are left out, each once.
        public let unknownTypes: [String]

        /// The links of the document.
        public let links: Links

        /// Meta information about the document, or `nil` if it has none.
        public let meta: Value?

        /// The version of the specification that the server uses, or `nil` if the document doesn't say.
        public let jsonapi: Implementation?

        /// The values that could not be read, and the rules that the document breaks.
        public var problems: [PayloadProblem] { payload.problems }

        /// Decodes a document.
        ///
        /// - Throws: An ``ErrorDocument`` if the server reports errors. The error of the decoder if the primary data
        ///   can't be read and there is no entity, or a ``PayloadProblem`` if it breaks a rule of JSON:API. With the option
        ///   `CodingUserInfoKey.isStrictPayload`, the first problem.
        public init(from decoder: any Decoder) throws {
            let (decoder, isJoined) = PayloadDecoder.joining(decoder)
            let reading = decoder.reading
            let document = DocumentReader(try decoder.base(), reading)
            try document.throwErrors()
            let primary = try PrimaryReaders.make(of: Primary.self, for: document)
            repeat document.add((each Included).self)
            let root = try document.read(primary)
            links = try document.member(.links) ?? Links()
            meta = try document.member(.meta)
            jsonapi = try document.member(.jsonapi)
            identifiers = document.identifiers
            unknownTypes = document.unknownTypes
            payload = try Payload(content: isJoined ? PayloadContent() : PayloadContent(reading), root: root)
        }
    }
}

/// The parts of a document.
extension DocumentReader {
    /// Throws the errors of the document, if it has any.
    fileprivate func throwErrors() throws {
        guard root.contains(.errors), try !root.decodeNil(forKey: .errors) else { return }
        let errors = try JSONAPI.ErrorDocument(root)
        if !root.contains(.data) || !errors.errors.isEmpty { throw errors }
        note(.dataAndErrors, at: .errors)
    }

    /// Reads the primary data and the included resources.
    ///
    /// - Throws: The error of the primary data, if the document has no entity.
    fileprivate func read<Primary>(_ primary: PrimaryReader<Primary>) throws -> PayloadRoot<Primary> {
        let entityCount = reading.entityCount
        var primaryError: (any Error)?
        func problem(_ error: any Error) -> PayloadProblem {
            PayloadProblem(error, of: Primary.self, at: self.root.codingPath + [AnyCodingKey.data])
        }
        var root = PayloadRoot<Primary>()
        if self.root.contains(.data) {
            do { root = try primary.read(self) } catch { primaryError = error }
        } else if !self.root.contains(.meta), !self.root.contains(.included) {
            throw DecodingError.absent(AnyCodingKey.data, at: self.root.codingPath)
        }
        if let primaryError { reading.note(problem(primaryError)) }
        do { try readIncluded() } catch {
            if reading.entityCount == entityCount { throw error }
            let path = self.root.codingPath + [AnyCodingKey.included]
            reading.note(PayloadProblem(error, of: [JSONAPI.Identifier].self, at: path))
        }
        if let primaryError {
            // The error of a broken rule has no path.
            if reading.entityCount == entityCount {
                throw primaryError is JSONAPI.Violation ? problem(primaryError) : primaryError
            }
        } else if self.root.contains(.data) {
            checkLinkage()
        }
        return root
    }

    /// A member that isn't a resource, or `nil` if it is absent or null or can't be read.
    fileprivate func member<Value: Decodable>(_ key: AnyCodingKey) throws -> Value? {
        do { return try root.decodeIfPresent(Value.self, forKey: key) } catch {
            reading.note(PayloadProblem(error, of: Value.self, at: root.codingPath + [key]))
            return nil
        }
    }
}

extension JSONAPI.Document: CustomStringConvertible, CustomReflectable {
    /// A line with the root and the counts: `JSONAPI.Document<Blog.Post>: 3 entities of 2 types, 1 unknown type`.
    public var description: String {
        Summary.line(
            Summary.name("JSONAPI.Document", of: Primary.self),
            nil,
            payload.content.facts + [Summary.some(unknownTypes.count, "unknown type")]
        )
    }

    /// The problems, the identifiers, and the unknown types.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["problems": problems, "identifiers": identifiers, "unknownTypes": unknownTypes]
        )
    }
}
