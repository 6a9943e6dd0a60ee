/// Where ``FlatCache/fetch(_:id:policy:maxAge:replacesNewerWrites:isolation:)`` takes an entity from.
public enum FetchPolicy: Hashable, Sendable {
    /// The cache alone; an entity that is missing there is an error.
    case cacheOnly
    /// The cache, or the fetcher when the entity is missing or stale.
    case cacheFirst
    /// The fetcher, whatever the cache holds.
    case networkOnly
    /// What the cache holds, at once, and the fetcher behind it; the fetcher when the entity is missing.
    case cacheAndNetwork
}
