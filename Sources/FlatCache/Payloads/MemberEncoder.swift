/// An encoder that records the values of an entity by coding key.
///
/// It gives access to values that no key path gives: of private properties, and of property wrappers.
final class MemberEncoder: Encoder {
    private(set) var members: [String: EntityMember] = [:]
    /// The encoders of nested containers, or `nil` if these aren't recorded.
    private var nested: [String: MemberEncoder]?
    let userInfo: [CodingUserInfoKey: Any]

    /// Creates an encoder.
    ///
    /// - Parameters:
    ///   - userInfo: The user info.
    ///   - isNested: Whether the members of nested containers are recorded, such as those of the cases of an enum.
    init(userInfo: [CodingUserInfoKey: Any], isNested: Bool = false) {
        self.userInfo = userInfo
        nested = isNested ? [:] : nil
    }

    /// The values that an entity encodes, or none if it isn't `Encodable` or its `encode(to:)` throws an error.
    static func members<Entity>(
        of entity: Entity,
        userInfo: [CodingUserInfoKey: Any],
        isNested: Bool = false
    ) -> [String: EntityMember] {
        guard let entity = entity as? any Encodable else { return [:] }
        let encoder = MemberEncoder(userInfo: userInfo, isNested: isNested)
        do { try entity.encode(to: encoder) } catch { return [:] }
        return encoder.allMembers
    }

    /// The members with those of nested containers.
    private var allMembers: [String: EntityMember] {
        members.merging((nested ?? [:]).mapValues { .value(NestedMembers(members: $0.allMembers)) }) { $1 }
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
        ) -> KeyedEncodingContainer<NestedKey> {
            if encoder.nested == nil { return KeyedEncodingContainer(IgnoredMembers()) }
            let nested = MemberEncoder(userInfo: encoder.userInfo, isNested: true)
            encoder.nested?[key.stringValue] = nested
            return nested.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { IgnoredValues() }

        func superEncoder() -> any Encoder { MemberEncoder(userInfo: encoder.userInfo) }

        func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
    }
}

extension EntityMember {
    /// The values of a value by coding key: as it encodes them, or as its table has them if it can't be encoded.
    static func members<Value>(of value: Value) -> [String: EntityMember] {
        if value is any Encodable { return MemberEncoder.members(of: value, userInfo: [:], isNested: true) }
        func open<Owner: FlatCache.PayloadOwner>(_ owner: Owner) -> [String: EntityMember] {
            var members: [String: EntityMember] = [:]
            for key in Owner.payloadKeys where !key.isLocal {
                guard let value = key.property.value(of: owner).map({ EntityMember($0) }) else { continue }
                // A wrapper can be absent, or have another value than `nil`.
                if !key.property.isWrapped || !value.isNull { members[key.name] = value }
            }
            return members
        }
        return (value as? any FlatCache.PayloadOwner).map { open($0) } ?? [:]
    }
}

/// The members of a nested container.
struct NestedMembers {
    var members: [String: EntityMember]
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
