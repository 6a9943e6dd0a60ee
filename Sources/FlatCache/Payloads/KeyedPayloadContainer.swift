/// The members of an object in a payload.
///
/// It is a class with constants only, because the standard library copies a structure for each key.
final class KeyedPayloadContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let base: KeyedDecodingContainer<AnyCodingKey>
    private let reading: PayloadReading
    /// The entity whose members these are, or `nil` for another value.
    let entity: EntityFrame?

    init(_ base: KeyedDecodingContainer<AnyCodingKey>, _ reading: PayloadReading, of entity: EntityFrame?) {
        self.base = base
        self.reading = reading
        self.entity = entity
    }

    var codingPath: [any CodingKey] { base.codingPath }

    var allKeys: [Key] {
        reading.dropFailedAttempt()
        return base.allKeys.compactMap { key in
            Key(stringValue: key.stringValue) ?? key.intValue.flatMap { Key(intValue: $0) }
        }
    }

    func contains(_ key: Key) -> Bool {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        if let relation = entity?.relation(at: key) { return relation.key(in: base) != nil }
        if base.contains(key) { return true }
        entity?.noteAbsent(key)
        return false
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        return try base.decodeNil(forKey: entity?.relation(at: key)?.key(in: base) ?? key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        let relation = entity?.relation(at: key)
        if let entity {
            entity.noteRequest(of: type, at: key)
            if let relation, let found = try related(type, relation, key) { return found }
        }
        let reader = reading.reader(of: type)
        if reader.isLeaf { return try leaf(key) { try $0.decode(type, forKey: $1) } }
        let place = try place(of: key, relation)
        guard base.contains(place) else { throw absence(of: key) }
        if relation == nil { entity?.noteVisit(key) }
        return try member(at: key, place, relation, with: reader) { try reader.read(from: $0) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        let relation = entity?.relation(at: key)
        if let entity {
            entity.noteRequest(of: Value?.self, at: key)
            if let relation, relation.accepts(type) { return try optionalRelated(type, relation, key) }
        }
        let reader = reading.reader(of: type)
        if reader.isLeaf { return try optionalLeaf(key) { try $0.decodeIfPresent(type, forKey: $1) } }
        let place = try place(of: key, relation)
        guard base.contains(place) else {
            entity?.noteAbsent(key)
            return nil
        }
        if try base.decodeNil(forKey: place) { return nil }
        if relation == nil { entity?.noteVisit(key) }
        if let value = try member(at: key, place, relation, with: reader, { try reader.readValue(from: $0) }) {
            return value
        }
        // An incomplete entity is merged with the stored one, and the previous value is kept.
        entity?.noteAbsent(key)
        return nil
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        let nested = try leaf(try place(of: key, entity?.relation(at: key))) {
            try $0.nestedContainer(keyedBy: AnyCodingKey.self, forKey: $1)
        }
        guard let entity, entity.isMerged else {
            return KeyedDecodingContainer(KeyedPayloadContainer<NestedKey>(nested, reading, of: nil))
        }
        let frame = entity.nestedContainer(at: key)
        return KeyedDecodingContainer(KeyedPayloadContainer<NestedKey>(nested, reading, of: frame))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        let relation = entity?.relation(at: key)
        let nested = try leaf(try place(of: key, relation)) { try $0.nestedUnkeyedContainer(forKey: $1) }
        return UnkeyedPayloadContainer(nested, reading, of: relation)
    }

    func superDecoder() throws -> any Decoder {
        reading.dropFailedAttempt()
        return PayloadDecoder(.decoder(try base.superDecoder()), reading)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        guard let relation = entity?.relation(at: key), relation.key(in: base) != nil else {
            return PayloadDecoder(.decoder(try base.superDecoder(forKey: key)), reading)
        }
        return PayloadDecoder(.member(base, try place(of: key, relation)), reading, relation: relation)
    }
}

/// The steps of decoding the value of a key.
extension KeyedPayloadContainer {
    /// Decodes a scalar, or the identifier of a relationship.
    @inline(__always) func scalar<Value: Decodable>(
        _ type: Value.Type,
        _ key: Key,
        _ decode: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value
    ) throws -> Value {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        if let entity {
            entity.noteRequest(of: type, at: key)
            if let relation = entity.relation(at: key), let found = try related(type, relation, key) { return found }
        }
        return try leaf(key, decode)
    }

    /// Decodes a scalar, or the identifier of a relationship, or returns `nil` if it is absent or null.
    @inline(__always) func optionalScalar<Value: Decodable>(
        _ type: Value.Type,
        _ key: Key,
        _ decode: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value?
    ) throws -> Value? {
        reading.dropFailedAttempt()
        let key = AnyCodingKey(key)
        if let entity {
            entity.noteRequest(of: Value?.self, at: key)
            if let relation = entity.relation(at: key), relation.accepts(type) {
                return try optionalRelated(type, relation, key)
            }
        }
        return try optionalLeaf(key, decode)
    }

    /// Decodes a value that can't contain entities.
    ///
    /// It takes no longer than the user's decoder, unless the key is absent.
    @inline(__always) private func leaf<Value>(
        _ key: AnyCodingKey,
        _ decode: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value
    ) throws -> Value {
        do { return try decode(base, key) } catch {
            if !base.contains(key) { entity?.noteMissing(key) }
            throw error
        }
    }

    @inline(__always) private func optionalLeaf<Value>(
        _ key: AnyCodingKey,
        _ decode: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value?
    ) throws -> Value? {
        if let entity, entity.expectsAbsence(of: key), !base.contains(key) {
            entity.noteAbsent(key)
            return nil
        }
        let value = try decode(base, key)
        if case .none = value, let entity, !base.contains(key) { entity.noteAbsent(key) }
        return value
    }

    /// The decoder of the value of a key that isn't a relationship.
    func decoder(of key: AnyCodingKey) -> PayloadDecoder { PayloadDecoder(.member(base, key), reading) }

    /// Reads a member that can contain entities, and records what the payload leaves out of it.
    private func member<Value, Result>(
        at key: AnyCodingKey,
        _ place: AnyCodingKey,
        _ relation: RelationReader?,
        with reader: PayloadReader<Value>,
        _ read: (PayloadDecoder) throws -> Result
    ) throws -> Result {
        guard let entity, entity.isMerged, relation == nil, reader.canBePartial else {
            return try read(PayloadDecoder(.member(base, place), reading, relation: relation))
        }
        let frame = entity.member(of: Value.self, at: key, recordsRequests: !reader.knowsKeys)
        do {
            let result = try read(PayloadDecoder(.member(base, place), reading, of: frame))
            entity.note(frame, of: key)
            if frame.isComplete {
                if let requests = frame.requests { reader.learn(requests) }
                frame.learnContainers()
            }
            return result
        } catch {
            entity.note(error, of: frame, at: key)
            throw error
        }
    }

    /// The key at which the object has the value that is asked for at a key.
    ///
    /// It is another one for a relationship, whose other entities are collected.
    private func place(of key: AnyCodingKey, _ relation: RelationReader?) throws -> AnyCodingKey {
        guard let relation, let place = relation.key(in: base) else { return key }
        entity?.noteVisit(key)
        try relation.collectEntities(after: place, in: base)
        return place
    }

    private func absence(of key: AnyCodingKey) -> DecodingError {
        entity?.noteMissing(key)
        return .absent(key, at: base.codingPath)
    }

    /// The identifiers of a relationship.
    ///
    /// - Returns: `nil` if the relationship has identifiers of another type, which are decoded as they are.
    private func related<Value>(_ type: Value.Type, _ relation: RelationReader, _ key: AnyCodingKey) throws -> Value? {
        guard relation.accepts(type) else { return nil }
        guard let place = relation.key(in: base) else { throw absence(of: key) }
        entity?.noteVisit(key)
        try relation.collectEntities(after: place, in: base)
        return try relation.read(type, at: place, in: base)
    }

    /// The identifiers of a relationship, or `nil` if they are absent or null.
    private func optionalRelated<Value>(
        _ type: Value.Type,
        _ relation: RelationReader,
        _ key: AnyCodingKey
    ) throws -> Value? {
        guard let place = relation.key(in: base) else {
            entity?.noteAbsent(key)
            return nil
        }
        entity?.noteVisit(key)
        try relation.collectEntities(after: place, in: base)
        if try base.decodeNil(forKey: place) { return nil }
        do { return try relation.read(type, at: place, in: base) } catch {
            // An entity that can't be read costs the link to it, and the previous link is kept.
            reading.note(PayloadProblem(error, of: relation.relatedType, at: base.codingPath + [place]))
            entity?.noteAbsent(key)
            return nil
        }
    }
}
