/// Where ``FlatCache/fetch(_:id:policy:maxAge:replacesNewerWrites:isolation:)`` takes an entity from.
///
/// | policy | stored | stored, but stale | missing |
/// |---|---|---|---|
/// | `cacheOnly` | returned | returned | ``FetchError/notCached(_:)`` |
/// | `cacheFirst` | returned | fetched | fetched |
/// | `networkOnly` | fetched | fetched | fetched |
/// | `cacheAndNetwork` | returned, and fetched behind | returned, and fetched behind | fetched |
///
/// `cacheAndNetwork` returns what was stored when it was called. If some of several entities are missing, it waits for
/// those, and returns all as they are then.
///
/// Without a fetcher, `networkOnly` and `cacheAndNetwork` throw ``FetchError/noFetcher(_:)``, whatever is stored.
///
/// An entity is stale when it is older than its `maxAge`, or was invalidated and not written since. An error that fetching
/// behind meets is that of the handle, ``Cached/error``.
@frozen  // So that a switch over all cases is one with library evolution, too.
public enum FetchPolicy: Hashable, Sendable {
    /// The cache alone, stale or not; an entity that is missing there is an error.
    case cacheOnly
    /// The cache, or the fetcher when the entity is missing or stale.
    case cacheFirst
    /// The fetcher, whatever the cache holds.
    case networkOnly
    /// What the cache holds when it is asked, and the fetcher behind it; the fetcher when the entity is missing.
    case cacheAndNetwork
}
