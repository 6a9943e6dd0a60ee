extension FlatCache {
    /// The kind of a property that holds identifiers in arrays of arrays: `var cellIDs: [[Cell.ID]]`.
    ///
    /// The related entities are one array, because rows with gaps would not show where an entity is missing. Only
    /// entities to assign are in rows, which the property keeps. An inverse removes identifiers from it, and adds none.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum ToNested<Related: Cachable>: PropertyKind {
        public typealias Assigned = [[Related]]

        public static func _ids(_ rows: [[Related.ID]]) -> [Related.ID] { Array(rows.joined()) }

        public static func _found(_ rows: [[Related.ID]], in cache: FlatCache) -> [Related] {
            cache.get(Related.self, ids: rows.joined())
        }

        public static var _nothing: [Related] { [] }

        public static func _all(_ rows: [[Related.ID]], in cache: FlatCache) -> [Related]? {
            ToMany._all(_ids(rows), in: cache)
        }

        public static func _fetched(
            _ rows: [[Related.ID]],
            _ policy: FetchPolicy,
            in cache: FlatCache,
            isolation: isolated (any Actor)?
        ) async throws(FetchError) -> [Related] {
            try await cache.fetch(Related.self, ids: _ids(rows), policy, isolation: isolation)
        }

        public static func _handles(_ rows: [[Related.ID]], in cache: FlatCache) -> [Cached<Related>] {
            rows.joined().map { Cached(id: $0, in: cache) }
        }

        public static func _handles(ofHandle handles: [Cached<Related>]?) -> [Cached<Related>] { handles ?? [] }

        public static func _identifiers(of rows: [[Related]]) -> [[Related.ID]] { rows.map { $0.map { $0.id } } }

        public static func _list(_ rows: [[Related]]) -> [Related] { Array(rows.joined()) }
    }

    /// The kind of a property that holds a dictionary of identifiers: `var authorIDs: [Language: Author.ID]`.
    ///
    /// The related entities are a dictionary without the missing ones. An inverse removes identifiers from it, and adds
    /// none.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum ToKeyed<Key: Hashable & Sendable, Related: Cachable>: PropertyKind {
        public static func _ids(_ ids: [Key: Related.ID]) -> [Related.ID] { Array(ids.values) }

        public static func _found(_ ids: [Key: Related.ID], in cache: FlatCache) -> [Key: Related] {
            ids.compactMapValues { cache.get(Related.self, id: $0) }
        }

        public static var _nothing: [Key: Related] { [:] }

        public static func _all(_ ids: [Key: Related.ID], in cache: FlatCache) -> [Key: Related]? {
            let found = _found(ids, in: cache)
            return found.count == ids.count ? found : nil
        }

        public static func _fetched(
            _ ids: [Key: Related.ID],
            _ policy: FetchPolicy,
            in cache: FlatCache,
            isolation: isolated (any Actor)?
        ) async throws(FetchError) -> [Key: Related] {
            let entities = try await cache.fetch(Related.self, ids: ids.values, policy, isolation: isolation)
            // The keys aren't compared again.
            var place = 0
            return ids.mapValues { _ in
                defer { place += 1 }
                return entities[place]
            }
        }

        public static func _handles(_ ids: [Key: Related.ID], in cache: FlatCache) -> [Key: Cached<Related>] {
            ids.mapValues { Cached(id: $0, in: cache) }
        }

        public static func _handles(ofHandle handles: [Key: Cached<Related>]?) -> [Key: Cached<Related>] {
            handles ?? [:]
        }

        public static func _missing(_ ids: [Key: Related.ID], in cache: FlatCache) -> [Key: Related.ID] {
            ids.filter { !cache.contains(Related.self, id: $0.value) }
        }

        public static var _noneMissing: [Key: Related.ID] { [:] }

        public static func _identifiers(of entities: [Key: Related]) -> [Key: Related.ID] {
            entities.mapValues { $0.id }
        }

        public static func _list(_ entities: [Key: Related]) -> [Related] { Array(entities.values) }
    }

    /// The kind of an optional property, or of a case, that holds several identifiers: `var tagIDs: [Tag.ID]?`.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum OptionalKind<Kind: PropertyKind>: PropertyKind {
        public typealias Related = Kind.Related

        @inlinable public static func _ids(_ ids: Kind.Identifiers?) -> [Related.ID] { ids.map { Kind._ids($0) } ?? [] }

        @inlinable public static func _found(_ ids: Kind.Identifiers?, in cache: FlatCache) -> Kind.Found? {
            ids.map { Kind._found($0, in: cache) }
        }

        @inlinable public static var _nothing: Kind.Found? { nil }

        @inlinable public static func _all(_ ids: Kind.Identifiers?, in cache: FlatCache) -> Kind.Entities?? {
            guard let ids else { return .some(nil) }
            return Kind._all(ids, in: cache).map { .some($0) }
        }

        public static func _fetched(
            _ ids: Kind.Identifiers?,
            _ policy: FetchPolicy,
            in cache: FlatCache,
            isolation: isolated (any Actor)?
        ) async throws(FetchError) -> Kind.Entities? {
            guard let ids else { return nil }
            return try await Kind._fetched(ids, policy, in: cache, isolation: isolation)
        }

        @inlinable public static func _handles(_ ids: Kind.Identifiers?, in cache: FlatCache) -> Kind.Handles? {
            ids.map { Kind._handles($0, in: cache) }
        }

        @inlinable public static func _handles(ofHandle handles: Kind.Handles??) -> Kind.Handles? { handles ?? nil }

        public static func _missing(_ ids: Kind.Identifiers?, in cache: FlatCache) -> Kind.Missing {
            ids.map { Kind._missing($0, in: cache) } ?? _noneMissing
        }

        public static var _noneMissing: Kind.Missing { Kind._noneMissing }

        @inlinable public static func _identifiers(of entities: Kind.Assigned?) -> Kind.Identifiers? {
            entities.map { Kind._identifiers(of: $0) }
        }

        @inlinable public static func _list(_ entities: Kind.Assigned?) -> [Related] {
            entities.map { Kind._list($0) } ?? []
        }
    }

    /// The kind of an optional property that holds identifiers in arrays of arrays: `var cellIDs: [[Cell.ID]]?`.
    public typealias ToOptionalNested<Related: Cachable> = OptionalKind<ToNested<Related>>

    /// The kind of an optional property that holds a dictionary of identifiers: `var authorIDs: [Language: Author.ID]?`.
    public typealias ToOptionalKeyed<Key: Hashable & Sendable, Related: Cachable> = OptionalKind<ToKeyed<Key, Related>>
}
