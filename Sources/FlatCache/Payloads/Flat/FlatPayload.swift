/// A response that has the entities of each type under the name of the type.
///
///     // {"posts": {"1": {"id": "1", …}}, "authors": [{"id": "7", …}]}
///     let flat = try decoder.decode(FlatPayload<Post, Author, Comment>.self, from: data)
///     let stored = cache.store(flat)
///     cache.get(Post.self, ids: stored.ids(of: Post.self))
///
/// The entities of a type are in an array or in a dictionary by identifier. An entity of a dictionary that leaves its
/// identifier out gets it from its key. A name can be absent or null. The name of a type is the plural of its own, unless
/// it conforms to ``FlatCache/FlatCache/PayloadNamed``.
///
/// The rules of ``Payload`` apply to each entity. Related entities can be nested in it. The properties that it leaves out
/// keep their stored values. An entity that can't be read costs only itself.
///
/// A flat payload can also be the property of a structure around it. If that structure is decoded as the root of a
/// ``Payload``, the entities belong to the outer payload, and this value has none:
///
///     struct Response: Decodable { let entities: FlatPayload<Issue, User> }
///     cache.store(try decoder.decode(Payload<Response>.self, from: data))
public struct FlatPayload<each Entity: Cachable & Decodable>: Decodable, PayloadConvertible {
    /// The entities and the problems.
    public let payload: Payload<FlatPayload>

    /// The names in the response that no type has, in alphabetical order.
    public let unknownNames: [String]

    /// The values that could not be read.
    public var problems: [PayloadProblem] { payload.problems }

    /// Decodes a response.
    ///
    /// - Throws: The error of the decoder if the response isn't an object with names. With the option
    ///   `CodingUserInfoKey.isStrictPayload`, the first problem.
    public init(from decoder: any Decoder) throws {
        let (decoder, isJoined) = PayloadDecoder.joining(decoder)
        let reader = FlatReader(decoder)
        repeat try reader.read((each Entity).self)
        let names = try reader.unknownNames()
        try self.init(isJoined ? PayloadContent() : PayloadContent(decoder.reading), unknownNames: names)
    }

    private init(_ content: PayloadContent, unknownNames: [String]) {
        // The root is made when it is asked for, because it contains the payload.
        let root = LazyRoot { FlatPayload(content, unknownNames: unknownNames) }
        payload = Payload(content: content, root: root)
        self.unknownNames = unknownNames
    }
}

extension FlatPayload: CustomStringConvertible, CustomReflectable {
    /// A line with the counts: `FlatPayload: 20 entities of 2 types, 1 unknown name`.
    public var description: String {
        Summary.line("FlatPayload", nil, payload.content.facts + [Summary.some(unknownNames.count, "unknown name")])
    }

    /// The problems, and the unknown names.
    public var customMirror: Mirror { Mirror(self, children: ["problems": problems, "unknownNames": unknownNames]) }
}
