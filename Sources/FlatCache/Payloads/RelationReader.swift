/// The reader of a property that holds identifiers of entities, which a payload may nest in their place.
class RelationReader {
    /// The keys at which identifiers or entities can be, in the order of precedence.
    private let keys: [AnyCodingKey]
    let relatedType: any Any.Type

    init(_ names: [String], _ relatedType: any Any.Type) {
        keys = names.map { AnyCodingKey($0) }
        self.relatedType = relatedType
    }

    /// The first key that an object has, or `nil` if it has none of them.
    final func key(in object: KeyedDecodingContainer<AnyCodingKey>) -> AnyCodingKey? {
        for key in keys where object.contains(key) { return key }
        return nil
    }

    /// Collects the entities at the keys after one that an object has.
    ///
    /// A response can have an identifier and its entity: `author_id` and `author`.
    @inline(__always) final func collectEntities(
        after key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws {
        for other in keys.reversed() {
            if other.stringValue == key.stringValue { return }
            if object.contains(other) { try collectEntities(at: other, in: object) }
        }
    }

    /// Collects the entities at all keys, and ignores other values.
    final func collectEntities(in object: KeyedDecodingContainer<AnyCodingKey>) throws {
        for key in keys where object.contains(key) { try collectEntities(at: key, in: object) }
    }

    /// Collects the entities at a key that an object has, and ignores other values.
    func collectEntities(at key: AnyCodingKey, in object: KeyedDecodingContainer<AnyCodingKey>) throws {}

    /// Whether a type is the type of an identifier, or of a collection of identifiers.
    func accepts<Value>(_ type: Value.Type) -> Bool { false }

    /// Reads the identifiers at a key, and collects entities that are nested there.
    ///
    /// - Parameters:
    ///   - type: A type that the reader accepts.
    ///   - key: A key that the object has.
    ///   - object: The members of the owner.
    func read<Value>(
        _ type: Value.Type,
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws -> Value {
        throw DecodingError.absent(key, at: object.codingPath)
    }

    /// Reads the next element of an array of identifiers, and collects an entity that is nested there.
    ///
    /// - Returns: The identifier, or `nil` if the type is another one, which is decoded as it is.
    func readElement<Value>(_ type: Value.Type, of elements: UnkeyedPayloadContainer) throws -> Value? { nil }
}

/// The reader of a relationship to entities of one type.
final class NestedRelationReader<Related: Cachable & Decodable>: RelationReader where Related.ID: Decodable {
    /// The reading owns the reader and that of the related type, which can refer to each other in cycles.
    private unowned let reading: PayloadReading
    private unowned let related: EntityReader<Related>
    /// Whether the last value was an entity, so that the next one is tried as an entity first.
    private var nestsEntities: Bool
    /// Whether an identifier can be an object, so that an object is tried as an identifier first.
    private let canIdentifierBeObject: Bool
    /// Whether the property is a dictionary, so that the members of an object are identifiers or entities.
    private var isKeyed = false

    init(_ names: [String], in reading: PayloadReading) {
        self.reading = reading
        related = EntityReader.reader(of: Related.self, in: reading)
        canIdentifierBeObject = !reading.reader(of: Related.ID.self).isLeaf
        nestsEntities = !canIdentifierBeObject
        super.init(names, Related.self)
    }

    override func accepts<Value>(_ type: Value.Type) -> Bool {
        if type == Related.ID.self || type == [Related.ID].self { return true }
        if type == Related.ID?.self || type == [Related.ID]?.self || type == [[Related.ID]].self { return true }
        if let collection = type as? any _IdentifierCollection.Type { return holdsIdentifiers(collection) }
        guard let dictionary = type as? any DecodableDictionary.Type, dictionary.valueType == Related.ID.self else {
            return false
        }
        isKeyed = true
        return true
    }

    private func holdsIdentifiers<IDs: _IdentifierCollection>(_ type: IDs.Type) -> Bool {
        IDs.Element.self == Related.ID.self || IDs.Element.self == Related.ID?.self
    }

    override func readElement<Value>(_ type: Value.Type, of elements: UnkeyedPayloadContainer) throws -> Value? {
        type == Related.ID.self ? same(try identifier(of: elements)) as Value : nil
    }

    override func read<Value>(
        _ type: Value.Type,
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws -> Value {
        if type == Related.ID.self { return same(try identifier(at: key, in: object)) }
        if type == Related.ID?.self { return same(try optional(key, object) { try identifier(at: key, in: object) }) }
        if type == [Related.ID].self { return same(try identifiers(at: key, in: object)) }
        if type == [Related.ID]?.self {
            return same(try optional(key, object) { try identifiers(at: key, in: object) })
        }
        if type == [[Related.ID]].self { return same(try rows(at: key, in: object)) }
        if let collection = type as? any _IdentifierCollection.Type {
            if let made = try make(collection, at: key, in: object) as? Value { return made }
        }
        if let dictionary = type as? any DecodableDictionary.Type {
            let decoder = PayloadDecoder(.member(object, key), reading)
            let ids = try dictionary.decode(from: decoder, Related.self) { [self] in try identifier(of: $0) }
            if let ids = ids as? Value { return ids }
        }
        throw DecodingError.absent(key, at: object.codingPath)
    }

    override func collectEntities(
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws {
        if let nested = try? object.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key) {
            guard isKeyed else { return try collectEntity(PayloadDecoder(.member(object, key), reading, in: nested)) }
            for member in nested.allKeys {
                guard let entity = try? nested.nestedContainer(keyedBy: AnyCodingKey.self, forKey: member) else {
                    continue
                }
                try collectEntity(PayloadDecoder(.member(nested, member), reading, in: entity))
            }
            return
        }
        guard let nested = try? object.nestedUnkeyedContainer(forKey: key) else { return }
        try collectEntities(in: UnkeyedPayloadContainer(nested, reading))
    }

    /// Collects the entities in an array, and in the arrays in it.
    private func collectEntities(in elements: UnkeyedPayloadContainer) throws {
        try elements.forEach(of: Related.self) {
            try elements.decode { [self] decoder in
                if (try? decoder.base()) != nil {
                    try collectEntity(decoder)
                } else if let row = try? decoder.elements() {
                    try collectEntities(in: row)
                }
            }
        }
    }

    /// Collects an object if it has an identifier.
    private func collectEntity(_ object: PayloadDecoder) throws {
        if related.identifier(in: object) != nil { _ = try link(object) }
    }

    private func optional<Result>(
        _ key: AnyCodingKey,
        _ object: KeyedDecodingContainer<AnyCodingKey>,
        _ read: () throws -> Result
    ) throws -> Result? {
        try object.decodeNil(forKey: key) ? nil : read()
    }

    private func make<IDs: _IdentifierCollection>(
        _ type: IDs.Type,
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws -> any Sequence {
        // The element type was compared in `accepts`.
        if IDs.Element.self == Related.ID.self { return IDs(_identifiers: same(try identifiers(at: key, in: object))) }
        let ids = try elements(at: key, in: object) { elements -> Related.ID? in
            try elements.decodeNil() ? nil : try identifier(of: elements)
        }
        return IDs(_identifiers: same(ids))
    }

    /// A value of a type that is known to be its own.
    private func same<Value, Result>(_ value: Value) -> Result { unsafeBitCast(value, to: Result.self) }

    /// The identifier at a key, of a nested entity or alone.
    private func identifier(
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws -> Related.ID {
        try identifier {
            let nested = try object.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key)
            return PayloadDecoder(.member(object, key), reading, in: nested)
        } alone: {
            try object.decode(Related.ID.self, forKey: key)
        }
    }

    /// The identifiers in an array at a key, of nested entities or alone.
    private func identifiers(
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws -> [Related.ID] {
        try elements(at: key, in: object) { try identifier(of: $0) }
    }

    /// The identifiers in the arrays of an array at a key, of nested entities or alone.
    private func rows(
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>
    ) throws -> [[Related.ID]] {
        try elements(at: key, in: object) { rows in
            try rows.decode { [self] decoder in
                let row = try decoder.elements()
                var ids: [Related.ID] = []
                try row.forEach(of: Related.self) { ids.append(try identifier(of: row)) }
                return ids
            }
        }
    }

    /// The elements of an array at a key, without those that can't be read.
    @inline(__always) private func elements<Element>(
        at key: AnyCodingKey,
        in object: KeyedDecodingContainer<AnyCodingKey>,
        _ read: (UnkeyedPayloadContainer) throws -> Element
    ) throws -> [Element] {
        let elements = UnkeyedPayloadContainer(try object.nestedUnkeyedContainer(forKey: key), reading)
        var values: [Element] = []
        try elements.forEach(of: Related.self) { values.append(try read(elements)) }
        return values
    }

    /// The identifier that the next element of an array is or has.
    private func identifier(of elements: UnkeyedPayloadContainer) throws -> Related.ID {
        // The decoder of an element, which can read both, costs more than the container of an object or a scalar.
        if nestsEntities {
            if let object = elements.object() { return try link(object) }
        } else if let id = elements.leaf(Related.ID.self) {
            return id
        }
        return try elements.decode { [self] in try identifier(of: $0) }
    }

    /// The identifier that a value is or has.
    private func identifier(of value: PayloadDecoder) throws -> Related.ID {
        try identifier {
            _ = try value.base()
            return value
        } alone: {
            try value.value().decodeLeaf(Related.ID.self)
        }
    }

    /// An identifier alone or of a nested entity, whichever the last one was first.
    private func identifier(
        ofNested object: () throws -> PayloadDecoder,
        alone: () throws -> Related.ID
    ) throws -> Related.ID {
        if nestsEntities {
            if let object = try? object() { return try link(object) }
            let id = try alone()
            nestsEntities = false
            return id
        }
        do { return try alone() } catch let aloneError {
            guard let object = try? object() else { throw aloneError }
            let id = try link(object)
            nestsEntities = !canIdentifierBeObject
            return id
        }
    }

    /// Collects a nested entity, and returns its identifier even if the entity can't be read.
    private func link(_ object: PayloadDecoder) throws -> Related.ID {
        do {
            switch try related.collect(object) {
            case .value(let entity): return entity.id
            case .incomplete(let incomplete, _): return incomplete.id
            }
        } catch {
            guard let id = related.identifier(in: object) else { throw error }
            let key = Related.flatCacheKey(id: id)
            reading.note(PayloadProblem(error, of: Related.self, key, at: object.codingPath))
            return id
        }
    }
}

/// A dictionary with decodable keys.
private protocol DecodableDictionary {
    static var valueType: any Any.Type { get }

    /// Decodes a dictionary of the same keys, without the values for which a closure throws.
    ///
    /// - Parameter type: The type of the values, for problems.
    static func decode<ID>(
        from decoder: PayloadDecoder,
        _ type: any Any.Type,
        _ read: @escaping (PayloadDecoder) throws -> ID
    ) throws -> Any
}

extension Dictionary: DecodableDictionary where Key: Decodable {
    static var valueType: any Any.Type { Value.self }

    static func decode<ID>(
        from decoder: PayloadDecoder,
        _ type: any Any.Type,
        _ read: @escaping (PayloadDecoder) throws -> ID
    ) throws -> Any {
        let ids: [Key: ID] = try decoder.members(of: type, keyedBy: Key.self) { try read($0) }
        return ids
    }
}
