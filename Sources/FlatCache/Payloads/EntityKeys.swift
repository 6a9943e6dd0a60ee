/// The keys that the `init(from:)` of an entity type reads.
///
/// They are generated with the type, or learnt from its first complete decoding in the process. Generated keys can lack
/// some, which are learnt, too.
final class EntityKeys<Entity: Cachable>: @unchecked Sendable {  // It has only constants.
    let list: [FlatCache.PayloadKey<Entity>]
    /// The key of the identifier, or `nil` if the identifier is computed from other properties.
    let identifier: FlatCache.PayloadKey<Entity>?
    /// The properties that are never decoded.
    let locals: [PayloadProperty<Entity>]
    /// Writes entities in code that is specialized for the type, or `nil` if there is none.
    let write: ((FlatCache._PayloadEntities<Entity>) -> Void)?
    /// The names of the properties that can't be set.
    private let constants: Set<String>
    private let places: [String: Int]
    /// The properties of the keys in the list, because copies of whole keys take longer.
    private let properties: [PayloadProperty<Entity>]
    /// The types that the first complete decoding has asked for, or `nil` if they are not known yet.
    private let learntTypes: [String: any Decodable.Type]?
    /// Whether entities have different keys, as the cases of an enumeration, so that each decoding can teach some.
    let isOpen: Bool

    init(
        _ all: [FlatCache.PayloadKey<Entity>],
        write: ((FlatCache._PayloadEntities<Entity>) -> Void)? = nil,
        learntTypes: [String: any Decodable.Type]? = nil,
        isOpen: Bool = false
    ) {
        self.write = write
        self.learntTypes = learntTypes
        self.isOpen = isOpen
        unlisted = []
        let list = all.filter { !$0.isLocal }
        self.list = list
        identifier = list.first { $0.isIdentifier } ?? list.first { $0.name == "id" }
        properties = list.map { $0.property }
        locals = all.filter { $0.isLocal }.map { $0.property }
        constants = Set(list.filter { !$0.property.isVariable }.map { $0.name })
        places = Dictionary(list.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Creates a copy with the types of decoded values.
    init(_ keys: EntityKeys, learntTypes: [String: any Decodable.Type]) {
        list = keys.list
        identifier = keys.identifier
        properties = keys.properties
        locals = keys.locals
        write = keys.write
        constants = keys.constants
        places = keys.places
        isOpen = keys.isOpen
        self.learntTypes = learntTypes
        unlisted = learntTypes.filter { keys.places[$0.key] == nil }.map { ($0.key, $0.value) }
    }

    /// The key with a name, or `nil` if the type has none.
    subscript(name: String) -> FlatCache.PayloadKey<Entity>? { places[name].map { list[$0] } }

    /// The property with a key, or `nil` if the type has no such key.
    func property(at name: String) -> PayloadProperty<Entity>? {
        guard let place = places[name] else { return nil }
        return properties[place]
    }

    /// Whether a decoding can teach more about the keys.
    var canLearn: Bool { learntTypes == nil || isOpen }

    /// The type that a decoding has asked for at a key, or `nil` if it is not known.
    func learntType(of name: String) -> (any Decodable.Type)? { learntTypes?[name] }

    /// Whether a decoding has asked for a type at a key.
    fileprivate func hasLearnt(_ name: String, _ type: any Decodable.Type) -> Bool {
        guard let property = property(at: name) else { return false }
        // Two types are remembered.
        return property.valueType == type || property.otherValueType != nil
    }

    /// The keys that `init(from:)` reads and that aren't in the list, as far as they are known.
    ///
    /// The type of a private property can be private, too. An initializer that you write can read any keys.
    let unlisted: [(name: String, type: any Decodable.Type)]

    /// Whether the property of one of several keys can't be set.
    func hasConstant(in names: [String]) -> Bool {
        names.contains { constants.contains($0) || places[$0] == nil }
    }

    /// The keys that aren't relationships, with the types of their values.
    var values: [(name: String, type: any Decodable.Type)] {
        list.lazy.filter { $0.relation == nil }.compactMap { key in key.property.valueType.map { (key.name, $0) } }
            + unlisted
    }
}

extension EntityKeys where Entity: Cachable & Decodable {
    /// The keys of a type, or `nil` if they are not generated and not learnt yet.
    static func known(of type: Entity.Type) -> EntityKeys? {
        if let keys = EntityKeyDirectory.keys(of: type) { return keys as? EntityKeys }
        guard let type = type as? any FlatCache.PayloadDecodable.Type else { return nil }
        let keys = generated(of: type)
        EntityKeyDirectory.setKeys(keys, of: Entity.self) { $0 == nil }
        return keys as? EntityKeys
    }

    private static func generated<Owner: FlatCache.PayloadDecodable>(of type: Owner.Type) -> AnyObject {
        EntityKeys<Owner>(Owner.payloadKeys, write: Owner._write)
    }

    /// Records the keys that a complete decoding has asked for.
    ///
    /// - Parameters:
    ///   - requests: The keys with their types.
    ///   - entity: The decoded entity.
    ///   - userInfo: The information of the decoder.
    ///   - known: The keys that were known before, or `nil`.
    static func learn(
        _ requests: [(name: String, type: any Decodable.Type)],
        from entity: Entity,
        userInfo: [CodingUserInfoKey: Any],
        after known: EntityKeys?
    ) -> EntityKeys {
        let keys: EntityKeys
        if let known, !known.isOpen {
            let types = Dictionary(requests.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
            keys = EntityKeys(known, learntTypes: types)
        } else {
            let added = requests.filter { known?.hasLearnt($0.name, $0.type) != true }
            if let known, added.isEmpty { return known }
            let encoded = MemberEncoder.members(of: entity, userInfo: userInfo)
            let identifiers = requests.map { $0.name }.filter { encoded[$0]?.isValue(entity.id) == true }
            let learnt = added.map { name, type in
                FlatCache.PayloadKey(
                    learnt: name,
                    LearntProperty<Entity>(type, or: known?.property(at: name)?.valueType),
                    isIdentifier: identifiers.contains("id") ? name == "id" : identifiers == [name]
                )
            }
            let kept = (known?.list ?? []).filter { key in !learnt.contains { $0.name == key.name } }
            let isOpen = Mirror(reflecting: entity).displayStyle == .enum
            keys = EntityKeys(kept + learnt, learntTypes: [:], isOpen: isOpen)
        }
        EntityKeyDirectory.setKeys(keys, of: Entity.self) { ($0 as? EntityKeys)?.canLearn != false }
        return keys
    }
}

/// The keys of all types that were decoded in the process.
private enum EntityKeyDirectory {
    private static let lock = Lock()
    nonisolated(unsafe) private static var keys: [ObjectIdentifier: AnyObject] = [:]

    static func keys(of type: any Any.Type) -> AnyObject? { lock.withLock { keys[ObjectIdentifier(type)] } }

    /// Sets the keys of a type, if a condition is met for the previous ones.
    static func setKeys(_ new: AnyObject, of type: any Any.Type, if condition: (AnyObject?) -> Bool) {
        lock.withLock {
            if condition(keys[ObjectIdentifier(type)]) { keys[ObjectIdentifier(type)] = new }
        }
    }
}
