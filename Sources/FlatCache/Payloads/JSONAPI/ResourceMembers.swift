/// The members of a resource as the flat object that the `init(from:)` of its entity expects.
///
/// At the key of a relationship are the identifiers of its linkage.
final class ResourceMembers: KeyedDecodingContainerProtocol {
    private let resource: KeyedDecodingContainer<AnyCodingKey>?
    private let attributes: KeyedDecodingContainer<AnyCodingKey>?
    @exclusivity(unchecked) private var relationships: Relationships
    private let id: String?
    private let fields: ResourceFields
    private let reading: PayloadReading

    var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

    /// The relationships of a resource.
    struct Relationships {
        var container: KeyedDecodingContainer<AnyCodingKey>?
        var linkages: [(key: AnyCodingKey, linkage: Linkage)] = []
    }

    /// The place of the value of a key.
    private enum Place {
        case identifier(String)
        case member(KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey)
        case linkage(Linkage, ResourceField, AnyCodingKey)
    }

    /// Creates the members of a resource object.
    init(
        _ resource: KeyedDecodingContainer<AnyCodingKey>,
        _ relationships: Relationships,
        id: String?,
        _ fields: ResourceFields,
        _ reading: PayloadReading
    ) throws {
        self.resource = resource
        attributes =
            resource.contains(.attributes)
            ? try resource.nestedContainer(keyedBy: AnyCodingKey.self, forKey: .attributes) : nil
        self.relationships = relationships
        self.id = id
        self.fields = fields
        self.reading = reading
    }

    /// Creates the members of an object that doesn't contain its identifier.
    init(
        _ object: KeyedDecodingContainer<AnyCodingKey>,
        id: String,
        at name: String,
        _ reading: PayloadReading
    ) {
        resource = nil
        attributes = object
        relationships = Relationships()
        self.id = id
        fields = ResourceFields(identifierName: name)
        self.reading = reading
    }

    var codingPath: [any CodingKey] { (resource ?? attributes)?.codingPath ?? [] }

    private func place(of key: AnyCodingKey) -> Place? {
        let name = key.stringValue
        if let resource {
            if name == "id" { return id.map { .identifier($0) } }
            if name == "type" { return .member(resource, key) }
        }
        let field = fields[name]
        if field.related != nil, let place = linkage(of: field) { return place }
        if let attributes, let key = field.spelling(where: attributes.contains) {
            field.isAttribute = field.related == nil
            return .member(attributes, key)
        }
        field.isAttribute = false
        if field.related == nil, let place = linkage(of: field) { return place }
        if let resource, ["links", "meta", "lid"].contains(name), resource.contains(key) {
            return .member(resource, key)
        }
        if name == fields.identifierName, let id { return .identifier(id) }
        return nil
    }

    /// The linkage of a field, or `nil` if there is none.
    ///
    /// A target that the entity can't refer to is recorded as a problem, and its relationship counts as absent.
    private func linkage(of field: ResourceField) -> Place? {
        guard field.hasLinkage else { return nil }
        for (key, linkage) in relationships.linkages
        where field.spelling(where: { $0.stringValue == key.stringValue }) != nil {
            if field.related != nil, case .one(let identifier) = linkage,
                let violation = field.violation(of: identifier)
            {
                reject(key, violation)
                return .linkage(.absent, field, key)
            }
            return .linkage(linkage, field, key)
        }
        return nil
    }

    /// Records a relationship as a problem, once, and makes it absent.
    private func reject(_ key: AnyCodingKey, _ violation: JSONAPI.Violation) {
        let path = LinkagePlace(owner: self, relationship: key).codingPath
        reading.note(PayloadProblem(violation, of: JSONAPI.Identifier.self, at: path))
        for place in relationships.linkages.indices
        where relationships.linkages[place].key.stringValue == key.stringValue {
            relationships.linkages[place].linkage = .absent
        }
    }

    /// The attribute where the last one of its field was, which saves a question where it is.
    private func likelyAttribute(of key: AnyCodingKey) -> (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey)? {
        guard let attributes, resource == nil || key.stringValue != "id" && key.stringValue != "type" else {
            return nil
        }
        let field = fields[key.stringValue]
        return field.isAttribute ? (attributes, field.spellings[0]) : nil
    }

    private func requiredPlace(of key: AnyCodingKey) throws -> Place {
        guard let place = place(of: key) else { throw DecodingError.absent(key, at: codingPath) }
        return place
    }

    /// A decoder of an identifier or a linkage.
    private func decoder(_ linkage: Linkage, _ field: ResourceField, _ key: AnyCodingKey) throws -> LinkageDecoder {
        if case .absent = linkage { throw DecodingError.absent(key, at: codingPath) }
        return LinkageDecoder(linkage, field, at: LinkagePlace(owner: self, relationship: key))
    }

    private func decoder(_ id: String) -> LinkageDecoder { LinkageDecoder(id, at: LinkagePlace(owner: self)) }

    var allKeys: [AnyCodingKey] {
        let identifiers = [AnyCodingKey(fields.identifierName)] + (resource == nil ? [] : [.type])
        return identifiers + (attributes?.allKeys ?? []) + relationships.linkages.map { $0.key }
    }

    func contains(_ key: AnyCodingKey) -> Bool {
        switch place(of: key) {
        case nil, .linkage(.absent, _, _): false
        default: true
        }
    }

    func decodeNil(forKey key: AnyCodingKey) throws -> Bool {
        switch try requiredPlace(of: key) {
        case .identifier: false
        case .member(let container, let key): try container.decodeNil(forKey: key)
        case .linkage(let linkage, let field, let key): try decoder(linkage, field, key).decodeNil()
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: AnyCodingKey) throws -> Value {
        try decode(type, key) { try $0.decode(type, forKey: $1) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: AnyCodingKey) throws -> Value? {
        try decodeIfPresent(type, key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: AnyCodingKey
    ) throws -> KeyedDecodingContainer<NestedKey> {
        switch try requiredPlace(of: key) {
        case .identifier(let id): try decoder(id).container(keyedBy: type)
        case .member(let container, let key): try container.nestedContainer(keyedBy: type, forKey: key)
        case .linkage(let linkage, let field, let key): try decoder(linkage, field, key).container(keyedBy: type)
        }
    }

    func nestedUnkeyedContainer(forKey key: AnyCodingKey) throws -> any UnkeyedDecodingContainer {
        switch try requiredPlace(of: key) {
        case .identifier(let id): try decoder(id).unkeyedContainer()
        case .member(let container, let key): try container.nestedUnkeyedContainer(forKey: key)
        case .linkage(let linkage, let field, let key): try decoder(linkage, field, key).unkeyedContainer()
        }
    }

    func superDecoder() throws -> any Decoder {
        guard let container = resource ?? attributes else {
            throw DecodingError.absent(AnyCodingKey.attributes, at: codingPath)
        }
        return try container.superDecoder()
    }

    func superDecoder(forKey key: AnyCodingKey) throws -> any Decoder {
        switch try requiredPlace(of: key) {
        case .identifier(let id): decoder(id)
        case .member(let container, let key): try container.superDecoder(forKey: key)
        case .linkage(let linkage, let field, let key): try decoder(linkage, field, key)
        }
    }
}

/// The most frequent scalars, which the user's decoder decodes without their `init(from:)`.
extension ResourceMembers {
    func decode(_ type: String.Type, forKey key: AnyCodingKey) throws -> String {
        try decode(type, key) { try $0.decode(type, forKey: $1) }
    }

    func decode(_ type: Int.Type, forKey key: AnyCodingKey) throws -> Int {
        try decode(type, key) { try $0.decode(type, forKey: $1) }
    }

    func decode(_ type: Double.Type, forKey key: AnyCodingKey) throws -> Double {
        try decode(type, key) { try $0.decode(type, forKey: $1) }
    }

    func decode(_ type: Bool.Type, forKey key: AnyCodingKey) throws -> Bool {
        try decode(type, key) { try $0.decode(type, forKey: $1) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: AnyCodingKey) throws -> String? {
        try decodeIfPresent(type, key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: AnyCodingKey) throws -> Int? {
        try decodeIfPresent(type, key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: AnyCodingKey) throws -> Double? {
        try decodeIfPresent(type, key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: AnyCodingKey) throws -> Bool? {
        try decodeIfPresent(type, key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    func decode(_ type: Int128.Type, forKey key: AnyCodingKey) throws -> Int128 {
        try decode(type, key) { try $0.decode(type, forKey: $1) }
    }

    func decode(_ type: UInt128.Type, forKey key: AnyCodingKey) throws -> UInt128 {
        try decode(type, key) { try $0.decode(type, forKey: $1) }
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: AnyCodingKey) throws -> Int128? {
        try decodeIfPresent(type, key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: AnyCodingKey) throws -> UInt128? {
        try decodeIfPresent(type, key) { try $0.decodeIfPresent(type, forKey: $1) }
    }

    @inline(__always) private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ key: AnyCodingKey,
        _ member: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value
    ) throws -> Value {
        if let (attributes, name) = likelyAttribute(of: key) {
            do { return try member(attributes, name) } catch {
                if attributes.contains(name) { throw error }
            }
        }
        switch try requiredPlace(of: key) {
        case .identifier(let id): return try decoder(id).decode(type)
        case .member(let container, let key): return try member(container, key)
        case .linkage(let linkage, let field, let key):
            if type == JSONAPI.Relationship.self, let container = relationships.container {
                return try container.decode(type, forKey: key)
            }
            return try decoder(linkage, field, key).decode(type)
        }
    }

    @inline(__always) private func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type,
        _ key: AnyCodingKey,
        _ member: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value?
    ) throws -> Value? {
        if let (attributes, name) = likelyAttribute(of: key), let value = try member(attributes, name) { return value }
        switch place(of: key) {
        case nil: return nil
        case .identifier(let id): return try decoder(id).decode(type)
        case .member(let container, let key): return try member(container, key)
        case .linkage(let linkage, let field, let key):
            if type == JSONAPI.Relationship.self, let container = relationships.container {
                return try container.decodeIfPresent(type, forKey: key)
            }
            switch linkage {
            case .absent, .null: return nil
            default: return try decoder(linkage, field, key).decode(type)
            }
        }
    }
}
