/// A choice whether ``FlatCache/fetch(_:id:_:isolation:)`` takes an entity from the cache or from the fetcher.
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
/// | `cacheAndNetwork` | returned, and fetched in the background | returned, and fetched in the background | fetched |
///
/// `cacheAndNetwork` returns the entities that were stored at the start of the request. If some are missing, it waits
/// for them, and then returns the current state of all.
///
/// Without a fetcher, `networkOnly` and `cacheAndNetwork` throw ``FetchError/noFetcher(_:)``, even if the entity is
/// stored.
///
/// An entity is stale if it is older than its `maxAge`, or was invalidated and not written since. Its age is the time
/// since its last write of any kind. ``Cached/status`` has the error of a fetch in the background, and observers are
/// notified of its changes.
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

    /// A policy that uses only the cache, even for stale entities, and throws for missing entities.
    @inlinable public static var cacheOnly: FetchPolicy { FetchPolicy(.cacheOnly) }

    /// A policy that uses the cache, or the fetcher if the entity is missing or stale.
    @inlinable public static var cacheFirst: FetchPolicy { FetchPolicy(.cacheFirst) }

    /// Returns a policy that uses the cache, or the fetcher if the entity is missing, invalidated or older than an age.
    ///
    /// - Parameter maxAge: The age at which a stored entity becomes stale, instead of the `maxAge` of the fetcher.
    ///   Entities that were written before the first `maxAge` was given to the cache have an unknown age and are stale.
    @inlinable public static func cacheFirst(maxAge: Duration) -> FetchPolicy {
        FetchPolicy(.cacheFirst, maxAge: maxAge)
    }

    /// A policy that always uses the fetcher.
    @inlinable public static var networkOnly: FetchPolicy { FetchPolicy(.networkOnly) }

    /// A policy that uses the cache and fetches in the background, or uses the fetcher if the entity is missing.
    @inlinable public static var cacheAndNetwork: FetchPolicy { FetchPolicy(.cacheAndNetwork) }

    /// Returns this policy with an answer that also replaces writes that are made after the request.
    ///
    ///     try await cache.fetch(Post.self, id: "1", .networkOnly.replacingNewerWrites())
    ///
    /// Without this, such writes are kept. An entity that was removed after the request isn't stored again.
    @inlinable public func replacingNewerWrites() -> FetchPolicy {
        FetchPolicy(source, maxAge: maxAge, replacesNewerWrites: true)
    }
}

extension FetchPolicy: CustomStringConvertible, CustomReflectable {
    /// A text with the policy as it is written in code: `cacheFirst(maxAge: 60.0 seconds)`.
    public var description: String {
        "\(source)\(maxAge.map { "(maxAge: \($0))" } ?? "")\(replacesNewerWrites ? ".replacingNewerWrites()" : "")"
    }

    /// No members, so that `dump` prints the line alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
