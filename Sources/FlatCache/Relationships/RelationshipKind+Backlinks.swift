extension FlatCache {
    /// The kind of a backlink: the entities that refer to one, found by a query.
    ///
    /// A backlink can be read like a relationship, but not be fetched or set. None of its entities is ever missing, because
    /// only the cache knows them.
    ///
    /// In a longer key path it stands for the entities that the cache holds: `prefetch(\.posts.tags, for: authors)`
    /// fetches the tags of these posts. `cached(\.posts)` returns handles to the posts at the time of the call. Reads
    /// are tracked by Observation.
    ///
    /// The build plugin generates one from an annotation with `backlink:`. Its access level is the lowest of the
    /// property and both types. Both types belong to the target, and neither is generic. The entities are in the order
    /// of insertion, or sorted by the property after `sorted:`, smallest first and `nil` last. The property also gets
    /// an index.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public enum Backlink<Related: Cachable>: ReadableKind {
        public static func _ids(_ query: Query<Related>) -> [Related.ID] { [] }

        public static func _found(_ query: Query<Related>, in cache: FlatCache) -> [Related] {
            cache.tracked { Array($0.answer(of: query)) }
        }

        public static var _nothing: [Related] { [] }

        public static func _all(_ query: Query<Related>, in cache: FlatCache) -> [Related]? {
            _found(query, in: cache)
        }

        public static func _handles(_ query: Query<Related>, in cache: FlatCache) -> [Cached<Related>] {
            cache.tracked { cache in cache.answer(of: query).map { Cached(id: $0.id, in: cache) } }
        }

        public static func _handles(ofHandle handles: [Cached<Related>]?) -> [Cached<Related>] { handles ?? [] }

        public static func _missing(_ query: Query<Related>, in cache: FlatCache) -> [Related.ID] { [] }

        public static var _noneMissing: [Related.ID] { [] }
    }
}

extension FlatCache.Relationship {
    /// Creates a description of a backlink.
    ///
    ///     var posts: FlatCache.Relationship<Author, FlatCache.Backlink<Post>> {
    ///         .init("Author.posts") { FlatCache.Query().filter(\.authorID, equals: $0.id) }
    ///     }
    ///
    /// - Parameters:
    ///   - backlink: The backlink with its type, such as `Author.posts`, for error messages.
    ///   - query: A closure that returns the query for the entities that refer to an owner.
    public init<Related>(
        _ backlink: StaticString,
        _ query: @escaping @Sendable (Owner) -> FlatCache.Query<Related>
    ) where Kind == FlatCache.Backlink<Related> {
        self.init(
            backlink,
            query,
            path: { owners, follow in
                BacklinkStep(queries: owners.map(query), follow: follow)
            }
        )
    }
}

/// A step to the entities that refer to others.
///
/// It fetches nothing. The step after it begins with the entities that the cache holds.
private struct BacklinkStep<Related: Cachable>: PrefetchStep {
    let queries: [FlatCache.Query<Related>]
    /// A closure that makes the next step from the entities of this one.
    let follow: PrefetchFollower<Related>

    // Other than that of a step that fetches such entities.
    var type: ObjectIdentifier { ObjectIdentifier(Self.self) }

    func fetch(
        with others: some Sequence<any PrefetchStep>,
        in cache: FlatCache,
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) {}

    func next(in cache: FlatCache) -> (any PrefetchStep)? {
        follow(cache.read { queries.flatMap { Array(cache.answer(of: $0)) } })
    }
}
