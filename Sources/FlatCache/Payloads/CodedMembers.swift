/// The members of a value of which its own `encode(to:)` and `init(from:)` make an equal one.
struct CodedMembers<Value> {
    private let type: any Decodable.Type
    let members: [String: EntityMember]

    /// Encodes a value, or returns `nil` if an equal one can't be decoded.
    init?(of original: Value) {
        guard let type = Value.self as? any Decodable.Type else { return nil }
        let members = EntityMember.members(of: original)
        guard Self.areAll(members, of: original), Self.isEqual(Self.decode(type, members), original) else { return nil }
        self.type = type
        self.members = members
    }

    /// The value with other members, or `nil` if it can't be decoded.
    func value(with changed: [String: EntityMember]) -> Value? {
        Self.decode(type, members.merging(changed) { $1 })
    }

    private static func decode(_ type: any Decodable.Type, _ members: [String: EntityMember]) -> Value? {
        (try? type.init(from: OverlayDecoder(members))) as? Value
    }

    /// Whether no stored property is left out.
    private static func areAll(_ members: [String: EntityMember], of value: Value) -> Bool {
        let values = Mirror(reflecting: value).children.filter {
            ($0.value as? any OptionalType)?.isNil != true && ($0.value as? any OmittableType)?.isAbsent != true
        }
        return values.count <= members.count
    }

    /// Whether a value is equal to the original, or exists if values can't be compared.
    private static func isEqual(_ value: Value?, _ original: Value) -> Bool {
        guard let value else { return false }
        guard let original = original as? any Equatable else { return true }
        return areEqual(original, value)
    }

    private static func areEqual<Other: Equatable>(_ value: Other, _ other: Any) -> Bool { value == other as? Other }
}

extension EntityMember {
    /// Whether two members are the same, of which `nil` is one that isn't encoded.
    static func areSame(_ first: EntityMember?, _ second: EntityMember?) -> Bool {
        switch (first ?? .null, second ?? .null) {
        case (.null, .null): return true
        case (.value(let first), .value(let second)):
            guard let first = first as? NestedMembers, let second = second as? NestedMembers else {
                return isSame(first, second)
            }
            return Set(first.members.keys).union(second.members.keys).allSatisfy {
                areSame(first.members[$0], second.members[$0])
            }
        default: return false
        }
    }
}
