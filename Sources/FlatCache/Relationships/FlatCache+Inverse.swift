extension FlatCache {
    /// A relationship and its inverse, a stored property of the related entities that leads back.
    ///
    ///     extension Post {
    ///         static var inverses: [FlatCache.Inverse<Post>] { [.init(\.author, \.posts)] }
    ///     }
    ///     extension Author {
    ///         static var inverses: [FlatCache.Inverse<Author>] { [.init(\.posts, \.author)] }
    ///     }
    ///
    /// ``Cached/set(_:to:)`` and ``FlatCache/set(_:id:_:to:)`` change both sides in one commit. Both types must declare
    /// the inverse, each beginning with its own relationship. The build plugin generates ``RelationshipOwner/inverses``
    /// from annotations with `inverse:`.
    ///
    /// The order of a collection is kept, and a new identifier is its last one. Elements of a changed array that are
    /// `nil` are dropped. An entity that isn't stored isn't changed. Setters of copies, such as `post.setAuthor(ann)`,
    /// and storing whole entities change one side alone: what a server sends is kept. ``FlatCache/inconsistencies()``
    /// finds references that only one side has.
    public struct Inverse<Owner: RelationshipOwner>: Sendable {
        let relationship: any PartialKeyPath<Owner.Relationships> & Sendable
        /// Reads the state of the other side before a change of the relationship.
        ///
        /// The parameters are the stored owner, the owner as it will be, and the cache, in a transaction. The result
        /// changes the other side and is called in the same transaction, when the owner and the related entities are stored.
        let begin: @Sendable (Owner, Owner, FlatCache) -> () -> Void
        /// The references of owners to which the other side has no reference back.
        let inconsistencies: @Sendable ([Owner], FlatCache) -> [Inconsistency]

        /// Creates the description of an inverse.
        ///
        /// - Parameters:
        ///   - relationship: A relationship of the owner.
        ///   - inverse: The relationship of the related type that leads back.
        public init<Kind: PropertyKind, BackKind: PropertyKind>(
            _ relationship: any KeyPath<Owner.Relationships, Relationship<Owner, Kind>> & Sendable,
            _ inverse: any KeyPath<Kind.Related.Relationships, Relationship<Kind.Related, BackKind>> & Sendable
        ) where Owner: Cachable, Kind.Related: RelationshipOwner, BackKind.Related == Owner {
            self.relationship = relationship
            begin = { owner, changed, cache in
                let sides = InverseSides(relationship, inverse)
                return sides.begin(from: owner, to: changed, in: cache)
            }
            inconsistencies = { owners, cache in
                InverseSides(relationship, inverse).inconsistencies(of: owners, in: cache)
            }
        }
    }
}

/// A relationship and its inverse, with their types.
private struct InverseSides<Kind: FlatCache.PropertyKind, BackKind: FlatCache.PropertyKind>
where Kind.Related: RelationshipOwner, BackKind.Related: RelationshipOwner {
    typealias Owner = BackKind.Related
    typealias Related = Kind.Related

    let forward: FlatCache.Relationship<Owner, Kind>
    let back: FlatCache.Relationship<Related, BackKind>

    init(
        _ relationship: KeyPath<Owner.Relationships, FlatCache.Relationship<Owner, Kind>>,
        _ inverse: KeyPath<Related.Relationships, FlatCache.Relationship<Related, BackKind>>
    ) {
        forward = Owner.relationships[keyPath: relationship]
        back = Related.relationships[keyPath: inverse]
    }

    func begin(from owner: Owner, to changed: Owner, in cache: FlatCache) -> () -> Void {
        let entering = KeySet(forward.relatedIDs(of: changed))
        let leaving = KeySet(forward.relatedIDs(of: owner)).subtracting(entering)
        // Storing the related entities can replace these identifiers.
        let earlier = entering.keys.map { id in (id, owners: cache.get(id: id).map(back.relatedIDs) ?? []) }
        return { [self] in
            for id in leaving { back.remove(KeySet([owner.id]), from: id, in: cache) }
            for (id, owners) in earlier {
                let others = KeySet(owners + back.add(owner.id, to: id, in: cache))
                if others.isEmpty { continue }
                let kept = (cache.get(id: id).map(back.relatedIDs) ?? []) + [owner.id]
                for other in others.subtracting(KeySet(kept)) { forward.remove(KeySet([id]), from: other, in: cache) }
            }
        }
    }

    func inconsistencies(of owners: [Owner], in cache: FlatCache) -> [FlatCache.Inconsistency] {
        var stored = KeyedValues<Related.ID, (place: Int, owners: KeySet<Owner.ID>)>()
        for (place, entity) in cache.allValues(of: Related.self, inOrder: true).enumerated() {
            stored[entity.id] = (place, KeySet(back.relatedIDs(of: entity)))
        }
        return owners.flatMap { owner in
            let found = KeySet(forward.relatedIDs(of: owner)).keys.compactMap { id in
                stored[id].flatMap { $0.owners.contains(owner.id) ? nil : (id: id, place: $0.place) }
            }
            return found.sorted { $0.place < $1.place }
                .map {
                    FlatCache.Inconsistency(
                        property: "\(forward.property)",
                        owner: owner.flatCacheKey,
                        inverse: "\(back.property)",
                        related: Related.flatCacheKey(id: $0.id)
                    )
                }
        }
    }
}

extension FlatCache.Relationship where Owner: Cachable, Kind: FlatCache.PropertyKind {
    /// The identifiers in the property, in order.
    func relatedIDs(of owner: Owner) -> [Kind.Related.ID] { Kind._ids(identifiers(owner)) }

    /// Adds an identifier to the property of a stored entity, unless it has it or can't hold it.
    ///
    /// - Returns: The identifiers that the property had before, or none if it isn't changed.
    fileprivate func add(_ related: Kind.Related.ID, to id: Owner.ID, in cache: FlatCache) -> [Kind.Related.ID] {
        guard let setIdentifiers, let owner = cache.get(Owner.self, id: id) else { return [] }
        let held = identifiers(owner)
        let ids = Kind._ids(held)
        guard !ids.contains(related), let changed = Kind._adding(related, to: held) else { return [] }
        cache.update(Owner.self, id: id) { setIdentifiers(&$0, changed) }
        return ids
    }

    /// Removes identifiers from the property of a stored entity, if that is possible.
    func remove(_ removed: KeySet<Kind.Related.ID>, from id: Owner.ID, in cache: FlatCache) {
        guard let owner = cache.get(Owner.self, id: id), relatedIDs(of: owner).contains(where: removed.contains) else {
            return
        }
        cache.update(Owner.self, id: id) { $0 = removing(removed, from: $0) }
    }

    /// Returns an entity without some of the identifiers in the property, if that is possible.
    func removing(_ removed: KeySet<Kind.Related.ID>, from owner: Owner) -> Owner {
        guard let setIdentifiers else { return owner }
        let lost = KeySet(relatedIDs(of: owner).filter(removed.contains)).keys
        if lost.isEmpty { return owner }
        var ids = identifiers(owner)
        for id in lost { ids = Kind._removing(id, from: ids) ?? ids }
        var owner = owner
        setIdentifiers(&owner, ids)
        return owner
    }
}

extension FlatCache.Inverse: CustomStringConvertible, CustomReflectable {
    /// A line with the relationship: `FlatCache.Inverse<Blog.Post>: …("authorID"): Blog.Author`.
    public var description: String {
        Summary.line(
            Summary.name("FlatCache.Inverse", of: Owner.self),
            nil,
            ["\(Owner.relationships[keyPath: relationship])"]
        )
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
