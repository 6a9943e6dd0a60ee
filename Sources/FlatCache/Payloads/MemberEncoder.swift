/// An encoder that records the values of an entity by coding key.
///
/// It gives access to values that no key path gives: of private properties, and of property wrappers.
final class MemberEncoder: Encoder {
    private(set) var members: [String: EntityMember] = [:]
    let userInfo: [CodingUserInfoKey: Any]

    init(userInfo: [CodingUserInfoKey: Any]) {
        self.userInfo = userInfo
    }

    /// The values that an entity encodes, or none if it isn't `Encodable` or its `encode(to:)` throws an error.
    static func members<Entity>(of entity: Entity, userInfo: [CodingUserInfoKey: Any]) -> [String: EntityMember] {
        guard let entity = entity as? any Encodable else { return [:] }
        let encoder = MemberEncoder(userInfo: userInfo)
        do { try entity.encode(to: encoder) } catch { return [:] }
        return encoder.members
    }

    var codingPath: [any CodingKey] { [] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(MemberContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { IgnoredValues() }

    func singleValueContainer() -> any SingleValueEncodingContainer { IgnoredValues() }

    private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: MemberEncoder

        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { encoder.members[key.stringValue] = .null }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
            encoder.members[key.stringValue] = .value(value)
        }

        // The protocol's own methods for these types throw an error.
        func encode(_ value: Int128, forKey key: Key) { encoder.members[key.stringValue] = .value(value) }

        func encode(_ value: UInt128, forKey key: Key) { encoder.members[key.stringValue] = .value(value) }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(IgnoredMembers()) }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { IgnoredValues() }

        func superEncoder() -> any Encoder { MemberEncoder(userInfo: encoder.userInfo) }

        func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
    }
}

/// The members of a nested container, which aren't recorded.
private struct IgnoredMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {}

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {}

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(IgnoredMembers<NestedKey>()) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { IgnoredValues() }

    func superEncoder() -> any Encoder { MemberEncoder(userInfo: [:]) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// Values without keys, which aren't recorded.
private struct IgnoredValues: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int { 0 }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) {}

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(IgnoredMembers())
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { IgnoredValues() }

    func superEncoder() -> any Encoder { MemberEncoder(userInfo: [:]) }
}
