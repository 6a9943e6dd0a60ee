/// Where ``FlatCache/fetch(_:id:_:isolation:)`` takes an entity from.
///
///     try await cache.fetch(Author.self, id: "7")                                          // cacheFirst
///     try await cache.fetch(Author.self, id: "7", .cacheFirst(maxAge: .seconds(60)))
///     try await post.fetchAuthor(.networkOnly)
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
/// behind meets is that of the handle, ``Cached/status``.
@frozen
public struct FetchPolicy: Hashable, Sendable {
    @frozen @usableFromInline enum Source: Sendable {
        case cacheOnly, cacheFirst, networkOnly, cacheAndNetwork
    }

    @usableFromInline let source: Source
    @usableFromInline let maxAge: Duration?
    @usableFromInline let replacesNewerWrites: Bool

    @inlinable init(_ source: Source, maxAge: Duration? = nil, replacesNewerWrites: Bool = false) {
        self.source = source
        self.maxAge = maxAge
        self.replacesNewerWrites = replacesNewerWrites
    }

    /// The cache, stale or not; an entity that is missing there is an error.
    @inlinable public static var cacheOnly: FetchPolicy { FetchPolicy(.cacheOnly) }

    /// The cache, or the fetcher when the entity is missing or stale.
    @inlinable public static var cacheFirst: FetchPolicy { FetchPolicy(.cacheFirst) }

    /// The cache, or the fetcher when the entity is missing or older than an age.
    ///
    /// - Parameter maxAge: The age from which on a stored entity is stale, instead of that of the fetcher. The age of an entity
    ///   that was written before the cache has heard of any `maxAge` is not known: it is stale.
    @inlinable public static func cacheFirst(maxAge: Duration) -> FetchPolicy {
        FetchPolicy(.cacheFirst, maxAge: maxAge)
    }

    /// The fetcher, whatever the cache holds.
    @inlinable public static var networkOnly: FetchPolicy { FetchPolicy(.networkOnly) }

    /// What the cache holds when it is asked, and the fetcher behind it; the fetcher when the entity is missing.
    @inlinable public static var cacheAndNetwork: FetchPolicy { FetchPolicy(.cacheAndNetwork) }

    /// This policy, with an answer that also replaces what was written after the request began.
    ///
    ///     try await cache.fetch(Post.self, id: "1", .networkOnly.replacingNewerWrites())
    ///
    /// Without this, such writes are kept. An entity that was removed after the request began doesn't come back.
    @inlinable public func replacingNewerWrites() -> FetchPolicy {
        FetchPolicy(source, maxAge: maxAge, replacesNewerWrites: true)
    }
}

extension FetchPolicy: CustomStringConvertible {
    /// The policy as it is written: `cacheFirst(maxAge: 60.0 seconds)`.
    public var description: String {
        "\(source)\(maxAge.map { "(maxAge: \($0))" } ?? "")\(replacesNewerWrites ? ".replacingNewerWrites()" : "")"
    }
}
