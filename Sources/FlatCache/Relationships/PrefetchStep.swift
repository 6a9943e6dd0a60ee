/// What a prefetch has to fetch for one of its paths before it can go on: entities of one type.
protocol PrefetchStep: Sendable {
    /// Identifies the type of the entities.
    var type: ObjectIdentifier { get }

    /// Fetches the entities, and those of other steps of the same type, in one request; leaves out those that there are not.
    func fetch(
        with others: some Sequence<any PrefetchStep>,
        in cache: FlatCache,
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError)

    /// The next step from the entities that a cache holds now; `nil` when the path ends here.
    func next(in cache: FlatCache) -> (any PrefetchStep)?
}

/// Makes the next step of a path from the entities of the last one; `nil` at the end of the path.
typealias PrefetchFollower<Related> = @Sendable ([Related]) -> (any PrefetchStep)?

/// A step to related entities.
struct RelatedStep<Related: Cachable>: PrefetchStep {
    let ids: Set<Related.ID>
    /// Makes the next step, from the entities of this one.
    let follow: PrefetchFollower<Related>

    var type: ObjectIdentifier { ObjectIdentifier(Related.self) }

    func fetch(
        with others: some Sequence<any PrefetchStep>,
        in cache: FlatCache,
        _ policy: FetchPolicy,
        isolation: isolated (any Actor)?
    ) async throws(FetchError) {
        let ids = others.reduce(ids) { $0.union(($1 as? RelatedStep)?.ids ?? []) }
        do throws(FetchError) {
            _ = try await cache.fetch(Related.self, ids: ids, policy)
        } catch {
            switch error {
            // These are thrown when all the others have arrived.
            case .notFound, .removed: break
            default: throw error
            }
        }
    }

    func next(in cache: FlatCache) -> (any PrefetchStep)? {
        follow(cache.get(Related.self, ids: ids))
    }
}
