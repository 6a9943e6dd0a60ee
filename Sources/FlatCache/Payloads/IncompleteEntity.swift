/// An entity of a payload that leaves out required properties.
///
/// It can be stored if the cache has an entity with its identifier.
final class IncompleteEntity<Entity: Cachable>: @unchecked Sendable {  // It has only constants.
    let id: Entity.ID
    /// The required keys that are absent.
    let missing: [String]
    let codingPath: [any CodingKey]
    /// The values that are present, by key.
    let members: [String: EntityMember]

    /// The problem, if no such entity is stored.
    var problem: PayloadProblem { PayloadProblem(.incomplete(missing: missing), of: Entity.self, at: codingPath) }

    fileprivate init(id: Entity.ID, missing: [String], codingPath: [any CodingKey], members: [String: EntityMember]) {
        self.id = id
        self.missing = missing
        self.codingPath = codingPath
        self.members = members
    }
}

extension IncompleteEntity {
    /// The values of this entity and a later one with the same identifier.
    func adding(_ later: IncompleteEntity) -> IncompleteEntity {
        IncompleteEntity(
            id: id,
            missing: missing.filter(later.missing.contains),
            codingPath: later.codingPath,
            members: members.merging(later.members) { $1 }
        )
    }

    /// The values of some keys, or `nil` if there are none.
    func members(only keys: [String]) -> IncompleteEntity? {
        let members = members.filter { keys.contains($0.key) }
        return members.isEmpty ? nil : IncompleteEntity(id: id, missing: [], codingPath: codingPath, members: members)
    }
}

extension IncompleteEntity where Entity: Decodable {
    /// Decodes the present values of an entity whose `init(from:)` has thrown an error.
    ///
    /// - Parameters:
    ///   - keys: The keys of the type.
    ///   - makeRelations: Creates the relationships of the type for a reading.
    ///   - decoder: The decoder of the entity.
    ///   - attempt: The frame of the attempt, which has collected what is nested in its visited keys. The other keys are
    ///     visited.
    ///   - error: The error of `init(from:)`.
    /// - Throws: The error, if the identifier is absent or the type of a present value isn't known. Another error, if a
    ///   present value can't be decoded.
    convenience init(
        capturing keys: EntityKeys<Entity>,
        _ makeRelations: (PayloadReading) -> [NamedRelation],
        from decoder: PayloadDecoder,
        after attempt: EntityFrame,
        _ error: any Error
    ) throws {
        let base = try decoder.base()
        let collecting = KeyedPayloadContainer<AnyCodingKey>(base, decoder.reading, of: attempt)
        // What is nested in visited keys was collected by the attempt, and isn't collected again.
        lazy var ignoring = {
            let reading = PayloadReading(userInfo: decoder.userInfo, isRepetition: true)
            let frame = EntityFrame(Entity.self, makeRelations(reading))
            return KeyedPayloadContainer<AnyCodingKey>(base, reading, of: frame)
        }()
        var members: [String: EntityMember] = [:]
        var missing: [String] = []
        for key in keys.list {
            let name = AnyCodingKey(key.name)
            let container = attempt.visited.contains(key.name) ? ignoring : collecting
            guard container.contains(name) else {
                if !(key.property.valueType is any OptionalType.Type) { missing.append(key.name) }
                continue
            }
            guard let type = key.property.valueType ?? keys.learntType(of: key.name) else { throw error }
            if try container.decodeNil(forKey: name) {
                members[key.name] = .null
            } else {
                let type = (type as? any OptionalType.Type)?.wrapped ?? type
                members[key.name] = .value(try container.decode(type, forKey: name))
            }
        }
        let name = keys.identifier?.name ?? "id"
        guard case .value(let value)? = members[name], let id = value as? Entity.ID else { throw error }
        self.init(id: id, missing: missing, codingPath: base.codingPath, members: members)
    }
}

/// The value of a key in an entity.
enum EntityMember {
    case null
    case value(Any)

    init(_ value: Any) {
        self = if let value = value as? any OptionalType, value.isNil { .null } else { .value(value) }
    }

    /// Whether the value is an identifier.
    func isValue<ID: Hashable>(_ id: ID) -> Bool {
        if case .value(let value as ID) = self { value == id } else { false }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// An optional type.
protocol OptionalType {
    /// The type of the value, if there is one.
    static var wrapped: (any Decodable.Type)? { get }

    var isNil: Bool { get }
}

extension Optional: OptionalType {
    static var wrapped: (any Decodable.Type)? { Wrapped.self as? any Decodable.Type }

    var isNil: Bool { if case .none = self { true } else { false } }
}
