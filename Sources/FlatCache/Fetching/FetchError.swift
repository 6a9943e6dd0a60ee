/// Why entities could not be fetched.
///
/// Each case names the entities that it is about, of those that one call has asked for.
@frozen  // So that a switch over all cases is one with library evolution, too.
public enum FetchError: Error, Sendable {
    /// No fetcher is set for the type of the entities.
    case noFetcher([FlatCacheKey])
    /// The cache does not hold the entities, and the policy allows nothing else.
    case notCached([FlatCacheKey])
    /// The fetcher has answered without the entities.
    case notFound([FlatCacheKey])
    /// The entities were removed while they were fetched, or the cache was cleared.
    case removed([FlatCacheKey])
    /// The fetcher of the entities would wait for itself.
    ///
    /// A fetcher that fetches what its own call is for, directly or through other fetchers, would wait for ever. The
    /// request that would close the circle fails with this error instead. Requests of the fetcher's task and of its child
    /// tasks, made by `async let` and task groups, count as the call's.
    ///
    /// A task that the fetcher starts with `Task` doesn't: it may fetch what the call is for, and gets it when the fetcher
    /// has returned. What the library can't detect:
    ///
    /// - A fetcher waits for such a task, by its `value` or otherwise, and the task waits for the fetcher's call. Both wait
    ///   for ever. Use child tasks for what a fetcher waits for.
    /// - A task that the fetcher starts with an executor preference counts as a child task until the fetcher has returned,
    ///   so that it can get this error.
    /// - A child task that is given `globalConcurrentExecutor` as its preference counts as started with `Task` on systems
    ///   that don't tell that executor from no preference. Linux does.
    case cyclic([FlatCacheKey])
    /// The fetcher has thrown.
    case failed([FlatCacheKey], any Error)
    /// The task that waited was cancelled.
    case cancelled([FlatCacheKey])
    /// The cache of a handle is gone.
    case cacheGone(FlatCacheKey)
}

extension FetchError {
    /// The keys of the entities that could not be fetched.
    public var keys: [FlatCacheKey] {
        switch self {
        case .noFetcher(let keys), .notCached(let keys), .notFound(let keys), .removed(let keys), .cyclic(let keys),
            .cancelled(let keys), .failed(let keys, _):
            keys
        case .cacheGone(let key): [key]
        }
    }

    /// What the fetcher has thrown; `nil` when it has not.
    public var underlying: (any Error)? {
        if case .failed(_, let error) = self { error } else { nil }
    }
}

extension FetchError: CustomStringConvertible {
    /// What went wrong with which entities, and what to do about it.
    public var description: String {
        let entities = Self.describe(keys)
        let isOne = keys.count == 1
        let (them, are, they) = isOne ? ("it", "is", "it") : ("them", "are", "they")
        return switch self {
        case .noFetcher:
            """
            \(entities) can't be fetched: there is no fetcher for the type. Set one before, with \
            'cache.setFetcher(of: \(typeName).self) { ids in … }', where the closure returns the entities
            """
        case .notCached:
            """
            \(entities) \(are) not in the cache, and the policy 'cacheOnly' calls no fetcher. Store \(them) before, or fetch \
            \(them) by 'cacheFirst'
            """
        case .notFound:
            """
            The fetcher has answered without \(entities). If the server has \(them), make the fetcher return \(them); if \
            not, handle this error
            """
        case .removed:
            """
            \(entities) \(isOne ? "was" : "were") removed, or the cache cleared, after the request; the answer was not \
            stored. Fetch \(them) again if \(they) \(are) still needed
            """
        case .cyclic:
            """
            \(entities) can't be fetched from inside the call of the fetcher that is fetching \(them): the two would wait \
            for each other. Return \(them) from that fetcher, or use 'cacheOnly' in it
            """
        case .failed(_, let error):
            "The fetcher of \(entities) has failed: \(error). Fetch \(them) again to call the fetcher again"
        case .cancelled:
            "The task waiting for \(entities) was cancelled. Fetch \(them) again from a task that isn't cancelled"
        case .cacheGone:
            "The cache of the handle of \(entities) is deallocated. Keep the cache for as long as its handles are used"
        }
    }

    private var typeName: String { keys.first.map { String(describing: $0.entityType) } ?? "Entity" }

    /// Names the first keys, and says how many others there are.
    private static func describe(_ keys: [FlatCacheKey]) -> String {
        let limit = 5
        let named = keys.prefix(limit).map(\.description).joined(separator: ", ")
        return keys.count > limit ? "\(named) and \(keys.count - limit) more" : named
    }
}
