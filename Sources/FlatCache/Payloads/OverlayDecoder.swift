/// A decoder that gives an `init(from:)` values which were decoded before.
struct OverlayDecoder: Decoder {
    let members: (String) -> MemberValues
    /// Returns the keys of all members.
    let keys: () -> [String]
    let userInfo: [CodingUserInfoKey: Any]

    var codingPath: [any CodingKey] { [] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(OverlayContainer<Key>(members: members, keys: keys))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw OverlayError() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw OverlayError() }
}

extension OverlayDecoder {
    /// Creates a decoder of members that are all known.
    init(_ members: [String: EntityMember]) {
        self.init(
            members: { name in MemberValues(known: members[name].map { [$0] } ?? []) },
            keys: { Array(members.keys) },
            userInfo: [:]
        )
    }
}

/// The error of an `init(from:)` that can't run on values which were decoded before.
struct OverlayError: Error, CustomStringConvertible {
    /// The key whose value has another type or another structure, or `nil` if the initializer asks for no key.
    var key: String?

    var description: String { "the payload leaves out required values, and init(from:) can't read the stored ones" }
}

private struct OverlayContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: (String) -> MemberValues
    let keys: () -> [String]

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { keys().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { !members(key.stringValue).isEmpty }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let member = members(key.stringValue).known.first else { throw DecodingError.absent(key, at: []) }
        return member.isNull
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(of: key) }

    // The protocol's own methods for these types throw an error.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(of: key) }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(of: key) }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try valueIfPresent(of: key) }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try valueIfPresent(of: key) }

    private func value<Value>(of key: Key) throws -> Value {
        let members = members(key.stringValue)
        if let value = members.value(as: Value.self) { return value }
        if members.hasNull, let null = Any?.none as? Value { return null }
        throw members.isEmpty ? DecodingError.absent(key, at: []) : nested(key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try valueIfPresent(of: key)
    }

    private func valueIfPresent<Value>(of key: Key) throws -> Value? {
        let members = members(key.stringValue)
        if members.isEmpty || members.known.contains(where: { $0.isNull }) { return nil }
        if let value = members.value(as: Value.self) { return value }
        if members.hasNull { return nil }
        throw nested(key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        guard let nested = members(key.stringValue).value(as: NestedMembers.self) else { throw nested(key) }
        return OverlayDecoder(nested.members).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw nested(key) }

    func superDecoder() throws -> any Decoder { throw OverlayError() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw nested(key) }

    /// The error of a key whose value can only be given as it is.
    private func nested(_ key: Key) -> OverlayError {
        _ = members(key.stringValue)
        return OverlayError(key: key.stringValue)
    }
}
