/// Why an entity could not be fetched.
public enum FetchError: Error, Sendable {
    /// No fetcher is set for a type.
    case noFetcher(any Cachable.Type)
    /// The cache does not hold the entities, and the policy allows nothing else.
    case notCached([FlatCacheKey])
    /// The fetcher has answered without the entities.
    case notFound([FlatCacheKey])
    /// The entities were removed while they were fetched, or the cache was cleared.
    case removed([FlatCacheKey])
    /// The fetcher of the entities has waited for one of them itself.
    case cyclic([FlatCacheKey])
    /// The fetcher has thrown.
    case failed([FlatCacheKey], any Error)
    /// The task that waited was cancelled.
    case cancelled
    /// The cache of a handle is gone.
    case cacheGone(FlatCacheKey)
}
