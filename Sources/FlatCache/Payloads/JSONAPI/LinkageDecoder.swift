/// The resources to which a relationship of a resource leads.
enum Linkage {
    /// The relationship has no linkage, only links or meta information.
    case absent
    case null
    case one(JSONAPI.Identifier)
    case many([JSONAPI.Identifier])

    var identifiers: [JSONAPI.Identifier] {
        switch self {
        case .absent, .null: []
        case .one(let identifier): [identifier]
        case .many(let identifiers): identifiers
        }
    }
}

/// The place of an identifier in a resource.
struct LinkagePlace {
    let owner: ResourceMembers
    /// The relationship, or `nil` for the identifier of the resource.
    var relationship: AnyCodingKey?
    /// The index in an array.
    var index: Int?
    /// The member of the identification.
    var member: AnyCodingKey?

    var codingPath: [any CodingKey] {
        let path: [AnyCodingKey] = relationship.map { [.relationships, $0, .data] } ?? [.id]
        return owner.codingPath + path + [index.map { AnyCodingKey(index: $0) }, member].compactMap { $0 }
    }
}

/// A decoder of identifiers, which a document has as text or in the identification of a resource.
///
/// An identifier of an integer type is made of the text. A type that decodes an object gets the members of the
/// identification.
struct LinkageDecoder: Decoder, SingleValueDecodingContainer {
    private let value: Value
    /// The relationship, or `nil` for another value.
    private let field: ResourceField?
    private let place: LinkagePlace

    private enum Value {
        case null
        case text(String)
        case one(JSONAPI.Identifier)
        case many([JSONAPI.Identifier])
    }

    init(_ linkage: Linkage, _ field: ResourceField, at place: LinkagePlace) {
        value =
            switch linkage {
            case .absent, .null: .null
            case .one(let identifier): .one(identifier)
            case .many(let identifiers): .many(identifiers)
            }
        self.field = field
        self.place = place
    }

    init(_ text: String, at place: LinkagePlace) {
        value = .text(text)
        field = nil
        self.place = place
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { place.owner.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        // The identification of a related entity is not the entity.
        guard case .one(let identifier) = value, field?.related == nil else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(IdentifierMembers(identifier, at: place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .many(let identifiers) = value, let field else { throw mismatch([Any].self) }
        return LinkageElements(identifiers, field, at: place)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { if case .null = value { true } else { false } }

    func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
        let integer = type as? any FixedWidthInteger.Type
        guard integer != nil || Self.isText(type) else {
            if type == Bool.self || type is any BinaryFloatingPoint.Type { throw mismatch(type) }
            return try Result(from: self)
        }
        let text = try text(for: type)
        guard let integer else { return unsafeBitCast(text, to: type) }
        guard let result = integer.init(text) as? Result else { throw mismatch(type) }
        return result
    }

    private static func isText(_ type: any Any.Type) -> Bool { type == String.self }

    private func text(for type: any Any.Type) throws -> String {
        switch value {
        case .text(let text): return text
        case .one(let identifier):
            guard let violation = field?.violation(of: identifier) else { return identifier.id ?? "" }
            throw PayloadProblem(violation, of: JSONAPI.Identifier.self, at: codingPath)
        case .null:
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(codingPath: codingPath, debugDescription: "The relationship is null.")
            )
        case .many: throw mismatch(type)
        }
    }

    private func mismatch(_ type: any Any.Type) -> DecodingError {
        let found =
            switch value {
            case .null: "null"
            case .text(let text): "the identifier \"\(text)\""
            case .one(let identifier): "the identifier \"\(identifier.id ?? "")\""
            case .many: "several identifiers"
            }
        return .typeMismatch(
            type,
            DecodingError.Context(codingPath: codingPath, debugDescription: "Expected \(type) but found \(found).")
        )
    }
}

/// The identifiers of a relationship to several resources.
struct LinkageElements: UnkeyedDecodingContainer {
    private let identifiers: [JSONAPI.Identifier]
    private let field: ResourceField
    private let place: LinkagePlace
    private(set) var currentIndex = 0

    init(_ identifiers: [JSONAPI.Identifier], _ field: ResourceField, at place: LinkagePlace) {
        self.identifiers = identifiers
        self.field = field
        self.place = place
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var count: Int? { identifiers.count }
    var isAtEnd: Bool { currentIndex == identifiers.count }

    func decodeNil() -> Bool { false }

    mutating func decode<Result: Decodable>(_ type: Result.Type) throws -> Result {
        try next(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }

    private mutating func next<Result>(
        _ type: any Any.Type,
        _ decode: (LinkageDecoder) throws -> Result
    ) throws -> Result {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(codingPath: codingPath, debugDescription: "There are no more identifiers.")
            )
        }
        var place = place
        place.index = currentIndex
        let result = try decode(LinkageDecoder(.one(identifiers[currentIndex]), field, at: place))
        currentIndex += 1
        return result
    }
}

/// The members of the identification of a resource.
private struct IdentifierMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let identifier: JSONAPI.Identifier
    private let place: LinkagePlace

    init(_ identifier: JSONAPI.Identifier, at place: LinkagePlace) {
        self.identifier = identifier
        self.place = place
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var allKeys: [Key] { ["type", "id", "lid", "meta"].compactMap { Key(stringValue: $0) }.filter(contains) }

    private func text(_ key: Key) -> String? {
        switch key.stringValue {
        case "type": identifier.type
        case "id": identifier.id
        case "lid": identifier.lid
        default: nil
        }
    }

    private func meta(_ key: Key) -> JSONAPI.Value? { key.stringValue == "meta" ? identifier.meta : nil }

    func contains(_ key: Key) -> Bool { text(key) != nil || meta(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if let meta = meta(key) as? Value { return meta }
        return try decoder(key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw DecodingError.absent(AnyCodingKey("super"), at: codingPath) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> LinkageDecoder {
        guard let text = text(key) else { throw DecodingError.absent(key, at: codingPath) }
        var place = place
        place.member = AnyCodingKey(key)
        return LinkageDecoder(text, at: place)
    }
}
