/// A decoder that collects the entities in a value while the user's decoder decodes it.
///
/// It wraps the user's decoder, so formats, key strategies and date strategies remain the user's.
final class PayloadDecoder: Decoder {
    let reading: PayloadReading
    private let source: Source
    /// The entity or patch whose `init(from:)` has the decoder, or `nil` for another value.
    let entity: EntityFrame?
    /// The relationship whose identifiers the value has, or `nil` for another value.
    let relation: RelationReader?
    /// The base container, after it was used.
    private var keyed: KeyedDecodingContainer<AnyCodingKey>?

    /// The place of the value.
    enum Source {
        /// A decoder of the value.
        case decoder(any Decoder)
        /// A member of a keyed container.
        case member(KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey)
        /// An element of an array, which is an object.
        case element(UnkeyedPayloadContainer, index: Int)
        /// A keyed container that isn't a value of the user's decoder.
        case object(KeyedDecodingContainer<AnyCodingKey>)
    }

    /// Creates the decoder of a value.
    ///
    /// - Parameters:
    ///   - source: The place of the value.
    ///   - reading: The state of the decoding.
    ///   - entity: The frame of the value, or `nil`.
    ///   - relation: The relationship whose identifiers a member has, in a type of its own such as a property wrapper.
    ///   - keyed: The container of the value, if it is known to be an object.
    init(
        _ source: Source,
        _ reading: PayloadReading,
        of entity: EntityFrame? = nil,
        relation: RelationReader? = nil,
        in keyed: KeyedDecodingContainer<AnyCodingKey>? = nil
    ) {
        self.source = source
        self.reading = reading
        self.entity = entity
        self.relation = relation
        self.keyed = keyed
    }

    /// A decoder of the same value for an entity, or for a value that isn't one.
    func of(_ entity: EntityFrame?) -> PayloadDecoder {
        PayloadDecoder(source, reading, of: entity, in: keyed)
    }

    var codingPath: [any CodingKey] {
        switch source {
        case .decoder(let decoder): decoder.codingPath
        case .member(let container, let key): container.codingPath + [key]
        case .element(let elements, let index): elements.codingPath + [AnyCodingKey(index: index)]
        case .object(let container): container.codingPath
        }
    }

    var userInfo: [CodingUserInfoKey: Any] { reading.userInfo }

    /// The base container of a keyed value.
    func base() throws -> KeyedDecodingContainer<AnyCodingKey> {
        if let keyed { return keyed }
        let container =
            switch source {
            case .decoder(let decoder): try decoder.container(keyedBy: AnyCodingKey.self)
            case .member(let container, let key): try container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key)
            case .element(let elements, let index):
                try elements.decoder(at: index).container(keyedBy: AnyCodingKey.self)
            case .object(let container): container
            }
        keyed = container
        return container
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        reading.dropFailedAttempt()
        var frame = entity
        if let owner = reading.owner(of: type), owner != entity?.type {
            if entity?.includes(owner) == true {
                entity?.add(owner, in: reading)
            } else if let escaped: KeyedDecodingContainer<Key> = try escaped(to: owner) {
                return escaped
            } else if entity == nil, owner is any FlatCache.PayloadOwner.Type {
                frame = EntityFrame(owner, reading.relations(of: owner))
            }
        }
        return KeyedDecodingContainer(KeyedPayloadContainer(try base(), reading, of: frame))
    }

    /// A container for an entity or patch whose `init(from:)` was called with the decoder of another value.
    ///
    /// The entity or patch is collected first. The container decodes its nested values again without collecting them.
    ///
    /// - Returns: The container, or `nil` if the keys belong to another value.
    private func escaped<Key: CodingKey, Owner: Decodable>(
        to owner: Owner.Type
    ) throws -> KeyedDecodingContainer<Key>? {
        guard owner is any Cachable.Type || owner is any EntityPatch.Type else { return nil }
        let base = try base()
        let scratch = reading.isRepetition ? reading : PayloadReading(userInfo: userInfo, isRepetition: true)
        let mark = reading.mark
        let (frame, isCollected) = reading.reader(of: owner).collectEscaped(of(nil), scratch: scratch)
        // Another value can use keys that are declared in the entity's type.
        if !isCollected, String(describing: Key.self) != CodingKeyOwners.usualName {
            reading.drop(since: mark)
            return nil
        }
        return KeyedDecodingContainer(KeyedPayloadContainer(base, scratch, of: frame))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try elements() }

    /// The elements of an array.
    func elements() throws -> UnkeyedPayloadContainer {
        reading.dropFailedAttempt()
        let container =
            switch source {
            case .decoder(let decoder): try decoder.unkeyedContainer()
            case .member(let container, let key): try container.nestedUnkeyedContainer(forKey: key)
            case .element(let elements, let index): try elements.decoder(at: index).unkeyedContainer()
            case .object(let container): throw DecodingError.object(insteadOf: [Any].self, at: container.codingPath)
            }
        return UnkeyedPayloadContainer(container, reading, of: relation)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try value() }

    /// The value as a whole.
    func value() throws -> SinglePayloadContainer {
        reading.dropFailedAttempt()
        return switch source {
        case .decoder(let decoder): SinglePayloadContainer(.value(try decoder.singleValueContainer()), self)
        case .element(let elements, let index):
            SinglePayloadContainer(.value(try elements.decoder(at: index).singleValueContainer()), self)
        case .member(let container, let key): SinglePayloadContainer(.member(container, key), self)
        case .object: SinglePayloadContainer(.object, self)
        }
    }
}

extension PayloadDecoder {
    /// A decoder that collects the entities of a value, and whether they belong to a payload around the value.
    static func joining(_ decoder: any Decoder) -> (decoder: PayloadDecoder, isJoined: Bool) {
        if let decoder = decoder as? PayloadDecoder { return (decoder, true) }
        return (PayloadDecoder(.decoder(decoder), PayloadReading(userInfo: decoder.userInfo)), false)
    }
}

extension DecodingError {
    /// An error for an object where another value is expected.
    static func object(insteadOf type: Any.Type, at path: [any CodingKey]) -> DecodingError {
        .typeMismatch(type, Context(codingPath: path, debugDescription: "Expected \(type) but found an object."))
    }

    /// The name of the key that an error says is absent, or `nil` if it is another error.
    static func absentKey(_ error: any Error) -> String? {
        if case DecodingError.keyNotFound(let key, _) = error { key.stringValue } else { nil }
    }

    /// An error for a key that is absent.
    static func absent(_ key: any CodingKey, at path: [any CodingKey]) -> DecodingError {
        .keyNotFound(
            key,
            Context(codingPath: path, debugDescription: "No value associated with key \"\(key.stringValue)\".")
        )
    }
}
