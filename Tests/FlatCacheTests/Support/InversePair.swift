import Testing

@testable import FlatCache

/// A relationship and its inverse, without their types.
struct InversePair: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let forward: Side
    let back: Side
    /// Whether a property is its own inverse.
    let isSymmetric: Bool

    /// One side, with numbers as identifiers.
    struct Side: Sendable {
        /// Whether the property holds at most one identifier.
        let holdsOne: Bool
        /// Sets the property of an entity by its handle, or by the cache.
        ///
        /// The related entities are the stored ones, or new ones. Some have other identifiers on the other side than the
        /// stored ones.
        let set: @Sendable (FlatCache, Int, _ ids: [Int], _ changed: [Int: [Int]], _ byHandle: Bool) throws -> Void
        /// The identifiers that a stored entity has.
        let ids: @Sendable (FlatCache, Int) -> [Int]
        /// Replaces the identifiers of a stored entity by a plain write.
        let write: @Sendable (FlatCache, Int, [Int]) -> Void
        /// Stores an empty entity.
        let store: @Sendable (FlatCache, Int) -> Void
        /// The key of an entity.
        let key: @Sendable (Int) -> FlatCacheKey
        let property: String
    }

    static let all: [InversePair] = [
        .init("optional and array", \Player.Relationships.team, \Team.Relationships.players),
        .init("two optionals", \Player.Relationships.captaincy, \Team.Relationships.captain),
        .init("set and optional array", \Player.Relationships.followed, \Team.Relationships.fans),
        .init("array of optionals and set", \Player.Relationships.trained, \Team.Relationships.coaches),
        .init("optional and optional set of one type", \Player.Relationships.mentor, \Player.Relationships.mentees),
        .init("one optional", \Player.Relationships.partner, \Player.Relationships.partner),
        .init("one array", \Player.Relationships.friends, \Player.Relationships.friends),
    ]

    init<Owner: NumberedEntity, Kind: FillableKind, Related: NumberedEntity, BackKind: FillableKind>(
        _ name: String,
        _ forward: any KeyPath<Owner.Relationships, FlatCache.Relationship<Owner, Kind>> & Sendable,
        _ back: any KeyPath<Related.Relationships, FlatCache.Relationship<Related, BackKind>> & Sendable
    ) where Kind.Related == Related, BackKind.Related == Owner {
        testDescription = name
        isSymmetric = forward as AnyKeyPath == back
        self.forward = Side(forward, back)
        self.back = Side(back, forward)
    }
}

extension InversePair.Side {
    init<Owner: NumberedEntity, Kind: FillableKind, Related: NumberedEntity, BackKind: FillableKind>(
        _ forward: any KeyPath<Owner.Relationships, FlatCache.Relationship<Owner, Kind>> & Sendable,
        _ back: any KeyPath<Related.Relationships, FlatCache.Relationship<Related, BackKind>> & Sendable
    ) where Kind.Related == Related, BackKind.Related == Owner {
        let relationship = Owner.relationships[keyPath: forward]
        let inverse = Related.relationships[keyPath: back]
        property = "\(relationship.property)"
        holdsOne = Kind.holdsOne
        key = { Owner.flatCacheKey(id: $0) }
        store = { $0.set(Owner(id: $1)) }
        ids = { cache, id in cache.get(Owner.self, id: id).map { Kind._ids(relationship.identifiers($0)) } ?? [] }
        write = { cache, id, ids in
            cache.update(Owner.self, id: id) { relationship.setIdentifiers?(&$0, Kind.filled(with: ids)) }
        }
        set = { cache, id, ids, changed, byHandle in
            let entities = ids.map { id in
                var entity = cache.get(Related.self, id: id) ?? Related(id: id)
                if let ids = changed[id] { inverse.setIdentifiers?(&entity, BackKind.filled(with: ids)) }
                return entity
            }
            if byHandle {
                try Cached(Owner.self, id: id, in: cache).set(forward, to: Kind.assigned(entities))
            } else {
                try cache.set(Owner.self, id: id, forward, to: Kind.assigned(entities))
            }
        }
    }
}

/// A kind whose property can hold nothing.
protocol FillableKind: FlatCache.PropertyKind where Related: NumberedEntity {
    static var holdsOne: Bool { get }
    static func filled(with ids: [Int]) -> Identifiers
    static func assigned(_ entities: [Related]) -> Assigned
}

extension FlatCache.ToOptional: FillableKind where Related: NumberedEntity {
    static var holdsOne: Bool { true }
    static func filled(with ids: [Int]) -> Int? { ids.first }
    static func assigned(_ entities: [Related]) -> Related? { entities.first }
}

extension FlatCache.ToMany: FillableKind where Related: NumberedEntity {
    static var holdsOne: Bool { false }
    static func filled(with ids: [Int]) -> [Int] { ids }
    static func assigned(_ entities: [Related]) -> [Related] { entities }
}

extension FlatCache.OptionalKind: FillableKind where Kind: FillableKind {
    static var holdsOne: Bool { Kind.holdsOne }
    static func filled(with ids: [Int]) -> Kind.Identifiers? { ids.isEmpty ? nil : Kind.filled(with: ids) }
    static func assigned(_ entities: [Kind.Related]) -> Kind.Assigned? {
        entities.isEmpty ? nil : Kind.assigned(entities)
    }
}
