/// The reason why entities could not be fetched.
///
/// Each case has the keys of the entities of the request that it concerns. The ``description`` is for developers, with
/// a remedy. Show users ``underlying``. An error reaches all requests that wait, and is not kept: the next request
/// tries again.
@frozen  // So that a switch over all cases is one with library evolution, too.
public enum FetchError: Error, Sendable {
    /// No fetcher is set for the type of the entities.
    case noFetcher([FlatCacheKey])
    /// The entities are missing, and the policy doesn't allow a call of the fetcher.
    case notCached([FlatCacheKey])
    /// The answer of the fetcher doesn't have the entities.
    case notFound([FlatCacheKey])
    /// The entities were removed, or the cache was cleared, while they were fetched, or a pending mutation removes
    /// them. The answer isn't stored.
    ///
    /// It is also thrown if so many entities of the type were removed meanwhile, thousands, that the cache doesn't
    /// remember which.
    case removed([FlatCacheKey])
    /// The fetcher of the entities would wait for itself.
    ///
    /// A fetcher that requests an entity of its own call, directly or through other fetchers and loaders of lists, would
    /// wait forever. The request that would close the cycle throws this error instead. If it is the request of a page, it
    /// throws ``ListError/cyclic(_:)``. Requests by the fetcher's task and its child tasks (`async let` and task groups)
    /// count as requests of the call.
    ///
    /// Requests by a task that the fetcher starts with `Task` don't count. It may request entities of the call, and
    /// receives them after the fetcher returns. The library can't detect these cases:
    ///
    /// - A fetcher waits for such a task, by its `value` or otherwise, and the task waits for the fetcher's call. Both
    ///   wait forever. Use child tasks if a fetcher waits for them.
    /// - A task that the fetcher starts with an executor preference counts as a child task until the fetcher returns,
    ///   so its requests can throw this error.
    /// - On systems that don't distinguish `globalConcurrentExecutor` from no preference, a child task with this
    ///   preference counts as started with `Task`. Linux distinguishes them.
    case cyclic([FlatCacheKey])
    /// The fetcher threw an error.
    case failed([FlatCacheKey], any Error)
    /// The task that waited was cancelled.
    case cancelled([FlatCacheKey])
    /// The cache of a handle is deallocated.
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

    /// The error that the fetcher threw, or `nil` for other cases.
    public var underlying: (any Error)? {
        if case .failed(_, let error) = self { error } else { nil }
    }
}

extension FetchError: CustomStringConvertible, CustomReflectable {
    /// A message that describes the entities, the problem and the remedy.
    public var description: String {
        let entities = FlatCacheKey.list(keys)
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
            not, handle this error. If it has said 304, send a tag only for an entity that is stored
            """
        case .removed:
            """
            \(entities) \(isOne ? "was" : "were") removed, or the cache cleared, after the request, so the answer isn't \
            shown. Fetch \(them) again if \(they) \(are) still needed
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

    /// No members, so that `dump` prints the message alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
