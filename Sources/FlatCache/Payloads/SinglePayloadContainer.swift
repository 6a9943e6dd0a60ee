/// A single value in a payload.
final class SinglePayloadContainer: SingleValueDecodingContainer {
    private let base: Base
    private let decoder: PayloadDecoder

    /// The place of the value.
    enum Base {
        case value(any SingleValueDecodingContainer)
        case member(KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey)
        /// An object, which has no scalar value.
        case object
    }

    init(_ base: Base, _ decoder: PayloadDecoder) {
        self.base = base
        self.decoder = decoder
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool {
        decoder.reading.dropFailedAttempt()
        return switch base {
        case .value(let value): value.decodeNil()
        // An absent value is not null.
        case .member(let container, let key): (try? container.decodeNil(forKey: key)) ?? false
        case .object: false
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let reader = decoder.reading.reader(of: type)
        if !reader.isLeaf && decoder.relation?.accepts(type) != true {
            decoder.reading.dropFailedAttempt()
            return try reader.read(from: decoder.of(reader.canBePartial ? decoder.entity : nil))
        }
        return try decodeLeaf(type)
    }

    // The protocol's own methods for these types throw an error.
    func decode(_ type: Int128.Type) throws -> Int128 {
        try scalar(type) {
            try $0.decode(type)
        } ofMember: {
            try $0.decode(type, forKey: $1)
        }
    }

    func decode(_ type: UInt128.Type) throws -> UInt128 {
        try scalar(type) {
            try $0.decode(type)
        } ofMember: {
            try $0.decode(type, forKey: $1)
        }
    }

    /// Decodes a value by the user's decoder alone.
    func decodeLeaf<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try scalar(type) {
            try $0.decode(type)
        } ofMember: {
            try $0.decode(type, forKey: $1)
        }
    }

    func scalar<Value: Decodable>(
        _ type: Value.Type,
        _ ofValue: (any SingleValueDecodingContainer) throws -> Value,
        ofMember: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value
    ) throws -> Value {
        decoder.reading.dropFailedAttempt()
        switch base {
        case .value(let value): return try ofValue(value)
        case .member(let container, let key):
            if let relation = decoder.relation, relation.accepts(type) {
                return try relation.read(type, at: key, in: container)
            }
            return try ofMember(container, key)
        case .object: throw DecodingError.object(insteadOf: type, at: codingPath)
        }
    }
}
