/// The entities of one type that a prefetch must fetch before it can continue one of its paths.
protocol PrefetchStep: Sendable {
    /// Identifies the type of the entities.
    var type: ObjectIdentifier { get }

    /// Fetches the entities of this and other steps of the same type in one request, without an error for missing ones.
    func fetch(
        with others: some Sequence<any PrefetchStep>,
        in cache: FlatCache,
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError)

    /// The next step from the entities that a cache holds now, or `nil` at the end of the path.
    func next(in cache: FlatCache) -> (any PrefetchStep)?
}

/// A closure that makes the next step of a path from the entities of the last one, or returns `nil` at the end of the
/// path.
typealias PrefetchFollower<Related> = @Sendable ([Related]) -> (any PrefetchStep)?

/// A step to related entities.
struct RelatedStep<Related: Cachable>: PrefetchStep {
    let ids: [Related.ID]
    /// A closure that makes the next step from the entities of this one.
    let follow: PrefetchFollower<Related>

    var type: ObjectIdentifier { ObjectIdentifier(Related.self) }

    func fetch(
        with others: some Sequence<any PrefetchStep>,
        in cache: FlatCache,
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) {
        let ids = KeySet(ids + others.flatMap { ($0 as? RelatedStep)?.ids ?? [] }).keys
        do throws(FetchError) {
            _ = try await cache.fetch(Related.self, ids: ids, policy)
        } catch {
            switch error {
            // These errors are thrown after all other entities have arrived.
            case .notFound, .removed: break
            default: throw error
            }
        }
    }

    func next(in cache: FlatCache) -> (any PrefetchStep)? {
        follow(cache.get(Related.self, ids: ids))
    }
}
