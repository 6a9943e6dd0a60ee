/// An entity of a payload that leaves out required properties.
///
/// It can be stored if the cache has an entity with its identifier.
final class IncompleteEntity<Entity: Cachable>: @unchecked Sendable {  // It has only constants.
    let id: Entity.ID
    /// The required keys that are absent.
    let missing: [String]
    let codingPath: [any CodingKey]
    /// The representations of the values that are present, by key.
    let members: [String: [EntityMember]]
    /// The keys of other values that are present.
    let uncaptured: Set<String>

    /// The values of which only a part is present.
    var partialMembers: [String: PartialMember] { members.compactMapValues { $0.first?.value(as: PartialMember.self) } }

    /// The problem, if no such entity is stored.
    var problem: PayloadProblem {
        PayloadProblem(.incomplete(missing: missing), of: Entity.self, Entity.flatCacheKey(id: id), at: codingPath)
    }

    /// The problem of a present value that `init(from:)` reads and that isn't among the members.
    func loss(of key: String) -> PayloadProblem {
        let error = DecodingError.incomplete(
            missing,
            "the type of this value isn't known",
            at: codingPath + [AnyCodingKey(key)]
        )
        return PayloadProblem(error, of: Entity.self, at: codingPath)
    }

    init(
        id: Entity.ID,
        missing: [String],
        codingPath: [any CodingKey],
        members: [String: [EntityMember]],
        uncaptured: Set<String>
    ) {
        self.id = id
        self.missing = missing
        self.codingPath = codingPath
        self.members = members
        self.uncaptured = uncaptured
    }
}

extension IncompleteEntity {
    /// The values of this entity and a later one with the same identifier, or `nil` if two parts of a value can't be put together.
    func adding(_ later: IncompleteEntity) -> IncompleteEntity? {
        var all = members.merging(later.members) { $1 }
        for (name, part) in later.partialMembers {
            guard let old = members[name]?.first else { continue }
            guard let both = part.adding(to: old) else { return nil }
            all[name] = [both]
        }
        return IncompleteEntity(
            id: id,
            missing: missing.filter(later.missing.contains),
            codingPath: later.codingPath,
            members: all,
            uncaptured: uncaptured.subtracting(later.members.keys).union(later.uncaptured)
        )
    }
}

extension IncompleteEntity where Entity: Decodable {
    /// Decodes the present values of an entity whose `init(from:)` has thrown an error.
    ///
    /// - Parameters:
    ///   - keys: The keys of the type.
    ///   - makeRelations: Creates the relationships of the type for a reading.
    ///   - decoder: The decoder of the entity.
    ///   - attempt: The frame of the attempt, which has collected the entities nested in its visited keys. The other keys
    ///     are visited.
    ///   - error: The error of `init(from:)`.
    /// - Throws: The error, if the identifier is absent. Another error, if the identifier or the type of a present value
    ///   isn't known, or if a present value can't be decoded.
    convenience init(
        capturing keys: EntityKeys<Entity>,
        _ makeRelations: @escaping (PayloadReading) -> [NamedRelation],
        from decoder: PayloadDecoder,
        after attempt: EntityFrame,
        _ error: any Error
    ) throws {
        let base = try decoder.base()
        let values = PresentValues(of: attempt, base, decoder.reading, makeRelations)
        var members: [String: [EntityMember]] = [:]
        var unknown: String?
        var missing: [String] = []
        for key in keys.list {
            let property = key.property
            let types = [property.valueType, keys.learntType(of: key.name), property.otherValueType].compactMap { $0 }
            let value: [EntityMember]?
            do { value = try values.members(of: key.name, as: types) } catch {
                // The key can have another type in another case of an enumeration.
                if keys.isOpen { continue }
                throw error
            }
            if let value {
                if value.isEmpty { unknown = unknown ?? key.name } else { members[key.name] = value }
            } else if !(property.valueType is any OptionalType.Type), !keys.isOpen || key.name == attempt.missing {
                missing.append(key.name)
            }
            if let part = value?.first?.value(as: PartialMember.self) {
                missing += part.missing.map { "\(key.name).\($0)" }
            }
        }
        for (name, type) in keys.unlisted + (attempt.requests ?? [])
        where members[name] == nil && keys.property(at: name) == nil {
            // Without the value, the entity can't be completed.
            members[name] = try? values.members(of: name, as: [type])
        }
        if let unknown {
            let path = base.codingPath + [AnyCodingKey(unknown)]
            throw DecodingError.incomplete(missing, "the type of this value isn't known", at: path)
        }
        let name = keys.identifier?.name ?? "id"
        if members[name] == nil && keys.property(at: name) != nil { throw error }
        var id: Entity.ID?
        for member in members[name] ?? [] where id == nil { id = member.value(as: Entity.ID.self) }
        guard let id else {
            throw DecodingError.incomplete(missing, "only init(from:) makes the identifier", at: base.codingPath)
        }
        self.init(
            id: id,
            missing: missing,
            codingPath: base.codingPath,
            members: members,
            uncaptured: values.names.subtracting(members.keys)
        )
    }
}

/// The values in an object of an entity, after an attempt to decode the entity.
private final class PresentValues {
    private let attempt: EntityFrame
    private let base: KeyedDecodingContainer<AnyCodingKey>
    /// The keys whose nested entities were collected.
    private let visited: [String]
    private let reading: PayloadReading
    private let collecting: KeyedPayloadContainer<AnyCodingKey>
    private let makeIgnoring: () -> KeyedPayloadContainer<AnyCodingKey>
    /// The container for visited keys.
    ///
    /// The attempt has collected their nested entities, which aren't collected again.
    private lazy var ignoring = makeIgnoring()

    /// Creates the values.
    ///
    /// - Parameters:
    ///   - attempt: The frame of the attempt.
    ///   - base: The container of the object.
    ///   - reading: The reading.
    ///   - collected: The keys that the attempt hasn't visited, and whose nested entities were collected nevertheless.
    ///   - makeRelations: Creates the relationships of the type for a reading.
    init(
        of attempt: EntityFrame,
        _ base: KeyedDecodingContainer<AnyCodingKey>,
        _ reading: PayloadReading,
        collected: [String] = [],
        _ makeRelations: @escaping (PayloadReading) -> [NamedRelation]
    ) {
        self.attempt = attempt
        self.base = base
        visited = attempt.visited + collected
        self.reading = reading
        collecting = KeyedPayloadContainer(base, reading, of: attempt)
        makeIgnoring = {
            let repetition = PayloadReading(userInfo: reading.userInfo, isRepetition: true)
            let frame = EntityFrame(attempt.type, makeRelations(repetition), isMerged: true)
            for part in attempt.parts { frame.add(part, in: repetition) }
            return KeyedPayloadContainer(base, repetition, of: frame)
        }
    }

    /// The keys of the object that have values.
    var names: Set<String> { Set(base.allKeys.map { $0.stringValue }).subtracting(attempt.absentKeys) }

    /// The representations of the value of a key, or `nil` if the key is absent.
    ///
    /// As in a whole entity, an optional relationship that can't be read is a problem and counts as absent. So does an
    /// incomplete entity that would be an optional value.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - types: The types of the representations. Those that can't be decoded are left out.
    /// - Throws: An error of the first type, if none can be decoded.
    func members(of name: String, as types: [any Decodable.Type]) throws -> [EntityMember]? {
        let key = AnyCodingKey(name)
        var container = visited.contains(name) ? ignoring : collecting
        guard container.contains(key) else { return nil }
        let isOptional = types.contains { $0 is any OptionalType.Type }
        if isOptional {
            if attempt.absentKeys.contains(name) { return nil }
            if try container.decodeNil(forKey: key) { return [.null] }
        }
        var members: [EntityMember] = []
        var failure: (any Error)?
        var known: [ObjectIdentifier] = []
        for type in types {
            let type = (type as? any OptionalType.Type)?.wrapped ?? type
            if known.contains(ObjectIdentifier(type)) { continue }
            if !known.isEmpty { container = ignoring }
            known.append(ObjectIdentifier(type))
            do {
                guard let member = try member(of: key, as: type, isOptional: isOptional, in: container) else {
                    return nil
                }
                members.append(member)
            } catch { failure = failure ?? error }
            if members.first?.value(as: PartialMember.self) != nil { break }
        }
        if members.isEmpty, let failure { throw failure }
        reading.dropFailedAttempt()
        return members
    }

    /// The value of a key, or the part of it that is there, or `nil` if an optional one counts as absent.
    private func member(
        of key: AnyCodingKey,
        as type: any Decodable.Type,
        isOptional: Bool,
        in container: KeyedPayloadContainer<AnyCodingKey>
    ) throws -> EntityMember? {
        do {
            let value: any Decodable
            if isOptional && container === collecting {
                guard let present = try container.decodeIfPresent(type, forKey: key) else { return nil }
                value = present
            } else {
                value = try container.decode(type, forKey: key)
            }
            guard let frame = container.entity?.member(at: key.stringValue), !frame.absence.isEmpty else {
                return .value(value)
            }
            return .value(PartialMember.decoded(value, frame.absence))
        } catch {
            guard let frame = container.entity?.incompleteMember(at: key.stringValue), frame.isAbsence(error) else {
                throw error
            }
            reading.forgetFailedAttempt()
            let object = try container.decoder(of: key).base()
            guard let part = try Self.part(of: frame, object, reading, error) else { throw error }
            return .value(PartialMember.incomplete(part))
        }
    }

    /// The part of a value or a nested container that is there, or `nil` if the types of its keys aren't known.
    private static func part(
        of frame: EntityFrame,
        _ base: KeyedDecodingContainer<AnyCodingKey>,
        _ reading: PayloadReading,
        _ error: any Error
    ) throws -> IncompleteMember? {
        let types = (MemberKeys.known(of: frame.type, in: frame.container) ?? []) + (frame.requests ?? [])
        let containers = frame.containers
        guard !types.isEmpty || !containers.isEmpty else { return nil }
        let isValue = frame.container == nil
        // A value that can't be read has collected the entities of its relationships.
        let collected = isValue ? reading.relations(of: frame.type).map { $0.name } : []
        let values = PresentValues(of: frame, base, reading, collected: collected) { [frame] in
            isValue ? $0.relations(of: frame.type) : []
        }
        var members: [String: EntityMember] = [:]
        var missing: [String] = []
        for (name, type) in types where members[name] == nil {
            guard let member = try values.members(of: name, as: [type])?.first else {
                if !(type is any OptionalType.Type) { missing.append(name) }
                continue
            }
            members[name] = member
            if let part = member.value(as: PartialMember.self) { missing += part.missing.map { "\(name).\($0)" } }
        }
        for (name, container) in containers {
            let object = try base.nestedContainer(keyedBy: AnyCodingKey.self, forKey: AnyCodingKey(name))
            guard let part = try part(of: container, object, reading, error) else { return nil }
            members[name] = .value(PartialMember.incomplete(part))
            missing += part.missing.map { "\(name).\($0)" }
        }
        return IncompleteMember(
            type: isValue ? frame.type : nil,
            error: error,
            members: members,
            uncaptured: values.names.subtracting(members.keys),
            missing: missing
        )
    }
}

extension DecodingError {
    /// The error of an entity without required properties that can't be completed.
    fileprivate static func incomplete(
        _ missing: [String],
        _ reason: String,
        at codingPath: [any CodingKey]
    ) -> DecodingError {
        let missing = missing.joined(separator: ", ")
        return .dataCorrupted(
            Context(codingPath: codingPath, debugDescription: "the payload leaves out \(missing), and \(reason)")
        )
    }
}

/// The value of a key in an entity.
enum EntityMember {
    case null
    case value(Any)

    init(_ value: Any) {
        self = if let value = value as? any OptionalType, value.isNil { .null } else { .value(value) }
    }

    /// The value, or `nil` if it has another type.
    func value<Value>(as type: Value.Type) -> Value? {
        if case .value(let value) = self { value as? Value } else { nil }
    }

    /// Whether the value is an identifier.
    func isValue<ID: Hashable>(_ id: ID) -> Bool {
        if case .value(let value as ID) = self { value == id } else { false }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// The representations of the value of a key in an entity.
struct MemberValues {
    /// The known ones, or none if the key is absent.
    var known: [EntityMember]
    /// Makes another one, if the known ones have other types.
    var makeOther: (() -> EntityMember?)?

    var isEmpty: Bool { known.isEmpty }

    /// The value, or `nil` if none has the type.
    func value<Value>(as type: Value.Type) -> Value? {
        for member in known {
            if let value = member.value(as: type) { return value }
        }
        return makeOther?()?.value(as: type)
    }

    var hasNull: Bool { known.contains { $0.isNull } || makeOther?()?.isNull == true }
}

/// An optional type.
protocol OptionalType {
    /// The type of the value, if there is one.
    static var wrapped: (any Decodable.Type)? { get }

    var isNil: Bool { get }

    /// The value, or `nil` if there is none.
    var wrappedValue: Any? { get }
}

extension Optional: OptionalType {
    static var wrapped: (any Decodable.Type)? { Wrapped.self as? any Decodable.Type }

    var isNil: Bool { if case .none = self { true } else { false } }

    var wrappedValue: Any? {
        guard case .some(let value) = self else { return nil }
        return unwrapped(value)
    }
}
