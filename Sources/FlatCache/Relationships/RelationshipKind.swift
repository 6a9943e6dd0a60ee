extension FlatCache {
    /// The kind of a relationship: ``ToOne``, ``ToOptional``, ``ToMany``, ``ToNested``, ``ToKeyed``, ``OptionalKind``,
    /// ``Backlink`` or ``Path``.
    ///
    /// Only these types conform. Don't add conformances. The members with underscores are for generated code and key
    /// paths.
    public protocol RelationshipKind: Sendable {
        /// The type of the related entities.
        associatedtype Related: Cachable
        /// The type of the property that holds the identifiers.
        associatedtype Identifiers
        /// The identifiers as an array.
        static func _ids(_ identifiers: Identifiers) -> [Related.ID]
    }

    /// The kind of a relationship whose entities can be read from a cache: that of one property, or a ``Backlink``.
    public protocol ReadableKind: RelationshipKind {
        /// The type of the related entities that the cache holds, such as `Author?` or `[Comment]`.
        associatedtype Found
        /// The type of all related entities, such as `Author` or `[Comment]`.
        associatedtype Entities
        /// The type of the identifiers of missing entities.
        associatedtype Missing = [Related.ID]
        /// The type of the handles to the related entities.
        associatedtype Handles
        /// The type of the handles to the related entities of an owner that may be missing.
        associatedtype HandlesOfHandle

        /// The related entities that a cache holds.
        static func _found(_ identifiers: Identifiers, in cache: FlatCache) -> Found
        /// The related entities if the owner is missing: `nil`, or an empty array.
        static var _nothing: Found { get }
        /// All related entities, or `nil` if one of them isn't stored.
        static func _all(_ identifiers: Identifiers, in cache: FlatCache) -> Entities?
        /// The type of the handles to the related entities.
        static func _handles(_ identifiers: Identifiers, in cache: FlatCache) -> Handles
        /// The handles that a handle of the owner returns. The argument is `nil` if the owner is missing.
        static func _handles(ofHandle handles: Handles?) -> HandlesOfHandle
        /// The identifiers of entities that a cache doesn't hold.
        static func _missing(_ identifiers: Identifiers, in cache: FlatCache) -> Missing
        /// The identifiers of missing entities if the owner is missing: none.
        static var _noneMissing: Missing { get }
    }

    /// The kind of a relationship that consists of one property.
    public protocol PropertyKind: ReadableKind where Identifiers: Equatable {
        /// The type of the entities that a setter takes, such as `Author` or `[[Cell]]`.
        associatedtype Assigned = Entities

        /// The identifiers with other ones in place of some, or `nil` if they remain.
        ///
        /// An array that has the other one already loses the replaced one.
        static func _renamed(_ identifiers: Identifiers, _ rename: (Related.ID) -> Related.ID?) -> Identifiers?
        /// All related entities, from the cache or from the fetcher according to a policy.
        static func _fetched(
            _ identifiers: Identifiers,
            _ policy: FetchPolicy,
            in cache: FlatCache,
            isolation: isolated (any Actor)?
        ) async throws(FetchError) -> Entities
        /// The identifiers of related entities.
        static func _identifiers(of entities: Assigned) -> Identifiers
        /// Related entities as an array.
        static func _list(_ entities: Assigned) -> [Related]
        /// The identifiers with one more, or `nil` if there is no place for it.
        static func _adding(_ id: Related.ID, to identifiers: Identifiers?) -> Identifiers?
        /// The identifiers without one, or `nil` if it can't be left out.
        static func _removing(_ id: Related.ID, from identifiers: Identifiers) -> Identifiers?
    }

    /// The kind of a relationship over several properties, such as `comments.author`.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum Path<Related: Cachable>: RelationshipKind {
        public static func _ids(_ identifiers: Void) -> [Related.ID] { [] }
    }

    /// The kind of a property that holds one identifier: `var authorID: Author.ID`.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum ToOne<Related: Cachable>: PropertyKind {
        public typealias Entities = Related
        public typealias HandlesOfHandle = Cached<Related>?

        @inlinable public static func _ids(_ id: Related.ID) -> [Related.ID] { [id] }

        @inlinable public static func _found(_ id: Related.ID, in cache: FlatCache) -> Related? {
            cache.get(Related.self, id: id)
        }

        @inlinable public static var _nothing: Related? { nil }

        @inlinable public static func _all(_ id: Related.ID, in cache: FlatCache) -> Related? {
            cache.get(Related.self, id: id)
        }

        public static func _fetched(
            _ id: Related.ID,
            _ policy: FetchPolicy,
            in cache: FlatCache,
            isolation: isolated (any Actor)?
        ) async throws(FetchError) -> Related {
            try await cache.fetch(Related.self, id: id, policy, isolation: isolation)
        }

        @inlinable public static func _handles(_ id: Related.ID, in cache: FlatCache) -> Cached<Related> {
            Cached(id: id, in: cache)
        }

        @inlinable public static func _handles(ofHandle handle: Cached<Related>?) -> Cached<Related>? { handle }

        @inlinable public static func _identifiers(of entity: Related) -> Related.ID { entity.id }

        @inlinable public static func _list(_ entity: Related) -> [Related] { [entity] }
    }

    /// The kind of a property that holds an optional identifier: `var editorID: Author.ID?`.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum ToOptional<Related: Cachable>: PropertyKind {
        public typealias Entities = Related?
        public typealias HandlesOfHandle = Cached<Related>?

        @inlinable public static func _ids(_ id: Related.ID?) -> [Related.ID] { id.map { [$0] } ?? [] }

        @inlinable public static func _found(_ id: Related.ID?, in cache: FlatCache) -> Related? {
            id.flatMap { cache.get(Related.self, id: $0) }
        }

        @inlinable public static var _nothing: Related? { nil }

        @inlinable public static func _all(_ id: Related.ID?, in cache: FlatCache) -> Related?? {
            guard let id else { return .some(nil) }
            return cache.get(Related.self, id: id).map { $0 }
        }

        public static func _fetched(
            _ id: Related.ID?,
            _ policy: FetchPolicy,
            in cache: FlatCache,
            isolation: isolated (any Actor)?
        ) async throws(FetchError) -> Related? {
            guard let id else { return nil }
            return try await cache.fetch(Related.self, id: id, policy, isolation: isolation)
        }

        @inlinable public static func _handles(_ id: Related.ID?, in cache: FlatCache) -> Cached<Related>? {
            id.map { Cached(id: $0, in: cache) }
        }

        @inlinable public static func _handles(ofHandle handle: Cached<Related>??) -> Cached<Related>? { handle ?? nil }

        @inlinable public static func _identifiers(of entity: Related?) -> Related.ID? { entity?.id }

        @inlinable public static func _list(_ entity: Related?) -> [Related] { entity.map { [$0] } ?? [] }
    }

    /// The kind of a property that holds several identifiers: `var commentIDs: [Comment.ID]`.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum ToMany<Related: Cachable>: PropertyKind {
        public typealias Entities = [Related]
        public typealias HandlesOfHandle = [Cached<Related>]

        @inlinable public static func _ids(_ ids: [Related.ID]) -> [Related.ID] { ids }

        @inlinable public static func _found(_ ids: [Related.ID], in cache: FlatCache) -> [Related] {
            cache.get(Related.self, ids: ids)
        }

        @inlinable public static var _nothing: [Related] { [] }

        @inlinable public static func _all(_ ids: [Related.ID], in cache: FlatCache) -> [Related]? {
            let found = cache.get(Related.self, ids: ids)
            return found.count == ids.count ? found : nil
        }

        public static func _fetched(
            _ ids: [Related.ID],
            _ policy: FetchPolicy,
            in cache: FlatCache,
            isolation: isolated (any Actor)?
        ) async throws(FetchError) -> [Related] {
            try await cache.fetch(Related.self, ids: ids, policy, isolation: isolation)
        }

        @inlinable public static func _handles(_ ids: [Related.ID], in cache: FlatCache) -> [Cached<Related>] {
            ids.map { Cached(id: $0, in: cache) }
        }

        @inlinable public static func _handles(ofHandle handles: [Cached<Related>]?) -> [Cached<Related>] {
            handles ?? []
        }

        @inlinable public static func _identifiers(of entities: [Related]) -> [Related.ID] { entities.map { $0.id } }

        @inlinable public static func _list(_ entities: [Related]) -> [Related] { entities }
    }

    /// The kind of an optional property that holds several identifiers: `var tagIDs: [Tag.ID]?`.
    public typealias ToOptionalMany<Related: Cachable> = OptionalKind<ToMany<Related>>
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension FlatCache.PropertyKind where Missing == [Related.ID] {
    public static func _missing(_ identifiers: Identifiers, in cache: FlatCache) -> [Related.ID] {
        cache.missingIDs(of: Related.self, among: _ids(identifiers))
    }

    public static var _noneMissing: [Related.ID] { [] }
}

/// A collection of identifiers that a property can hold.
public protocol _IdentifierCollection: Sequence {
    /// Whether the identifiers are ordered.
    static var _isOrdered: Bool { get }

    /// Creates a collection of identifiers, each once if it is a set.
    init(_identifiers: [Element])
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Array: _IdentifierCollection {
    @inlinable public static var _isOrdered: Bool { true }

    @inlinable public init(_identifiers identifiers: [Element]) { self = identifiers }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Set: _IdentifierCollection {
    @inlinable public static var _isOrdered: Bool { false }

    @inlinable public init(_identifiers identifiers: [Element]) { self.init(identifiers) }
}
