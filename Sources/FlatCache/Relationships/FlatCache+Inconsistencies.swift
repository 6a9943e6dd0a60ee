extension FlatCache {
    /// A stored entity that refers to another one, although the inverse doesn't refer back.
    ///
    /// ``FlatCache/inconsistencies()`` returns them.
    public struct Inconsistency: Hashable, Sendable {
        /// The property with the reference, with its type: `Post.authorID`.
        public let property: String
        /// The key of the entity with the reference.
        public let owner: FlatCacheKey
        /// The property without the reference back, with its type: `Author.postIDs`.
        public let inverse: String
        /// The key of the entity without the reference back.
        public let related: FlatCacheKey
    }

    /// Returns the references between stored entities to which the inverse has no reference back.
    ///
    ///     for inconsistency in cache.inconsistencies() { print(inconsistency) }
    ///
    /// ``Cached/set(_:to:)`` keeps both sides of an inverse. Storing whole entities doesn't change other entities, so two
    /// sides can differ if a server sends them at different times.
    ///
    /// Only types with ``RelationshipOwner/inverses`` are searched. A reference to an entity that isn't stored is no
    /// inconsistency.
    ///
    /// - Returns: The references, each once, from one state of the cache: by type in the order of the types' first use,
    ///   then by inverse in the order of their declaration, then in the order of insertion.
    /// - Complexity: O(*n* log *n*) for *n* entities and identifiers of the types with an inverse.
    public func inconsistencies() -> [Inconsistency] {
        read {
            registry.all.flatMap { table -> [Inconsistency] in
                guard let type = table.entityType as? any (Cachable & RelationshipOwner).Type else { return [] }
                return inconsistencies(of: type)
            }
        }
    }

    private func inconsistencies<Owner: Cachable & RelationshipOwner>(of type: Owner.Type) -> [Inconsistency] {
        let inverses = type.inverses
        if inverses.isEmpty { return [] }
        let owners = allValues(of: type, inOrder: true)
        return inverses.flatMap { $0.inconsistencies(owners, self) }
    }
}

extension FlatCache.Inconsistency: CustomStringConvertible {
    /// A sentence with both entities and properties.
    public var description: String {
        "\(owner) refers to \(related) in '\(property)', but '\(inverse)' of \(related) doesn't refer back"
    }
}
