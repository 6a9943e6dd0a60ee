/// The keys that the `init(from:)` of an entity type reads.
///
/// They are generated with the type, or learnt from its first complete decoding in the process.
final class EntityKeys<Entity>: Sendable {
    let list: [FlatCache.PayloadKey<Entity>]
    private let places: [String: Int]

    init(_ list: [FlatCache.PayloadKey<Entity>]) {
        self.list = list
        places = Dictionary(list.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The key with a name, or `nil` if the type has none.
    subscript(name: String) -> FlatCache.PayloadKey<Entity>? { places[name].map { list[$0] } }

    /// The key of the identifier, or `nil` if the identifier is computed from other properties.
    var identifier: FlatCache.PayloadKey<Entity>? { list.first { $0.isIdentifier } ?? self["id"] }
}

extension EntityKeys where Entity: Cachable & Decodable {
    /// The keys of a type, or `nil` if they are not generated and not learnt yet.
    static func known(of type: Entity.Type) -> EntityKeys? {
        if let keys = EntityKeyDirectory.keys(of: type) { return keys as? EntityKeys }
        guard let type = type as? any FlatCache.PayloadDecodable.Type else { return nil }
        let keys = generated(of: type)
        EntityKeyDirectory.setKeys(keys, of: Entity.self)
        return keys as? EntityKeys
    }

    private static func generated<Owner: FlatCache.PayloadDecodable>(of type: Owner.Type) -> AnyObject {
        EntityKeys<Owner>(Owner.payloadKeys)
    }

    /// Records the keys that a complete decoding has asked for.
    static func learn(_ requests: [(name: String, type: any Decodable.Type)]) -> EntityKeys {
        let keys = EntityKeys(
            requests.map { FlatCache.PayloadKey(learnt: $0.name, LearntProperty<Entity>($0.type)) }
        )
        EntityKeyDirectory.setKeys(keys, of: Entity.self)
        return keys
    }
}

/// The keys of all types that were decoded in the process.
private enum EntityKeyDirectory {
    private static let lock = Lock()
    nonisolated(unsafe) private static var keys: [ObjectIdentifier: AnyObject] = [:]

    static func keys(of type: any Any.Type) -> AnyObject? { lock.withLock { keys[ObjectIdentifier(type)] } }

    static func setKeys(_ new: AnyObject, of type: any Any.Type) {
        lock.withLock {
            if keys[ObjectIdentifier(type)] == nil { keys[ObjectIdentifier(type)] = new }
        }
    }
}
