/// A type whose properties hold identifiers of entities, with descriptions of these relationships.
///
///     post.cached(\.author)                                              // a handle to the author
///     try post.require(\.author)                                         // the author, or an error
///     post.missing(\.comments)                                           // what isn't in the cache
///     try await cache.prefetch(\.author, \.comments.author, for: posts)   // one request for each relationship
///
/// The build plugin generates the conformance of types with annotated properties. For each annotation,
/// ``Relationships`` has a property with the name of the accessor. A conformance written by hand looks like this:
///
///     extension Post: RelationshipOwner {
///         struct Relationships: Sendable {
///             var author: FlatCache.Relationship<Post, FlatCache.ToOne<Author>> {
///                 .init("Post.authorID", { $0.authorID }, set: { $0.authorID = $1 })
///             }
///         }
///         static var relationships: Relationships { Relationships() }
///     }
public protocol RelationshipOwner {
    /// A type with a property of type ``FlatCache/Relationship`` for each relationship.
    associatedtype Relationships: Sendable

    /// The relationships, which are the root of key paths such as `\.author`.
    static var relationships: Relationships { get }

    /// The relationships with an inverse, which is a stored property of the related entities.
    ///
    ///     static var inverses: [FlatCache.Inverse<Post>] { [.init(\.author, \.posts)] }
    ///
    /// The default is none. The build plugin generates it from annotations with `inverse:`, for both types.
    ///
    /// A type with such an annotation can't declare the property itself.
    static var inverses: [FlatCache.Inverse<Self>] { get }

    /// All relationships that consist of one property, also those of values in the properties of this type.
    ///
    ///     static var allRelationships: [FlatCache.AnyRelationship<Post>] { [.init(\.author), .init(within: { $0.poll })] }
    ///
    /// Limits and ``FlatCache/collect(keeping:)`` follow them to keep what an entity refers to, and
    /// ``FlatCache/FlatCache/replaceIdentifier(of:_:with:)`` changes them. The default is none. The build plugin generates it.
    ///
    /// The plugin lists a value if its type is a struct or enum of the target that has a relationship, or whose own
    /// values have one. The value can be an entity, and can be in a case, an optional, an array, a set, a dictionary,
    /// or several of these. Its type is the one that the property is declared with, type aliases included, or that of
    /// an initial value such as `Poll()`. An owner of such values conforms to this protocol without an annotation of
    /// its own, if it is an entity or such a value itself.
    ///
    /// These are left out: private, lazy, computed and static properties, instances of classes, tuples, other generic
    /// types such as `Result<Poll, Failure>`, types of other modules, several cases in one declaration, and backlinks.
    /// For them, declare the property yourself, in the file with a private property. It replaces the generated list. A
    /// type without an annotation needs the conformance, too:
    ///
    ///     extension Draft: RelationshipOwner {
    ///         struct Relationships: Sendable {}
    ///         static var relationships: Relationships { Relationships() }
    ///         static var allRelationships: [FlatCache.AnyRelationship<Draft>] { [.init(within: { $0.poll })] }
    ///     }
    ///
    /// The cache reads the values on any thread. So where the main actor is the default isolation, values in sets and
    /// keys of dictionaries must be `nonisolated`.
    static var allRelationships: [FlatCache.AnyRelationship<Self>] { get }
}

extension RelationshipOwner {
    /// No relationship has an inverse.
    @inlinable public static var inverses: [FlatCache.Inverse<Self>] { [] }

    /// No relationship is followed.
    @inlinable public static var allRelationships: [FlatCache.AnyRelationship<Self>] { [] }
}

// Short names for generated code.
extension RelationshipOwner {
    /// The relationships of this type with an inverse.
    public typealias _Inverses = [FlatCache.Inverse<Self>]
    /// All relationships of this type.
    public typealias _All = [FlatCache.AnyRelationship<Self>]
    /// A relationship of this type to one entity.
    public typealias _ToOne<Related: Cachable> = FlatCache.Relationship<Self, FlatCache.ToOne<Related>>
    /// A relationship of this type to one optional entity.
    public typealias _ToOptional<Related: Cachable> = FlatCache.Relationship<Self, FlatCache.ToOptional<Related>>
    /// A relationship of this type to several entities.
    public typealias _ToMany<Related: Cachable> = FlatCache.Relationship<Self, FlatCache.ToMany<Related>>
    /// An optional relationship of this type to several entities.
    public typealias _ToOptionalMany<Related: Cachable> = FlatCache.Relationship<
        Self, FlatCache.ToOptionalMany<Related>
    >
    /// A relationship of this type to entities in arrays of arrays.
    public typealias _ToNested<Related: Cachable> = FlatCache.Relationship<Self, FlatCache.ToNested<Related>>
    /// An optional relationship of this type to entities in arrays of arrays.
    public typealias _ToOptionalNested<Related: Cachable> = FlatCache.Relationship<
        Self, FlatCache.ToOptionalNested<Related>
    >
    /// A relationship of this type to entities in a dictionary.
    public typealias _ToKeyed<Key: Hashable & Sendable, Related: Cachable> = FlatCache.Relationship<
        Self, FlatCache.ToKeyed<Key, Related>
    >
    /// An optional relationship of this type to entities in a dictionary.
    public typealias _ToOptionalKeyed<Key: Hashable & Sendable, Related: Cachable> = FlatCache.Relationship<
        Self, FlatCache.ToOptionalKeyed<Key, Related>
    >
    /// The entities that refer to an entity of this type.
    public typealias _Backlink<Related: Cachable> = FlatCache.Relationship<Self, FlatCache.Backlink<Related>>
}

extension RelationshipOwner {
    /// Returns all related entities, or throws if one of them isn't stored.
    ///
    ///     let author = try post.require(\.author)
    ///
    /// The reads are tracked by Observation.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - cache: The cache to read.
    /// - Returns: The entity, or the entities in the order or with the keys of the identifiers, or `nil` if the property
    ///   is `nil`. All are read from one state of the cache.
    /// - Throws: ``RelationshipError/relatedMissing(property:owner:missing:)`` if the cache doesn't hold all of them.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func require<Kind: FlatCache.ReadableKind>(
        _ relationship: KeyPath<Relationships, FlatCache.Relationship<Self, Kind>>,
        in cache: FlatCache = .current
    ) throws(RelationshipError) -> Kind.Entities {
        let relationship = Self.relationships[keyPath: relationship]
        return try cache.tracked { cache throws(RelationshipError) in try relationship.required(by: self, in: cache) }
    }

    /// Returns the identifiers of related entities that are missing, in order.
    ///
    ///     post.missing(\.comments)        // [Comment.ID]
    ///
    /// The reads are tracked by Observation.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - cache: The cache to read.
    /// - Returns: The identifiers, with their keys if the property is a dictionary.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func missing<Kind: FlatCache.ReadableKind>(
        _ relationship: KeyPath<Relationships, FlatCache.Relationship<Self, Kind>>,
        in cache: FlatCache = .current
    ) -> Kind.Missing {
        let identifiers = Self.relationships[keyPath: relationship].identifiers(self)
        return cache.tracked { Kind._missing(identifiers, in: $0) }
    }

    /// Returns live handles to the related entities.
    ///
    ///     let author = post.cached(\.author)        // Cached<Author>
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - cache: The cache of the handles.
    /// - Returns: A handle, or handles in the order or with the keys of the identifiers, or `nil` if the property is `nil`.
    ///   The entities need not be stored.
    /// - Complexity: O(*n*) on average for *n* identifiers.
    public func cached<Kind: FlatCache.ReadableKind>(
        _ relationship: KeyPath<Relationships, FlatCache.Relationship<Self, Kind>>,
        in cache: FlatCache = .current
    ) -> Kind.Handles {
        Kind._handles(Self.relationships[keyPath: relationship].identifiers(self), in: cache)
    }
}

extension FlatCache.Relationship where Kind: FlatCache.ReadableKind {
    /// All related entities of an owner, from one state of the cache.
    ///
    /// - Throws: ``RelationshipError/relatedMissing(property:owner:missing:)`` if the cache doesn't hold all of them.
    func required(by owner: Owner, in cache: FlatCache) throws(RelationshipError) -> Kind.Entities {
        try cache.read { () throws(RelationshipError) in
            let identifiers = identifiers(owner)
            if let all = Kind._all(identifiers, in: cache) { return all }
            cache.noteIfOther(Owner.self, "require(_:in:)")
            let missing = cache.missingIDs(of: Kind.Related.self, among: Kind._ids(identifiers))
            throw .relatedMissing(
                property: "\(property)",
                owner: (owner as? any Cachable)?.flatCacheKey,
                missing: missing.map { FlatCacheKey(Kind.Related.self, id: $0) }
            )
        }
    }
}

extension FlatCache.PropertyKind {
    /// Stores entities that a property refers to, if the property can't be set.
    ///
    /// - Throws: ``RelationshipError/constantIdentifier(property:holding:insteadOf:)`` if the property has other
    ///   identifiers. Then nothing is stored.
    static func store(
        _ entities: Assigned,
        namedBy held: Identifiers,
        _ property: StaticString,
        isOrdered: Bool = true,
        in cache: FlatCache
    ) throws(RelationshipError) {
        let given = _identifiers(of: entities)
        guard held == given || (!isOrdered && KeySet(_ids(held)) == KeySet(_ids(given))) else {
            throw .constantIdentifier(
                property: "\(property)",
                holding: String(reflecting: held),
                insteadOf: String(reflecting: given)
            )
        }
        cache.store(_list(entities))
    }
}
