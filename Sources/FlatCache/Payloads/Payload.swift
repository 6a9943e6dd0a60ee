/// A decoded response whose entities can be stored in a cache.
///
///     let payload = try decoder.decode(Payload<[Status]>.self, from: data)
///     let statuses = cache.store(payload).value
///
/// The root can be any `Decodable` type: an entity, an array or a dictionary of entities, or a structure around them.
/// All entities in it are found, at any depth. The app's own decoder decodes the response, so its formats, key
/// strategies and date strategies apply, and the library parses nothing.
///
/// - **An entity may stand where an identifier is expected.** If `accountID` is annotated with `// relationship: Account`,
///   the response may have an account there, at the property's key or at the accessor's name, `account`. The account is
///   collected, and its identifier becomes the property's value.
///   An identifier works as well, also in the same array.
/// - **Absent keeps, null clears, a value sets.** A property that the response leaves out keeps its stored value when
///   the payload is stored. If a required property is left out and no such entity is stored, the entity is incomplete.
/// - **A value that can't be read costs only itself.** It is listed in ``problems``, and its siblings are decoded.
///   Elements of arrays and dictionaries are left out. Scalars in arrays and dictionaries are the exception: they are
///   decoded as one value. A dictionary's key that can't be read costs the dictionary. The entities in an unreadable
///   entity are stored. In another unreadable value, such as a structure around entities, those at its annotated
///   relationships are stored, and other entities after the unreadable member are lost.
///
/// A payload can be stored several times and in several caches. Decoding stores nothing. A payload that is decoded inside
/// another one has only its root; its entities and problems belong to the outer one.
///
/// ## Incomplete entities
///
/// Several incomplete entities of one response with the same identifier complete each other, and a whole one completes
/// them, in any order. After a whole one, what a structure in the entity requires must be in one of them. The
/// identifier of an incomplete entity must be `Decodable` by itself, or the entity is a problem even if one is stored.
///
/// If a property contains an entity instead of its identifier, an incomplete entity is merged with the stored one and
/// can't be the value of the property: an optional property keeps the stored one, and the element of an array or a
/// dictionary is left out. This is a problem. Annotated identifiers don't have it. An enumeration or a union around an
/// incomplete entity has no value either.
///
/// ## Limits
///
/// - A value inside more than 128 others can't be read. Foundation's parser of XML property lists has no such limit:
///   about 10,000 arrays inside each other end the process before the payload is asked. Don't decode such property
///   lists from sources that aren't trusted.
/// - No decoder sees a call of `Post(from: decoder)`. The entity is found if `Post` reads its members by keys that are
///   declared in it, and neither `Post` nor the keys are private to a file. So prefer `container.decode(Post.self)`.
/// - Some decoders decode types of their own specially, such as the tagged values of CBOR. Conform these types to
///   ``PayloadLeaf``.
/// - Where the main actor is the default isolation, a structure around entities must be `nonisolated`.
///
/// ## Topics
///
/// The decoder's `userInfo` has an option: `CodingUserInfoKey.isStrictPayload`.
public struct Payload<Root: Decodable & Sendable>: Sendable, Decodable {
    let content: PayloadContent
    let root: PayloadRoot<Root>

    /// The values that could not be read, in the order of the response.
    ///
    /// Incomplete entities are only known when the payload is stored. They are in the problems of the ``StoredPayload``.
    public var problems: [PayloadProblem] { content.problems }

    /// Decodes a response.
    ///
    /// - Throws: The error of the decoder if the root can't be read and no entity was found before the error. With the
    ///   option `CodingUserInfoKey.isStrictPayload`, the first problem.
    public init(from decoder: any Decoder) throws {
        let (payloadDecoder, isJoined) = PayloadDecoder.joining(decoder)
        let reading = payloadDecoder.reading
        let reader = reading.reader(of: Root.self)
        if isJoined {
            root = try reader.readRoot(from: payloadDecoder)
            content = PayloadContent()
            return
        }
        do {
            root = try reader.readRoot(from: payloadDecoder)
        } catch {
            try reading.throwIfStrict()
            if reading.entityCount == 0 { throw error }
            reading.noteLoss(error, of: Root.self, at: decoder.codingPath)
            root = PayloadRoot()
        }
        content = try PayloadContent(reading)
    }

    init(content: PayloadContent, root: PayloadRoot<Root>) {
        self.content = content
        self.root = root
    }
}

/// The entities of a payload, without the type of its root.
struct PayloadContent: @unchecked Sendable {  // The parts are only read after the decoding.
    let parts: [PayloadPart]
    let problems: [PayloadProblem]

    init(parts: [PayloadPart], problems: [PayloadProblem]) {
        self.parts = parts
        self.problems = problems
    }

    /// Creates the content of a value whose entities belong to a payload around it.
    init() {
        parts = []
        problems = []
    }

    /// Creates the content after the root was decoded.
    ///
    /// - Throws: The first problem, if decoding is strict.
    init(_ reading: PayloadReading) throws {
        try reading.throwIfStrict()
        parts = reading.collected
        problems = reading.problems
    }
}

extension Payload: CustomStringConvertible, CustomReflectable {
    /// A line with the root and the counts: `Payload<Blog.Page>: 20 entities of 2 types, 1 problem`.
    ///
    /// - Complexity: O(*n*) for *n* types.
    public var description: String { Summary.line(Summary.name("Payload", of: Root.self), nil, content.facts) }

    /// The problems.
    public var customMirror: Mirror { Mirror(self, children: ["problems": problems]) }
}

extension PayloadContent {
    /// The numbers of entities and problems, as texts.
    var facts: [String?] { Summary.payload(parts, problems) }
}

extension Summary {
    /// The numbers of entities in a payload, of their types, and of problems.
    static func payload(_ parts: [PayloadPart], _ problems: [PayloadProblem]) -> [String?] {
        let counts = parts.map { $0.count }.filter { $0 > 0 }
        let types = counts.isEmpty ? "" : " of \(count(counts.count, "type"))"
        return [entities(counts.reduce(0, +)) + types, some(problems.count, "problem")]
    }
}
